"""The compiled loops of the gates, written apart from those the maps are made with.

Moves are kept as one boolean array a direction instead of bits, and worked out by comparing shifted arrays;
ways are counted by maximum flow with split cells; sight is walked as
`services.rules.engine.ground.squares.line` walks it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]

_RIGHT = np.array([0, 1, 1, 1, 0, -1, -1, -1], np.int64)
_BELOW = np.array([-1, -1, 0, 1, 1, 1, 0, -1], np.int64)


def moves(stood: Bools, east: Bools, south: Bools) -> Bools:
    """Whether one may step from each cell in each of eight directions, clockwise from north.

    Args:
        stood: Where somebody can stand.
        east: `[y, x]`, whether the edge between cells (x, y) and (x + 1, y) can be crossed.
        south: `[y, x]`, whether the edge between cells (x, y) and (x, y + 1) can be crossed.

    Returns:
        `[direction, y, x]`.
    """
    height, width = stood.shape
    out = np.zeros((8, height, width), np.bool_)
    level = stood[:, :-1] & stood[:, 1:] & east
    plumb = stood[:-1] & stood[1:] & south
    out[2, :, :-1], out[6, :, 1:] = level, level
    out[4, :-1], out[0, 1:] = plumb, plumb
    block = level[:-1] & level[1:] & plumb[:, :-1] & plumb[:, 1:]
    out[3, :-1, :-1], out[7, 1:, 1:] = block, block
    out[1, 1:, :-1], out[5, :-1, 1:] = block, block
    return out


@njit(cache=True)
def reached(allowed: Bools, y0: int, x0: int) -> Bools:
    """Every cell that can be walked to from one, breadth first."""
    height, width = allowed.shape[1], allowed.shape[2]
    out = np.zeros((height, width), np.bool_)
    queue = np.empty(height * width, np.int64)
    queue[0] = y0 * width + x0
    out[y0, x0] = True
    head, tail = 0, 1
    while head < tail:
        y, x = queue[head] // width, queue[head] % width
        head += 1
        for d in range(8):
            if allowed[d, y, x] and not out[y + _BELOW[d], x + _RIGHT[d]]:
                out[y + _BELOW[d], x + _RIGHT[d]] = True
                queue[tail] = (y + _BELOW[d]) * width + x + _RIGHT[d]
                tail += 1
    return out


@njit(cache=True)
def separate_ways(allowed: Bools, start: Bools, goal: Bools, most: int) -> int:
    """How many ways lead from one set of cells to another that share no cell besides those.

    Maximum flow with every cell split into an entry and an exit of capacity one, augmented breadth first
    (Edmonds, Karp 1972; Menger 1927).

    Args:
        allowed: Moves, as `moves` gives them.
        start: Where the ways begin.
        goal: Where they end.
        most: Stops counting there.
    """
    height, width = start.shape
    count = height * width
    onward = np.full(count, -1, np.int64)
    back = np.full(count, -1, np.int64)
    found = 0
    queue = np.empty(2 * count, np.int64)
    while found < most:
        # State 2 v is the entry of cell v, 2 v + 1 its exit.
        before = np.full(2 * count, -2, np.int64)
        head, tail, end = 0, 0, -1
        for v in range(count):
            if start[v // width, v % width]:
                before[2 * v + 1] = -1
                queue[tail] = 2 * v + 1
                tail += 1
        while head < tail and end < 0:
            state = queue[head]
            head += 1
            v = state // 2
            y, x = v // width, v % width
            if state % 2 == 0:
                # A used cell is left the way its flow came; an unused one by its exit.
                to = 2 * v + 1 if back[v] < 0 else 2 * back[v] + 1
                if before[to] == -2:
                    before[to] = state
                    queue[tail] = to
                    tail += 1
                continue
            if back[v] >= 0 and before[2 * v] == -2:
                before[2 * v] = state
                queue[tail] = 2 * v
                tail += 1
            for d in range(8):
                if not allowed[d, y, x]:
                    continue
                w = (y + _BELOW[d]) * width + x + _RIGHT[d]
                if start[w // width, w % width] or onward[v] == w:
                    continue
                if goal[w // width, w % width]:
                    # Side by side, the two areas would need no way at all.
                    if start[y, x]:
                        continue
                    if onward[v] >= 0 and goal[onward[v] // width, onward[v] % width]:
                        continue
                    before[2 * w] = state
                    end = 2 * w
                    break
                if before[2 * w] == -2:
                    before[2 * w] = state
                    queue[tail] = 2 * w
                    tail += 1
        if end < 0:
            break
        # First what is taken back, then what is new: both touch the same cells.
        state = end
        while before[state] >= 0:
            prior = before[state]
            v, w = prior // 2, state // 2
            if v != w and prior % 2 == 0:
                onward[w] = -1
                back[v] = -1
            state = prior
        state = end
        while before[state] >= 0:
            prior = before[state]
            v, w = prior // 2, state // 2
            if v != w and prior % 2 == 1:
                if not start[v // width, v % width]:
                    onward[v] = w
                if not goal[w // width, w % width]:
                    back[w] = v
            state = prior
        found += 1
    return found


@njit(cache=True)
def sees(clear: Bools, east: Bools, south: Bools, x0: int, y0: int, x1: int, y1: int) -> bool:
    """Whether a straight line between the middles of two cells meets nothing that stops sight.

    A corner it passes exactly stops it when neither way round the corner is clear.

    Args:
        clear: Cells one can see through.
        east: Edges one can see through, as `moves` takes them.
        south: Likewise.
        x0: Column of the one cell.
        y0: Row of it.
        x1: Column of the other.
        y1: Row of it.
    """
    dx, dy = abs(x1 - x0), abs(y1 - y0)
    sx, sy = (1 if x1 > x0 else -1), (1 if y1 > y0 else -1)
    x, y, error = x0, y0, dx - dy
    while x != x1 or y != y1:
        beside = east[y, min(x, x + sx)] if 0 <= x + sx < clear.shape[1] and error >= 0 else True
        if error > 0:
            if not beside:
                return False
            x += sx
            error -= 2 * dy
        elif error < 0:
            if not south[min(y, y + sy), x]:
                return False
            y += sy
            error += 2 * dx
        else:
            row, column = min(y, y + sy), min(x, x + sx)
            one = clear[y, x + sx] and beside and south[row, x + sx]
            other = clear[y + sy, x] and south[row, x] and east[y + sy, column]
            if not (one or other):
                return False
            x += sx
            y += sy
            error += 2 * (dx - dy)
        if (x != x1 or y != y1) and not clear[y, x]:
            return False
    return True


@njit(cache=True)
def sight(clear: Bools, east: Bools, south: Bools, pairs: I64) -> Any:
    """Whether each pair of cells (x, y, x, y) sees one the other, there and back."""
    out = np.zeros((len(pairs), 2), np.bool_)
    for k in range(len(pairs)):
        a, b, c, d = pairs[k]
        out[k, 0] = sees(clear, east, south, a, b, c, d)
        out[k, 1] = sees(clear, east, south, c, d, a, b)
    return out
