"""What a weapon needs to be made ready again, and what a distance means for it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from services.rules.engine.explain import Explained
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.forge_engine.bounds import MOST, out_of_bounds
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.pools.attack_check import unknown
from services.rules.systems.forge_engine.wares import (
    ARM,
    BOTH_HANDS,
    RANGES,
    RELOADING,
    Shot,
    reload_energy,
    reload_ways,
    shot,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReloadQuestion:
    """A weapon to be reloaded.

    Attributes:
        weapon: Content id.
        pieces: Pieces of ammunition, for ways that load single ones.
        hands: Hands that are free for it.
        quick_load: Rating of Quick Load.
    """

    weapon: str
    pieces: int = 1
    hands: int = BOTH_HANDS
    quick_load: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReloadLine:
    """A way of reloading a weapon.

    Attributes:
        name: What is done.
        energy: What it costs; None where it cannot be done so.
        hindrance: Why it cannot be done so; empty where it can.
    """

    name: str
    energy: Explained | None
    hindrance: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReloadAnswer:
    """Every way of reloading a weapon; none for what needs no reloading.

    Attributes:
        ways: The ways, each with what it takes.
    """

    ways: tuple[ReloadLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeQuestion:
    """A weapon and a distance.

    Attributes:
        weapon: Content id.
        distance: In feet.
        equipped: Whether it is sighted or supported.
        arm: Reach of the body that wields it, in feet.
    """

    weapon: str
    distance: int
    equipped: bool = False
    arm: int = ARM


def run_reload(given: ReloadQuestion, catalog: Catalog) -> ReloadAnswer | Problems:
    """What it costs to reload a weapon."""
    weapon = catalog.equipment.get(given.weapon)
    problems: list[RuleProblem] = []
    if weapon is None:
        problems.append(unknown(catalog.equipment, given.weapon, ("weapon",), RELOADING))
    numbers = {
        "pieces": (given.pieces, 1, MOST),
        "hands": (given.hands, 1, BOTH_HANDS),
        "quick_load": (given.quick_load, 0, MOST),
    }
    problems += out_of_bounds(numbers, RELOADING)
    if problems or weapon is None:
        return Problems(tuple(problems))
    lines = []
    for way in reload_ways(catalog, weapon):
        pieces = given.pieces if way.single else 1
        found = reload_energy(weapon, way, pieces=pieces, hands=given.hands, quick_load=given.quick_load)
        if isinstance(found, Problems):
            lines.append(ReloadLine(name=way.name, energy=None, hindrance=found.items[0].message))
        else:
            lines.append(ReloadLine(name=way.name, energy=found, hindrance=""))
    return ReloadAnswer(ways=tuple(lines))


def run_range(given: RangeQuestion, catalog: Catalog) -> Shot | Problems:
    """What a distance means for a weapon."""
    weapon = catalog.equipment.get(given.weapon)
    if weapon is None:
        return Problems((unknown(catalog.equipment, given.weapon, ("weapon",), RANGES),))
    found = shot(catalog, weapon, given.distance, equipped=given.equipped, arm=given.arm)
    if not isinstance(found, Problems):
        return found
    # What is asked of here is called a weapon.
    return Problems(
        tuple(
            replace(problem, path=("weapon",)) if problem.path == ("item",) else problem for problem in found
        )
    )
