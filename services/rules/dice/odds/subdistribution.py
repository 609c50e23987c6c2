"""Distributions whose weights may sum to less than all there is: what is known of a random number.

Chances are ways out of a `whole`. Some ways come to nothing, as a division by zero does; some may not have
been followed, as the thousandth explosion of a die. The rest that was not followed only ever grows, so that
it is a bound of the error of everything reckoned from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm

from services.rules.dice.distribution import Distribution
from services.rules.dice.failure import RollError
from services.rules.dice.pool import Value

PRECISION = 96
"""Bits to which chances are kept once they are not exact: what is cut off counts as not followed."""


@dataclass(frozen=True, slots=True)
class Subdistribution:
    """What is known of a number that is independent of every other one.

    Attributes:
        chances: The values that were followed, and their ways; None when there are none.
        whole: All ways there are.
        failing: Ways that are known to come to nothing: the roll is refused.
    """

    chances: Distribution | None
    whole: int
    failing: int = 0

    @classmethod
    def exactly(cls, chances: Distribution) -> Subdistribution:
        """All is known, and all comes to something."""
        return cls(chances, chances.total)

    @classmethod
    def constant(cls, value: Value) -> Subdistribution:
        """One value for certain."""
        return cls.exactly(Distribution.constant(value))

    @classmethod
    def nothing(cls) -> Subdistribution:
        """It never comes to anything."""
        return cls(None, 1, 1)

    @classmethod
    def from_ways(cls, ways: dict[Value, int], whole: int, failing: int = 0) -> Subdistribution:
        """Ways by value, in any order, out of a whole."""
        chances = Distribution.from_weights(ways) if any(ways.values()) else None
        return cls(chances, whole, failing).settled()

    @classmethod
    def mix(
        cls, parts: Iterable[tuple[int, Subdistribution]], whole: int, failing: int = 0
    ) -> Subdistribution:
        """One of several, each as likely as its ways out of the whole.

        Args:
            parts: Ways and what they lead to.
            whole: All ways.
            failing: Ways that lead to nothing.
        """
        gathered = [(ways, part) for ways, part in parts if ways]
        common = lcm(*(part.whole for _, part in gathered))
        mixed: dict[Value, int] = {}
        fails = failing * common
        for ways, part in gathered:
            factor = ways * (common // part.whole)
            fails += factor * part.failing
            for value, weight in part.pairs():
                mixed[value] = mixed.get(value, 0) + weight * factor
        return cls.from_ways(mixed, whole * common, fails)

    @property
    def followed(self) -> int:
        """Ways that were followed to a value."""
        return 0 if self.chances is None else self.chances.total

    @property
    def missing(self) -> int:
        """Ways that were not followed."""
        return self.whole - self.failing - self.followed

    @property
    def error(self) -> Fraction:
        """How far any chance may be off, of a roll that comes to something.

        Of `a` ways followed and `m` not, the truth has `a + x` with some `x <= m`: a chance A/a differs from
        (A + y)/(a + x), y <= x, by x/(a + x) at most.
        """
        return Fraction(self.missing, self.followed + self.missing) if self.missing else Fraction(0)

    @property
    def failure(self) -> Fraction:
        """The chance that the roll comes to nothing."""
        return Fraction(self.failing, self.whole)

    def pairs(self) -> Iterable[tuple[Value, int]]:
        """Values and their ways."""
        if self.chances is None:
            return ()
        return zip(self.chances.values, self.chances.weights, strict=True)

    def settled(self) -> Subdistribution:
        """The same, kept to so many bits where it is not exact; what is cut off is not followed any more."""
        if self.chances is None or not self.missing or self.whole.bit_length() <= 2 * PRECISION:
            return self
        return self.rounded()

    def rounded(self) -> Subdistribution:
        """The same, kept to so many bits: from here on it is not exact, and stays short whatever is done."""
        if self.chances is None:
            return self
        whole = self.whole
        kept = [
            (value, rounded) for value, weight in self.pairs() if (rounded := (weight << PRECISION) // whole)
        ]
        # One way more than there are, so that something is missing even where nothing was cut off.
        ways, failing = (1 << PRECISION) + 1, (self.failing << PRECISION) // whole
        if not kept:
            return Subdistribution(None, ways, failing)
        chances = Distribution(tuple(value for value, _ in kept), tuple(weight for _, weight in kept))
        return Subdistribution(chances, ways, failing)

    def add(self, other: Subdistribution) -> Subdistribution:
        """The sum of both."""
        return self._with(other, lambda ours, theirs: ours.add(theirs))

    def subtract(self, other: Subdistribution) -> Subdistribution:
        """This one less the other."""
        return self._with(other, lambda ours, theirs: ours.subtract(theirs))

    def higher(self, other: Subdistribution) -> Subdistribution:
        """The higher of both."""
        return self._with(other, _higher)

    def negate(self) -> Subdistribution:
        """Taken below zero."""
        return self._of(None if self.chances is None else self.chances.negate())

    def scale(self, by: Value) -> Subdistribution:
        """Multiplied by a number that is not 0."""
        return self._of(None if self.chances is None else self.chances.scale(by))

    def repeat(self, count: int) -> Subdistribution:
        """The sum of so many of this kind, each on its own."""
        if count == 0:
            return Subdistribution.constant(0)
        if self.chances is None:
            return Subdistribution.nothing()
        if not self.missing and not self.failing:
            return Subdistribution.exactly(_repeated(self.chances, count))
        # Doubling, so that what is not exact stays short on the way.
        half = self.repeat(count // 2) if count > 1 else None
        double = self if half is None else half.add(half)
        return double.add(self) if half is not None and count % 2 else double

    def map(self, function: Callable[[Value], Value]) -> Subdistribution:
        """What a function makes of each value; a `RollError` of it means that the roll comes to nothing."""
        return self.combine(Subdistribution.constant(0), lambda value, _: function(value))

    def combine(self, other: Subdistribution, function: Callable[[Value, Value], Value]) -> Subdistribution:
        """What a function makes of one value of each; a `RollError` of it means that there is none."""
        ways: dict[Value, int] = {}
        known = (self.followed + self.failing) * (other.followed + other.failing)
        failing = known - self.followed * other.followed
        theirs = tuple(other.pairs())
        for left, weight in self.pairs():
            for right, factor in theirs:
                try:
                    value = function(left, right)
                except RollError:
                    failing += weight * factor
                else:
                    ways[value] = ways.get(value, 0) + weight * factor
        return Subdistribution.from_ways(ways, self.whole * other.whole, failing)

    def _of(self, chances: Distribution | None) -> Subdistribution:
        return Subdistribution(chances, self.whole, self.failing)

    def _with(
        self, other: Subdistribution, function: Callable[[Distribution, Distribution], Distribution]
    ) -> Subdistribution:
        known = (self.followed + self.failing) * (other.followed + other.failing)
        failing = known - self.followed * other.followed
        whole = self.whole * other.whole
        if self.chances is None or other.chances is None:
            return Subdistribution(None, whole, failing)
        both = function(self.chances, other.chances)
        if not failing and not self.missing and not other.missing:
            return Subdistribution.exactly(both)
        return Subdistribution(_out_of(both, self.followed * other.followed), whole, failing).settled()


def _repeated(chances: Distribution, count: int) -> Distribution:
    """The sum of so many of this kind; of two values it is binomial."""
    if len(chances.values) != 2:
        return chances.repeat(count)
    (low, high), (left, right) = chances.values, chances.weights
    powers = [[side**exponent for exponent in range(count + 1)] for side in (left, right)]
    ways, found = 1, []
    for place in range(count + 1):
        found.append(ways * powers[0][count - place] * powers[1][place])
        ways = ways * (count - place) // (place + 1)
    return Distribution(
        tuple(low * (count - place) + high * place for place in range(count + 1)), tuple(found)
    )


def _out_of(chances: Distribution, total: int) -> Distribution:
    """The same chances with weights that sum up to this: a distribution may have put them in lower terms."""
    if chances.total == total:
        return chances
    factor = total // chances.total
    return Distribution(chances.values, tuple(weight * factor for weight in chances.weights))


def _higher(ours: Distribution, theirs: Distribution) -> Distribution:
    """The higher value of both: it is at most v when both are."""
    values = sorted({*ours.values, *theirs.values})
    upto = [_upto(side, values) for side in (ours, theirs)]
    reached = [left * right for left, right in zip(*upto, strict=True)]
    ways = (after - before for before, after in pairwise([0, *reached]))
    return Distribution.from_weights(zip(values, ways, strict=True))


def _upto(side: Distribution, values: list[Value]) -> list[int]:
    """How often a value or less comes up, for each of some values."""
    weights = dict(zip(side.values, side.weights, strict=True))
    found, total = [], 0
    for value in values:
        total += weights.get(value, 0)
        found.append(total)
    return found
