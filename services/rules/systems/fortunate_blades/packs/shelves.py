"""A pack beside the content: its entries on the shelves or in their place, its settings in force."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

from services.rules.engine.content import Shelf
from services.rules.systems.fortunate_blades.catalog import (
    Catalog,
)
from services.rules.systems.fortunate_blades.packs.entries import ContentPack, HouseRules, ListName
from services.rules.systems.fortunate_blades.settings import TableRules


def entries(pack: ContentPack, name: ListName) -> tuple[Any, ...]:
    """The entries of a list of a pack."""
    found: tuple[Any, ...] = getattr(pack, name.value)
    return found


def shelf_of(catalog: Catalog, name: ListName) -> Shelf[Any]:
    """The shelf that a list belongs to."""
    found: Shelf[Any] = getattr(catalog, _FIELDS.get(name, name.value))
    return found


_FIELDS = {ListName.PERSONAL_QUESTS: "quests"}
"""Lists whose shelf has another name."""


def extend(catalog: Catalog, pack: ContentPack) -> Catalog:
    """The content with a pack in it: its entries on the shelves or in their place, its rules in force."""
    shelves: dict[str, Any] = {}
    for name in ListName:
        added = {entry.id: entry for entry in entries(pack, name)}
        if added or name in pack.replaces:
            shelf = shelf_of(catalog, name)
            kept = {} if name in pack.replaces else shelf.entries
            shelves[_FIELDS.get(name, name.value)] = replace(
                shelf, entries=MappingProxyType({**kept, **added})
            )
    return replace(catalog, rules=_rules(catalog.rules, pack.rules), **shelves)


def _rules(rules: TableRules, house: HouseRules | None) -> TableRules:
    if house is None:
        return rules

    def over(own: int | None, usual: int) -> int:
        return usual if own is None else own

    tracks = rules.tracks
    return replace(
        rules,
        fortune=over(house.fortune, rules.fortune),
        slots=over(house.slots, rules.slots),
        creation=replace(rules.creation, ranks=over(house.ranks, rules.creation.ranks)),
        costs=replace(rules.costs, serious_harm=over(house.serious_harm, rules.costs.serious_harm)),
        effect=replace(
            rules.effect,
            resistant_levels=over(house.resistant_levels, rules.effect.resistant_levels),
        ),
        tracks=replace(
            tracks,
            group=over(house.group_track, tracks.group),
            talent=over(house.talent_track, tracks.talent),
        ),
    )
