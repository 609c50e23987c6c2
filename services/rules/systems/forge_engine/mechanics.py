"""Forge Engine's own rolls."""

from __future__ import annotations

from fractions import Fraction

from services.rules.dice import odds
from services.rules.dice.mechanic import (
    Arguments,
    Mechanic,
    Parameter,
    Reading,
    ReadingOdds,
    Rolled,
    number,
)
from services.rules.dice.pool import Dice, dice
from services.rules.systems.forge_engine.rolls import (
    SIDES,
    PoolReading,
    Winner,
    against_pool,
    against_target,
    contest,
)

MOST = 60
"""Dice of one side; the largest pools of the book stay far below."""

SUCCESS, FAILURE, CRITICAL = "success", "failure", "critical_failure"

_CRITICAL = Parameter(
    "critical", "whether the optional rule of critical failures is used: 1 or 0", 0, 1, default=1
)


def _outcome(reading: PoolReading, required: int, arguments: Arguments) -> str:
    if reading.critical_failure and number(arguments, "critical"):
        return CRITICAL
    return SUCCESS if reading.successes >= required else FAILURE


def _worded(pool: odds.PoolOdds, required: int, arguments: Arguments) -> ReadingOdds:
    found: dict[tuple[int, str], Fraction] = {}
    for (successes, failed), chance in pool.pairs().items():
        word = _outcome(PoolReading(successes, failed), required, arguments)
        found[successes, word] = found.get((successes, word), Fraction(0)) + chance
    return found


def _fixed_pools(arguments: Arguments) -> tuple[Dice, ...]:
    return (dice(number(arguments, "dice"), SIDES),)


def _read_fixed(arguments: Arguments, rolled: Rolled) -> Reading:
    reading = against_target(rolled[0], number(arguments, "difficulty"))
    return Reading(reading.successes, _outcome(reading, number(arguments, "required"), arguments))


def _fixed_odds(arguments: Arguments) -> ReadingOdds:
    pool = odds.fixed_pool(number(arguments, "dice"), number(arguments, "difficulty"), SIDES)
    return _worded(pool, number(arguments, "required"), arguments)


def _opposed_pools(arguments: Arguments) -> tuple[Dice, ...]:
    return (dice(number(arguments, "action"), SIDES), dice(number(arguments, "defence"), SIDES))


def _read_opposed(arguments: Arguments, rolled: Rolled) -> Reading:
    reading = against_pool(rolled[0], rolled[1])
    return Reading(reading.successes, _outcome(reading, 1, arguments))


def _opposed_odds(arguments: Arguments) -> ReadingOdds:
    pool = odds.opposed_pool(number(arguments, "action"), number(arguments, "defence"), SIDES)
    return _worded(pool, 1, arguments)


def _contest_pools(arguments: Arguments) -> tuple[Dice, ...]:
    return (dice(number(arguments, "instigator"), SIDES), dice(number(arguments, "rival"), SIDES))


def _read_contest(arguments: Arguments, rolled: Rolled) -> Reading:
    reading = contest(rolled[0], rolled[1], ties_to_instigator=bool(number(arguments, "ties")))
    # One side at most has successes: the rival's are shown below zero.
    return Reading(reading.instigator - reading.rival, reading.winner.value)


def _contest_odds(arguments: Arguments) -> ReadingOdds:
    mine, theirs = number(arguments, "instigator"), number(arguments, "rival")
    ahead = odds.opposed_pool(mine, theirs, SIDES, strict=not number(arguments, "ties"))
    behind = odds.opposed_pool(theirs, mine, SIDES, strict=True)
    # Both count the same falls of all dice: what neither side wins is left over.
    tied = ahead.total - sum(ahead.weights[1:]) - sum(behind.weights[1:])
    weights = {(-count, Winner.RIVAL.value): ways for count, ways in enumerate(behind.weights) if count}
    weights |= {(count, Winner.INSTIGATOR.value): ways for count, ways in enumerate(ahead.weights) if count}
    weights[0, Winner.NOBODY.value] = tied
    return {reading: Fraction(ways, ahead.total) for reading, ways in weights.items() if ways}


MECHANICS = (
    Mechanic(
        name="forge_engine:fixed",
        title="Test against a difficulty",
        meaning="Each d10 that reaches the difficulty is a success.",
        source="Fundamentals / Fixed Challenges [R-10, R-52]",
        parameters=(
            Parameter("dice", "dice of the action pool", 0, MOST),
            Parameter("difficulty", "what a die must reach", 2, 10, default=8),
            Parameter("required", "successes that are needed", 1, 10, default=1),
            _CRITICAL,
        ),
        outcomes=(SUCCESS, FAILURE, CRITICAL),
        pools=_fixed_pools,
        read=_read_fixed,
        odds=_fixed_odds,
    ),
    Mechanic(
        name="forge_engine:opposed",
        title="Action pool against defence pool",
        meaning="Each d10 of the action that equals or beats the defence's highest die is a success.",
        source="Fundamentals / Opposed Pools [R-30, R-52]",
        parameters=(
            Parameter("action", "dice of the action pool", 0, MOST),
            Parameter("defence", "dice of the defence pool", 0, MOST),
            _CRITICAL,
        ),
        outcomes=(SUCCESS, FAILURE, CRITICAL),
        pools=_opposed_pools,
        read=_read_opposed,
        odds=_opposed_odds,
    ),
    Mechanic(
        name="forge_engine:contest",
        title="Contest in which both can win",
        meaning="The side with the highest d10 wins, with its dice above the other's highest as successes; "
        "the rival's are shown below zero. Equal highest dice are a tie, or go to who began it.",
        source="Running Attribute Tests / Opposed [R-48, R-52]",
        parameters=(
            Parameter("instigator", "dice of who began it", 0, MOST),
            Parameter("rival", "dice of the other side", 0, MOST),
            Parameter("ties", "1 where ties go to who began it", 0, 1, default=0),
        ),
        outcomes=(Winner.INSTIGATOR.value, Winner.NOBODY.value, Winner.RIVAL.value),
        pools=_contest_pools,
        read=_read_contest,
        odds=_contest_odds,
    ),
)
