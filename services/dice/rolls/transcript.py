"""What is told of a roll: its line of text, its terms and its tree; stored with a roll that was much work.

A roll is its expression and its faces, and everything else can be read out of them again. Of thousands of
draws that takes long, so what is read out is kept, with no more dice than anybody would look at.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import floor
from typing import Any

import orjson

from services.dice.statistics.counting import Fallen
from services.rules.dice.die import Die, Mark
from services.rules.dice.pool import Value
from services.rules.dice.render import render_node
from services.rules.dice.result import NodeResult, RollResult
from services.rules.dice.text import text, value_text

MOST_DICE = 1_000
"""Dice told of one roll among its terms, and as many among its nodes; all faces are in its receipt."""


@dataclass(frozen=True, slots=True)
class TranscriptTerm:
    """A term of the sum at the top.

    Attributes:
        notation: as it was asked for, without its sign.
        subtotal: what it adds, rounded down.
        dice: as they lie, the first ones.
        left_out: how many further ones there are.
    """

    notation: str
    subtotal: int
    dice: tuple[Die, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class TranscriptNode:
    """A node of the tree; parts stand behind their whole.

    Attributes:
        parent: place of the node that it is a part of.
        notation: as it was asked for.
        value: what it came to, exactly.
        kept: whether it counts.
        dice: its own, the first ones.
        left_out: how many further ones there are.
    """

    parent: int | None
    notation: str
    value: Fraction
    kept: bool
    dice: tuple[Die, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class Transcript:
    """What is told of a roll.

    Attributes:
        text: the roll in one line.
        value: the total, exactly; 0 of a void.
        void: why it came to nothing, if it did.
        terms: where the total comes from.
        nodes: the whole tree, if it was wanted.
        sizes: faces of the dice in the order drawn, with how many in a row have so many.
        fallen: what statistics count of it.
    """

    text: str
    value: Value
    void: str | None
    terms: tuple[TranscriptTerm, ...]
    nodes: tuple[TranscriptNode, ...]
    sizes: tuple[tuple[int, int], ...]
    fallen: Fallen

    @classmethod
    def of(cls, result: RollResult, *, tree: bool = False) -> Transcript:
        """Read a roll out.

        Args:
            result: the roll.
            tree: whether the nodes are wanted too, which takes long of a long expression.
        """
        return cls(
            text=text(result),
            value=result.value,
            void=result.void,
            terms=tuple(_terms(result)),
            nodes=tuple(_nodes(result.root)) if tree else (),
            sizes=tuple(
                (sides, sum(1 for _ in run)) for sides, run in groupby(sides for sides, _ in result.draws)
            ),
            fallen=Fallen.of(result),
        )

    @property
    def dice(self) -> int:
        """How many dice are told among the terms, which are about as many as among the nodes."""
        return sum(len(term.dice) for term in self.terms)

    @property
    def drawn_sizes(self) -> tuple[int, ...]:
        """Faces of each die in the order drawn."""
        return tuple(sides for sides, count in self.sizes for _ in range(count))

    def write(self) -> bytes:
        """Write it as it is stored."""
        plain = {
            "text": self.text,
            "value": value_text(self.value),
            "void": self.void,
            "terms": [
                [term.notation, term.subtotal, [_plain(die) for die in term.dice], term.left_out]
                for term in self.terms
            ],
            "nodes": [
                [
                    node.parent,
                    node.notation,
                    value_text(node.value),
                    node.kept,
                    [_plain(die) for die in node.dice],
                    node.left_out,
                ]
                for node in self.nodes
            ],
            "sizes": self.sizes,
            "drawn": [[*key, count] for key, count in self.fallen.drawn.items()],
            "counted": self.fallen.total,
            "bare": self.fallen.bare,
        }
        return zlib.compress(orjson.dumps(plain), 1)

    @classmethod
    def read(cls, stored: bytes) -> Transcript:
        """Read it back."""
        found: dict[str, Any] = orjson.loads(zlib.decompress(stored))
        value = Fraction(found["value"])
        return cls(
            text=found["text"],
            value=value.numerator if value.denominator == 1 else value,
            void=found["void"],
            terms=tuple(
                TranscriptTerm(notation, subtotal, _dice(dice), left_out)
                for notation, subtotal, dice, left_out in found["terms"]
            ),
            nodes=tuple(
                TranscriptNode(parent, notation, Fraction(value), kept, _dice(dice), left_out)
                for parent, notation, value, kept, dice, left_out in found["nodes"]
            ),
            sizes=tuple((sides, count) for sides, count in found["sizes"]),
            fallen=Fallen(
                {(kind, face, faces): count for kind, face, faces, count in found["drawn"]},
                found["counted"],
                found["bare"],
            ),
        )


def _terms(result: RollResult) -> Iterator[TranscriptTerm]:
    room = MOST_DICE
    for term in result.terms:
        dice = term.dice
        shown = dice[:room]
        room -= len(shown)
        yield TranscriptTerm(render_node(term.result.node), floor(term.value), shown, len(dice) - len(shown))


def _nodes(root: NodeResult) -> Iterator[TranscriptNode]:
    room, count = MOST_DICE, 0
    waiting: list[tuple[NodeResult, int | None]] = [(root, None)]
    while waiting:
        node, parent = waiting.pop()
        place, count = count, count + 1
        shown = node.dice[:room]
        room -= len(shown)
        yield TranscriptNode(
            parent,
            render_node(node.node),
            Fraction(node.value),
            node.kept,
            tuple(shown),
            len(node.dice) - len(shown),
        )
        waiting += [(part, place) for part in reversed(node.parts)]


def _plain(die: Die) -> list[object]:
    return [die.kind, die.sides, die.face, die.value, die.label, die.kept, [mark.value for mark in die.marks]]


def _dice(plain: Sequence[Sequence[Any]]) -> tuple[Die, ...]:
    return tuple(
        Die(kind, sides, face, value, label, kept, tuple(Mark(mark) for mark in marks))
        for kind, sides, face, value, label, kept, marks in plain
    )
