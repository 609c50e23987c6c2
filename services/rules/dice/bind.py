"""Variables: which an expression has, and putting numbers in their place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from services.rules.dice.fault import UnknownVariableError
from services.rules.dice.lexer import PLACES
from services.rules.dice.pool import (
    Binary,
    Call,
    Dice,
    DieKind,
    Expression,
    Group,
    Labelled,
    MechanicCall,
    Negative,
    Net,
    Node,
    Number,
    Operator,
    Sides,
    Value,
    Variable,
    Versus,
)
from services.rules.dice.walk import nodes


def variables(expression: Expression) -> tuple[str, ...]:
    """The names of the variables, in the order they stand, each once."""
    return tuple(dict.fromkeys(node.name for node in nodes(expression.node) if isinstance(node, Variable)))


def bind(expression: Expression, values: Mapping[str, Value]) -> Expression:
    """Puts numbers in the place of variables. What it can ask for grows by that: `check` it again.

    Args:
        expression: With variables or without.
        values: By the name of the variable, in small letters; others than those of the expression are left
            alone.

    Returns:
        The expression without variables: a value below 0 becomes the negative of a number, and one that has
        no end as a decimal, or more places than are read, a division.

    Raises:
        UnknownVariableError: Variables have no value.
    """
    names = variables(expression)
    if not names:
        return expression
    missing = tuple(name for name in names if name not in values)
    if missing:
        raise UnknownVariableError(missing)
    return Expression(_bound(expression.node, values), expression.comment)


def _bound(node: Node, values: Mapping[str, Value]) -> Node:
    match node:
        case Variable(name):
            return number(values[name])
        case Number():
            return node
        case Dice(count, kind):
            return replace(node, count=_count(count, values), kind=_kind(kind, values))
        case Group(members):
            return replace(node, members=_all(members, values))
        case Negative(operand):
            return Negative(_bound(operand, values))
        case Binary(operator, left, right):
            return Binary(operator, _bound(left, values), _bound(right, values))
        case Call(function, arguments):
            return Call(function, _all(arguments, values))
        case Labelled(inner, label):
            return Labelled(_bound(inner, values), label)
        case Versus(action, defence):
            return Versus(_bound(action, values), _bound(defence, values))
        case Net(ours, theirs):
            return Net(_bound(ours, values), _bound(theirs, values))
        case MechanicCall(name, arguments):
            return MechanicCall(name, _all(arguments, values))


def number(value: Value) -> Node:
    """A value as a node that can be rendered and read again."""
    if value < 0:
        return Negative(number(-value))
    if isinstance(value, int):
        return Number(value)
    if value.denominator == 1:
        return Number(value.numerator)
    if 10**PLACES % value.denominator == 0:
        return Number(Fraction(value))
    return Binary(Operator.DIVIDE, Number(value.numerator), Number(value.denominator))


def _all(nodes_: tuple[Node, ...], values: Mapping[str, Value]) -> tuple[Node, ...]:
    return tuple([_bound(node, values) for node in nodes_])


def _count(count: int | Node, values: Mapping[str, Value]) -> int | Node:
    return count if isinstance(count, int) else folded(_bound(count, values), least=0)


def _kind(kind: DieKind, values: Mapping[str, Value]) -> DieKind:
    match kind:
        case Sides(count) if not isinstance(count, int):
            return Sides(folded(_bound(count, values), least=1))
        case _:
            return kind


def folded(node: Node, least: int) -> int | Node:
    """A number of dice or sides as such, where it is a plain number of at least `least`; else the node."""
    match node:
        case Number(int(value)) if value >= least:
            return value
        case _:
            return node
