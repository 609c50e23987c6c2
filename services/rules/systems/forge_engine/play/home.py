"""What a fight leaves a character with: health, expended energy, conditions, ammunition, used explosives.

Thrown weapons are picked up again; what burst is gone. Conditions stay that are ongoing and have no end of
their own (Energy; Damage; Conditions; Equipment / Consumables).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from services.rules.engine.codec import Json
from services.rules.engine.frozen import replace
from services.rules.engine.play import Change
from services.rules.systems.forge_engine.catalog import Catalog, own_catalog
from services.rules.systems.forge_engine.choices import Carried, CharacterChoices
from services.rules.systems.forge_engine.equipment import EquipmentKind
from services.rules.systems.forge_engine.play.effects import outlasting
from services.rules.systems.forge_engine.play.state import Combatant, Fight

Left = Mapping[str, int | None]
"""Shots left in a weapon, and spare pieces for it."""


def changes(fight: Fight) -> tuple[Change, ...]:
    """Each character as it is now: health, energy, conditions, ammunition, explosives that burst."""
    return tuple(_change(fight, one) for one in fight.combatants if one.character)


def _change(fight: Fight, one: Combatant) -> Change:
    thrown: dict[str, Json] = {}
    for weapon in one.profile.weapons:
        count = one.thrown.count(weapon.id)
        if count and weapon.item and weapon.kind is EquipmentKind.EXPLOSIVE:
            thrown[weapon.item] = count
    conditions = outlasting(fight, one.id)
    known = [each.id for each in fight.catalog.conditions if each.id not in own_catalog().conditions]
    data: dict[str, Json] = {
        "health": one.health,
        "expended": one.expended,
        "thrown": thrown,
        "conditions": list(conditions),
        "loads": _loads(one),
        **({"own_conditions": list(known)} if known else {}),
    }
    words = [f"health {one.health} of {one.profile.health}", f"{one.expended} energy expended"]
    words += [fight.catalog.conditions[condition].name for condition in conditions]
    return Change(character=one.id, data=data, text=f"{one.name}: {', '.join(words)}.")


def _loads(one: Combatant) -> dict[str, Json]:
    """What is left in weapons that hold something, by their rows; several of one in the order they are in."""
    found: dict[str, list[Json]] = {}
    for weapon in one.profile.weapons:
        if weapon.item and weapon.holds is not None:
            left: Json = {"loaded": one.shots(weapon.id), "ammunition": one.spare(weapon.id)}
            found.setdefault(weapon.item, []).append(left)
    return {item: list(lefts) for item, lefts in found.items()}


def absorb(choices: CharacterChoices, data: Mapping[str, Json], catalog: Catalog) -> CharacterChoices:
    """The choices with all that a fight has changed taken in.

    Args:
        choices: The character's.
        data: What the fight has changed; `own_conditions` are those that its packs added to the book's.
        catalog: The content that the character is built by: a condition that it has not stays behind.
    """
    thrown = dict(cast("Mapping[str, int]", data.get("thrown", {})))
    loads = {
        item: list(left) for item, left in cast("Mapping[str, list[Left]]", data.get("loads", {})).items()
    }
    equipment = []
    for each in choices.equipment:
        gone = min(each.count, thrown.get(each.item, 0))
        thrown[each.item] = thrown.get(each.item, 0) - gone
        left = loads.get(each.item)
        kept = _loaded(each, left.pop(0)) if left else each
        if each.count > gone:
            equipment.append(replace(kept, count=each.count - gone))
    conditions = cast("list[str]", data.get("conditions", list(choices.conditions)))
    conditions = [one for one in conditions if one in catalog.conditions]
    # A condition of a pack that the fight was not played with stays as it was.
    known = {*own_catalog().conditions.ids, *cast("list[str]", data.get("own_conditions", []))}
    foreign = (one for one in choices.conditions if one not in known)
    return replace(
        choices,
        health=cast(int, data["health"]),
        expended=cast(int, data["expended"]),
        conditions=tuple(dict.fromkeys((*conditions, *foreign))),
        equipment=tuple(equipment),
    )


def _loaded(carried: Carried, left: Left) -> Carried:
    """A weapon with what is left in it, and of spare pieces."""
    return replace(carried, loaded=left["loaded"], ammunition=left["ammunition"])
