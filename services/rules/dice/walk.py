"""Goes through an expression."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.dice.pool import (
    Binary,
    Call,
    Dice,
    Group,
    Labelled,
    MechanicCall,
    Negative,
    Net,
    Node,
    Number,
    Sides,
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
            return tuple(part for part in (count, sides) if not isinstance(part, int))
        case Group(members):
            return members
        case Negative(operand):
            return (operand,)
        case Binary(_, left, right) | Versus(left, right) | Net(left, right):
            return (left, right)
        case Call(_, arguments) | MechanicCall(_, arguments):
            return arguments
        case Labelled(inner):
            return (inner,)


def nodes(node: Node) -> Iterator[Node]:
    """A node and all nodes below it, parts behind their whole."""
    yield node
    for child in children(node):
        yield from nodes(child)
