"""Arithmetic of a roll: exact, and whole wherever it can be."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor

from services.rules.dice.failure import RollError
from services.rules.dice.pool import Function, Operator, Value

LARGEST_EXPONENT = 64
LARGEST_BITS = 4_096
"""Size of a product or a power on the way to the total; totals are far smaller."""
LARGEST_SUM_BITS = 14_000
"""Size of a sum of fractions: what Python still writes in decimal digits."""


def operate(operator: Operator, left: Value, right: Value) -> Value:
    """One operation on two values.

    Raises:
        RollError: Division by zero; an exponent that is no whole number from 0 to 64; a giant.
    """
    match operator:
        case Operator.ADD:
            return summed(left + right)
        case Operator.SUBTRACT:
            return summed(left - right)
        case Operator.MULTIPLY:
            return _sized(left * right)
        case Operator.POWER:
            return _power(left, right)
    if right == 0:
        raise RollError("DIVISION_BY_ZERO", "The dice fell so that something is divided by zero.")
    match operator:
        case Operator.DIVIDE:
            return whole(Fraction(left) / right)
        case Operator.FLOOR_DIVIDE:
            return left // right
        case Operator.MODULO:
            return whole(Fraction(left) % right)


def call(function: Function, arguments: Sequence[Value]) -> Value:
    """A function of values; ROUND rounds halves up."""
    match function:
        case Function.FLOOR:
            return floor(arguments[0])
        case Function.CEIL:
            return ceil(arguments[0])
        case Function.ROUND:
            return floor(arguments[0] + Fraction(1, 2))
        case Function.ABSOLUTE:
            return arguments[0] if arguments[0] >= 0 else -arguments[0]
        case Function.MINIMUM:
            return min(arguments)
        case Function.MAXIMUM:
            return max(arguments)


def whole(value: Value) -> Value:
    """The same number, as an int where it is one."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def summed(value: Value) -> Value:
    """A sum, unless it is a fraction of giants.

    Raises:
        RollError: It is.
    """
    if isinstance(value, Fraction) and value.denominator.bit_length() > LARGEST_SUM_BITS:
        raise RollError("TOO_LARGE", "A fraction on the way to the total is too long.")
    return value


def _power(base: Value, exponent: Value) -> Value:
    if isinstance(exponent, Fraction) or not 0 <= exponent <= LARGEST_EXPONENT:
        raise RollError(
            "NO_WHOLE_NUMBER", f"An exponent is a whole number from 0 to {LARGEST_EXPONENT}, not {exponent}."
        )
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if bits * exponent > LARGEST_BITS:
        raise RollError("TOO_LARGE", "A number on the way to the total is too large.")
    power: Value = base**exponent
    return whole(power)


def _sized(value: Value) -> Value:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > LARGEST_BITS:
        raise RollError("TOO_LARGE", "A number on the way to the total is too large.")
    return whole(value)
