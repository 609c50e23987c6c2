"""What heroes have to spend, and what it costs them: Fortune, talents, what is added to Saves."""

from __future__ import annotations

from collections.abc import Iterable

from services.rules.engine.explain import Explained
from services.rules.systems.fortunate_blades.catalog import Catalog, Talent
from services.rules.systems.fortunate_blades.play.attempt import PRIMO_GEAR, Attempt, harm_price
from services.rules.systems.fortunate_blades.play.state import Encounter, Hero
from services.rules.systems.fortunate_blades.play.windows import DiceFell
from services.rules.systems.fortunate_blades.talents import counted, fits, talent_parts
from services.rules.systems.fortunate_blades.terms import Attribute, Group, Quantity, Tag, TalentUse


def price(hero: Hero, quantity: Quantity, cost: int, catalog: Catalog) -> int:
    """What something costs a hero: talents that always count may make it cheaper, never less than nothing."""
    talents = counted(hero.talents, catalog.talents)
    return max(cost + sum(part.value for part in talent_parts(talents, quantity)), 0)


def points_in(fortune: int, catalog: Catalog) -> int:
    """How many points on a roll so much Fortune buys."""
    return max(fortune, 0) // catalog.rules.costs.point


def nameable(hero: Hero, attribute: Attribute, catalog: Catalog) -> tuple[Talent, ...]:
    """The talents that a player may name for a roll before it: chosen ones that fit and are not used up."""
    found = (catalog.talents[line.id] for line in hero.talents)
    return tuple(
        each
        for each in found
        if each.use is not TalentUse.ALWAYS
        and each.id not in hero.used
        and fits(each, attribute)
        and Tag.REROLL not in each.tags
    )


def rerolls(hero: Hero, fell: DiceFell, catalog: Catalog) -> tuple[Talent, ...]:
    """The talents by which a hero may roll a second time now."""
    if fell.attempt is None:
        return ()
    found = (catalog.talents[line.id] for line in hero.talents)
    return tuple(
        each
        for each in found
        if Tag.REROLL in each.tags
        and each.id not in hero.used
        and fits(each, fell.attempt.attribute)
        and each.cost <= hero.fortune
    )


def commit_cost(hero: Hero, talents: Iterable[str], catalog: Catalog, *, lucky: bool, points: int = 0) -> int:
    """The Fortune that a hero puts into a roll before it."""
    luck = price(hero, Quantity.COST_LUCKY, catalog.rules.costs.lucky, catalog) if lucky else 0
    return luck + points * catalog.rules.costs.point + sum(catalog.talents[each].cost for each in talents)


def open_attributes(state: Encounter, hero: Hero, catalog: Catalog) -> dict[Attribute, int]:
    """The attributes that a hero can roll with when everybody rolls, and what Harm makes each cost."""
    found = {each: harm_price(state, Attempt(hero=hero.id, attribute=each), catalog) for each in Attribute}
    return {each: cost for each, cost in found.items() if cost <= hero.fortune}


def save_bonus(state: Encounter, who: str, group: Group) -> Explained:
    """What is added to a Save against a type of Harm, and why (G1, G2, P18)."""
    hero = state.hero(who)
    if hero.armor[group] and state.has(PRIMO_GEAR):
        return hero.saves[group].plus(1, "Primo Gear", "Party Advantages")
    return hero.saves[group]
