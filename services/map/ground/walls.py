"""Thin walls on the grid: which edges between neighbouring cells a wall's line crosses.

An edge is crossed when the line meets the segment between the middles of its two cells, ends included. So a
wall that was drawn anywhere, at any slant, is as tight on the grid as it was drawn: a step is just that
segment. Where it goes right through the middle of a cell, it shuts that cell off on both sides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor

from services.map.generation.grid.model import Cell, Spot, WallKind
from services.map.ground.model import COVER, DIFFICULT, IMPASSABLE, OPAQUE

STOPS = {
    WallKind.WALL: IMPASSABLE | OPAQUE,
    WallKind.WINDOW: IMPASSABLE | COVER,
    WallKind.FENCE: IMPASSABLE | COVER,
    WallKind.LOW: DIFFICULT | COVER,
}
"""The flags of an edge that each kind of thin wall crosses."""


def edges_crossed(points: Sequence[Spot], width: int, height: int) -> tuple[list[Cell], list[Cell]]:
    """The edges a line crosses.

    Args:
        points: The line's corners, in cells.
        width: Columns of the map.
        height: Rows of the map.

    Returns:
        The cells whose right edge is crossed, and those whose lower edge is.
    """
    east, south = [], []
    for start, end in pairwise(points):
        east += [(along, across) for across, along in _crossed(start, end, height, width)]
        south += list(_crossed(start[::-1], end[::-1], width, height))
    return east, south


def _crossed(start: Spot, end: Spot, rows: int, columns: int) -> Iterator[tuple[int, int]]:
    """Where a segment meets the middle lines of rows: (row, column left of the edge)."""
    low, high = min(start[1], end[1]), max(start[1], end[1])
    for row in range(max(0, ceil(low - 0.5)), min(rows - 1, floor(high - 0.5)) + 1):
        left, right = _met(start, end, row)
        for column in range(max(0, ceil(left - _THREE_HALVES)), min(columns - 2, floor(right - _HALF)) + 1):
            yield row, column


_HALF, _THREE_HALVES = Fraction(1, 2), Fraction(3, 2)


def _met(start: Spot, end: Spot, row: int) -> tuple[Fraction, Fraction]:
    """From where to where a segment meets the middle line of a row; exact, for a wall may just touch it."""
    (x0, y0), (x1, y1) = start, end
    if y0 == y1:
        return Fraction(min(x0, x1)), Fraction(max(x0, x1))
    if x0 == x1:
        return Fraction(x0), Fraction(x0)
    left, top = Fraction(x0), Fraction(y0)
    share = (row + _HALF - top) / (Fraction(y1) - top)
    met = left + share * (Fraction(x1) - left)
    return met, met
