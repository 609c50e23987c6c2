"""Forgeborn's own rolls: sums of dice of many sizes."""

from __future__ import annotations

from fractions import Fraction

from services.rules.dice import odds
from services.rules.dice.mechanic import (
    Arguments,
    Mechanic,
    Parameter,
    ParameterKind,
    Reading,
    ReadingOdds,
    Rolled,
    number,
    sides,
)
from services.rules.dice.pool import Dice, dice

OPPOSITION = 12
"""Sides of each die of the opposition."""

FOREST_LIMIT = 9
"""The Forest gives dice that come to no more than this."""

JUNK_BELOW = 5
"""What is made of a lower total is junk, and nobody is recruited by one."""

SIZES = (4, 6, 8, 10, 12)
"""The sides that dice of this game have; a Conflict is always against the largest."""

MOST = 60
"""Dice that several Smiths and their Artifacts may bring together."""

MOST_POWER = 30
"""The Dragon's Power is 8 to 12, or more for a longer game."""

_DICE = Parameter("dice", "the dice that are rolled: d8+2d6", 1, MOST, kind=ParameterKind.DICE, sizes=SIZES)


def _pools(arguments: Arguments) -> tuple[Dice, ...]:
    return tuple(dice(1, size) for size in sides(arguments, "dice"))


def _conflict_pools(arguments: Arguments) -> tuple[Dice, ...]:
    return (*_pools(arguments), dice(number(arguments, "power"), OPPOSITION))


def _read_conflict(_arguments: Arguments, rolled: Rolled) -> Reading:
    total, against = sum(sum(pool) for pool in rolled[:-1]), sum(rolled[-1])
    return Reading(total, "win" if total >= against else "loss", {"opposition": against})


def _conflict_odds(arguments: Arguments) -> ReadingOdds:
    own = odds.sum_of_dice(sides(arguments, "dice"))
    against = odds.sum_of_dice([OPPOSITION] * number(arguments, "power"))
    whole = own.total * against.total
    found: dict[tuple[int, str], Fraction] = {}
    reached = against.weights_below(total + 1 for total in own.values)
    for total, weight, below in zip(own.values, own.weights, reached, strict=True):
        found[int(total), "win"] = Fraction(weight * below, whole)
        found[int(total), "loss"] = Fraction(weight * (against.total - below), whole)
    return {reading: chance for reading, chance in found.items() if chance}


def _read_forest(arguments: Arguments, rolled: Rolled) -> Reading:
    total = sum(sum(pool) for pool in rolled)
    return Reading(total, _forest_word(total, number(arguments, "limit")))


def _forest_word(total: int, limit: int) -> str:
    return "gain" if total <= limit else "loss"


def _forest_odds(arguments: Arguments) -> ReadingOdds:
    limit = number(arguments, "limit")
    return {
        (int(t), _forest_word(int(t), limit)): c
        for t, c in odds.sum_of_dice(sides(arguments, "dice")).pairs()
    }


def _creation_word(total: int) -> str:
    return "made" if total >= JUNK_BELOW else "junk"


def _read_creation(_arguments: Arguments, rolled: Rolled) -> Reading:
    total = sum(sum(pool) for pool in rolled)
    return Reading(total, _creation_word(total))


def _creation_odds(arguments: Arguments) -> ReadingOdds:
    return {
        (int(t), _creation_word(int(t))): c for t, c in odds.sum_of_dice(sides(arguments, "dice")).pairs()
    }


def conflict_chance(sizes: tuple[int, ...], power: int) -> Fraction:
    """The chance to win a conflict: the total is equal to or above that of so many d12 (Conflict Rolls)."""
    return odds.sum_against(sizes, [OPPOSITION] * power)


def forest_chance(sizes: tuple[int, ...], limit: int = FOREST_LIMIT) -> Fraction:
    """The chance of getting the dice from the Forest (Commune with the Spirits of the Forest)."""
    return odds.sum_of_dice(sizes).at_most(limit)


def junk_chance(sizes: tuple[int, ...], below: int = JUNK_BELOW) -> Fraction:
    """The chance that nothing comes of a creation (Create an Artifact of Wondrous Power)."""
    return odds.sum_of_dice(sizes).at_most(below - 1)


MECHANICS = (
    Mechanic(
        name="forgeborn:conflict",
        title="Conflict",
        meaning="The sum of the dice wins when it reaches the sum of one d12 for each point of Power.",
        source="Conflict Rolls",
        parameters=(_DICE, Parameter("power", "Power of what stands against it", 0, MOST_POWER)),
        outcomes=("win", "loss"),
        pools=_conflict_pools,
        read=_read_conflict,
        odds=_conflict_odds,
    ),
    Mechanic(
        name="forgeborn:forest",
        title="Commune with the Spirits of the Forest",
        meaning="A sum of no more than the limit gives the dice that were rolled; a higher one costs a die.",
        source="Commune with the Spirits of the Forest",
        parameters=(_DICE, Parameter("limit", "the highest sum that gains", 1, 99, default=FOREST_LIMIT)),
        outcomes=("gain", "loss"),
        pools=_pools,
        read=_read_forest,
        odds=_forest_odds,
    ),
    Mechanic(
        name="forgeborn:creation",
        title="Creation or recruiting",
        meaning="The sum of the dice is what there is to spend; less than 5 comes to nothing.",
        source="Create an Artifact of Wondrous Power; Recruit a Heroine",
        parameters=(_DICE,),
        outcomes=("made", "junk"),
        pools=_pools,
        read=_read_creation,
        odds=_creation_odds,
    ),
)
