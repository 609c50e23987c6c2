"""Closed lines around the cells where a field is above a level (marching squares)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from services.map.kinds.region.compiled import kernel

Field = NDArray[np.float64]
Loop = NDArray[np.float64]


@kernel
def _traced(field: Field, level: float) -> tuple[Field, NDArray[np.int64]]:
    """The corners of all loops one after the other, and where each begins; high ground lies to the left."""
    height, width = field.shape
    follows = np.full(2 * height * width, -1, np.int64)
    for y in range(height - 1):
        for x in range(width - 1):
            a, b = field[y, x] > level, field[y, x + 1] > level
            c, d = field[y + 1, x + 1] > level, field[y + 1, x] > level
            if a == b and b == c and c == d:
                continue
            # Each edge by the number of its first corner, doubled; upright ones are odd.
            top, left = 2 * (y * width + x), 2 * (y * width + x) + 1
            low, right = 2 * ((y + 1) * width + x), 2 * (y * width + x + 1) + 1
            edges = (top, right, low, left)
            corners = (a, b, c, d, a)
            # Walking clockwise, a line enters where the ground rises and leaves where it next falls.
            for side in range(4):
                if not corners[side] and corners[side + 1]:
                    for step in range(1, 4):
                        exit_ = (side + step) % 4
                        if corners[exit_] and not corners[exit_ + 1]:
                            follows[edges[side]] = edges[exit_]
                            break
    points = np.empty((2 * height * width, 2), np.float64)
    starts = np.empty(height * width + 2, np.int64)
    found = filled = 0
    for first in range(2 * height * width):
        if follows[first] < 0:
            continue
        starts[found] = filled
        found += 1
        edge = first
        while follows[edge] >= 0:
            cell = edge // 2
            y, x = cell // width, cell % width
            here = field[y, x]
            there = field[y + 1, x] if edge % 2 else field[y, x + 1]
            t = (level - here) / (there - here)
            points[filled, 0] = x + (0.0 if edge % 2 else t)
            points[filled, 1] = y + (t if edge % 2 else 0.0)
            filled += 1
            onward = follows[edge]
            follows[edge] = -1
            edge = onward
    starts[found] = filled
    return points[:filled].copy(), starts[: found + 1].copy()


def outlines(field: Field, level: float, least: int = 8) -> list[Loop]:
    """Loops around the parts of a field above a level; those at the edge close a little outside it.

    Args:
        field: A value for the middle of each cell (height, width).
        level: Never exactly a value of the field, or lines may touch.
        least: Loops of fewer corners are left out.

    Returns:
        Arrays (corners, 2) of x and y in cells, the middle of the first cell being (0.5, 0.5).
    """
    wide = np.pad(field, 1, mode="edge")
    closed = np.pad(wide, 1, constant_values=level - 1.0)
    points, starts = _traced(np.ascontiguousarray(closed), level)
    points -= 1.5
    return [points[a:b] for a, b in pairwise(starts.tolist()) if b - a >= least]


def blurred(field: Field, times: int = 1) -> Field:
    """The field with each value the mean of the nine around it, over and over."""
    for _ in range(times):
        wide = np.pad(field, 1, mode="edge")
        rows = wide[:-2] + wide[1:-1] + wide[2:]
        field = (rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]) / 9.0
    return field


def rounded(loop: Loop, times: int) -> Loop:
    """A loop with its corners cut (Chaikin)."""
    for _ in range(times):
        after = np.roll(loop, -1, axis=0)
        cut = np.empty((2 * len(loop), 2))
        cut[0::2], cut[1::2] = 0.75 * loop + 0.25 * after, 0.25 * loop + 0.75 * after
        loop = cut
    return loop


def path_data(loops: list[Loop]) -> str:
    """Loops in pixels as path data in tenths of a pixel, each corner relative to the one before."""
    parts: list[str] = []
    for loop in loops:
        tenths = np.rint(loop * 10).astype(np.int64)
        moves = np.diff(tenths, axis=0)
        moves = moves[np.any(moves != 0, axis=1)]
        parts.append(_start(tenths) + _moves(moves) + "z")
    return "".join(parts)


def line_data(line: Loop) -> str:
    """An open line in pixels as path data."""
    tenths = np.rint(line * 10).astype(np.int64)
    moves = np.diff(tenths, axis=0)
    return _start(tenths) + _moves(moves)


def _start(tenths: NDArray[np.int64]) -> str:
    x, y = tenths[0].tolist()
    return f"M{_tenths(x)} {_tenths(y)}l"


def _moves(moves: NDArray[np.int64]) -> str:
    """Steps as text; nearly all are short, and looked up instead of written anew."""
    flat: list[int] = moves.ravel().tolist()
    return " ".join([_SHORT[n] if -_MOST <= n <= _MOST else _tenths(n) for n in flat])


def _tenths(value: int) -> str:
    whole, rest = divmod(abs(value), 10)
    sign = "-" if value < 0 else ""
    return f"{sign}{whole}.{rest}" if rest else f"{sign}{whole}"


_MOST = 400
# An index below 0 counts from the end, where the negative steps stand.
_SHORT = [*map(_tenths, range(_MOST + 1)), *map(_tenths, range(-_MOST, 0))]
