"""What things of a table's own should cost: spells, weapons; and what any thing is worth in money."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.forge_engine.bounds import MOST, out_of_bounds
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.costing import (
    AREA_STEPS,
    RANGE_STEPS,
    SPELLS,
    WEAPONS,
    SpellCost,
    WeaponCost,
    spell_cost,
    weapon_cost,
)
from services.rules.systems.forge_engine.equipment import WeaponParts
from services.rules.systems.forge_engine.pools.attack_check import unknown
from services.rules.systems.forge_engine.skills import SpellComponents
from services.rules.systems.forge_engine.wares import PRICES, price, rating_of

MOST_HELD = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class SpellCostQuestion:
    """A spell's parts; or a spell of the content, for its own.

    Attributes:
        components: The parts; None for those of the spell.
        spell: Content id; None for a spell that is not there yet.
    """

    components: SpellComponents | None = None
    spell: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpellCostAnswer:
    """What a spell should cost.

    Attributes:
        cost: What its parts come to.
        printed: What the spell does cost; None where none was named.
        agrees: Whether both are the same; None where no spell was named.
    """

    cost: SpellCost
    printed: int | None
    agrees: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponCostQuestion:
    """A weapon's parts; or a weapon of the content, for its own.

    Attributes:
        parts: The parts; None for those of the weapon.
        weapon: Content id; None for a weapon that is not there yet.
    """

    parts: WeaponParts | None = None
    weapon: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponCostAnswer:
    """What a weapon should cost and give.

    Attributes:
        figures: What its parts come to.
        printed_cost: Energy that the weapon does cost; None where none was named.
        printed_rating: Dice that it does give.
        agrees: Whether both are the same; None where no weapon was named.
    """

    figures: WeaponCost
    printed_cost: int | None
    printed_rating: int | None
    agrees: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceQuestion:
    """A thing of the tables; or any cost and rating.

    Attributes:
        item: Content id; None for a cost and a rating.
        cost: Energy to spend.
        rating: Dice it gives.
        weighting: What the game master adds to the rating for special features.
    """

    item: str | None = None
    cost: int | None = None
    rating: int | None = None
    weighting: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceAnswer:
    """What a thing is worth.

    Attributes:
        cost: What it costs in play; null where that does not matter.
        rating: Its rating.
        dollars: None for what costs no energy, since there is no ratio then.
    """

    cost: int | None
    rating: int
    dollars: int | None


def run_spell_cost(given: SpellCostQuestion, catalog: Catalog) -> SpellCostAnswer | Problems:
    """Counts a spell's expend cost."""
    spell = None if given.spell is None else catalog.spells.get(given.spell)
    if given.spell is not None and spell is None:
        return Problems((unknown(catalog.spells, given.spell, ("spell",), SPELLS),))
    parts = given.components or (spell.components if spell is not None else None)
    if parts is None:
        return Problems((_nothing("components", SPELLS),))
    bounds = {"range": (parts.range, 0, RANGE_STEPS[-1][0]), "area": (parts.area, 0, AREA_STEPS[-1][0])}
    problems = tuple(out_of_bounds(bounds, SPELLS, ("components",)))
    if problems:
        return Problems(problems)
    cost = spell_cost(parts, catalog.settings)
    printed = None if spell is None else spell.expend
    return SpellCostAnswer(
        cost=cost, printed=printed, agrees=None if printed is None else printed == cost.expend
    )


def run_weapon_cost(given: WeaponCostQuestion, catalog: Catalog) -> WeaponCostAnswer | Problems:
    """Counts a weapon's cost and rating."""
    weapon = None if given.weapon is None else catalog.equipment.get(given.weapon)
    if given.weapon is not None and weapon is None:
        return Problems((unknown(catalog.equipment, given.weapon, ("weapon",), WEAPONS),))
    parts = given.parts or (weapon.parts if weapon is not None else None)
    if parts is None:
        return Problems((_nothing("parts", WEAPONS),))
    bounds = {"held_energy": (parts.held_energy, 0, MOST_HELD)}
    problems = tuple(out_of_bounds(bounds, WEAPONS, ("parts",)))
    if problems:
        return Problems(problems)
    figures = weapon_cost(parts)
    if weapon is None:
        return WeaponCostAnswer(figures=figures, printed_cost=None, printed_rating=None, agrees=None)
    agrees = (weapon.cost, weapon.rating) == (figures.cost.value, figures.rating.value)
    return WeaponCostAnswer(
        figures=figures, printed_cost=weapon.cost, printed_rating=weapon.rating, agrees=agrees
    )


def run_price(given: PriceQuestion, catalog: Catalog) -> PriceAnswer | Problems:
    """What a thing is worth in dollars."""
    item = None if given.item is None else catalog.equipment.get(given.item)
    if given.item is not None and item is None:
        return Problems((unknown(catalog.equipment, given.item, ("item",), PRICES),))
    numbers = {
        "cost": (given.cost or 0, 0, MOST),
        "rating": (given.rating or 0, 0, MOST),
        "weighting": (given.weighting, -MOST, MOST),
    }
    problems = list(out_of_bounds(numbers, PRICES))
    if item is not None and (given.cost is not None or given.rating is not None):
        problems.append(
            RuleProblem(
                "figures_doubled",
                "A thing of the tables has its own cost and rating.",
                PRICES,
                ("cost" if given.cost is not None else "rating",),
                given.cost if given.cost is not None else given.rating,
                None,
            )
        )
    if item is None and given.rating is None:
        problems.append(_nothing("rating", PRICES))
    if problems:
        return Problems(tuple(problems))
    cost = given.cost if item is None else item.cost
    rating = (given.rating or 0) if item is None else rating_of(catalog.settings, item)
    dollars = price(catalog.settings, cost, rating, given.weighting)
    return PriceAnswer(cost=cost, rating=rating, dollars=None if dollars is None else max(0, dollars))


def _nothing(field: str, rule: str) -> RuleProblem:
    return RuleProblem(
        "nothing_to_count", f"Say the {field}, or name something that has them.", rule, (field,)
    )
