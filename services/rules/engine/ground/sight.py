"""Lines of sight: straight, from middle to middle, the same both ways.

What a line only brushes at a corner does not stop it unless both ways round that corner are stopped. Where
the ground has heights, a line runs from eyes to eyes, which are as high above the floor as the creature is
tall, and what lies lower than the line does not stop it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Union

from services.rules.engine.ground.footprint import Footprint, floor
from services.rules.engine.ground.index import ENDLESS, STOPPED, Index
from services.rules.engine.ground.kinds import OPAQUE
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.squares import Corner, Direction, Square

MIDDLE = 2
"""The middle of a cell, in the quarters of a cell that points are told in."""

Point = tuple[int, int]
"""A point by columns and rows in quarters of a cell, on no line of the grid."""


def sees(ground: Ground, one: Square, other: Square) -> bool:
    """Whether there is a line of sight between two squares, for who is one square tall."""
    index = ground.index
    if not index.blind:
        return True
    if not (ground.holds(one) and ground.holds(other)):
        return False
    key = (one, other) if one < other else (other, one)
    known: bool | None = index.memory.get(key)
    if known is None:
        known = bool(index.keep(key, _meets(ground, Footprint(key[0]), Footprint(key[1]))))
    return known


def in_sight(ground: Ground, one: Footprint, other: Footprint) -> bool:
    """Whether any square of a footprint has a line of sight to any square of another."""
    if not ground.index.blind:
        return True
    on_ground = all(ground.holds(square) for both in (one, other) for square in both.squares())
    return on_ground and _meets(ground, one, other)


def _meets(ground: Ground, one: Footprint, other: Footprint) -> bool:
    lines = Lines.between(ground, one, other)
    ends = product(one.squares(), other.squares())
    return any(lines.taken(_middle(start), _middle(end)) < STOPPED for start, end in ends)


def _middle(square: Square) -> Point:
    return 4 * square.x + MIDDLE, 4 * square.y + MIDDLE


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines from one footprint to another, and what cells take of them.

    What both fill themselves stops nothing. Cover in the first one's own cells does not count, that in the
    second one's does, so that undergrowth covers who is in it.

    Attributes:
        index: The ground.
        takes: Quarters that each cell takes, whatever the height.
        tops: How high each cell reaches; None where that is in `takes`.
        eye: How high the first one's eyes are.
        rise: How much higher the second one's are.
    """

    index: Index
    takes: bytearray
    tops: list[int] | None
    eye: int
    rise: int

    @classmethod
    def between(cls, ground: Ground, one: Footprint, other: Footprint) -> Lines:
        """The lines between two footprints, both on the ground."""
        index, width = ground.index, ground.width
        takes = bytearray(index.takes)
        tops = None if index.tops is None else list(index.tops)
        for both, sheet in ((other, index.cover), (one, None)):
            for square in both.squares():
                at = square.y * width + square.x
                takes[at] = sheet[at] if sheet is not None else 0
                if tops is not None:
                    tops[at] = -ENDLESS
        eye = floor(ground, one) + one.altitude + one.size
        return cls(index, takes, tops, eye, floor(ground, other) + other.altitude + other.size - eye)

    def taken(self, start: Point, end: Point) -> int:
        """The most that one thing takes of a line between two points: 0 for nothing, `STOPPED` for all."""
        cells: _Sheet = self.takes if self.tops is None else _Over(self, self.tops, start, end)
        east, south, width = self.index.east_takes, self.index.south_takes, self.index.width
        at = (start[1] >> 2) * width + (start[0] >> 2)
        across, down = end[0] - start[0], end[1] - start[1]
        dx, dy = (1 if across > 0 else -1), (width if down > 0 else -width)
        # From a cell to its edge on either side.
        to_east, to_south = min(dx, 0), min(dy, 0)
        wide, tall = abs(across), abs(down)
        # How far off the next line of the grid is each way, in quarters; each crossing sets it four further.
        next_x = 4 - (start[0] & 3) if across > 0 else start[0] & 3
        next_y = 4 - (start[1] & 3) if down > 0 else start[1] & 3
        worst = 0
        while next_x <= wide or next_y <= tall:
            first = next_x * tall - next_y * wide
            if first < 0:
                edge = east[at + to_east]
                at, next_x = at + dx, next_x + 4
            elif first > 0:
                edge = south[at + to_south]
                at, next_y = at + dy, next_y + 4
            else:
                over = max(east[at + to_east], cells[at + dx], south[at + dx + to_south])
                under = max(south[at + to_south], cells[at + dy], east[at + dy + to_east])
                edge = min(over, under)
                at, next_x, next_y = at + dx + dy, next_x + 4, next_y + 4
            worst = max(worst, edge, cells[at])
            if worst == STOPPED:
                return STOPPED
        return worst


_Sheet = Union[bytearray, "_Over"]


@dataclass(frozen=True, slots=True)
class _Over:
    """What cells take of one line over heights."""

    lines: Lines
    tops: list[int]
    start: Point
    end: Point

    def __getitem__(self, at: int) -> int:
        y, x = divmod(at, self.lines.index.width)
        across, down = self.end[0] - self.start[0], self.end[1] - self.start[1]
        long = across * across + down * down
        gone = (4 * x + MIDDLE - self.start[0]) * across + (4 * y + MIDDLE - self.start[1]) * down
        if self.tops[at] * long > self.lines.eye * long + self.lines.rise * gone:
            return STOPPED
        return min(self.lines.index.cover[at], self.lines.takes[at])


def clear(ground: Ground, square: Square) -> bool:
    """Whether the square is on the ground and can be seen through."""
    return ground.holds(square) and not ground.index.opaque[square.y * ground.width + square.x]


def faces(ground: Ground, square: Square) -> Iterator[Square]:
    """The squares beside one that can be seen through and that it shows a face to.

    On the slant it does where either way round the corner crosses no edge that stops sight.
    """
    index = ground.index
    for direction in Direction:
        dx, dy = direction.value
        near = Square(square.x + dx, square.y + dy)
        if not (ground.holds(square) and clear(ground, near)):
            continue
        if dx and dy:
            over = index.edge(square.x, square.y, dx, 0) | index.edge(near.x, square.y, 0, dy)
            under = index.edge(square.x, square.y, 0, dy) | index.edge(square.x, near.y, dx, 0)
            stopped = over & under & OPAQUE
        else:
            stopped = index.edge(square.x, square.y, dx, dy) & OPAQUE
        if not stopped:
            yield near


def line_of_effect(ground: Ground, origin: Square | Corner, squares: Collection[Square]) -> frozenset[Square]:
    """Those squares on the ground that can be seen from the origin and are not walls themselves.

    From a corner: from any of the squares around it that can be seen through.
    """
    origins = tuple(_origins(ground, origin))
    return frozenset(
        square
        for square in squares
        if clear(ground, square) and any(sees(ground, start, square) for start in origins)
    )


def _origins(ground: Ground, origin: Square | Corner) -> Iterable[Square]:
    match origin:
        case Square():
            return (origin,)
        case Corner(x, y):
            around = (Square(x - right, y - down) for down in (1, 0) for right in (1, 0))
            return (square for square in around if clear(ground, square))
