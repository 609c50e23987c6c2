"""DungeonTeller's own rolls: six-sided dice of which two faces succeed.

Faces are read as 5 and 6. A table whose players name two other faces has the same chances.
"""

from __future__ import annotations

from services.rules.dice import odds
from services.rules.dice.distribution import Distribution
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
from services.rules.systems.dungeonteller.actions import LUCKY_FACES, count_successes

SIDES = 6
MOST = 40
"""Dice of one side; the best rating with every bonus stays far below."""

SUCCESS, FAILURE = "success", "failure"


def _dice(arguments: Arguments) -> int:
    """One die stays in every roll that may be made at all (Actions / Battle [P3, P5])."""
    return max(1, number(arguments, "dice"))


def _word(total: int, needed: int) -> str:
    return SUCCESS if total >= needed else FAILURE


def _action_pools(arguments: Arguments) -> tuple[Dice, ...]:
    return (dice(_dice(arguments), SIDES),)


def _read_action(arguments: Arguments, rolled: Rolled) -> Reading:
    total = count_successes(rolled[0])
    return Reading(total, _word(total, number(arguments, "needed")))


def _action_odds(arguments: Arguments) -> ReadingOdds:
    needed = number(arguments, "needed")
    return _worded(odds.successes(_dice(arguments), SIDES, len(LUCKY_FACES)), needed)


def _opposed_pools(arguments: Arguments) -> tuple[Dice, ...]:
    return (dice(_dice(arguments), SIDES), dice(number(arguments, "against"), SIDES))


def _read_opposed(arguments: Arguments, rolled: Rolled) -> Reading:
    left = max(0, count_successes(rolled[0]) - count_successes(rolled[1]))
    return Reading(left, _word(left, number(arguments, "needed")))


def _opposed_odds(arguments: Arguments) -> ReadingOdds:
    net = odds.net_successes(_dice(arguments), number(arguments, "against"), SIDES, len(LUCKY_FACES))
    left = net.map(lambda value: max(0, value))
    return _worded(left, number(arguments, "needed"))


def _worded(spread: Distribution, needed: int) -> ReadingOdds:
    return {(int(total), _word(int(total), needed)): chance for total, chance in spread.pairs()}


_DICE = Parameter("dice", "dice of the action; one is rolled even at 0", 0, MOST)
_NEEDED = Parameter("needed", "successes that are needed", 1, 20, default=1)

MECHANICS = (
    Mechanic(
        name="dungeonteller:action",
        title="Action roll",
        meaning="Every 5 and 6 of the dice is a success.",
        source="Basics / Making an Action Roll",
        parameters=(_DICE, _NEEDED),
        outcomes=(SUCCESS, FAILURE),
        pools=_action_pools,
        read=_read_action,
        odds=_action_odds,
    ),
    Mechanic(
        name="dungeonteller:opposed",
        title="Opposed roll",
        meaning="Every 5 and 6 is a success; the other side's are taken off, and what is left counts.",
        source="Actions / Sneak and Notice",
        parameters=(
            _DICE,
            Parameter("against", "dice of the other side; 0 where nobody rolls", 0, MOST),
            _NEEDED,
        ),
        outcomes=(SUCCESS, FAILURE),
        pools=_opposed_pools,
        read=_read_opposed,
        odds=_opposed_odds,
    ),
)
