"""The budget of a computation: sizes of distributions, and what it takes to reckon with them.

The unit is a state: something like one value of one distribution worked out once, about a microsecond.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, inf, sqrt

from services.rules.dice.odds.subdistribution import PRECISION

STATES = 1_000_000
"""States that may be spent on one expression: about a second."""

VALUES = 200_000
"""Values that one distribution may have."""

PRODUCTS = 2e-5
"""States that it takes to multiply numbers of one bit; of n bits, n**1.585 times as many (Karatsuba)."""

PAIR = 1.5
"""States of one pair of values."""

FRACTION = 9.0
"""States of one pair of values that makes a fraction."""

BELL = 24
"""Deviations that a distribution is wide before chances are rounded away."""

ROUND = 4.0
"""States of one place of a distribution that is rounded."""


class OddsTooLarge(Exception):
    """The odds are more work than is done for one question.

    Attributes:
        cost: States that it would take, at least.
        limit: States that may be spent.
    """

    def __init__(self, cost: float, limit: int) -> None:
        self.cost = cost
        self.limit = limit
        super().__init__(f"{cost:.3g} states where {limit} may be spent")


@dataclass(frozen=True, slots=True)
class Size:
    """How large what is known of a number may become.

    Attributes:
        low: No value is lower.
        high: No value is higher.
        step: Values lie in steps of this; 0 for a single one, None where they lie anyhow.
        values: How many there are at most.
        bits: Of the sum of their weights.
        deviation: The standard deviation at most.
        exact: Whether nothing is rounded.
        tail: How far from the middle chances are kept that fall off more slowly than a bell.
    """

    low: float
    high: float
    step: Fraction | None
    values: float
    bits: float
    deviation: float
    exact: bool = True
    tail: float = 0.0

    @property
    def places(self) -> float:
        """How many values would lie between the lowest and the highest whose chances are kept."""
        if not self.step:
            return inf if self.step is None else 1.0
        all_places = (self.high - self.low) / float(self.step) + 1
        if self.exact:
            return all_places
        # Beyond so many deviations a chance that falls off as a bell does is rounded away; of two that fall
        # off more slowly the sum does as the slower one.
        return min(all_places, (BELL * self.deviation + self.tail) / float(self.step) + 1)


ONE = Fraction(1)
POINT = Size(0, 0, Fraction(0), 1, 0, 0)
"""A number that is known."""


class Budget:
    """Adds up what operations on sizes take.

    Args:
        limit: States that may be spent.

    Attributes:
        spent: States so far.
    """

    def __init__(self, limit: int) -> None:
        self.spent = 0.0
        self._limit = limit

    def spend(self, states: float) -> None:
        """Adds to what it takes.

        Raises:
            OddsTooLarge: That is too much by now.
        """
        self.spent += states
        if self.spent > self._limit:
            raise OddsTooLarge(self.spent, self._limit)

    def kept(self, size: Size) -> Size:
        """A size that may be kept.

        Raises:
            OddsTooLarge: It has too many values.
        """
        if size.values > VALUES:
            raise OddsTooLarge(max(self.spent, size.values * self._limit / VALUES), self._limit)
        return size

    def add(self, left: Size, right: Size) -> Size:
        """The sum of both."""
        found = self._joined(left, right, left.low + right.low, left.high + right.high)
        if left.step == 0 or right.step == 0:
            self.spend(0.3 * found.values)
        elif found.step is None or left.places * right.places > 16 * left.values * right.values:
            self.spend(PAIR * left.values * right.values)
        else:
            places = [replace(side, step=found.step).places for side in (left, right)]
            shorter, longer = sorted(min(each, found.places) * max(found.bits, 64) for each in places)
            self.spend(product(shorter, longer) + 0.5 * found.values)
        if not found.exact:
            self.spend(ROUND * found.values)
        return found

    def _joined(self, left: Size, right: Size, low: float, high: float) -> Size:
        """The size of what is made of every pair of values, at most."""
        step = None if left.step is None or right.step is None else common(left.step, right.step)
        exact = left.exact and right.exact
        deviation = sqrt(left.deviation**2 + right.deviation**2)
        bits = left.bits + right.bits if exact else 2.0 * PRECISION
        tail = max(left.tail, right.tail)
        bare = Size(low, high, step, left.values * right.values, bits, deviation, exact, tail)
        return replace(bare, values=min(bare.values, bare.places))

    def pairs(self, left: Size, right: Size, low: float, high: float, step: Fraction | None) -> Size:
        """What is made of every pair of values, within some bounds."""
        self.spend(
            (PAIR if step else FRACTION) * left.values * right.values * (1 + (left.bits + right.bits) / 2_000)
        )
        values = left.values * right.values
        if step:
            values = min(values, (high - low) / float(step) + 1)
        exact = left.exact and right.exact
        bits = left.bits + right.bits if exact else 2.0 * PRECISION
        return Size(low, high, step, values, bits, (high - low) / 2, exact)

    def higher(self, left: Size, right: Size) -> Size:
        """The higher or the lower of both, whichever is asked for."""
        values = left.values + right.values
        bits = left.bits + right.bits
        self.spend(values * (1 + bits / 2_000))
        step = None if left.step is None or right.step is None else common(left.step, right.step)
        low, high = min(left.low, right.low), max(left.high, right.high)
        deviation = left.deviation + right.deviation
        exact = left.exact and right.exact
        return Size(low, high, step, values, bits if exact else 2.0 * PRECISION, deviation, exact)

    def times(self, each: Size, number: int, *, uniform: bool = False) -> Size:
        """The sum of so many of a size."""
        if number < 2 or each.values <= 1:
            return replace(each, low=each.low * number, high=each.high * number)
        dense = each.places <= 16 * each.values
        if not dense or (each.exact is False and number > 3):
            half = self.times(each, number // 2)
            double = self.add(half, half)
            return self.add(double, each) if number % 2 else double
        found = Size(
            each.low * number,
            each.high * number,
            each.step,
            (each.places - 1) * number + 1,
            each.bits * number if each.exact else each.bits,
            each.deviation * sqrt(number),
            each.exact,
        )
        length = found.values * max(found.bits, 64)
        if each.values <= 2:
            self.spend(number * (1 + found.bits / 1_000))
        elif uniform:
            self.spend(found.values * (0.4 + found.bits / 5_000))
        else:
            self.spend(2 * product(length, length) + found.values)
        return found


def mirrored(size: Size) -> Size:
    """Taken below zero."""
    return replace(size, low=-size.high, high=-size.low)


def is_whole(size: Size) -> bool:
    """Whether all values are whole numbers."""
    return size.step is not None and size.step.denominator == 1


def common(left: Fraction, right: Fraction) -> Fraction:
    """The greatest step that both are multiples of."""
    return Fraction(
        gcd(left.numerator * right.denominator, right.numerator * left.denominator),
        left.denominator * right.denominator,
    )


def product(shorter: float, longer: float) -> float:
    """States of multiplying two whole numbers of so many bits."""
    shorter, longer = sorted((max(shorter, 1), max(longer, 1)))
    return float(PRODUCTS * longer / shorter * shorter**1.585)
