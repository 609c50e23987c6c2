"""What conditions leave of a turn: energy when it starts, and what a move or run costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from services.rules.engine.explain import Explained
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.forge_engine import derived
from services.rules.systems.forge_engine.attributes import LOWEST, Attributes
from services.rules.systems.forge_engine.bounds import MOST, out_of_bounds
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.conditions import (
    MOVE,
    TurnStart,
    Walk,
    borne,
    turn_start,
    walk_energy,
    walk_limit,
    walk_problems,
)
from services.rules.systems.forge_engine.pools.attack_check import listed_problems

COMMON_SPEED = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStartQuestion:
    """A character whose turn starts.

    Attributes:
        attributes: As armour leaves them.
        pool: Energy left from the turn before.
        expended: Energy expended so far.
        conditions: Content ids of conditions that the character is under.
    """

    attributes: Attributes
    pool: int = 0
    expended: int = 0
    conditions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementQuestion:
    """A move or a run in combat.

    Attributes:
        distance: In feet.
        running: Whether it is a run.
        stand: Whether the character stands up first.
        rough: Whether there are obstacles, or the ground is rough.
        speed: Movement speed in feet a round.
        conditions: Content ids of conditions that the character is under.
    """

    distance: int
    running: bool = False
    stand: bool = False
    rough: bool = False
    speed: int = COMMON_SPEED
    conditions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementAnswer:
    """What a move or run costs.

    Attributes:
        energy: Energy that it takes, with how it adds up.
        limit: Feet that the character can go this round.
        reactions: Whether reactions are possible before the next action; not after a run.
    """

    energy: Explained
    limit: int
    reactions: bool


def run_turn_start(given: TurnStartQuestion, catalog: Catalog) -> TurnStart | Problems:
    """Energy when a turn starts."""
    problems = tuple(_start_problems(given, catalog))
    if problems:
        return Problems(problems)
    return turn_start(given.attributes, given.pool, given.expended, borne(given.conditions, catalog))


def _start_problems(given: TurnStartQuestion, catalog: Catalog) -> Iterator[RuleProblem]:
    ratings = {one.value: (rating, LOWEST, MOST) for one, rating in given.attributes.ratings()}
    yield from out_of_bounds(ratings, derived.ENERGY, ("attributes",))
    maximum = derived.energy(given.attributes).value
    yield from out_of_bounds(
        {"pool": (given.pool, 0, max(0, maximum)), "expended": (given.expended, 0, max(0, maximum))},
        derived.ENERGY,
    )
    yield from listed_problems(given.conditions, catalog.conditions, ("conditions",))


def run_movement(given: MovementQuestion, catalog: Catalog) -> MovementAnswer | Problems:
    """What a move or run costs."""
    numbers = {"distance": (given.distance, 0, MOST), "speed": (given.speed, 0, MOST)}
    problems = [
        *out_of_bounds(numbers, MOVE),
        *listed_problems(given.conditions, catalog.conditions, ("conditions",)),
    ]
    walk = Walk(distance=given.distance, running=given.running, stand=given.stand, rough=given.rough)
    if not problems:
        problems += walk_problems(walk, given.speed, given.conditions, catalog)
    if problems:
        return Problems(tuple(problems))
    return MovementAnswer(
        energy=walk_energy(walk, borne(given.conditions, catalog)),
        limit=walk_limit(walk, given.speed),
        reactions=not given.running,
    )
