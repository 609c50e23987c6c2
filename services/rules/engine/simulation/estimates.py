"""From sums of whole numbers to estimates with their 95 % intervals.

A share has the interval of Wilson (1927), which stays within 0 and 1 and is honest near both; a mean has that
of its standard error. Quantiles are those of the histogram's places.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from services.rules.engine.simulation.tally import Distribution

Z = 1.959963984540054
"""Standard deviations on either side that hold 95 % of a normal distribution."""

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A number that was found by playing.

    Attributes:
        value: The share, or the mean.
        low: Lower end of its 95 % interval.
        high: Upper end.
        error: Its standard error.
    """

    value: float
    low: float
    high: float
    error: float

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


def estimate(distribution: Distribution, *, share: bool, z: float = Z) -> Estimate:
    """Return the estimate of a figure.

    Args:
        distribution: Its values.
        share: Whether each is 0 or 1, and a share is told; otherwise a mean.
        z: Standard deviations on either side of the interval.
    """
    if share:
        return wilson(distribution.total, distribution.runs, z)
    return mean(distribution.total, distribution.squares, distribution.runs, z)


def wilson(count: int, runs: int, z: float = Z) -> Estimate:
    """Return the share of so many runs in which something was so; of no runs, anything from 0 to 1."""
    if runs == 0:
        return Estimate(value=0.0, low=0.0, high=1.0, error=0.5)
    share, spread = count / runs, z * z / runs
    middle = (share + spread / 2) / (1 + spread)
    half = z * math.sqrt(share * (1 - share) / runs + spread / (4 * runs)) / (1 + spread)
    low = 0.0 if count == 0 else max(0.0, middle - half)
    high = 1.0 if count == runs else min(1.0, middle + half)
    return Estimate(value=share, low=low, high=high, error=math.sqrt(share * (1 - share) / runs))


def mean(total: int, squares: int, runs: int, z: float = Z) -> Estimate:
    """Return the mean of so many runs; of one run or none, with an interval without bounds."""
    if runs == 0:
        return Estimate(value=0.0, low=-math.inf, high=math.inf, error=math.inf)
    value = total / runs
    if runs == 1:
        return Estimate(value=value, low=-math.inf, high=math.inf, error=math.inf)
    # Exactly, until the root: the difference of two large sums loses all its digits in floating point.
    variance = (Fraction(squares) - Fraction(total * total, runs)) / (runs - 1)
    error = math.sqrt(variance / runs)
    return Estimate(value=value, low=value - z * error, high=value + z * error, error=error)


def quantiles(distribution: Distribution, wanted: Iterable[float] = QUANTILES) -> tuple[int, ...]:
    """Return the smallest place of the histogram below or at which each of these shares of the runs lie."""
    places = sorted(distribution.places.items())
    up_to = list(accumulate(count for _, (count, _) in places))
    return tuple(places[bisect_left(up_to, share * distribution.runs)][0] for share in wanted)


def run_at(distribution: Distribution, place: int) -> int:
    """Return the number of the first run at a place of the histogram."""
    return distribution.places[place][1]


def certain(value: Fraction) -> Estimate:
    """Return a number that is known exactly: its interval has no width."""
    return Estimate(value=float(value), low=float(value), high=float(value), error=0.0)


def mean_of(chances: Mapping[int, Fraction]) -> Fraction:
    """Return the mean of values of which it is known how likely they are."""
    return sum((value * chance for value, chance in chances.items()), Fraction(0))


def exact_quantiles(chances: Mapping[int, Fraction], wanted: Iterable[float] = QUANTILES) -> tuple[int, ...]:
    """Return the smallest value below or at which each of these shares of the chances lie."""
    values = sorted(value for value, chance in chances.items() if chance)
    up_to = list(accumulate(chances[value] for value in values))
    return tuple(values[bisect_left(up_to, Fraction(str(share)))] for share in wanted)
