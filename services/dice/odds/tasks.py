"""What is asked of a worker process, or of this one where it is little: questions and their answers.

Everything here travels between processes.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from random import Random

from services.rules.dice.distribution import Distribution
from services.rules.dice.failing import can_fail
from services.rules.dice.mechanic import Mechanic
from services.rules.dice.odds.budget import STATES, OddsTooLarge
from services.rules.dice.odds.comparison import Contestant
from services.rules.dice.odds.cost import cost
from services.rules.dice.odds.cumulative import CumulativeTable
from services.rules.dice.odds.exact import distribution_of, word_chances
from services.rules.dice.odds.monte_carlo import Samples, microseconds, sample
from services.rules.dice.odds.subdistribution import Subdistribution
from services.rules.dice.odds.summary import (
    QUANTILES,
    Chance,
    Nothing,
    Odds,
    OddsKind,
    summary,
    summary_of_samples,
)
from services.rules.dice.pool import Expression
from services.rules.dice.stream import ByteStream

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


class Reason(Enum):
    """What there is not enough of.

    Attributes:
        STATES: Steps, by an estimate made before anything was reckoned.
        TIME: It ran out all the same.
        MEMORY: It ran out all the same.
    """

    STATES = "states"
    TIME = "time"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class TooMuch:
    """Odds that are more work than is done for one question.

    Attributes:
        reason: What there is not enough of.
        cost: The states that it would take at least; 0 where they were thought to be few enough.
        limit: The states that may be spent.
    """

    reason: Reason
    cost: float
    limit: int


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
            found += microseconds(question.expression.node, mechanics, question.samples) / 1_000
            continue
        priced = price(question, mechanics)
        if isinstance(priced, Priced):
            found += priced.cost / STATES_PER_MILLISECOND
    return found


def odds(mechanics: Mechanics, priced: Priced) -> Odds | Nothing:
    """Answers a question."""
    return _answered(priced.question, _known(priced, mechanics), mechanics)


def table(mechanics: Mechanics, priced: Priced) -> CumulativeTable | Nothing:
    """All totals of a question with their chances."""
    chances = _distribution(_known(priced, mechanics))
    if chances is None:
        return Nothing()
    return CumulativeTable.of(chances)


def comparison(mechanics: Mechanics, asked: Sequence[Priced | TooMuch]) -> Comparison:
    """Answers several questions, and how often each comes to more than each other."""
    known = [None if isinstance(each, TooMuch) else _known(each, mechanics) for each in asked]
    found: list[Odds | TooMuch | Nothing] = []
    for each, reckoned in zip(asked, known, strict=True):
        if isinstance(each, TooMuch):
            found.append(each)
        elif reckoned is not None:
            found.append(_answered(each.question, reckoned, mechanics))
    sides = [None if each is None else _contestant(each) for each in known]
    pairs = [[(left, right) if left and right else None for right in sides] for left in sides]
    return Comparison(
        tuple(found),
        tuple(tuple(pair and pair[0].beats(pair[1]) for pair in row) for row in pairs),
        tuple(tuple(pair and pair[0].ties(pair[1]) for pair in row) for row in pairs),
    )


def weight(key: Hashable, found: Odds | TooMuch | Nothing | CumulativeTable | Comparison) -> int:
    """The bytes of a question and its answer, roughly: fractions are as long as one in the middle."""
    asked = len(repr(key))
    match found:
        case Odds():
            return asked + _OVERHEAD + len(found.outcomes) * (_OUTCOME + 3 * _fraction_bytes(found))
        case CumulativeTable():
            return asked + _OVERHEAD + 16 * len(found.totals)
        case Comparison():
            cells = 2 * len(found.odds) ** 2
            return asked + sum(weight((), each) for each in found.odds) + cells * _OVERHEAD
        case _:
            return asked + _OVERHEAD


def _fraction_bytes(found: Odds) -> int:
    exact = found.outcomes[len(found.outcomes) // 2].at_most.exact
    return 0 if exact is None else 120 + exact.denominator.bit_length() // 4


def _known(priced: Priced, mechanics: Mechanics) -> Subdistribution | Samples:
    question = priced.question
    if question.samples is not None:
        stream = ByteStream(Random(f"hearthforge-odds-{question.seed}").randbytes)
        return sample(question.expression, mechanics, question.samples, stream)
    return distribution_of(question.expression.node, mechanics, rough=priced.rough)


def _answered(question: Question, known: Subdistribution | Samples, mechanics: Mechanics) -> Odds | Nothing:
    found = _unwarned(question, known, mechanics)
    if isinstance(found, Nothing):
        return found
    if found.kind is OddsKind.EXACT:
        return replace(found, can_fail=found.failure.value > 0)
    return replace(found, can_fail=found.failure.value > 0 or can_fail(question.expression.node, mechanics))


def _unwarned(question: Question, known: Subdistribution | Samples, mechanics: Mechanics) -> Odds | Nothing:
    chances = word_chances(question.expression.node, mechanics)
    if isinstance(known, Samples):
        counted = {word: known.words[word] for word in chances if word in known.words}
        return summary_of_samples(question.text, known.totals, counted, known.refused, question.quantiles)
    return summary(question.text, known, chances, question.quantiles)


def _distribution(known: Subdistribution | Samples) -> Distribution | None:
    if isinstance(known, Subdistribution):
        return known.chances
    return Distribution.from_weights(known.totals) if known.totals else None


def _contestant(known: Subdistribution | Samples) -> Contestant | None:
    chances = _distribution(known)
    if chances is None:
        return None
    if isinstance(known, Samples):
        return Contestant(chances, exact=False, samples=chances.total)
    return Contestant(chances, exact=not known.missing)
