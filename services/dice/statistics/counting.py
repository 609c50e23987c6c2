"""What statistics count of one roll: its draws, and its total or that it was void."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

import orjson

from services.rules.dice.pool import Dice, Faces, Fate
from services.rules.dice.render import render_node
from services.rules.dice.result import NodeResult, RollResult

MOST_FACES = 100
"""Dice with more faces are not counted: it would take too many rolls to say anything about them."""

LONGEST_KIND = 80
"""As long as the column."""

VOID_TOTAL = -(2**31)
"""Stands in the counts of totals for a void; no total is so small."""


@dataclass(frozen=True, slots=True)
class Fallen:
    """One roll, as it is counted.

    Attributes:
        drawn: how often each face came, by kind of die, face, and number of faces; rerolls too.
        total: rounded down; ``VOID_TOTAL`` of a void.
        bare: the expression without its comment, in dice notation.
    """

    drawn: Mapping[tuple[str, int, int], int]
    total: int
    bare: str

    @classmethod
    def of(cls, result: RollResult) -> Fallen:
        """Count a roll."""
        bare = render_node(result.expression.node)
        return cls(_drawn(result), result.total if result.void is None else VOID_TOTAL, bare)


def named_kind(faces: Faces) -> str:
    """Name a die with faces of its own, as it is counted: a changed die is another one.

    ``dboon#1f0c9a52``: the name as the notation has it, and the first digits of a hash of the faces.
    """
    shown = faces.name or f"[{','.join(face.label for face in faces.faces)}]"
    parts = orjson.dumps([[face.label, face.value] for face in faces.faces])
    mark = f"#{sha256(parts).hexdigest()[:8]}"
    return f"d{shown[: LONGEST_KIND - len(mark) - 1]}{mark}"


_named_kind = lru_cache(maxsize=1_024)(named_kind)


def _drawn(result: RollResult) -> Counter[tuple[str, int, int]]:
    """Count every draw by kind of die, face, and number of faces."""
    found: Counter[tuple[str, int, int]] = Counter()
    for node in result.root.walk():
        if node.drawn and node.sides <= MOST_FACES:
            kind, sides = _kind(node), node.sides
            for face, count in Counter(node.drawn).items():
                found[kind, face, sides] += count
    return found


def _kind(result: NodeResult) -> str:
    match result.node:
        case Dice(kind=Faces() as faces):
            return _named_kind(faces)
        case Dice(kind=Fate()):
            return "dF"
        case _:
            return f"d{result.sides}"
