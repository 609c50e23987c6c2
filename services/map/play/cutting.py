"""The compiled loop that cuts thin walls to what was explored.

A wall is told where one of the two cells beside it is known; it changes only where the wall crosses a line of
the grid, so each piece between two crossings is told or kept as a whole.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from services.map.play.cells import Cells

_BESIDE = 0.01
"""How far beside a thin wall one looks for the cells that it parts."""

F64 = NDArray[np.float64]


@njit(cache=True, nogil=True)
def seen_parts(segments: F64, cells: Cells) -> tuple[NDArray[np.int64], F64]:
    """The parts of straight pieces of walls that have a known cell on one side.

    Args:
        segments: Rows of (x0, y0, x1, y1), in cells.
        cells: What is known, `[y, x]`.

    Returns:
        For each part, in order: which segment it is of; and from what share of it to what share.
    """
    room = 0
    for x0, y0, x1, y1 in segments:
        room += int(abs(x1 - x0)) + int(abs(y1 - y0)) + 6
    which, shares = np.empty(room, np.int64), np.empty((room, 2), np.float64)
    used = 0
    for index in range(len(segments)):
        x0, y0, x1, y1 = segments[index]
        length = math.hypot(x1 - x0, y1 - y0)
        if length == 0:
            continue
        aside_x, aside_y = (y1 - y0) / length * _BESIDE, (x0 - x1) / length * _BESIDE
        cuts = _cuts(x0, y0, x1, y1)
        first = used
        for step in range(len(cuts) - 1):
            low, high = cuts[step], cuts[step + 1]
            middle = (low + high) / 2
            x, y = x0 + (x1 - x0) * middle, y0 + (y1 - y0) * middle
            if not (_known(cells, x - aside_x, y - aside_y) or _known(cells, x + aside_x, y + aside_y)):
                continue
            if used > first and shares[used - 1, 1] == low:
                shares[used - 1, 1] = high
            else:
                which[used], shares[used, 0], shares[used, 1] = index, low, high
                used += 1
    return which[:used], shares[:used]


@njit(cache=True, nogil=True)
def _cuts(x0: float, y0: float, x1: float, y1: float) -> F64:
    """Where a piece begins, crosses lines of the grid, and ends: as shares of it, each once, in order."""
    found = np.empty(int(abs(x1 - x0)) + int(abs(y1 - y0)) + 6, np.float64)
    found[0], found[1], used = 0.0, 1.0, 2
    for low, high in ((x0, x1), (y0, y1)):
        if low == high:
            continue
        for line in range(math.floor(min(low, high)) + 1, math.ceil(max(low, high))):
            found[used] = (line - low) / (high - low)
            used += 1
    return np.unique(found[:used])


@njit(cache=True, nogil=True)
def _known(cells: Cells, x: float, y: float) -> bool:
    rows, columns = cells.shape
    column, row = math.floor(x), math.floor(y)
    return bool(0 <= column < columns and 0 <= row < rows and cells[row, column])
