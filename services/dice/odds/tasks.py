"""What is asked of a worker process, or of this one where it is little: questions and their answers.

Everything here travels between processes.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from math import floor, sqrt

from services.dice.odds.answer import (
    FEASIBLE,
    QUANTILES,
    Chance,
    Nothing,
    Odds,
    OddsKind,
    Reason,
    TooMuch,
    answer,
    answer_from_samples,
    short,
)
from services.dice.odds.cost import cost
from services.dice.odds.exact import reckon, words
from services.dice.odds.reckoned import Reckoned
from services.dice.odds.sample import Samples, sample, sampling
from services.dice.odds.sizes import STATES, OddsTooLarge
from services.rules.dice.distribution import Distribution
from services.rules.dice.failing import can_fail
from services.rules.dice.mechanic import Mechanic
from services.rules.dice.pool import Expression

COMPARED = 4 * STATES
"""States that may be spent on all expressions of a comparison."""

STATES_PER_MILLISECOND = 2_000.0
"""States that are gone through in a millisecond, measured."""

_OVERHEAD = 600
_OUTCOME = 500
"""Bytes of an answer, and of one outcome without its fractions."""

Mechanics = Mapping[str, Mechanic]


@dataclass(frozen=True, slots=True)
class Question:
    """Which odds are asked for.

    Attributes:
        expression: Without variables.
        text: The same as it is shown.
        quantiles: Where quantiles are wanted.
        samples: How many rolls are to be sampled; None to reckon exactly.
        seed: Names the generator of samples.
    """

    expression: Expression
    text: str
    quantiles: tuple[Fraction, ...] = QUANTILES
    samples: int | None = None
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Priced:
    """A question, and how it will be answered.

    Attributes:
        question: The question.
        cost: States that it takes.
        rough: Whether chances are rounded, since exact ones would take too many.
    """

    question: Question
    cost: float
    rough: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """How several expressions compare, each rolled on its own.

    Attributes:
        odds: Of each.
        higher: For each, and each other, the chance that the first comes to more; null where it is not known.
        equal: The chance that both come to the same.
    """

    odds: tuple[Odds | TooMuch | Nothing, ...]
    higher: tuple[tuple[Chance | None, ...], ...]
    equal: tuple[tuple[Chance | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Table:
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


def price(question: Question, mechanics: Mechanics) -> Priced | TooMuch:
    """Finds out what an answer takes, and whether it can be exact."""
    if question.samples is not None:
        return Priced(question, float(STATES))
    node = question.expression.node
    try:
        return Priced(question, cost(node, mechanics))
    except OddsTooLarge as error:
        first = error
    try:
        return Priced(question, cost(node, mechanics, rough=True), rough=True)
    except OddsTooLarge:
        return TooMuch(Reason.STATES, first.cost, first.limit)


def milliseconds(questions: Sequence[Question], mechanics: Mechanics) -> float:
    """Computes the processor time that answers take, together; of one that is too much, only its estimate."""
    found = 0.0
    for question in questions:
        if question.samples is not None:
            found += sampling(question.expression.node, mechanics, question.samples) / 1_000
            continue
        priced = price(question, mechanics)
        if isinstance(priced, Priced):
            found += priced.cost / STATES_PER_MILLISECOND
    return found


def odds(priced: Priced, mechanics: Mechanics) -> Odds | Nothing:
    """Answers a question."""
    return _answered(priced.question, _known(priced, mechanics), mechanics)


def table(priced: Priced, mechanics: Mechanics) -> Table | Nothing:
    """All totals of a question with their chances."""
    chances = _distribution(_known(priced, mechanics))
    if chances is None:
        return Nothing()
    whole = chances.map(floor) if any(value.denominator > 1 for value in chances.values) else chances
    return Table(
        float(whole.mean),
        float(whole.variance),
        array("d", map(float, whole.values)),
        array("d", (upto / whole.total for upto in accumulate(whole.weights))),
    )


def comparison(asked: Sequence[Priced | TooMuch], mechanics: Mechanics) -> Comparison:
    """Answers several questions, and how often each comes to more than each other."""
    known = [None if isinstance(each, TooMuch) else _known(each, mechanics) for each in asked]
    found: list[Odds | TooMuch | Nothing] = []
    for each, reckoned in zip(asked, known, strict=True):
        if isinstance(each, TooMuch):
            found.append(each)
        elif reckoned is not None:
            found.append(_answered(each.question, reckoned, mechanics))
    sides = [None if each is None else _side(each) for each in known]
    return Comparison(
        tuple(found),
        tuple(tuple(_duel(left, right, ties=False) for right in sides) for left in sides),
        tuple(tuple(_duel(left, right, ties=True) for right in sides) for left in sides),
    )


def weight(key: Hashable, found: Odds | TooMuch | Nothing | Table | Comparison) -> int:
    """The bytes of a question and its answer, roughly: fractions are as long as one in the middle."""
    asked = len(repr(key))
    match found:
        case Odds():
            return asked + _OVERHEAD + len(found.outcomes) * (_OUTCOME + 3 * _fraction_bytes(found))
        case Table():
            return asked + _OVERHEAD + 16 * len(found.totals)
        case Comparison():
            cells = 2 * len(found.odds) ** 2
            return asked + sum(weight((), each) for each in found.odds) + cells * _OVERHEAD
        case _:
            return asked + _OVERHEAD


def _fraction_bytes(found: Odds) -> int:
    exact = found.outcomes[len(found.outcomes) // 2].at_most.exact
    return 0 if exact is None else 120 + exact.denominator.bit_length() // 4


def _known(priced: Priced, mechanics: Mechanics) -> Reckoned | Samples:
    question = priced.question
    if question.samples is not None:
        return sample(question.expression, mechanics, question.samples, question.seed)
    return reckon(question.expression.node, mechanics, rough=priced.rough)


def _answered(question: Question, known: Reckoned | Samples, mechanics: Mechanics) -> Odds | Nothing:
    found = _unwarned(question, known, mechanics)
    if isinstance(found, Nothing):
        return found
    if found.kind is OddsKind.EXACT:
        return replace(found, can_fail=found.failure.value > 0)
    return replace(found, can_fail=found.failure.value > 0 or can_fail(question.expression.node, mechanics))


def _unwarned(question: Question, known: Reckoned | Samples, mechanics: Mechanics) -> Odds | Nothing:
    chances = words(question.expression.node, mechanics)
    if isinstance(known, Samples):
        counted = {word: known.words[word] for word in chances if word in known.words}
        return answer_from_samples(question.text, known.totals, counted, known.refused, question.quantiles)
    return answer(question.text, known, chances, question.quantiles)


def _distribution(known: Reckoned | Samples) -> Distribution | None:
    if isinstance(known, Reckoned):
        return known.chances
    return Distribution.from_weights(known.totals) if known.totals else None


@dataclass(frozen=True, slots=True)
class _Side:
    """One side of a comparison: its chances, whether they are exact, and how many samples they are from."""

    chances: Distribution
    exact: bool
    samples: int | None


def _side(known: Reckoned | Samples) -> _Side | None:
    chances = _distribution(known)
    if chances is None:
        return None
    if isinstance(known, Samples):
        return _Side(chances, False, chances.total)
    return _Side(chances, not known.missing, None)


def _duel(left: _Side | None, right: _Side | None, *, ties: bool) -> Chance | None:
    """How often one side comes to more than the other, or to the same."""
    if left is None or right is None:
        return None
    chance = left.chances.ties(right.chances) if ties else left.chances.beats(right.chances)
    value = float(chance)
    sampled = [side.samples for side in (left, right) if side.samples is not None]
    if sampled:
        # Not below the true one: pairs of samples tell at least as much as the fewer samples would alone.
        return Chance(value, None, sqrt(value * (1 - value) / min(sampled)))
    exact = left.exact and right.exact and chance.denominator.bit_length() <= FEASIBLE
    return Chance(value, short(chance) if exact else None)
