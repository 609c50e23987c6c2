"""Parts of an expression that are known before any dice fall: numbers, variables, arithmetic of them."""

from __future__ import annotations

from services.rules.dice.arithmetic import call, operate
from services.rules.dice.failure import RollError
from services.rules.dice.pool import (
    Binary,
    Call,
    Compare,
    Comparison,
    Labelled,
    Negative,
    Node,
    Number,
    Operator,
    Value,
    Variable,
)


def is_numeric(node: Node) -> bool:
    """Whether a node holds no dice."""
    match node:
        case Number() | Variable():
            return True
        case Negative(inner) | Labelled(inner):
            return is_numeric(inner)
        case Binary(_, left, right):
            return is_numeric(left) and is_numeric(right)
        case Call(_, arguments):
            return all(is_numeric(argument) for argument in arguments)
        case _:
            return False


def constant(node: Node) -> Value | None:
    """The number that a node is; None where it holds dice or a variable, or cannot be computed."""
    try:
        return _value(node)
    except (RollError, LookupError):
        return None


def point_of(comparison: Comparison, node: Node) -> Compare:
    """A compare point against numbers and variables: open where a variable, or a fraction, is in it."""
    value = constant(node)
    if isinstance(value, int):
        return Compare(comparison, value)
    return Compare(comparison, 1, node)


def shifted(point: Compare, numbers: Node) -> Compare:
    """The point that a value meets where the value and some numbers together meet `point`."""
    value = point.source or (Number(point.value) if point.value >= 0 else Negative(Number(-point.value)))
    return point_of(point.comparison, Binary(Operator.SUBTRACT, value, numbers))


def _value(node: Node) -> Value:
    match node:
        case Number(value):
            return value
        case Negative(operand):
            return -_value(operand)
        case Labelled(inner):
            return _value(inner)
        case Binary(operator, left, right):
            return operate(operator, _value(left), _value(right))
        case Call(function, arguments):
            return call(function, [_value(argument) for argument in arguments])
        case _:
            raise LookupError
