"""Exact chances of numbers: a whole weight for each value, and the sum of all weights below them.

    made      constant, die, sum_of, faces, from_weights, mix
    changed   add, subtract, repeat, combine, negate, shift, scale, map, highest, lowest
    read      probability, at_least, at_most, percentile, beats, ties, mean, variance, deviation, quantile,
              median, modes, minimum, maximum, cumulative, pairs

Nothing is rounded, and only what is asked for becomes a fraction: weights stay whole numbers until then, and
are brought to their lowest terms only where two distributions are compared.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate, pairwise
from math import gcd, lcm, ldexp, sqrt
from operator import lt, mul
from typing import TypeVar

from services.rules.dice.polynomial import dice_sums, power, product
from services.rules.dice.pool import Value

ValueT = TypeVar("ValueT", bound=Value)

DENSE = 16
"""How many times more places than values a sum may have and still be reckoned place by place."""


@dataclass(frozen=True, slots=True, eq=False)
class Distribution:
    """How likely each value of a random number is; independent of every other distribution.

    Attributes:
        values: Every value that can come up, ascending.
        weights: How often each comes up, out of `total`.
        total: The sum of the weights.

    Raises:
        ValueError: There is no value, values do not ascend, or a weight is not positive.
    """

    values: tuple[Value, ...]
    weights: tuple[int, ...]
    total: int = field(init=False)

    def __post_init__(self) -> None:
        if not self.values or len(self.values) != len(self.weights):
            raise ValueError("a distribution has a weight for each of its values, and at least one")
        if not all(map(lt, self.values, self.values[1:])):
            raise ValueError("the values of a distribution ascend")
        if min(self.weights) < 1:
            raise ValueError("every value of a distribution has a weight above 0")
        object.__setattr__(self, "total", sum(self.weights))

    # Made

    @classmethod
    def constant(cls, value: Value) -> Distribution:
        """One value for certain."""
        return cls((_plain(value),), (1,))

    @classmethod
    def die(cls, sides: int) -> Distribution:
        """A fair die with the faces 1 to `sides`.

        Raises:
            ValueError: It has no side.
        """
        return cls(tuple(range(1, sides + 1)), (1,) * sides)

    @classmethod
    def sum_of(cls, sides: Iterable[int]) -> Distribution:
        """The sum of fair dice: (8, 6, 6) is d8+2d6; of no dice, 0.

        Raises:
            ValueError: A die has no side.
        """
        dice = Counter(sides)
        if min(dice, default=1) < 1:
            raise ValueError("a die has at least one side")
        count = dice.total()
        return _gathered(count, 1, dice_sums(dice))

    @classmethod
    def faces(cls, values: Iterable[Value]) -> Distribution:
        """A fair die with these faces; a value that is on several of them is as much likelier."""
        return cls.from_weights((value, 1) for value in values)

    @classmethod
    def from_weights(cls, weights: Mapping[ValueT, int] | Iterable[tuple[Value, int]]) -> Distribution:
        """Values and their weights, in any order; equal values are put together, those of weight 0 left out.

        Raises:
            ValueError: A weight is negative, or all are 0.
        """
        gathered: dict[Value, int] = {}
        for value, weight in weights.items() if isinstance(weights, Mapping) else weights:
            if weight < 0:
                raise ValueError("a weight is not negative")
            gathered[value] = gathered.get(value, 0) + weight
        found = sorted(item for item in gathered.items() if item[1])
        return cls(tuple(_plain(value) for value, _ in found), tuple(weight for _, weight in found))

    @classmethod
    def mix(cls, parts: Iterable[tuple[int | Fraction, Distribution]]) -> Distribution:
        """One of several distributions, each as likely as its share of the sum of all shares.

        Raises:
            ValueError: A share is negative, or all are 0.
        """
        shares = [(Fraction(share), part) for share, part in parts if share]
        whole = lcm(*(share.denominator * part.total for share, part in shares))
        return cls.from_weights(
            (value, weight * factor)
            for share, part in shares
            for factor in (share.numerator * (whole // (share.denominator * part.total)),)
            for value, weight in zip(part.values, part.weights, strict=True)
        )

    # Changed

    def add(self, other: Distribution) -> Distribution:
        """The sum of both."""
        if len(other.values) == 1:
            return self.shift(other.values[0])
        if len(self.values) == 1:
            return other.shift(self.values[0])
        lattice = _lattice(self.values, other.values)
        if lattice is None:
            return self.combine(other, lambda left, right: left + right)
        step, (ours, theirs) = lattice
        weights = product(_spread(ours, self.weights), _spread(theirs, other.weights))
        return _gathered(self.values[0] + other.values[0], step, weights)

    def subtract(self, other: Distribution) -> Distribution:
        """This one less the other."""
        return self.add(other.negate())

    def repeat(self, count: int) -> Distribution:
        """The sum of so many of this kind, each on its own.

        Raises:
            ValueError: The number is negative.
        """
        if count < 0:
            raise ValueError("nothing is repeated fewer than 0 times")
        if count < 2 or len(self.values) == 1:
            return self if count == 1 else Distribution.constant(self.values[0] * count)
        lattice = _lattice(self.values)
        if lattice is None:
            half = self.repeat(count // 2)
            double = half.add(half)
            return double.add(self) if count % 2 else double
        step, (places,) = lattice
        if places[-1] == len(places) - 1 and len(set(self.weights)) == 1:
            return _gathered(self.values[0] * count, step, dice_sums({len(places): count}))
        return _gathered(self.values[0] * count, step, power(_spread(places, self.weights), count))

    def combine(self, other: Distribution, function: Callable[[Value, Value], Value]) -> Distribution:
        """What a function makes of one value of each; goes through every pair of values."""
        return Distribution.from_weights(
            (function(left, right), weight * factor)
            for left, weight in zip(self.values, self.weights, strict=True)
            for right, factor in zip(other.values, other.weights, strict=True)
        )

    def negate(self) -> Distribution:
        """Every value taken below zero."""
        return Distribution(tuple(-value for value in reversed(self.values)), self.weights[::-1])

    def shift(self, by: Value) -> Distribution:
        """A number added to every value."""
        return Distribution(tuple(_plain(value + by) for value in self.values), self.weights) if by else self

    def scale(self, by: Value) -> Distribution:
        """Every value multiplied by a number."""
        if by == 0:
            return Distribution.constant(0)
        up = self if by > 0 else self.negate()
        size = by if by > 0 else -by
        return Distribution(tuple(_plain(value * size) for value in up.values), up.weights)

    def map(self, function: Callable[[Value], Value]) -> Distribution:
        """What a function makes of the value."""
        return Distribution.from_weights(
            (function(value), weight) for value, weight in zip(self.values, self.weights, strict=True)
        )

    def highest(self, count: int) -> Distribution:
        """The highest of so many of this kind, each on its own.

        Raises:
            ValueError: The number is below 1.
        """
        if count < 1:
            raise ValueError("of none there is no highest and no lowest")
        powers = [reached**count for reached in (0, *self.cumulative())]
        return Distribution(self.values, tuple(after - before for before, after in pairwise(powers)))

    def lowest(self, count: int) -> Distribution:
        """The lowest of so many of this kind, each on its own.

        Raises:
            ValueError: The number is below 1.
        """
        return self.negate().highest(count).negate()

    def reduced(self) -> Distribution:
        """The same chances in lowest terms."""
        divisor = gcd(*self.weights)
        if divisor == 1:
            return self
        return Distribution(self.values, tuple(weight // divisor for weight in self.weights))

    # Read

    def probability(self, value: Value) -> Fraction:
        """The chance of exactly this value; 0 for one that cannot come up."""
        place = bisect_left(self.values, value)
        found = place < len(self.values) and self.values[place] == value
        return Fraction(self.weights[place] if found else 0, self.total)

    def at_least(self, value: Value) -> Fraction:
        """The chance of this value or more."""
        return Fraction(sum(self.weights[bisect_left(self.values, value) :]), self.total)

    def at_most(self, value: Value) -> Fraction:
        """The chance of this value or less."""
        return Fraction(sum(self.weights[: bisect_right(self.values, value)]), self.total)

    def percentile(self, value: Value) -> Fraction:
        """The chance of less than this value and half the chance of exactly it: 1/2 is as usual as can be."""
        below, upto = bisect_left(self.values, value), bisect_right(self.values, value)
        return Fraction(sum(self.weights[:below]) + sum(self.weights[:upto]), 2 * self.total)

    def beats(self, other: Distribution) -> Fraction:
        """The chance of more than the other."""
        weight = sum(map(mul, self.weights, other.weights_below(self.values)))
        return Fraction(weight, self.total * other.total)

    def ties(self, other: Distribution) -> Fraction:
        """The chance of exactly as much as the other."""
        theirs = dict(zip(other.values, other.weights, strict=True))
        weight = sum(
            weight * theirs.get(value, 0) for value, weight in zip(self.values, self.weights, strict=True)
        )
        return Fraction(weight, self.total * other.total)

    def weights_below(self, values: Iterable[Value]) -> Iterator[int]:
        """For each of some values, in ascending order, how often less than it comes up, out of `total`."""
        place, below = 0, 0
        for value in values:
            while place < len(self.values) and self.values[place] < value:
                below += self.weights[place]
                place += 1
            yield below

    def cumulative(self) -> tuple[int, ...]:
        """For each value, how often it or less comes up, out of `total`."""
        return tuple(accumulate(self.weights))

    def pairs(self) -> tuple[tuple[Value, Fraction], ...]:
        """Each value with its chance, ascending."""
        total = self.total
        chances = (Fraction(weight, total) for weight in self.weights)
        return tuple(zip(self.values, chances, strict=True))

    def quantile(self, p: Fraction | int) -> Value:
        """The smallest value that is not exceeded with a chance of `p`.

        Raises:
            ValueError: `p` is not from 0 to 1.
        """
        if not 0 <= p <= 1:
            raise ValueError("a quantile is asked for at 0 to 1")
        # Whole weights reach p of the total when they reach it rounded up.
        needed = -(-p.numerator * self.total // p.denominator)
        return self.values[bisect_left(self.cumulative(), needed)]

    @property
    def median(self) -> Value:
        """The smallest value that is not exceeded half the time."""
        return self.quantile(Fraction(1, 2))

    @property
    def minimum(self) -> Value:
        """The smallest value."""
        return self.values[0]

    @property
    def maximum(self) -> Value:
        """The greatest value."""
        return self.values[-1]

    @property
    def modes(self) -> tuple[Value, ...]:
        """The likeliest values, ascending."""
        most = max(self.weights)
        return tuple(value for value, weight in zip(self.values, self.weights, strict=True) if weight == most)

    @property
    def mean(self) -> Fraction:
        """The mean."""
        return Fraction(sum(map(mul, self.values, self.weights))) / self.total

    @property
    def variance(self) -> Fraction:
        """The mean of the squared distances from the mean."""
        squares = sum(value * value * weight for value, weight in zip(self.values, self.weights, strict=True))
        return Fraction(squares) / self.total - self.mean**2

    @property
    def deviation(self) -> float:
        """The standard deviation.

        Raises:
            OverflowError: It is greater than any float.
        """
        variance = self.variance
        # The root of a number near 1 times a power of two: values beyond a float's reach have a root within.
        power = (variance.numerator.bit_length() - variance.denominator.bit_length()) // 2
        return ldexp(sqrt(variance / Fraction(4) ** power), power)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distribution):
            return NotImplemented
        return self.values == other.values and all(
            ours * other.total == theirs * self.total
            for ours, theirs in zip(self.weights, other.weights, strict=True)
        )

    def __hash__(self) -> int:
        return hash((self.values, self.reduced().weights))


def _plain(value: Value) -> Value:
    """A value as an int where it is whole."""
    return value.numerator if value.denominator == 1 else value


def _lattice(*rows: tuple[Value, ...]) -> tuple[Value, list[list[int]]] | None:
    """Rows of values as places on a line of equal steps, each row's first value at 0.

    Returns:
        The step, and the places of each row; None where the values lie too far apart for that.
    """
    scale = lcm(*(value.denominator for row in rows for value in row))
    places = [[int((value - row[0]) * scale) for value in row] for row in rows]
    step = gcd(*(place for row in places for place in row)) or 1
    if step > 1:
        places = [[place // step for place in row] for row in places]
    needed, used = 1, DENSE
    for row in places:
        needed *= row[-1] + 1
        used *= len(row)
    return (_plain(Fraction(step, scale)), places) if needed <= used else None


def _spread(places: list[int], weights: tuple[int, ...]) -> Sequence[int]:
    """Weights at their places, 0 between them."""
    if len(places) == places[-1] + 1:
        return weights
    spread = [0] * (places[-1] + 1)
    for place, weight in zip(places, weights, strict=True):
        spread[place] = weight
    return spread


def _gathered(start: Value, step: Value, weights: Sequence[int]) -> Distribution:
    """Weights on a line of equal steps as a distribution."""
    if type(start) is int and type(step) is int:
        values: tuple[Value, ...] = tuple(range(start, start + step * len(weights), step))
    else:
        values = tuple(_plain(start + step * place) for place in range(len(weights)))
    if min(weights):
        return Distribution(values, tuple(weights))
    return Distribution.from_weights(zip(values, weights, strict=True))
