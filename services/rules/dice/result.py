"""What a roll came to: a tree of nodes in which every number says where it comes from.

RollResult
└── NodeResult      one node of the expression, its value, its dice
    └── NodeResult  what it was made from
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor
from typing import NamedTuple

from services.rules.dice.die import Die
from services.rules.dice.mechanic import Reading
from services.rules.dice.pool import Binary, Expression, Labelled, Negative, Node, Operator, Value

VOID = "void"
"""The outcome of dice that came to nothing."""


class NodeResult(NamedTuple):
    """What one node came to.

    Attributes:
        node: The node.
        value: What it counts.
        dice: Its own dice as they are shown; with dice that opposed one another, those of its parts.
        parts: What it was made from, in the order it was rolled.
        sides: How many faces its own dice have; 0 where it rolls none.
        drawn: The faces of its own dice in the order drawn.
        kept: Whether it counts; a group's members may be dropped.
        reading: How a game's own roll reads its dice.
    """

    node: Node
    value: Value
    dice: tuple[Die, ...] = ()
    parts: tuple[NodeResult, ...] = ()
    sides: int = 0
    drawn: list[int] | tuple[int, ...] = ()
    kept: bool = True
    reading: Reading | None = None

    def walk(self) -> Iterator[NodeResult]:
        """This node and everything below it, parts behind their whole."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def draws(self) -> Iterator[tuple[int, int]]:
        """Every draw in order: faces of the die, and the face."""
        for part in self.parts:
            yield from part.draws()
        for face in self.drawn:
            yield self.sides, face


@dataclass(frozen=True, slots=True)
class Term:
    """One term of the sum at the top.

    Attributes:
        result: What the term came to.
        negative: Whether it is taken away.
    """

    result: NodeResult
    negative: bool = False

    @property
    def value(self) -> Value:
        """What it adds to the total."""
        return -self.result.value if self.negative else self.result.value

    @property
    def dice(self) -> tuple[Die, ...]:
        """All dice of it."""
        return tuple(die for node in self.result.walk() for die in node.dice)


@dataclass(slots=True)
class RollResult:
    """What an expression came to.

    Attributes:
        expression: What was rolled.
        root: The tree; of a void, the parts that were rolled before it came to nothing.
        void: Why the dice came to nothing, a code of `RollError`; None where they came to a total.
    """

    expression: Expression
    root: NodeResult
    void: str | None = None

    @property
    def value(self) -> Value:
        """The total, exactly; 0 of a void."""
        return self.root.value

    @property
    def total(self) -> int:
        """The total as a whole number, rounded down."""
        return floor(self.root.value)

    @property
    def outcome(self) -> str | None:
        """The word of a game's own roll, or `void`; None for plain dice."""
        if self.void is not None:
            return VOID
        node = self.root
        while isinstance(node.node, Labelled):
            node = node.parts[0]
        return None if node.reading is None else node.reading.outcome

    @property
    def draws(self) -> tuple[tuple[int, int], ...]:
        """Every draw in order: faces of the die, and the face."""
        return tuple(self.root.draws())

    @property
    def faces(self) -> tuple[int, ...]:
        """Every face in the order drawn: what a `ListStream` needs to give the same result again."""
        return tuple(face for _, face in self.root.draws())

    def dice(self) -> Iterator[Die]:
        """Every die, those that do not count too."""
        for node in self.root.walk():
            yield from node.dice

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms of the sum at the top, in the order written."""
        if self.void is not None:
            return tuple(Term(part) for part in self.root.parts if any(part.draws()))
        return tuple(_terms(self.root, negative=False))


def _terms(result: NodeResult, *, negative: bool) -> Iterator[Term]:
    match result.node:
        case Binary(Operator.ADD | Operator.SUBTRACT as operator):
            left, right = result.parts
            yield from _terms(left, negative=negative)
            yield from _terms(right, negative=negative != (operator is Operator.SUBTRACT))
        case Negative():
            yield from _terms(result.parts[0], negative=not negative)
        case _:
            yield Term(result, negative)
