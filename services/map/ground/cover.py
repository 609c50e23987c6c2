"""The compiled lines between two footprints: `engine.ground.sight.Lines`, for sight and for graded cover."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numba import njit
from numpy.typing import NDArray

from services.map.ground.lines import sees_any
from services.map.ground.model import I32, U8, MapGround
from services.rules.engine.ground.cover import Cover, corners, cover_of
from services.rules.engine.ground.footprint import Footprint, floor
from services.rules.engine.ground.index import ENDLESS, STOPPED
from services.rules.engine.ground.sight import MIDDLE
from services.rules.engine.ground.squares import Square

_Line = tuple[int, int, int, int]
"""Where a line begins and how far it goes, by columns and rows in quarters of a cell."""


@njit(cache=True, nogil=True)
def taken_of(
    cells: U8, tops: I32, east: U8, south: U8, eyes: tuple[int, int], lines: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The most that one thing takes of each line: `Lines.taken` of the rules.

    Args:
        cells: Quarters that each cell takes of a line that nothing in it stops.
        tops: How high what stops sight reaches in each cell.
        east: Quarters that the edge on each cell's right takes.
        south: Quarters that the edge below each cell takes.
        eyes: How high lines begin, and how much they rise.
        lines: Rows of two points, each by column and row in quarters of a cell, on no line of the grid.
    """
    found = np.empty(len(lines), np.int64)
    for number in range(len(lines)):
        x, y, to_x, to_y = lines[number]
        found[number] = _taken(cells, tops, east, south, eyes, (x, y, to_x - x, to_y - y))
    return found


@njit(cache=True, nogil=True)
def _taken(cells: U8, tops: I32, east: U8, south: U8, eyes: tuple[int, int], line: _Line) -> int:
    x, y = line[0] >> 2, line[1] >> 2
    across, down = line[2], line[3]
    dx, dy = 1 if across > 0 else -1, 1 if down > 0 else -1
    # From a cell to its edge on either side.
    to_east, to_south = min(dx, 0), min(dy, 0)
    wide, tall = abs(across), abs(down)
    # How far off the next line of the grid is each way, in quarters; each crossing sets it four further.
    next_x = 4 - (line[0] & 3) if across > 0 else line[0] & 3
    next_y = 4 - (line[1] & 3) if down > 0 else line[1] & 3
    worst = 0
    while next_x <= wide or next_y <= tall:
        first = next_x * tall - next_y * wide
        if first < 0:
            edge = int(east[y, x + to_east])
            x, next_x = x + dx, next_x + 4
        elif first > 0:
            edge = int(south[y + to_south, x])
            y, next_y = y + dy, next_y + 4
        else:
            over = max(int(east[y, x + to_east]), int(south[y + to_south, x + dx]))
            under = max(int(south[y + to_south, x]), int(east[y + dy, x + to_east]))
            over = max(over, _of_cell(cells, tops, eyes, line, x + dx, y))
            under = max(under, _of_cell(cells, tops, eyes, line, x, y + dy))
            edge = min(over, under)
            x, y, next_x, next_y = x + dx, y + dy, next_x + 4, next_y + 4
        worst = max(worst, edge, _of_cell(cells, tops, eyes, line, x, y))
        if worst == STOPPED:
            return STOPPED
    return worst


@njit(cache=True, nogil=True)
def _of_cell(cells: U8, tops: I32, eyes: tuple[int, int], line: _Line, x: int, y: int) -> int:
    """Quarters that a cell takes of a line: all where what is in it is higher than the line is there."""
    across, down = line[2], line[3]
    long = across * across + down * down
    gone = (4 * x + MIDDLE - line[0]) * across + (4 * y + MIDDLE - line[1]) * down
    if np.int64(tops[y, x]) * long > eyes[0] * long + eyes[1] * gone:
        return STOPPED
    return int(cells[y, x])


@dataclass(frozen=True, slots=True, eq=False)
class Between:
    """What lies between two footprints on a map; what both fill themselves stops nothing.

    All lines between the two run in the box around both, of which the arrays are.

    Attributes:
        ground: The ground.
        box: The rows and columns of the box.
        one: The first footprint, counted from the box.
        other: The second.
        tops: How high what stops sight reaches in each cell.
        eyes: How high the first one's eyes are, and how much higher the second one's.
    """

    ground: MapGround
    box: tuple[slice, slice]
    one: Footprint
    other: Footprint
    tops: I32
    eyes: tuple[int, int]

    @classmethod
    def of(cls, ground: MapGround, one: Footprint, other: Footprint) -> Between:
        """What lies between two footprints, both on the map whole."""
        left, top = min(one.at.x, other.at.x), min(one.at.y, other.at.y)
        right = max(one.at.x + one.size, other.at.x + other.size)
        box = slice(top, max(one.at.y + one.size, other.at.y + other.size)), slice(left, right)
        eyes = [floor(ground.rules, both) + both.altitude + both.size for both in (one, other)]
        here, there = (replace(both, at=Square(both.at.x - left, both.at.y - top)) for both in (one, other))
        tops = ground.tops[box].copy()
        tops[_block(here)] = tops[_block(there)] = -ENDLESS
        return cls(ground, box, here, there, tops, (eyes[0], eyes[1] - eyes[0]))

    def seen(self) -> bool:
        """Whether a line from the middle of any cell of the first to that of any of the second passes."""
        heights, (eye, rise) = self.ground.heights[self.box].copy(), self.eyes
        heights[_block(self.one)], heights[_block(self.other)] = eye - 1, eye + rise - 1
        east, south = (np.ascontiguousarray(one[self.box]) for one in (self.ground.east, self.ground.south))
        one, other = ((both.at.x, both.at.y, both.size) for both in (self.one, self.other))
        return bool(sees_any(self.tops, heights, east, south, one, other))

    def cover(self) -> Cover:
        """How much of the second footprint is covered from the first.

        Cover in the first footprint's own cells does not count, that in the second one's does.
        """
        index, shape = self.ground.rules.index, self.ground.tops.shape
        cells = self.ground.cover[self.box].copy()
        cells[_block(self.one)] = 0
        east, south = (
            np.ascontiguousarray(np.frombuffer(edges, np.uint8).reshape(shape)[self.box])
            for edges in (index.east_takes, index.south_takes)
        )
        ends = product(corners(self.one), corners(self.other))
        lines = np.array([(*start, *end) for start, end in ends], np.int64)
        return cover_of(self.seen(), taken_of(cells, self.tops, east, south, self.eyes, lines).tolist())


def _block(footprint: Footprint) -> tuple[slice, slice]:
    x, y, size = footprint.at.x, footprint.at.y, footprint.size
    return slice(y, y + size), slice(x, x + size)
