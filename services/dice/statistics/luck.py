"""Whether totals were high or low, measured by what each expression was expected to come to.

High counts as lucky, whatever the game makes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import erfc, sqrt

from services.dice.statistics.fairness import UNUSUAL_BELOW, Verdict

BINS = 10
"""Parts of the histogram of percentiles."""

LEAST_ROLLS = 30
"""With fewer rolls the sum of totals is too far from a normal distribution."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the total of one expression, rounded down to a whole number, is expected to be.

    Attributes:
        mean: On average.
        variance: The squared standard deviation; 0 where nothing is left to chance.
        below: Returns the chance to come to less than a total.
        at_most: Returns the chance to come to a total or less.
    """

    mean: float
    variance: float
    below: Callable[[int], float]
    at_most: Callable[[int], float]


@dataclass(frozen=True, slots=True)
class Totals:
    """How often the rolls of one expression came to which total.

    Attributes:
        counts: How often, by total.
        expectation: What was expected; None where the odds are not known.
        voids: How often they came to nothing.
    """

    counts: Mapping[int, int]
    expectation: Expectation | None
    voids: int = 0


@dataclass(frozen=True, slots=True)
class Luck:
    """How high the totals were.

    Attributes:
        rolls: How many rolls were reckoned.
        not_reckoned: How many were not: their odds are too much to reckon, or nothing in them is chance.
        mean_percentile: Where the totals stood, on average, among all that could have come, from 0 to 1;
            0.5 is what honest dice come to.
        percentiles: How many rolls stood in each tenth, lowest first; as many in each are expected. A total
            that covers several tenths, as each of a d6 does, counts in parts.
        z_score: All totals together, in standard deviations above (or below) what was expected.
        p_value: Chance that honest dice are at least as far off, up or down; None while there are too few.
        verdict: What follows.
        words: The verdict in a sentence.
        voids: How many rolls came to nothing, beside those reckoned and those not: they have no total to be
            compared, but whoever writes rolls so that misses fail shows here.
    """

    rolls: int
    not_reckoned: int
    mean_percentile: float | None
    percentiles: tuple[float, ...]
    z_score: float | None
    p_value: float | None
    verdict: Verdict
    words: str
    voids: int = 0


def luck(expressions: Iterable[Totals], *, left_out: int = 0) -> Luck:
    """Compares totals with what was expected of them.

    Args:
        expressions: The totals of each expression.
        left_out: Rolls that are known of but not given.
    """
    rolls, missed, voids = 0, left_out, 0
    surplus = variance = ranks = 0.0
    bins = [0.0] * BINS
    for totals in expressions:
        made, expected = sum(totals.counts.values()), totals.expectation
        voids += totals.voids
        if expected is None or expected.variance <= 0:
            missed += made
            continue
        rolls += made
        variance += made * expected.variance
        for total, count in totals.counts.items():
            surplus += count * (total - expected.mean)
            low, high = _chance(expected.below(total)), _chance(expected.at_most(total))
            ranks += count * (low + high) / 2
            _spread(bins, low, high, count)
    if rolls == 0:
        nothing = "There is nothing to say yet."
        return Luck(0, missed, None, tuple(bins), None, None, Verdict.TOO_FEW, nothing, voids)
    z = surplus / sqrt(variance)
    p = erfc(abs(z) / sqrt(2)) if rolls >= LEAST_ROLLS else None
    verdict, words = _judged(rolls, z, p)
    parts = tuple(round(part, 6) for part in bins)
    return Luck(rolls, missed, ranks / rolls, parts, z, p, verdict, words, voids)


def _spread(bins: list[float], low: float, high: float, count: int) -> None:
    """Shares rolls among the bins that the percentiles from `low` to `high` lie in."""
    width = high - low
    if width <= 0:
        bins[min(int(low * BINS), BINS - 1)] += count
        return
    first, last = int(low * BINS), min(int(high * BINS), BINS - 1)
    for place in range(first, last + 1):
        share = min(high, (place + 1) / BINS) - max(low, place / BINS)
        bins[place] += count * max(share, 0.0) / width


def _chance(found: float) -> float:
    """A probability that rounding may have carried over the edge."""
    return min(max(found, 0.0), 1.0)


def _judged(rolls: int, z: float, p: float | None) -> tuple[Verdict, str]:
    if p is None:
        return Verdict.TOO_FEW, f"Too few to say: {rolls} so far, and {LEAST_ROLLS} would be the least."
    side = "high" if z > 0 else "low"
    if p < UNUSUAL_BELOW:
        return (
            Verdict.UNUSUAL,
            f"Unusually {side}: fewer than one in 1,000 honest players are so far off over as many rolls.",
        )
    return (
        Verdict.ORDINARY,
        f"Nothing unusual: {p:.0%} of honest players are at least so far off over as many rolls.",
    )
