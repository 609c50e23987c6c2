"""What work with rolls costs beyond the price of the request itself, estimated before it begins."""

from __future__ import annotations

from collections.abc import Iterable

from services.dice.rolls.transcript import MOST_DICE
from services.rules.dice.effort import Effort

KEEP_MILLISECONDS = 5.0
"""Processor time of keeping and telling one further roll of a request, of all services together."""

SHOW_MILLISECONDS = 2.5
"""Processor time of showing one further roll of a page."""

FEW = 4
"""Rolls of a page that are in the price of the request."""

TELL_MILLISECONDS = 0.1
"""Processor time of telling one die, of the service and the gateway together."""

READ_MILLISECONDS = 0.0015
"""Processor time of reading one draw of a roll out again that was not stored as it is told."""

TREE_MILLISECONDS = 0.00008
"""Processor time of a tree, by the square of the length of its expression: each part is written out."""

VERIFY_MILLISECONDS = 0.002
"""Processor time of verifying one draw of a roll: of drawing it again, hashing it and comparing it."""

VERIFY_TOLD_MILLISECONDS = 0.006
"""Processor time of reading one die that is told of a roll, which is verified with it."""

HEAVY_MILLISECONDS = 10.0
"""Rolls of a request that take longer are evaluated in a worker process."""

KEPT_AT_ONCE = 10
"""Rolls that one unit of work keeps, about 3 ms each: all others who write wait for it."""

KEPT_DRAWS_AT_ONCE = 5_000
"""Draws that the rolls of one unit of work have together, unless one roll alone has more: a microsecond each
to write the receipt, to hash it and to store it."""


def evaluation(efforts: Iterable[Effort]) -> float:
    """Computes the milliseconds that it takes to evaluate rolls."""
    return sum(effort.microseconds for effort in efforts) / 1_000


def telling(dice: Iterable[float], lists: int) -> float:
    """Computes the milliseconds that it takes to tell rolls.

    Args:
        dice: how many dice each roll has, or is expected to have.
        lists: in how many lists of dice each roll is told.
    """
    return lists * TELL_MILLISECONDS * sum(min(each, MOST_DICE) for each in dice)


def page(rolls: int) -> float:
    """Computes the milliseconds that it takes to show a page of rolls, without their dice."""
    return SHOW_MILLISECONDS * max(0, rolls - FEW)


def verification(draws: int) -> float:
    """Computes the milliseconds that it takes to verify a roll, beside those of one without dice."""
    return VERIFY_MILLISECONDS * draws + VERIFY_TOLD_MILLISECONDS * min(draws, MOST_DICE)


def trees(lengths: Iterable[int], times: int) -> float:
    """Computes the milliseconds that it takes to write out the parts of expressions of so many characters."""
    return times * sum(TREE_MILLISECONDS * length * length for length in lengths)
