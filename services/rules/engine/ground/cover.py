"""Graded cover: how much of a target what lies between takes, as an ordered scale.

Sixteen lines are drawn, from the four corners of one footprint to the four of the other, a quarter of a
square inside so that none runs along a wall. What stops sight takes all of a line, what covers its quarters.
The share of what is taken is the cover; each game puts its own grades to it (Forge Engine, Externalities:
partial, half, three-quarters, total; its Glossary: total where line of sight is totally obstructed).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import product

from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.index import STOPPED
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.sight import Lines, Point, in_sight
from services.rules.engine.ground.squares import Square

LINES = 16
"""Lines between the corners of two footprints."""


class Grade(StrEnum):
    """Cover in five grades, the least first.

    Attributes:
        NONE: Nothing is between.
        PARTIAL: Less than half is taken.
        HALF: Half of it or more.
        THREE_QUARTERS: Three quarters of it or more.
        TOTAL: There is no line of sight.
    """

    NONE = "none"
    PARTIAL = "partial"
    HALF = "half"
    THREE_QUARTERS = "three_quarters"
    TOTAL = "total"


@dataclass(frozen=True, slots=True)
class Cover:
    """What protects a target.

    Attributes:
        seen: Whether there is a line of sight at all.
        stopped: How many of the sixteen lines something stops.
        screened: How many more something covers in part.
        taken: Quarters of lines that are taken, of sixty-four.
    """

    seen: bool
    stopped: int = 0
    screened: int = 0
    taken: int = 0

    @property
    def share(self) -> Fraction:
        """The share of the lines that is taken."""
        return Fraction(self.taken, LINES * STOPPED)

    @property
    def grade(self) -> Grade:
        """The grade: total out of sight, else by halves and three quarters of the share."""
        if not self.seen:
            return Grade.TOTAL
        if self.taken >= LINES * 3:
            return Grade.THREE_QUARTERS
        if self.taken >= LINES * 2:
            return Grade.HALF
        return Grade.PARTIAL if self.taken else Grade.NONE


def cover(ground: Ground, attacker: Footprint, target: Footprint) -> Cover:
    """What protects a target from an attacker; the same both ways where neither stands in cover."""
    index = ground.index
    if not (index.blind or index.screened):
        return Cover(seen=True)
    key = ("cover", attacker, target)
    known: Cover | None = index.memory.get(key)
    if known is None:
        known = _between(ground, attacker, target)
        index.keep(key, known)
    return known


def cover_between(ground: Ground, attacker: Square, target: Square) -> Grade:
    """The grade of cover between two single squares."""
    return cover(ground, Footprint(attacker), Footprint(target)).grade


def _between(ground: Ground, attacker: Footprint, target: Footprint) -> Cover:
    if not all(ground.holds(square) for both in (attacker, target) for square in both.squares()):
        return Cover(seen=False, stopped=LINES, taken=LINES * STOPPED)
    lines = Lines.between(ground, attacker, target)
    taken = [lines.taken(start, end) for start, end in product(corners(attacker), corners(target))]
    return cover_of(in_sight(ground, attacker, target), taken)


def cover_of(seen: bool, taken: Sequence[int]) -> Cover:
    """The cover by the quarters that are taken of each of the sixteen lines."""
    stopped = taken.count(STOPPED)
    return Cover(seen=seen, stopped=stopped, screened=LINES - stopped - taken.count(0), taken=sum(taken))


def corners(footprint: Footprint) -> tuple[Point, ...]:
    """The four points that lines of cover are drawn from and to."""
    left, top, far = 4 * footprint.at.x + 1, 4 * footprint.at.y + 1, 4 * footprint.size - 2
    return (left, top), (left + far, top), (left, top + far), (left + far, top + far)
