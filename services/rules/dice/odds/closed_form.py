"""Exact odds of the usual rolls in closed form: whole numbers throughout, nothing gone through die by die.

    sums         sum_of_dice, keep_highest, keep_lowest, exploding_sum, sum_against
    successes    successes, at_least_successes, net_successes
    pools        fixed_pool, opposed_pool: dice that reach a number, or the highest of other dice

What is asked for is checked: a count below 0, a die without sides or a number beyond the die is a ValueError.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from operator import mul

from services.rules.dice.distribution import Distribution
from services.rules.dice.polynomial import dice_sums

PRECISION = Fraction(1, 10**12)
"""The chance that an exploding sum may leave out unless another is asked for."""


# Sums


def sum_of_dice(sides: Iterable[int]) -> Distribution:
    """The sum of fair dice: (8, 6, 6) is d8+2d6; of no dice, 0."""
    return Distribution.sum_of(sides)


def keep_highest(count: int, sides: int, kept: int) -> Distribution:
    """The sum of the highest `kept` of `count` dice; of all of them where there are no more."""
    _check(count, sides)
    if kept < 0:
        raise ValueError("the number of dice kept is not negative")
    if kept >= count:
        return Distribution.sum_of((sides,) * count)
    if kept == 0:
        return Distribution.constant(0)
    # The lowest kept die shows `face`. Of the kept dice `above` are higher, in any order; of all others none
    # is, and enough of them show the face itself to make up the number.
    row = [0] * (kept * sides + 1)
    for face in range(1, sides + 1):
        for above in range(kept if face < sides else 1):
            others = count - above
            ways = comb(count, above) * sum(
                comb(others, equal) * (face - 1) ** (others - equal)
                for equal in range(kept - above, others + 1)
            )
            higher = dice_sums({sides - face: above}) if above else [1]
            for place, weight in enumerate(higher, kept * face + above):
                row[place] += weight * ways
    return Distribution.from_weights(enumerate(row))


def keep_lowest(count: int, sides: int, kept: int) -> Distribution:
    """The sum of the lowest `kept` of `count` dice; of all of them where there are no more."""
    # A die turned upside down shows sides + 1 - face.
    turned = keep_highest(count, sides, kept)
    return turned.negate().shift(min(kept, count) * (sides + 1))


@dataclass(frozen=True, slots=True)
class Truncated:
    """Odds of a roll without end, followed far enough.

    Attributes:
        distribution: The odds when a chain that is longer stops there.
        error: The chance that a chain is longer: no chance of `distribution` is further off than this.
    """

    distribution: Distribution
    error: Fraction


def exploding_sum(
    count: int,
    sides: int,
    exploding: Collection[int] | None = None,
    *,
    penetrating: bool = False,
    once: bool = False,
    error: Fraction = PRECISION,
) -> Truncated:
    """The sum of dice each of which brings a further die while certain faces fall.

    Args:
        count: How many dice.
        sides: Their sides.
        exploding: The faces that bring a further die; None for the highest.
        penetrating: Whether each further die counts 1 less.
        once: Whether a further die brings no more; the odds are then exact.
        error: The chance that may be left out.

    Raises:
        ValueError: Every face explodes, or one that explodes is none of the die; `error` is not above 0.
    """
    _check(count, sides)
    again = frozenset((sides,) if exploding is None else exploding)
    if not again <= frozenset(range(1, sides + 1)):
        raise ValueError("a face that explodes is one of the die")
    if len(again) == sides and not once:
        raise ValueError("a die that explodes on every face never ends")
    if error <= 0:
        raise ValueError("an error is above 0")
    depth = 1
    # Some chain is longer with at most the sum of the chances of each.
    while not once and count * Fraction(len(again), sides) ** (depth + 1) > error:
        depth += 1
    taken = 1 if penetrating else 0
    further = Distribution.die(sides).shift(-taken)
    for _ in range(depth - 1):
        further = _with_further(sides, again, further).shift(-taken)
    chain = _with_further(sides, again, further)
    cut = Fraction(0) if once else Fraction(len(again), sides) ** (depth + 1)
    return Truncated(chain.repeat(count), 1 - (1 - cut) ** count)


def _with_further(sides: int, again: frozenset[int], further: Distribution) -> Distribution:
    """A die, and on some of its faces a further one on top."""
    ends = [(face, further.total) for face in range(1, sides + 1) if face not in again]
    goes_on = [
        (value + face, weight)
        for face in again
        for value, weight in zip(further.values, further.weights, strict=True)
    ]
    return Distribution.from_weights([*ends, *goes_on])


def sum_against(ours: Iterable[int], theirs: Iterable[int]) -> Fraction:
    """The chance that the sum of some dice reaches the sum of others; a tie reaches."""
    own, other = Distribution.sum_of(ours), Distribution.sum_of(theirs)
    return own.beats(other) + own.ties(other)


# Successes


def successes(count: int, sides: int, faces: int) -> Distribution:
    """How many of `count` dice show one of `faces` faces that count."""
    _check(count, sides)
    if not 0 <= faces <= sides:
        raise ValueError("no more faces count than a die has")
    return Distribution.from_weights(enumerate(_hits(count, faces, sides - faces)))


def at_least_successes(count: int, sides: int, faces: int, needed: int) -> Fraction:
    """The chance of at least so many successes."""
    return successes(count, sides, faces).at_least(needed)


def net_successes(ours: int, theirs: int, sides: int = 6, faces: int = 2) -> Distribution:
    """Successes of our dice less those of theirs; below 0 where theirs are more."""
    return successes(ours, sides, faces).subtract(successes(theirs, sides, faces))


# Pools


@dataclass(frozen=True, slots=True)
class PoolOdds:
    """How many dice of a pool succeed, and how often none does while the worst happens.

    Attributes:
        weights: For each number of successes from 0 to all dice, how often it comes up, out of `total`.
        critical: How often no die succeeds and at least half of the dice, rounded up, show 1; part of
            `weights[0]`. Of no dice it never happens.
        total: All there is.
    """

    weights: tuple[int, ...]
    critical: int
    total: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", sum(self.weights))

    @property
    def successes(self) -> Distribution:
        """The number of successes."""
        return Distribution.from_weights(enumerate(self.weights))

    @property
    def critical_chance(self) -> Fraction:
        """The chance of the worst."""
        return Fraction(self.critical, self.total)

    def at_least(self, needed: int) -> Fraction:
        """The chance of at least so many successes."""
        return Fraction(sum(self.weights[max(needed, 0) :]), self.total)

    def pairs(self) -> dict[tuple[int, bool], Fraction]:
        """The chance of each number of successes together with whether the worst happened."""
        parts = {(number, False): weight for number, weight in enumerate(self.weights)}
        parts[0, False] -= self.critical
        parts[0, True] = self.critical
        return {key: Fraction(weight, self.total) for key, weight in parts.items() if weight}


def fixed_pool(count: int, difficulty: int, sides: int = 10) -> PoolOdds:
    """Dice that reach a number.

    Raises:
        ValueError: The number is none of the die.
    """
    _check(count, sides)
    if not 1 <= difficulty <= sides:
        raise ValueError("a difficulty is a face of the die")
    weights = _hits(count, sides - difficulty + 1, difficulty - 1)
    return PoolOdds(tuple(weights), _worst(count, [difficulty - 1], [1]))


def opposed_pool(action: int, defence: int, sides: int = 10, *, strict: bool = False) -> PoolOdds:
    """Dice that reach the highest of other dice; against none every die does.

    Args:
        action: How many dice.
        defence: How many dice they are against.
        sides: The sides of all of them.
        strict: Whether a die has to be higher, so that a tie does not reach.
    """
    _check(action, sides)
    _check(defence, sides)
    if not defence:
        return PoolOdds((*(0 for _ in range(action)), sides**action), 0)
    # One column for each face the highest defence die may show; the faces up to `failing` fail against it.
    failing = range(1, sides + 1) if strict else range(sides)
    ways = [face**defence - (face - 1) ** defence for face in range(1, sides + 1)]
    hits = _powers([1] * sides, [sides - face for face in failing], action)
    misses = _powers(ways, failing, action)
    choices = _choices(action)
    weights = [
        choice * sum(map(mul, hit, miss))
        for choice, hit, miss in zip(choices, hits, reversed(misses), strict=True)
    ]
    return PoolOdds(tuple(weights), _worst(action, failing, ways))


def _hits(count: int, good: int, bad: int) -> list[int]:
    """How often each number of dice shows one of `good` faces and the others one of `bad`."""
    return [comb(count, hits) * good**hits * bad ** (count - hits) for hits in range(count + 1)]


def _worst(count: int, failing: Sequence[int], ways: Sequence[int]) -> int:
    """How often all of `count` dice fail and at least half of them, rounded up, show a 1.

    Args:
        count: How many dice.
        failing: In each column, up to which face a die fails; the 1 is the first to fail.
        ways: How often each column comes up.
    """
    if not count:
        return 0
    start = [weight if last else 0 for last, weight in zip(failing, ways, strict=True)]
    others = _powers(start, [max(last - 1, 0) for last in failing], count // 2)
    return sum(map(mul, map(sum, others), _choices(count)))


def _powers(start: Sequence[int], bases: Sequence[int], most: int) -> list[list[int]]:
    """Rows of powers of some bases, from 0 to `most`, each base's times where it starts."""
    rows = [list(start)]
    for _ in range(most):
        rows.append(list(map(mul, rows[-1], bases)))
    return rows


def _choices(count: int) -> list[int]:
    """In how many ways each number of dice is chosen from `count`."""
    return [comb(count, number) for number in range(count + 1)]


def _check(count: int, sides: int) -> None:
    if count < 0:
        raise ValueError("the number of dice is not negative")
    if sides < 1:
        raise ValueError("a die has at least one side")
