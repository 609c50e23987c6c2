"""What spells and weapons should cost by the book's tables (Custom Content / Costing; R-20, R-21).

    spell_cost, weapon_cost    a cost from its parts, with every step of the working
    components_of              a spell's parts, read off what it does

The book itself strays in three places only: Arcane Bolts and Dazzling Word (R-20), and the Great Club of its
modern table (R-21). Printed figures hold all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from services.rules.engine.explain import Explained, Part
from services.rules.systems.forge_engine.equipment import (
    WeaponEdge,
    WeaponGrip,
    WeaponParts,
    WeaponWeight,
)
from services.rules.systems.forge_engine.settings import TableSettings
from services.rules.systems.forge_engine.skills import (
    SpellArea,
    SpellComponents,
    SpellDamage,
    SpellHealing,
    SpellScope,
    Targets,
)

SPELLS = "Costing Spells [R-20]"
WEAPONS = "Costing and Rating Custom Weapons [R-21]"

RANGE_STEPS = ((5, 0), (25, 1), (100, 2))
"""Ranges in feet with the half CP of their column; what lies between counts as the next longer one."""

AREA_STEPS = ((0, 0), (15, 1), (25, 2))
"""Radii in feet likewise."""

DAMAGE_HALVES = {SpellDamage.HALF: -1, SpellDamage.PER_SUCCESS: 1, SpellDamage.PER_DIE: 2}
SCOPE_HALVES = {SpellScope.ALL: 0, SpellScope.SIDE: 1, SpellScope.SELECTED: 2}
WEIGHT_COST = {weight: cost for cost, weight in enumerate(WeaponWeight, 1)}
GRIP_RATING = {WeaponGrip.ONE_HAND: 0, WeaponGrip.BOTH_HANDS: 1, WeaponGrip.TWO_HANDED: 2}
LIGHT = (WeaponWeight.SLIGHT, WeaponWeight.LIGHT)
HEAVY = (WeaponWeight.HEAVY, WeaponWeight.VERY_HEAVY)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpellCost:
    """What a spell should cost.

    Attributes:
        halves: The sum of its parts in halves of an energy, each step explained.
        expend: Energy to expend: the sum rounded down, at least 0.
    """

    halves: Explained
    expend: int

    @property
    def sum(self) -> Fraction:
        """The sum of its parts in energy, before it is rounded."""
        return Fraction(self.halves.value, 2)

    @property
    def working(self) -> str:
        """How it is counted, in one line: "range 25 feet ½ + damage for each success ½ = 1, so 1"."""
        steps = " + ".join(f"{part.source} {_energy(part.value)}" for part in self.halves.parts)
        return f"{steps} = {_energy(self.halves.value)}, so {self.expend}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponCost:
    """What a weapon should cost and give.

    Attributes:
        cost: Energy to spend.
        rating: Dice it gives.
    """

    cost: Explained
    rating: Explained

    @property
    def working(self) -> str:
        """How both are counted, in one line."""
        return f"cost {self.cost.text()}; rating {self.rating.text()}"


def spell_cost(parts: SpellComponents, settings: TableSettings) -> SpellCost:
    """Counts a spell's expend cost from its parts.

    Args:
        parts: A range of at most 100 feet and an area of at most 25, as the table has them.
        settings: Say what healing costs.

    Raises:
        ValueError: The range or area is beyond the table.
    """
    steps = [Part(_step(parts.range, RANGE_STEPS), _range_text(parts.range), SPELLS)]
    if parts.area:
        steps.append(Part(_step(parts.area, AREA_STEPS), f"area of {parts.area} feet", SPELLS))
    if parts.damage is not None:
        steps.append(Part(DAMAGE_HALVES[parts.damage], _DAMAGE_TEXT[parts.damage], SPELLS))
    match parts.healing:
        case SpellHealing.SINGLE:
            steps.append(Part(settings.healing_single_halves, "healing one target", SPELLS))
        case SpellHealing.MULTIPLE:
            steps.append(Part(settings.healing_multiple_halves, "healing several targets", SPELLS))
        case None:
            pass
    steps.append(Part(SCOPE_HALVES[parts.targets], _SCOPE_TEXT[parts.targets], SPELLS))
    halves = Explained.of(*steps)
    return SpellCost(halves=halves, expend=max(0, halves.value // 2))


def weapon_cost(parts: WeaponParts) -> WeaponCost:
    """Counts a weapon's cost and rating from its parts."""
    cost = Explained.of(Part(WEIGHT_COST[parts.weight], f"{_weight_text(parts.weight)} weight", WEAPONS))
    if parts.thrown:
        cost = cost.plus(1, "thrown or drawn", WEAPONS)
    if parts.triggered:
        cost = cost.plus(-1, "triggered", WEAPONS)
    rating = Explained.of(Part(cost.value, "the cost", WEAPONS))
    for holds, dice, source in (
        (parts.edge is WeaponEdge.BLUNT, -1, "blunt"),
        (parts.weight in LIGHT, -1, f"{_weight_text(parts.weight)} weight"),
        (parts.weight in HEAVY, 1, f"{_weight_text(parts.weight)} weight"),
        (parts.grip is WeaponGrip.BOTH_HANDS, GRIP_RATING[WeaponGrip.BOTH_HANDS], "used with both hands"),
        (parts.grip is WeaponGrip.TWO_HANDED, GRIP_RATING[WeaponGrip.TWO_HANDED], "two-handed only"),
        (parts.ranged, -1, "ranged"),
        (parts.reach, -2, "reach"),
        (parts.held_energy != 0, parts.held_energy, "held energy"),
    ):
        if holds:
            rating = rating.plus(dice, source, WEAPONS)
    return WeaponCost(cost=cost, rating=rating.at_least(0, "never below 0", WEAPONS))


def components_of(
    range: int,
    area: SpellArea | None,
    damage: SpellDamage | None,
    healing: SpellHealing | None,
    targets: Targets,
) -> SpellComponents:
    """The parts of a spell as what it does shows them; only allies-or-enemies cannot be seen from that."""
    divided = targets in (Targets.SEVERAL, Targets.ALLIES)
    return SpellComponents(
        range=range,
        area=area.feet if area is not None else 0,
        damage=damage,
        healing=healing,
        targets=SpellScope.SELECTED if divided else SpellScope.ALL,
    )


_DAMAGE_TEXT = {
    SpellDamage.HALF: "half damage",
    SpellDamage.PER_SUCCESS: "damage for each success",
    SpellDamage.PER_DIE: "damage for each die",
}
_SCOPE_TEXT = {
    SpellScope.ALL: "every target",
    SpellScope.SIDE: "allies or enemies only",
    SpellScope.SELECTED: "chosen targets",
}


def _step(feet: int, steps: tuple[tuple[int, int], ...]) -> int:
    for limit, halves in steps:
        if feet <= limit:
            return halves
    raise ValueError(f"the table ends at {steps[-1][0]} feet")


def _range_text(feet: int) -> str:
    return f"range {feet} feet" if feet > RANGE_STEPS[0][0] else "touch"


def _weight_text(weight: WeaponWeight) -> str:
    return weight.value.replace("-", " ")


def _energy(halves: int) -> str:
    """Halves of an energy as people write them: 3 is "1½"."""
    whole, half = divmod(abs(halves), 2)
    text = ("" if half and not whole else str(whole)) + ("½" if half else "")
    return f"-{text}" if halves < 0 else text
