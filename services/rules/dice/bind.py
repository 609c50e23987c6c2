"""Variables: which an expression has, and putting numbers in their place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from services.rules.dice.constants import point_of
from services.rules.dice.fault import UnknownVariableError
from services.rules.dice.gathering import parts_of_sum
from services.rules.dice.lexer import PLACES
from services.rules.dice.measure import most_dice
from services.rules.dice.pool import (
    Binary,
    Call,
    Compare,
    Count,
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
    Select,
    Sides,
    TargetCheck,
    Value,
    Variable,
    Versus,
)
from services.rules.dice.units import DROPPING
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
        case Dice():
            return _dice(node, values)
        case Group():
            return _group(node, values)
        case TargetCheck(total, comparison, target):
            return TargetCheck(_bound(total, values), comparison, _bound(target, values))
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


def _dice(node: Dice, values: Mapping[str, Value]) -> Dice:
    bound = replace(node, count=_count(node.count, values), kind=_kind(node.kind, values))
    if node.plain:
        return bound
    reroll, explode = node.reroll, node.explode
    if reroll is not None:
        reroll = replace(reroll, points=tuple([_point(point, values) for point in reroll.points]))
    if explode is not None:
        explode = replace(explode, point=_point(explode.point, values))
    bound = replace(bound, reroll=reroll, explode=explode, counts=_counts(node.counts, values))
    return replace(bound, select=_select(node, bound, values)) if node.select else bound


def _group(node: Group, values: Mapping[str, Value]) -> Group:
    bound = replace(node, members=_all(node.members, values), counts=_counts(node.counts, values))
    return replace(bound, select=_select(node, bound, values)) if node.select else bound


def _select(node: Dice | Group, bound: Dice | Group, values: Mapping[str, Value]) -> tuple[Select, ...]:
    """Selections with numbers in the place of variables.

    Where a variable says how many dice there are, more may be kept or dropped than there turn out to be, as
    where their number is rolled: that is all of them then.
    """
    rules = []
    most = most_dice(bound) if _is_open(node) else None
    for rule in node.select:
        if rule.point is not None:
            rules.append(replace(rule, point=_point(rule.point, values)))
        elif most is None:
            rules.append(rule)
        else:
            rules.append(replace(rule, count=min(rule.count, most)))
            most = max(0, most - rule.count) if rule.kind in DROPPING else min(most, rule.count)
    return tuple(rules)


def _is_open(node: Dice | Group) -> bool:
    """Whether a variable says how many dice there are to choose from."""
    if isinstance(node, Dice):
        return not isinstance(node.count, int) and bool(variables(Expression(node.count)))
    if len(node.members) > 1:
        return False
    pooled = parts_of_sum(node.members[0])
    return pooled is not None and any(_is_open(term) for term in pooled[0])


def _counts(rules: tuple[Count, ...], values: Mapping[str, Value]) -> tuple[Count, ...]:
    return tuple(
        [rule if rule.point is None else replace(rule, point=_point(rule.point, values)) for rule in rules]
    )


def _point(point: Compare, values: Mapping[str, Value]) -> Compare:
    return point if point.source is None else point_of(point.comparison, _bound(point.source, values))


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
