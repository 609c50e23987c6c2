"""Thin walls on the grid: which edges between neighbouring cells a wall's line crosses.

An edge is crossed when the line meets the segment between the middles of its two cells, ends included. So a
wall that was drawn anywhere, at any slant, is as tight on the grid as it was drawn: a step is just that
segment. Where it goes right through the middle of a cell, it shuts that cell off on both sides.

Corners are read to a millionth of a cell, as whole numbers: a wall that just touches is then told exactly,
and at the speed of compiled code. An imported map may have some hundred thousand crossings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np
from numba import njit
from numpy.typing import NDArray

from services.map.generation.grid.model import Axis, Door, Wall, WallKind
from services.map.ground.model import U8
from services.rules.engine.ground import kinds

STOPS = {
    WallKind.WALL: kinds.WALL.flags,
    WallKind.WINDOW: kinds.WINDOW.flags,
    WallKind.FENCE: kinds.FENCE.flags,
    WallKind.LOW: kinds.LOW_WALL.flags,
    WallKind.OBJECT: kinds.WALL.flags,
}
"""The flags of an edge that each kind of thin wall crosses."""

UNIT = 2**20
"""Parts of a cell that corners are read to. Products of two positions on the largest map fit into 64 bits."""

_HALF = UNIT // 2


def fillings(doors: Iterable[Door]) -> Iterator[Wall]:
    """The walls between the own ends of doors beside the grid and the ends of the cells they fill in play.

    So nobody slips past a door that lies elsewhere on the grid than the gap in the walls that it closes.
    """
    for door in doors:
        if door.ends is not None:
            order = sorted(door.ends, key=lambda spot: spot[door.axis is Axis.EAST_WEST])
            for here, there in zip(order, door.grid_bounds, strict=True):
                if here != there:
                    yield Wall((here, there))


def mark_walls(walls: Iterable[Wall], east: U8, south: U8) -> None:
    """Adds what walls stop to the flags of the edges that they cross.

    Args:
        walls: The walls; their corners in cells.
        east: Flags of the edge on each cell's right, `[y, x]`; changed.
        south: Flags of the edge below each cell; changed.
    """
    ends: list[tuple[float, float, float, float]] = []
    flags: list[int] = []
    for wall in walls:
        ends += [(*start, *end) for start, end in pairwise(wall.points)]
        flags += [STOPS[wall.kind]] * (len(wall.points) - 1)
    if ends:
        segments = np.rint(np.array(ends, np.float64) * UNIT).astype(np.int64)
        _mark(segments, np.array(flags, np.uint8), east, south)


@njit(cache=True, nogil=True)
def _mark(segments: NDArray[np.int64], flags: U8, east: U8, south: U8) -> None:
    height, width = east.shape
    for index in range(len(segments)):
        x0, y0, x1, y1 = segments[index]
        _cross(east, False, flags[index], (x0, y0, x1, y1), height, width)
        _cross(south, True, flags[index], (y0, x0, y1, x1), width, height)


@njit(cache=True, nogil=True)
def _cross(
    edges: U8, turned: bool, flag: int, segment: tuple[int, int, int, int], rows: int, columns: int
) -> None:
    """Flags where a segment meets the middle lines of rows; of columns, where the map lies turned."""
    x0, y0, x1, y1 = segment
    low, high = min(y0, y1), max(y0, y1)
    for row in range(max(0, -((_HALF - low) // UNIT)), min(rows - 1, (high - _HALF) // UNIT) + 1):
        # Where it meets the line is between these two, each over the third: a fraction, or a whole stretch.
        if y0 == y1:
            left, right, over = min(x0, x1), max(x0, x1), 1
        else:
            over = y1 - y0
            left = x0 * over + (row * UNIT + _HALF - y0) * (x1 - x0)
            if over < 0:
                left, over = -left, -over
            right = left
        first = max(0, -((3 * _HALF * over - left) // (UNIT * over)))
        last = min(columns - 2, (right - _HALF * over) // (UNIT * over))
        for column in range(first, last + 1):
            if turned:
                edges[column, row] |= flag
            else:
                edges[row, column] |= flag
