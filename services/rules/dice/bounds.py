"""Interval arithmetic: between which whole numbers a value lies, whatever the dice show.

Bounds are rounded away from each other and cut at CEILING, so that nothing grows into a giant. A value that
is not whole also has a grain: it is a fraction whose denominator is at most so much, so that it is either 0
or at least 1/grain; that is what keeps a division by something small within bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor

from services.rules.dice.pool import Function, Operator, Value

CEILING = 2**62
"""Bounds stop here: far beyond every limit, and products of two are still quick to reckon."""

LARGEST_EXPONENT = 64

Bounds = tuple[int, int, int]
"""The least, the greatest, and the grain."""


def known(value: Value) -> Bounds:
    """The bounds of a number that is known."""
    if isinstance(value, int):
        return value, value, 1
    return cut(floor(value), ceil(value), value.denominator)


def cut(low: int, high: int, grain: int) -> Bounds:
    """Bounds that end at CEILING."""
    return (
        max(-CEILING, min(low, CEILING)),
        max(-CEILING, min(high, CEILING)),
        min(grain, CEILING),
    )


def combined(operator: Operator, left: Bounds, right: Bounds) -> Bounds:
    """The bounds of what comes of two values; of a quotient, where the divisor is not 0."""
    low, high, grain = left
    least, greatest, fineness = right
    match operator:
        case Operator.ADD:
            return cut(low + least, high + greatest, grain * fineness)
        case Operator.SUBTRACT:
            return cut(low - greatest, high - least, grain * fineness)
        case Operator.MULTIPLY:
            corners = (low * least, low * greatest, high * least, high * greatest)
            return cut(min(corners), max(corners), grain * fineness)
        case Operator.DIVIDE:
            return _quotient(left, right)
        case Operator.FLOOR_DIVIDE:
            low, high, _ = _quotient(left, right)
            return low, high, 1
        case Operator.MODULO:
            # The remainder has the sign of the divisor, and is nearer to 0.
            return cut(min(0, least), max(0, greatest), grain * fineness)
        case Operator.POWER:
            return _power(left, right)


def negated(bounds: Bounds) -> Bounds:
    """The bounds of a value taken below zero."""
    low, high, grain = bounds
    return -high, -low, grain


def called(function: Function, arguments: Sequence[Bounds]) -> Bounds:
    """The bounds of a function of values."""
    low, high, grain = arguments[0]
    match function:
        case Function.FLOOR | Function.CEIL | Function.ROUND:
            return low, high, 1
        case Function.ABSOLUTE:
            return (0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high)), grain
        case Function.MINIMUM:
            pick = min
        case Function.MAXIMUM:
            pick = max
    return (
        pick(bounds[0] for bounds in arguments),
        pick(bounds[1] for bounds in arguments),
        max(bounds[2] for bounds in arguments),
    )


def _quotient(left: Bounds, right: Bounds) -> Bounds:
    low, high, grain = left
    least, greatest, fineness = right
    size = max(abs(least), abs(greatest))
    # a/b divided by c/d is ad/bc: the denominator is at most b times c, and c is at most d times the size.
    fine = grain * fineness * max(size, 1)
    if least <= 0 <= greatest:
        far = max(abs(low), abs(high)) * fineness
        same_sign = (low >= 0 and least >= 0) or (high <= 0 and greatest <= 0)
        other_sign = (low >= 0 and greatest <= 0) or (high <= 0 and least >= 0)
        return cut(0 if same_sign else -far, 0 if other_sign else far, fine)
    corners = [Fraction(top, bottom) for top in (low, high) for bottom in (least, greatest)]
    return cut(floor(min(corners)), ceil(max(corners)), fine)


def _power(base: Bounds, exponent: Bounds) -> Bounds:
    low, high, grain = base
    fewest = max(0, min(exponent[0], LARGEST_EXPONENT))
    most = max(0, min(exponent[1], LARGEST_EXPONENT))
    size = max(abs(low), abs(high))
    far = max(1, _raised(size, most))
    fine = _raised(grain, most)
    if low >= 0:
        # A base below 1 shrinks, so that only whole bases above 0 have a bound below.
        return cut(_raised(low, fewest) if low >= 1 else 0, far, fine)
    return cut(-far, far, fine)


def _raised(base: int, exponent: int) -> int:
    """A power, or CEILING where it would be larger: found by its length, before it is reckoned."""
    if base > 1 and (base.bit_length() - 1) * exponent >= CEILING.bit_length():
        return CEILING
    power: int = base**exponent
    return min(power, CEILING)
