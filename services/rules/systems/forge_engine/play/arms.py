"""What weapons do in a fight: how far they reach and burst, how they fire, what they cost."""

from __future__ import annotations

from services.rules.systems.forge_engine.equipment import FireOption
from services.rules.systems.forge_engine.play.effects import (
    CATALOG,
)
from services.rules.systems.forge_engine.play.state import Combatant
from services.rules.systems.forge_engine.profile import Weapon
from services.rules.systems.forge_engine.wares import (
    blast_radius,
    farthest,
    fire_options,
    fired_with,
    rating_of,
)


def reach_feet(one: Combatant, weapon: Weapon, supports: tuple[str, ...] = ()) -> int:
    """The farthest that a weapon attacks."""
    item = CATALOG.equipment.get(weapon.item)
    if item is not None:
        return farthest(CATALOG, item, equipped=bool(supports), arm=one.profile.reach)
    if weapon.max_range is not None:
        tables = (table for table in CATALOG.tables if weapon.skill in table.skills)
        multiple = next((table.range_multiple for table in tables if table.kind is weapon.kind), None)
        return weapon.max_range * (multiple or 1)
    return one.profile.reach + weapon.reach


def fire_of(weapon: Weapon, fire: str) -> FireOption | None:
    """The fire option of a name; for what only fires full-auto that one (R-24); None for a plain shot."""
    item = CATALOG.equipment.get(weapon.item)
    if item is None:
        return None
    named = next((one for one in fire_options(CATALOG, item) if one.name == fire), None)
    return fired_with(CATALOG, item, named)


def blast_feet(weapon: Weapon) -> int | None:
    """Feet of the radius in which a weapon bursts; None for what does not."""
    item = CATALOG.equipment.get(weapon.item)
    return None if item is None else blast_radius(CATALOG, item)


def weapon_figures(weapon: Weapon) -> tuple[int, int]:
    """Cost and rating of a weapon, of its row or of the line itself."""
    item = CATALOG.equipment.get(weapon.item)
    if item is None:
        return weapon.cost, weapon.rating
    return item.cost or 0, rating_of(CATALOG.settings, item)
