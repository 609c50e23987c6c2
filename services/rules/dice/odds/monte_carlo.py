"""An estimate of odds from many rolls: how they fell, how many may be made, and what that takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from services.rules.dice.failure import RollError
from services.rules.dice.measure import measure
from services.rules.dice.mechanic import Mechanic
from services.rules.dice.pool import Binary, Dice, Expression, Node, Operator, Sides, Value
from services.rules.dice.roll import plan
from services.rules.dice.stream import FaceStream
from services.rules.dice.walk import nodes

MOST_SAMPLES = 1_000_000

EFFORT = 1_500_000
"""Microseconds that sampling may take, by the estimate."""


@dataclass(frozen=True, slots=True)
class Samples:
    """How sampled rolls fell.

    Attributes:
        totals: How often each total came.
        words: How often each word of a game's own roll came.
        refused: How many rolls came to nothing.
    """

    totals: Mapping[Value, int]
    words: Mapping[str, int]
    refused: int


def sample(
    expression: Expression, mechanics: Mapping[str, Mechanic], samples: int, stream: FaceStream
) -> Samples:
    """Rolls an expression many times.

    Args:
        expression: Without variables.
        mechanics: The games' own rolls by name.
        samples: How many rolls are asked for; of costly ones fewer are made, see `affordable`.
        stream: Where their faces come from.
    """
    ready = plan(expression, mechanics)
    totals: Counter[Value] = Counter()
    words: Counter[str] = Counter()
    refused = 0
    for _ in range(affordable(expression.node, mechanics, samples)):
        try:
            result = ready.roll(stream)
        except RollError:
            refused += 1
            continue
        totals[result.value] += 1
        if (word := result.outcome) is not None:
            words[word] += 1
    return Samples(totals, words, refused)


def affordable(node: Node, mechanics: Mapping[str, Mechanic], samples: int) -> int:
    """How many of so many samples are made; that depends on the expression alone, not on the hour."""
    return max(1, min(samples, int(EFFORT / _each(node, mechanics))))


def microseconds(node: Node, mechanics: Mapping[str, Mechanic], samples: int) -> float:
    """Computes the microseconds that samples take, measured; `affordable` counts on a slower machine."""
    parts = list(nodes(node))
    dice = [part for part in parts if isinstance(part, Dice)]
    plain = all(part.plain and _small(part) for part in dice)
    divided = any(isinstance(part, Binary) and part.operator is Operator.DIVIDE for part in parts)
    draws = measure(node, mechanics).expected_draws * (
        0.04 if plain else 0.8 * max((_draw(part) for part in dice), default=1.5)
    )
    each = 0.5 + 0.25 * len(parts) + (4 if divided else 0) + draws
    return affordable(node, mechanics, samples) * each


def _each(node: Node, mechanics: Mapping[str, Mechanic]) -> float:
    """Microseconds that one sample takes."""
    parts = list(nodes(node))
    dice = [_draw(part) for part in parts if isinstance(part, Dice)]
    # Fractions are slow to be put in order afterwards.
    divided = any(isinstance(part, Binary) and part.operator is Operator.DIVIDE for part in parts)
    each = 2 + 2 * len(parts) + (15 if divided else 0)
    draws = measure(node, mechanics).expected_draws * max(dice, default=1.5)
    return each + draws


def _small(dice: Dice) -> bool:
    return not isinstance(dice.kind, Sides) or (isinstance(dice.kind.count, int) and dice.kind.count <= 100)


def _draw(dice: Dice) -> float:
    """Microseconds that one draw of such dice takes, with all that is done to it."""
    done = dice.explode or dice.reroll or dice.unique or dice.counts or len(dice.select) > 1
    small = _small(dice)
    return 1.5 + 0.6 * len(dice.select) + (0.4 if dice.counts else 0) if done or not small else 0.6
