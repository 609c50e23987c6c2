"""What cannot be so about a pack's weapons, armour and shields."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.systems.forge_engine.catalog import SLUG, Catalog
from services.rules.systems.forge_engine.equipment import EquipmentKind, EquipmentTable, WeaponGrip
from services.rules.systems.forge_engine.packs.entries import ContentPack, TableEntry, WeaponEntry
from services.rules.systems.forge_engine.pools.attack_pool import FROM_AFAR

WEAPONS = "Custom Content / Custom Weapons"

ALL_HANDS = 2

MOST_CONDITIONS = 2
"""Conditions that a weapon lays: by few successes, by many."""


def equipment_problems(pack: ContentPack, extended: Catalog) -> Iterator[RuleProblem]:
    """What cannot be so about a pack's equipment and its tables."""
    for place, table in enumerate(pack.tables):
        yield from _table(table, ("tables", place))
    weapons = tuple(kind for kind in EquipmentKind if kind not in (EquipmentKind.ARMOR, EquipmentKind.SHIELD))
    for place, weapon in enumerate(pack.weapons):
        path: KeyPath = ("weapons", place)
        yield from _of_kind(weapon.table, weapons, (*path, "table"), extended)
        yield from _weapon(weapon, path, extended)
    own = {f"{SLUG}:equipment/{entry.key}" for entry in pack.magic_weapons}
    for place, magic in enumerate(pack.magic_weapons):
        base = extended.equipment.get(magic.base)
        if magic.base in own or (base is not None and base.cost is None):
            yield RuleProblem(
                "no_base",
                "A magic weapon is an ordinary weapon and more.",
                "Custom Content / Magic Weapons",
                ("magic_weapons", place, "base"),
                magic.base,
                "a weapon of the content, or of this pack's weapons",
            )
        elif base is not None:
            yield from _of_kind(base.table, weapons, ("magic_weapons", place, "base"), extended)
    for place, armor in enumerate(pack.armor):
        yield from _of_kind(armor.table, (EquipmentKind.ARMOR,), ("armor", place, "table"), extended)
    for place, shield in enumerate(pack.shields):
        yield from _of_kind(shield.table, (EquipmentKind.SHIELD,), ("shields", place, "table"), extended)


def _table(entry: TableEntry, path: KeyPath) -> Iterator[RuleProblem]:
    if not entry.skills:
        yield RuleProblem(
            "table_without_skill",
            "Some martial skill must cover every weapon and piece of equipment.",
            "Custom Content / Basic Martial Skills",
            (*path, "skills"),
            (),
            f"{SLUG}:martial/...",
        )
    if entry.kind in FROM_AFAR and entry.range_multiple is None:
        yield RuleProblem(
            "range_multiple_missing",
            "Say how many times their listed range these weapons reach at most.",
            "Equipment / Ranges",
            (*path, "range_multiple"),
            None,
            "a number",
        )


def _of_kind(
    table_id: str, kinds: tuple[EquipmentKind, ...], path: KeyPath, extended: Catalog
) -> Iterator[RuleProblem]:
    table = extended.tables.get(table_id)
    if table is not None and table.kind not in kinds:
        yield RuleProblem(
            "table_wrong_kind",
            f"{table.name} is a table of another kind of equipment.",
            WEAPONS,
            path,
            table.kind.value,
            tuple(kind.value for kind in kinds),
        )


def _weapon(entry: WeaponEntry, path: KeyPath, extended: Catalog) -> Iterator[RuleProblem]:
    most = 0 if entry.concussion else MOST_CONDITIONS
    if len(entry.conditions) > most:
        yield RuleProblem(
            "weapon_conditions",
            "A weapon lays one condition with 1 or 2 successes and one with 3 or more; a concussion its own.",
            WEAPONS,
            (*path, "conditions"),
            len(entry.conditions),
            most,
        )
    for field in ("cost", "rating"):
        if entry.parts is None and getattr(entry, field) is None:
            yield RuleProblem(
                "weapon_uncosted",
                f"Say its {field}, or the parts that it is counted from.",
                "Costing and Rating Custom Weapons [R-21]",
                (*path, field),
                None,
                "a number",
            )
    table = extended.tables.get(entry.table)
    if table is not None:
        yield from _unlike_table(entry, path, table)
    if entry.min_range is not None and entry.min_range > (entry.max_range or 0):
        yield RuleProblem(
            "ranges_crossed",
            "The nearest good range is within the range.",
            WEAPONS,
            (*path, "min_range"),
            entry.min_range,
            entry.max_range,
        )
    yield from _unlike_parts(entry, path)


def _unlike_table(entry: WeaponEntry, path: KeyPath, table: EquipmentTable) -> Iterator[RuleProblem]:
    """Where a weapon is not one of its table."""
    afar = table.kind in FROM_AFAR
    if afar != (entry.max_range is not None):
        words = "has a range" if afar else "has no range"
        yield RuleProblem(
            "weapon_range",
            f"A weapon of {table.name} {words}.",
            WEAPONS,
            (*path, "max_range"),
            entry.max_range,
        )
    ways = tuple(way.arming.value for way in table.arming)
    if entry.arming is not None and entry.arming.value not in ways:
        yield RuleProblem(
            "arming_unknown",
            f"{table.name} does not say how this is set off.",
            "Equipment / Explosives [R-86]",
            (*path, "arming"),
            entry.arming.value,
            ways,
        )
    if entry.parts is not None and entry.parts.ranged != afar:
        yield RuleProblem(
            "parts_differ",
            "The parts must say whether it strikes from afar as its table does.",
            WEAPONS,
            (*path, "parts", "ranged"),
            entry.parts.ranged,
            afar,
        )


def _unlike_parts(entry: WeaponEntry, path: KeyPath) -> Iterator[RuleProblem]:
    """Where a weapon is not what its parts make."""
    if entry.parts is not None and entry.parts.reach != (entry.reach > 0):
        yield RuleProblem(
            "parts_differ",
            "The parts must say whether it has reach as its feet of reach do.",
            WEAPONS,
            (*path, "parts", "reach"),
            entry.parts.reach,
            entry.reach > 0,
        )
    both = entry.parts is not None and entry.parts.grip is not WeaponGrip.ONE_HAND
    if both and entry.hands is not None and entry.hands < ALL_HANDS:
        yield RuleProblem(
            "parts_differ",
            "By its parts it takes both hands.",
            WEAPONS,
            (*path, "hands"),
            entry.hands,
            ALL_HANDS,
        )
