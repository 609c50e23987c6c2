"""Where one total stands among all that could have come."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from services.rules.dice.odds.cumulative import CumulativeTable
from services.rules.dice.odds.summary import Chance, Odds, OddsKind
from services.rules.dice.pool import Value


@dataclass(frozen=True, slots=True)
class Place:
    """Where one total stands among all that could have come.

    Attributes:
        at_least: The chance of as much or more.
        at_most: The chance of as much or less.
        exactly: The chance of exactly as much.
        percentile: The chance of less and half the chance of as much, from 0 to 1: 0.5 is as usual as can be.
        mean: What comes on average.
        kind: How the chances were found.
        error: How far any of them may be off.
    """

    at_least: Chance
    at_most: Chance
    exactly: Chance
    percentile: float
    mean: float
    kind: OddsKind
    error: float


def place_of(odds: Odds, value: Value) -> Place | None:
    """Where a value stands; None where the answer does not list all there are and this one is not listed."""
    place = bisect_left(odds.outcomes, value, key=lambda outcome: outcome.value)
    below = odds.outcomes[place - 1].at_most if place else Chance(0.0)
    listed = place < len(odds.outcomes) and odds.outcomes[place].text == str(value)
    if not listed and odds.left_out:
        return None
    if listed:
        found = odds.outcomes[place]
        at_least, at_most, exactly = found.at_least, found.at_most, found.probability
    else:
        above = odds.outcomes[place].at_least if place < len(odds.outcomes) else Chance(0.0)
        at_least, at_most, exactly = above, below, Chance(0.0)
    percentile = at_most.value - exactly.value / 2
    return Place(at_least, at_most, exactly, percentile, odds.mean, odds.kind, odds.error)


def place_in(table: CumulativeTable, odds: Odds, total: int) -> Place:
    """Where a whole total stands that the odds do not list.

    Args:
        table: Chances of all whole totals.
        odds: How they were found.
        total: The total.
    """
    below, upto = table.chance_at_most(total - 1), table.chance_at_most(total)
    return Place(
        at_least=Chance(1 - below),
        at_most=Chance(upto),
        exactly=Chance(upto - below),
        percentile=(below + upto) / 2,
        mean=table.mean,
        kind=odds.kind,
        error=odds.error,
    )
