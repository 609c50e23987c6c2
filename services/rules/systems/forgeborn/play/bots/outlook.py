"""What a bot reckons with: how far it is, how strong dice are, what the next turns are worth.

Rough figures for planning, in floating point; what is shown to people comes from `play.chances`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import erf, sqrt

from services.rules.engine.identity import remembered
from services.rules.systems.forgeborn.links import LinkKind
from services.rules.systems.forgeborn.play.moves import Journey, Move
from services.rules.systems.forgeborn.play.state import Game, Smith, Way
from services.rules.systems.forgeborn.pools import SIDES, DieSize
from services.rules.systems.forgeborn.prices import CHEAPEST
from services.rules.systems.forgeborn.realm import CITADEL_ID

FAR = 99
"""Turns to where no way leads."""

_MEANS = {size: (sides + 1) / 2 for size, sides in SIDES.items()}
_VARIANCES = {size: (sides**2 - 1) / 12 for size, sides in SIDES.items()}
_AGAINST_MEAN, _AGAINST_VARIANCE = _MEANS[DieSize.D12], _VARIANCES[DieSize.D12]


def mean(dice: Iterable[DieSize]) -> float:
    """The mean of a sum of dice."""
    return sum(_MEANS[size] for size in dice)


def win_chance(dice: Iterable[DieSize], power: int) -> float:
    """About the chance to win a Conflict, by the bell curve."""
    own = tuple(dice)
    return _chance(mean(own), _variance(own), power)


def _variance(dice: Iterable[DieSize]) -> float:
    return sum(_VARIANCES[size] for size in dice)


def _chance(mean: float, variance: float, power: int) -> float:
    """About the chance that dice of this mean and variance win."""
    spread = sqrt(variance + power * _AGAINST_VARIANCE)
    ahead = mean - power * _AGAINST_MEAN + 0.5
    return 0.5 * (1 + erf(ahead / (spread * sqrt(2)))) if spread else 1.0


def worth(total: float) -> float:
    """About the Power that a total buys: some of it is left over."""
    return max(0.0, (total - (CHEAPEST - 1) / 2) / CHEAPEST)


@remembered(64)
def turns_to(ways: tuple[Way, ...], goal: str) -> Mapping[tuple[str, bool], int]:
    """Turns that pass before one can act at a place, from each place, before or after the free move by Road.

    Two Roads are a turn, and so is a Trail; after one Road one may still act.
    """
    return _turns_to(ways, goal)


@lru_cache(maxsize=512)
def _turns_to(ways: tuple[Way, ...], goal: str) -> Mapping[tuple[str, bool], int]:
    """The same, remembered for equal ways too: those of a state that was stored."""
    found = {(goal, False): 0, (goal, True): 0}
    places = {way.start for way in ways} | {way.end for way in ways}
    for _ in range(2 * len(places)):
        changed = False
        for way in ways:
            for here, there in ((way.start, way.end), (way.end, way.start)):
                if way.kind is LinkKind.TRAIL:
                    steps = [((here, False), (there, False), 1)]
                else:
                    steps = [((here, False), (there, True), 0), ((here, True), (there, False), 1)]
                for start, end, turns in steps:
                    if found.get(end, FAR) + turns < found.get(start, FAR):
                        found[start] = found[end] + turns
                        changed = True
        for place in places:
            if found.get((place, False), FAR) + 1 < found.get((place, True), FAR):
                found[place, True] = found[place, False] + 1
                changed = True
        if not changed:
            break
    return found


def distance(game: Game, who: str, goal: str, *, moved: bool = False) -> int:
    """Turns that pass before a Smith or Heroine can act at a place."""
    return turns_to(game.ground.ways, goal).get((game.actor(who).place, moved), FAR)


def towards(game: Game, who: str, goal: str) -> Move | None:
    """The next step to a place; None where the rest of the turn is better let go."""
    known = turns_to(game.ground.ways, goal)
    place, moved = game.actor(who).place, game.turn.moved
    best: tuple[int, int, str] | None = None
    for order, way in enumerate(game.ground.ways_from(place)):
        there = way.other(place)
        if way.kind is LinkKind.TRAIL:
            if moved:
                continue
            turns = 1 + known.get((there, False), FAR)
        else:
            turns = (1 + known.get((there, False), FAR)) if moved else known.get((there, True), FAR)
        if best is None or (turns, order) < best[:2]:
            best = (turns, order, there)
    if best is None or (moved and best[0] >= 1 + known.get((place, False), FAR)):
        return None
    return Journey(actor=who, to=best[2])


def everything(game: Game, who: str) -> tuple[DieSize, ...]:
    """All dice she can bring to a Conflict when she spares nothing, those of her Artifacts too."""
    lent = (die for artifact in game.held_by(who) for die in artifact.dice.descending())
    return (*game.actor(who).dice.descending(), *lent)


@lru_cache(maxsize=1 << 12)
def attempts_needed(dice: tuple[DieSize, ...], power: int, *, most: int = 25) -> float:
    """About how many attempts a win takes, when each loss brings a d4."""
    left, expected = 1.0, 0.0
    middle, variance = mean(dice), _variance(dice)
    for _ in range(most):
        expected += left
        left *= 1 - _chance(middle, variance, power)
        middle += _MEANS[DieSize.D4]
        variance += _VARIANCES[DieSize.D4]
        if left < 0.02:  # what is left makes no difference
            break
    return expected + left * most


def last_turn(game: Game, smith: Smith) -> float:
    """About the points a Smith could still make in a single last turn: all her dice into one Artifact."""
    if distance(game, smith.id, CITADEL_ID) > 0:
        return 0.0
    dice = list(smith.dice.descending())
    pays = (0 if smith.resource else 1) + (0 if smith.secret else 1)
    kept = dice[: len(dice) - pays]
    return worth(mean(kept)) if len(dice) > pays else 0.0
