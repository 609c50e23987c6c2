"""Goes through an expression."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.dice.pool import (
    Binary,
    Call,
    Compare,
    Dice,
    Group,
    Labelled,
    MechanicCall,
    Negative,
    Net,
    Node,
    Number,
    Sides,
    TargetCheck,
    Variable,
    Versus,
)


def children(node: Node) -> tuple[Node, ...]:
    """The nodes a node is made from, in the order they are rolled."""
    match node:
        case Number() | Variable():
            return ()
        case Dice(count, kind):
            sides = kind.count if isinstance(kind, Sides) else 0
            rolled = tuple(part for part in (count, sides) if not isinstance(part, int))
            return rolled if node.plain else (*rolled, *sources(node))
        case Group(members):
            return (*members, *sources(node))
        case TargetCheck(total, _, target):
            return (total, target)
        case Negative(operand):
            return (operand,)
        case Binary(_, left, right) | Versus(left, right) | Net(left, right):
            return (left, right)
        case Call(_, arguments) | MechanicCall(_, arguments):
            return arguments
        case Labelled(inner):
            return (inner,)


def points(node: Dice | Group) -> Iterator[Compare]:
    """The compare points of the rules behind dice or a group, in the order in which they are applied."""
    if isinstance(node, Dice):
        if node.reroll is not None:
            yield from node.reroll.points
        if node.explode is not None:
            yield node.explode.point
    behind = (*(rule.point for rule in node.select), *(rule.point for rule in node.counts))
    yield from (point for point in behind if point is not None)


def sources(node: Dice | Group) -> tuple[Node, ...]:
    """What the open compare points of dice or a group are computed from."""
    return tuple(point.source for point in points(node) if point.source is not None)


def nodes(node: Node) -> Iterator[Node]:
    """A node and all nodes below it, parts behind their whole."""
    yield node
    for child in children(node):
        yield from nodes(child)
