"""What weapons do in a fight: how far they reach and burst, how they fire, what they cost."""

from __future__ import annotations

from services.rules.engine.content import content_id
from services.rules.engine.explain import Part
from services.rules.systems.forge_engine.catalog import SLUG, Catalog
from services.rules.systems.forge_engine.equipment import FireOption
from services.rules.systems.forge_engine.play.effects import effect_id, in_stance, rules
from services.rules.systems.forge_engine.play.state import Combatant, Fight
from services.rules.systems.forge_engine.profile import Weapon
from services.rules.systems.forge_engine.wares import (
    blast_radius,
    farthest,
    fire_options,
    fired_with,
    rating_of,
)


def reach_feet(fight: Fight, one: Combatant, weapon: Weapon, supports: tuple[str, ...] = ()) -> int:
    """The farthest that a weapon attacks."""
    item = fight.catalog.equipment.get(weapon.item)
    if item is not None:
        return farthest(fight.catalog, item, equipped=bool(supports), arm=one.profile.reach)
    if weapon.max_range is not None:
        tables = (table for table in fight.catalog.tables if weapon.skill in table.skills)
        multiple = next((table.range_multiple for table in tables if table.kind is weapon.kind), None)
        return weapon.max_range * (multiple or 1)
    return one.profile.reach + weapon.reach


def fire_of(catalog: Catalog, weapon: Weapon, fire: str) -> FireOption | None:
    """The fire option of a name; for what only fires full-auto that one (R-24); None for a plain shot."""
    item = catalog.equipment.get(weapon.item)
    if item is None:
        return None
    options = fire_options(catalog, item) if fire else ()
    named = next((one for one in options if one.name == fire), None)
    return fired_with(catalog, item, named)


def blast_feet(catalog: Catalog, weapon: Weapon) -> int | None:
    """Feet of the radius in which a weapon bursts; None for what does not."""
    item = catalog.equipment.get(weapon.item)
    return None if item is None else blast_radius(catalog, item)


def weapon_figures(catalog: Catalog, weapon: Weapon) -> tuple[int, int]:
    """Cost and rating of a weapon, of its row or of the line itself."""
    item = catalog.equipment.get(weapon.item)
    if item is None:
        return weapon.cost, weapon.rating
    return item.cost or 0, rating_of(catalog.settings, item)


MOUNTED, MOUNTED_COMBAT = effect_id("mounted"), content_id(SLUG, "martial", "mounted-combat")


def mounted_well(fight: Fight, one: Combatant, weapon: Weapon | None, part: Part) -> bool:
    """Whether Mounted Combat spares a rider a penalty of the saddle: with weapons up to its rating."""
    if (
        weapon is None
        or part.rule != rules(fight.catalog)[MOUNTED].rule
        or in_stance(fight, one.id) is not None
    ):
        return False
    return 0 < one.profile.rating(MOUNTED_COMBAT) >= weapon_figures(fight.catalog, weapon)[1]
