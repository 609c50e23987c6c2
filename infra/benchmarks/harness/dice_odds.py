"""Exact odds of named rolls in closed form, and the same from icepool, which works out any pool of dice.

Ours is worked out anew each time. icepool is warm: it has answered the very question before, and still knows
most of what it found out then.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib.metadata import version
from typing import Any

import icepool  # type: ignore[import-untyped]

from infra.benchmarks.harness.batches import again
from infra.benchmarks.harness.cases import BenchFailure
from infra.benchmarks.harness.comparisons import Comparison, Other
from services.rules.dice import odds
from services.rules.dice.distribution import Distribution

Chances = Mapping[Any, Fraction]
ICEPOOL = f"icepool {version('icepool')}"
CRITICAL_MS = 0.1
"""How long the odds of an opposed roll with its critical failure may take."""
BATCH = 20


class CriticalFailure(icepool.MultisetEvaluator):  # type: ignore[misc]
    """Whether an opposed roll has no success, and ones on at least half of its dice; highest faces first."""

    def initial_state(self, order: Any, _outcomes: Any, *_sizes: Any) -> tuple[bool, bool, int]:
        """Begin with no die of the defence seen, no success and no ones."""
        if order != icepool.Order.Descending:
            raise icepool.UnsupportedOrder
        return False, False, 0

    def next_state(
        self, state: tuple[bool, bool, int], _order: Any, face: int, action: int, defence: int
    ) -> tuple[bool, bool, int]:
        """Look for dice of the action with no die of the defence above them, and at last for ones."""
        seen, success, _ = state
        if success or (action > 0 and not seen):
            return True, True, 0
        return seen or defence > 0, False, action if face == 1 else 0

    def final_outcome(self, state: Any, _order: Any, _outcomes: Any, dice: int, *_sizes: Any) -> bool:
        """Tell whether it is one."""
        _, success, ones = state
        return not success and 2 * ones >= dice


@dataclass(frozen=True, slots=True)
class Question:
    """Odds that are asked for.

    Attributes:
        name: what of.
        ours: works them out.
        chances: makes chances of what `ours` gives; not measured.
        theirs: icepool's; gives one of its dice.
        limit_ms: the longest that ours may take; None for no limit.
        first: icepool's when it has not answered before; None where that is not measured.
    """

    name: str
    ours: Callable[[], Any]
    chances: Callable[[Any], Chances]
    theirs: Callable[[], Any]
    limit_ms: float | None = None
    first: Callable[[], Any] | None = None


def odds_comparisons(share: float = 1.0) -> list[Comparison]:
    """Give the odds that are worked out, beside icepool.

    Raises:
        BenchFailure: we and icepool do not agree.
    """
    return [_comparison(question, share) for question in _questions()]


def _questions() -> list[Question]:
    d6, d10, d12 = icepool.d6, icepool.d10, icepool.d12
    warm = CriticalFailure()
    return [
        Question(
            "successes, 10d10 v 5d10",
            lambda: odds.opposed_pool(10, 5).successes,
            _of_distribution,
            lambda: d10.pool(10).versus_all(">=", d10.pool(5)).size(),
        ),
        Question(
            "successes and critical failure, 10d10 v 5d10",
            lambda: odds.opposed_pool(10, 5),
            _of_critical,
            lambda: warm(d10.pool(10), d10.pool(5)),
            CRITICAL_MS,
            lambda: CriticalFailure()(d10.pool(10), d10.pool(5)),
        ),
        Question("sum of 10d12", lambda: odds.sum_of_dice([12] * 10), _of_distribution, lambda: 10 @ d12),
        Question(
            "sum of 4d6kh3",
            lambda: odds.keep_highest(4, 6, 3),
            _of_distribution,
            lambda: d6.highest(4, 3),
        ),
    ]


def _comparison(question: Question, share: float) -> Comparison:
    theirs = question.theirs()
    expected = {outcome: Fraction(weight, theirs.denominator()) for outcome, weight in theirs.items()}
    if question.chances(question.ours()) != expected:
        raise BenchFailure(f"odds of {question.name}: ours are not those of icepool")
    others = [Other(f"{ICEPOOL}, warm", again(question.theirs, BATCH))]
    if question.first is not None:
        others.append(Other(f"{ICEPOOL}, asked for the first time", again(question.first, 1)))
    return Comparison(
        f"odds of {question.name}",
        "answers/s",
        again(question.ours, BATCH),
        others,
        share,
        question.limit_ms,
    )


def _of_distribution(found: Distribution) -> Chances:
    return dict(found.pairs())


def _of_critical(found: odds.PoolOdds) -> Chances:
    return {False: 1 - found.critical_chance, True: found.critical_chance}
