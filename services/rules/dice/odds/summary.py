"""Chances as they are shown: outcomes, mean, quantiles; exactly where they are known so.

An answer lists up to `LISTED` outcomes. Of more, those values in a row are listed that hold most of the
probability, and the answer says how much is left out; mean, deviation and quantiles are always those of all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import accumulate
from math import nextafter, sqrt
from types import MappingProxyType

from services.rules.dice.distribution import Distribution
from services.rules.dice.odds.subdistribution import Subdistribution
from services.rules.dice.pool import Value

LISTED = 1_000
"""Outcomes of one answer."""

DIGITS = 300
"""Digits of a numerator or denominator; a longer fraction is given as a float alone."""

QUANTILES = (Fraction(1, 20), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(19, 20))
"""Where quantiles are given unless others are asked for."""

FEASIBLE = 4_000
"""Bits of a fraction that is worth bringing to its lowest terms to see how long it is."""

NO_WORDS: Mapping[str, Fraction] = MappingProxyType({})

_SHORT = 10**DIGITS


class OddsKind(Enum):
    """How chances were found.

    Attributes:
        EXACT: They are fractions without any error.
        TRUNCATED: What is too unlikely to be followed was left out, as the thousandth explosion; `error`
            bounds how far each may be off.
        SAMPLED: They were counted in rolls of a seeded generator; each has a standard error.
    """

    EXACT = "exact"
    TRUNCATED = "truncated"
    SAMPLED = "sampled"


@dataclass(frozen=True, slots=True)
class Chance:
    """A probability.

    Attributes:
        value: From 0 to 1.
        exact: The same as a fraction; null where it is not known exactly, or has more than 300 digits.
        standard_error: Of a chance that was counted in samples; null for all others.
    """

    value: float
    exact: Fraction | None = None
    standard_error: float | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """One value that dice can come to.

    Attributes:
        value: The value; whole ones are exact.
        text: The value without any rounding: `7`, `7/2`.
        probability: The chance of exactly this value.
        at_least: The chance of this value or more.
        at_most: The chance of this value or less.
    """

    value: float
    text: str
    probability: Chance
    at_least: Chance
    at_most: Chance


@dataclass(frozen=True, slots=True)
class WordOdds:
    """One word in which a game's own roll can end.

    Attributes:
        word: `success`, `critical_failure`.
        probability: Its chance.
    """

    word: str
    probability: Chance


@dataclass(frozen=True, slots=True)
class Quantile:
    """The smallest value that is not exceeded with a certain chance.

    Attributes:
        p: That chance, from 0 to 1.
        value: The value.
    """

    p: float
    value: float


@dataclass(frozen=True, slots=True)
class Odds:
    """How likely the totals of an expression are.

    Attributes:
        expression: In canonical notation, its variables replaced by their values.
        kind: How the chances were found.
        error: How far any chance may be off; 0 for exact ones. Sampled ones have standard errors instead.
        samples: How many rolls were sampled; null where none were.
        failure: The chance that the roll is refused, as for a division by zero. All other chances are those
            of a roll that is not.
        outcomes: The values and their chances, ascending; at most 1,000 values in a row.
        count: How many values there are in all.
        left_out: The chance of all values that are not listed.
        words: With a game's own roll, the chances of its words, best first.
        mean: The mean.
        mean_exact: The same as a fraction; null where it is not known exactly, or has more than 300 digits.
        mean_error: The standard error of the mean of samples.
        deviation: The standard deviation.
        minimum: The smallest value.
        maximum: The greatest value; of explosions, the greatest that was followed.
        median: The smallest value that is not exceeded half the time.
        quartiles: The same for a quarter, half and three quarters of the time.
        quantiles: At the chances asked for.
        can_fail: Whether dice can fall so that the roll comes to nothing.
    """

    expression: str
    kind: OddsKind
    error: float
    samples: int | None
    failure: Chance
    outcomes: tuple[Outcome, ...]
    count: int
    left_out: float
    words: tuple[WordOdds, ...]
    mean: float
    mean_exact: Fraction | None
    mean_error: float | None
    deviation: float
    minimum: float
    maximum: float
    median: float
    quartiles: tuple[float, float, float]
    quantiles: tuple[Quantile, ...]
    can_fail: bool = False


@dataclass(frozen=True, slots=True)
class Nothing:
    """However the dice fall, the roll is refused."""


def summary(
    expression: str,
    distribution: Subdistribution,
    words: Mapping[str, Fraction] = NO_WORDS,
    quantiles: Sequence[Fraction] = QUANTILES,
) -> Odds | Nothing:
    """Computes the odds of an expression as they are shown.

    Args:
        expression: As it is shown.
        distribution: What is known.
        words: The chances of the words in which a game's own roll ends.
        quantiles: Where quantiles are given, from 0 to 1.
    """
    chances = distribution.chances
    if chances is None:
        return Nothing()
    known = not distribution.missing
    show = _exactly if known else _nearly
    return _odds(
        expression,
        chances,
        quantiles,
        show,
        kind=OddsKind.EXACT if known else OddsKind.TRUNCATED,
        error=nextafter(float(distribution.error), 1) if distribution.missing else 0.0,
        failure=show(distribution.failing, distribution.whole),
        words=tuple(WordOdds(word, Chance(float(chance), short(chance))) for word, chance in words.items()),
    )


def summary_of_samples(
    expression: str,
    totals: Mapping[Value, int],
    words: Mapping[str, int],
    refused: int,
    quantiles: Sequence[Fraction] = QUANTILES,
) -> Odds | Nothing:
    """Computes odds as they are shown from sampled rolls.

    Args:
        expression: As it is shown.
        totals: How often each total came.
        words: How often each word of a game's own roll came.
        refused: How many rolls came to nothing.
        quantiles: Where quantiles are given, from 0 to 1.
    """
    if not totals:
        return Nothing()
    chances = Distribution.from_weights(totals)
    samples = chances.total + refused
    return _odds(
        expression,
        chances,
        quantiles,
        _counted,
        kind=OddsKind.SAMPLED,
        samples=samples,
        failure=_counted(refused, samples),
        words=tuple(WordOdds(word, _counted(count, chances.total)) for word, count in words.items()),
    )


Show = Callable[[int, int], Chance]
"""Makes a chance of ways and the whole."""


def _odds(
    expression: str,
    chances: Distribution,
    quantiles: Sequence[Fraction],
    show: Show,
    *,
    kind: OddsKind,
    failure: Chance,
    words: tuple[WordOdds, ...],
    error: float = 0.0,
    samples: int | None = None,
) -> Odds:
    first, last = _listed(chances)
    sampled = kind is OddsKind.SAMPLED
    mean, deviation = chances.mean, chances.deviation
    low, median, high = (float(chances.quantile(Fraction(part, 4))) for part in (1, 2, 3))
    return Odds(
        expression=expression,
        kind=kind,
        error=error,
        samples=samples,
        failure=failure,
        outcomes=_outcomes(chances, first, last, show),
        count=len(chances.values),
        left_out=(sum(chances.weights[:first]) + sum(chances.weights[last:])) / chances.total,
        words=words,
        mean=float(mean),
        mean_exact=short(mean) if kind is OddsKind.EXACT else None,
        mean_error=deviation / sqrt(chances.total) if sampled else None,
        deviation=deviation,
        minimum=float(chances.minimum),
        maximum=float(chances.maximum),
        median=median,
        quartiles=(low, median, high),
        quantiles=tuple(Quantile(float(p), float(chances.quantile(p))) for p in quantiles),
    )


def _listed(chances: Distribution) -> tuple[int, int]:
    """Which values are listed: those in a row that hold most, from one place up to another."""
    length = len(chances.values)
    if length <= LISTED:
        return 0, length
    upto = (0, *accumulate(chances.weights))
    first = max(range(length - LISTED + 1), key=lambda place: upto[place + LISTED] - upto[place])
    return first, first + LISTED


def _outcomes(chances: Distribution, first: int, last: int, show: Show) -> tuple[Outcome, ...]:
    total = chances.total
    below = sum(chances.weights[:first])
    found = []
    for value, weight in zip(chances.values[first:last], chances.weights[first:last], strict=True):
        upto = below + weight
        found.append(
            Outcome(
                float(value), str(value), show(weight, total), show(total - below, total), show(upto, total)
            )
        )
        below = upto
    return tuple(found)


def _exactly(ways: int, whole: int) -> Chance:
    return Chance(ways / whole, short(Fraction(ways, whole)) if whole.bit_length() <= FEASIBLE else None)


def _nearly(ways: int, whole: int) -> Chance:
    return Chance(ways / whole)


def _counted(count: int, samples: int) -> Chance:
    share = count / samples
    return Chance(share, None, sqrt(share * (1 - share) / samples))


def short(fraction: Fraction) -> Fraction | None:
    """A fraction that is short enough to be shown."""
    return fraction if max(abs(fraction.numerator), fraction.denominator) < _SHORT else None
