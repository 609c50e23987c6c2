"""Draws the dice of a term to which something is done while they are rolled."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from services.rules.dice.die import Die, Mark, Prepared
from services.rules.dice.failure import RollError
from services.rules.dice.pool import Compare, Dice, ExplodeKind, RerollKind
from services.rules.dice.stream import FaceStream

MOST_DRAWS = 100_000
"""Draws of one term; chains are endless in thought only."""

Meets = Callable[[int], bool]
"""Whether a face, counted from 1, meets a compare point."""


class Drawing:
    """What is done to the dice of one term while they are drawn, made ready for one kind of die."""

    __slots__ = ("_bursts", "_clamps", "_compound", "_goes_again", "_once", "_penetrate", "_term", "kind")

    def __init__(self, term: Dice, kind: Prepared) -> None:
        self.kind = kind
        self._term = term
        self._clamps = term.lowest is not None or term.highest is not None
        self._goes_again = None if term.reroll is None else _meets(kind, term.reroll.points)
        self._bursts = None if term.explode is None else _meets(kind, (term.explode.point,))
        explode = None if term.explode is None else term.explode.kind
        self._once = explode is ExplodeKind.ONCE
        self._compound = explode in (ExplodeKind.COMPOUND, ExplodeKind.COMPOUND_PENETRATE)
        self._penetrate = explode in (ExplodeKind.PENETRATE, ExplodeKind.COMPOUND_PENETRATE)

    def draw(self, count: int, stream: FaceStream) -> tuple[list[Die], list[int]]:
        """Draws `count` dice: rerolls, unique faces, lowest and highest values, explosions.

        Returns:
            The dice as they lie, of which those that are kept are left to be selected and counted; and the
            faces in the order drawn.

        Raises:
            RollError: They would not come to an end.
            StreamError: The stream has too few faces, or a wrong one.
        """
        drawn = stream.draw_many(self.kind.count, count)
        if self._goes_again is None and not self._term.unique:
            dice = [self.die(face) for face in drawn]
        else:
            dice = self._with_rerolls(drawn, stream)
        if self._bursts is None:
            return dice, drawn
        lying: list[Die] = []
        for die in dice:
            if die.kept and self._bursts(die.face):
                lying += self._chain(die, drawn, stream)
            else:
                lying.append(die)
        return lying, drawn

    def die(self, face: int) -> Die:
        """A die that fell on a face, its value raised or lowered."""
        if self._clamps:
            value = self.kind.value(face)
            if self._term.lowest is not None and value < self._term.lowest:
                return self.kind.die(face, self._term.lowest, marks=(Mark.RAISED,))
            if self._term.highest is not None and value > self._term.highest:
                return self.kind.die(face, self._term.highest, marks=(Mark.LOWERED,))
        return self.kind.plain[face] if self.kind.ready else self.kind.die(face)

    def _with_rerolls(self, drawn: list[int], stream: FaceStream) -> list[Die]:
        """The dice, each behind those it was rolled again for."""
        once = self._term.reroll is not None and self._term.reroll.kind is RerollKind.ONCE
        seen: set[int] = set()
        dice = []
        for first in tuple(drawn):
            face, rerolled = first, 0
            while (self._goes_again is not None and self._goes_again(face) and not (once and rerolled)) or (
                self._term.unique and face in seen
            ):
                dice.append(self.kind.die(face, kept=False, marks=(Mark.REROLLED,)))
                face = self._again(drawn, stream)
                rerolled += 1
            seen.add(face)
            dice.append(self.die(face))
        return dice

    def _chain(self, first: Die, drawn: list[int], stream: FaceStream) -> list[Die]:
        """An exploding die and its further dice."""
        assert self._bursts is not None
        kind = self.kind
        chain = [first]
        while self._bursts(chain[-1].face):
            chain[-1] = kind.marked(chain[-1], Mark.EXPLODED)
            die = self.die(self._again(drawn, stream))
            if self._penetrate:
                die = kind.die(die.face, die.value - 1, marks=die.marks)
            chain.append(die)
            if self._once:
                break
        if not self._compound:
            return chain
        total = sum(die.value for die in chain)
        head = kind.die(chain[0].face, total, marks=chain[0].marks)
        return [head, *(kind.marked(die, Mark.COMPOUNDED, kept=False) for die in chain[1:])]

    def _again(self, drawn: list[int], stream: FaceStream) -> int:
        """One face more."""
        if len(drawn) >= MOST_DRAWS:
            raise RollError(
                "TOO_MANY_DICE", f"These dice would not come to an end within {MOST_DRAWS} draws."
            )
        face = stream.draw(self.kind.count)
        drawn.append(face)
        return face


def _meets(kind: Prepared, points: Sequence[Compare]) -> Meets:
    def meets(face: int) -> bool:
        value = kind.value(face)
        return any(point.holds(value) for point in points)

    if kind.ready:
        return frozenset(face for face in range(1, kind.count + 1) if meets(face)).__contains__
    return meets
