"""Cumulative chances of whole totals, short enough to keep many of them."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from math import floor

from services.rules.dice.distribution import Distribution


@dataclass(frozen=True, slots=True)
class CumulativeTable:
    """All totals, rounded down to whole numbers.

    Attributes:
        mean: The mean.
        variance: The variance.
        totals: Ascending.
        at_most: The chance of each or less.
    """

    mean: float
    variance: float
    totals: array[float]
    at_most: array[float]

    @classmethod
    def of(cls, chances: Distribution) -> CumulativeTable:
        """Computes the table of a distribution."""
        whole = chances.map(floor) if any(value.denominator > 1 for value in chances.values) else chances
        return cls(
            float(whole.mean),
            float(whole.variance),
            array("d", map(float, whole.values)),
            array("d", (upto / whole.total for upto in accumulate(whole.weights))),
        )

    def chance_at_most(self, total: int) -> float:
        """Returns the chance of a total or less."""
        place = bisect_right(self.totals, total)
        return self.at_most[place - 1] if place else 0.0
