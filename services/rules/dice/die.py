"""A rolled die, and the kinds of dice as the evaluation uses them.

A die that nothing was done to looks the same in every roll, so each face of a small die exists once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from services.rules.dice.pool import DieKind, Faces, Fate, Sides

PREPARED = 100
"""Dice with up to this many faces are made beforehand; larger ones as they fall."""

MOST_MADE = 250
"""Dice of one kind that are kept for the next time they fall so."""


class Mark(Enum):
    """What was done to a die.

    Attributes:
        REROLLED: It was rolled again: another one lies in its place.
        RAISED: It showed less than the least that counts, and counts as that.
        LOWERED: It showed more than the most that counts, and counts as that.
        EXPLODED: It brought a further die.
        COMPOUNDED: A further die was added to it.
        DROPPED: It does not count.
        SUCCESS: It counts as a success.
        FAILURE: It counts as a failure.
    """

    REROLLED = "rerolled"
    RAISED = "raised"
    LOWERED = "lowered"
    EXPLODED = "exploded"
    COMPOUNDED = "compounded"
    DROPPED = "dropped"
    SUCCESS = "success"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True)
class Die:
    """One rolled die.

    Attributes:
        kind: Which die: `d6`, `dF`, or the name of a die of the table's own.
        sides: How many faces it has.
        face: The face it fell on, counted from 1.
        value: What it counts; with what further dice added to it (COMPOUND), or took away (PENETRATE).
        label: What is on the face of a die of the table's own.
        kept: Whether it counts; one that was rolled again, dropped, or added to another does not.
        marks: What was done to it.
    """

    kind: str
    sides: int
    face: int
    value: int
    label: str | None = None
    kept: bool = True
    marks: tuple[Mark, ...] = ()


class Prepared:
    """A kind of die made ready: the value of each face, and each face as a die.

    Attributes:
        name: `d6`, `dF`, `dboon`.
        count: How many faces.
    """

    __slots__ = ("_labels", "_made", "_values", "count", "dropped", "name", "plain")

    def __init__(self, name: str, values: Sequence[int], labels: Sequence[str] | None) -> None:
        self.name = name
        self.count = len(values)
        self._values = values
        self._labels = labels
        self._made: dict[tuple[int, int, bool, tuple[Mark, ...]], Die] = {}
        few = range(1, self.count + 1) if self.count <= PREPARED else ()
        # Face 0 does not exist: faces are looked up as they are drawn, counted from 1.
        self.plain: tuple[Die, ...] = (Die(name, self.count, 0, 0), *(self.die(face) for face in few))
        dropped = (self.die(face, kept=False, marks=(Mark.DROPPED,)) for face in few)
        self.dropped: tuple[Die, ...] = (Die(name, self.count, 0, 0, kept=False), *dropped)

    @property
    def numbered(self) -> bool:
        """Whether every face counts its own number."""
        return isinstance(self._values, range) and self._values.start == 1

    @property
    def ready(self) -> bool:
        """Whether `plain` and `dropped` hold every face."""
        return self.count <= PREPARED

    def value(self, face: int) -> int:
        """What a face counts."""
        return self._values[face - 1]

    def die(
        self, face: int, value: int | None = None, *, kept: bool = True, marks: tuple[Mark, ...] = ()
    ) -> Die:
        """A die that fell on a face; with the face's own value unless another is given."""
        counts = self._values[face - 1] if value is None else value
        key = (face, counts, kept, marks)
        die = self._made.get(key)
        if die is None:
            label = None if self._labels is None else self._labels[face - 1]
            die = Die(self.name, self.count, face, counts, label, kept, marks)
            if len(self._made) < MOST_MADE:
                self._made[key] = die
        return die

    def marked(self, die: Die, mark: Mark, *, kept: bool | None = None) -> Die:
        """A die of this kind with one mark more; kept or not as before unless told."""
        return self.die(
            die.face, die.value, kept=die.kept if kept is None else kept, marks=(*die.marks, mark)
        )


@lru_cache(maxsize=256)
def prepared(kind: DieKind) -> Prepared:
    """A kind of die made ready.

    Raises:
        ValueError: Its number of sides is still to be rolled.
    """
    match kind:
        case Sides(int(count)):
            return Prepared(f"d{count}", range(1, count + 1), None)
        case Fate():
            return Prepared("dF", (-1, 0, 1), None)
        case Faces(faces, name):
            shown = name or "[" + ",".join(face.label for face in faces) + "]"
            return Prepared(
                f"d{shown}", tuple(face.value for face in faces), tuple(face.label for face in faces)
            )
        case Sides():
            raise ValueError("this die's number of sides is still to be rolled")


def marked(die: Die, mark: Mark, *, kept: bool | None = None) -> Die:
    """A die of whatever kind with one mark more; kept or not as before unless told."""
    counts = die.kept if kept is None else kept
    return Die(die.kind, die.sides, die.face, die.value, die.label, counts, (*die.marks, mark))
