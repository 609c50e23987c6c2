"""The compiled steps of creatures of n by n cells: `engine.ground.steps` for a whole map at once.

Every array is `[y, x]` by a footprint's top left cell. All is told from the steps of one cell: a footprint
fits where none of its cells is shut and one can step between all that touch along a side; a straight step is
taken where each of its foremost cells can take it.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from services.map.ground.kernels import DX, DY, STRAIGHT
from services.map.ground.model import I32, U8, Bools
from services.rules.engine.ground.model import LEDGE

_EAST, _SOUTH = 1, 2
_SMOOTH, _ROUGH = 1, 2


@njit(cache=True, nogil=True)
def steps_of_size(size: int, steps: U8, paces: U8, heights: I32, flat: bool) -> U8:
    """What each of the eight steps costs a footprint from each cell.

    Args:
        size: Cells along one side, 2 or more.
        steps: What each costs one cell, from `kernels.step_costs`.
        paces: What entering each cell costs, 0 for never.
        heights: In cells.
        flat: Whether all cells lie equally high.

    Returns:
        `[y, x, direction]`, 0 where the step cannot be walked: one more than how rough it is.
    """
    height, width = paces.shape
    fits = _fitting(size, steps, paces)
    passes = np.zeros((height, width, 8), np.uint8)
    found = np.zeros((height, width, 8), np.uint8)
    for direction in range(8):
        dx, dy = DX[direction], DY[direction]
        aside, along = 1 if dx > 0 else 3, 2 if dy > 0 else 0
        for y in range(max(0, -dy), height - size + 1 - max(0, dy)):
            for x in range(max(0, -dx), width - size + 1 - max(0, dx)):
                if not fits[y + dy, x + dx]:
                    continue
                if direction < STRAIGHT:
                    passed = _straight(size, steps, paces, x, y, direction)
                elif flat or not _over_ledge(size, heights, x, y, dx, dy):
                    one, then = passes[y, x, aside], passes[y, x + dx, along]
                    other, last = passes[y, x, along], passes[y + dy, x, aside]
                    passed = max(one, then, other, last) if one and then and other and last else 0
                else:
                    passed = 0
                passes[y, x, direction] = passed
                if passed:
                    found[y, x, direction] = _entered(size, paces, x, y, dx, dy) + passed - _SMOOTH
    return found


@njit(cache=True, nogil=True)
def _fitting(size: int, steps: U8, paces: U8) -> Bools:
    """Where a footprint can stand."""
    height, width = paces.shape
    fits = np.zeros((height, width), np.bool_)
    for y in range(height - size + 1):
        for x in range(width - size + 1):
            whole = True
            for number in range(size * size):
                row, column = number // size, number % size
                if (
                    not paces[y + row, x + column]
                    or (column + 1 < size and not steps[y + row, x + column, _EAST])
                    or (row + 1 < size and not steps[y + row, x + column, _SOUTH])
                ):
                    whole = False
                    break
            fits[y, x] = whole
    return fits


@njit(cache=True, nogil=True)
def _straight(size: int, steps: U8, paces: U8, x: int, y: int, direction: int) -> int:
    """Whether a straight step crosses a rough edge, of a footprint that fits where it goes."""
    dx, dy = DX[direction], DY[direction]
    crossed = _SMOOTH
    for side in range(size):
        column = x + (size - 1 if dx > 0 else 0 if dx < 0 else side)
        row = y + (size - 1 if dy > 0 else 0 if dy < 0 else side)
        cost = steps[row, column, direction]
        if cost == 0:
            return 0
        if cost > paces[row + dy, column + dx]:
            crossed = _ROUGH
    return crossed


@njit(cache=True, nogil=True)
def _over_ledge(size: int, heights: I32, x: int, y: int, dx: int, dy: int) -> bool:
    """Whether a cell of a footprint would go over a ledge by a slanting step."""
    for row in range(y, y + size):
        for column in range(x, x + size):
            if abs(np.int64(heights[row, column]) - np.int64(heights[row + dy, column + dx])) >= LEDGE:
                return True
    return False


@njit(cache=True, nogil=True)
def _entered(size: int, paces: U8, x: int, y: int, dx: int, dy: int) -> int:
    """What the roughest cell costs that a footprint enters by a step."""
    most = 0
    for side in range(size):
        if dx:
            most = max(most, int(paces[y + dy + side, x + (size if dx > 0 else -1)]))
        if dy:
            most = max(most, int(paces[y + (size if dy > 0 else -1), x + dx + side]))
    return most
