"""The compiled loops of battle maps: noise, distances, steps, ways.

Every array is row by row, `[y, x]`. Directions are counted clockwise from north: N, NE, E, SE, S, SW, W, NW;
bit d of a cell's steps says whether one may walk from it in direction d.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
I8 = NDArray[np.int8]
I32 = NDArray[np.int32]
F64 = NDArray[np.float64]
Bools = NDArray[np.bool_]

DX = np.array([0, 1, 1, 1, 0, -1, -1, -1], np.int32)
DY = np.array([-1, -1, 0, 1, 1, 1, 0, -1], np.int32)
MOST_COST = 250
"""The most a step may cost in `cheapest`."""

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _20 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(20)
_TEN_BITS = np.uint64(1023)


@njit(cache=True)
def _hashed(word: Any, x: Any, y: Any) -> Any:
    """A number from 0 to 1023 for a lattice point."""
    value = word ^ (np.uint64(x) * _GOLDEN + np.uint64(y) * _SECOND)
    value = (value ^ (value >> _30)) * _FIRST
    value = (value ^ (value >> _27)) * _SECOND
    value = value ^ (value >> _31)
    return np.int64((value >> _20) & _TEN_BITS)


@njit(cache=True)
def noise(word: Any, width: int, height: int, scale: int, octaves: int) -> I32:
    """Value noise in whole numbers, so that it is the same on every machine.

    Args:
        word: What it is drawn from, a uint64.
        width: Columns.
        height: Rows.
        scale: Cells from one lattice point to the next in the coarsest octave; 1 is white noise.
        octaves: Octaves, each half as coarse and half as strong.

    Returns:
        0 to 1023 for each cell.
    """
    out = np.zeros((height, width), np.int32)
    total = 0
    for octave in range(octaves):
        size = max(1, scale >> octave)
        weight = 64 >> octave
        total += weight
        salt = word + np.uint64(octave) * _FIRST
        for y in range(height):
            ty = (y % size) * 256 // size
            sy = ty * ty * (768 - 2 * ty) >> 16
            row = y // size
            for x in range(width):
                tx = (x % size) * 256 // size
                sx = tx * tx * (768 - 2 * tx) >> 16
                column = x // size
                value = _hashed(salt, column, row) * (256 - sx)
                if sx:
                    value += _hashed(salt, column + 1, row) * sx
                value *= 256 - sy
                if sy:
                    below = _hashed(salt, column, row + 1) * (256 - sx)
                    if sx:
                        below += _hashed(salt, column + 1, row + 1) * sx
                    value += below * sy
                out[y, x] += weight * (value >> 16)
    for y in range(height):
        for x in range(width):
            out[y, x] //= total
    return out


@njit(cache=True)
def to_line(xs: F64, ys: F64, width: int, height: int, reach: int) -> F64:
    """How far the middle of each cell is from a line through some points, in cells.

    Args:
        xs: Of the points.
        ys: Of the points.
        width: Columns.
        height: Rows.
        reach: Cells to look; what lies farther off is told as 1000.
    """
    out = np.full((height, width), 1e6, np.float64)
    for k in range(len(xs) - 1):
        ax, ay = xs[k], ys[k]
        bx, by = xs[k + 1] - ax, ys[k + 1] - ay
        long = bx * bx + by * by
        left = max(0, int(min(ax, ax + bx)) - reach)
        right = min(width, int(max(ax, ax + bx)) + reach + 1)
        top = max(0, int(min(ay, ay + by)) - reach)
        bottom = min(height, int(max(ay, ay + by)) + reach + 1)
        for y in range(top, bottom):
            for x in range(left, right):
                px, py = x + 0.5 - ax, y + 0.5 - ay
                t = 0.0
                if long > 0.0:
                    t = min(1.0, max(0.0, (px * bx + py * by) / long))
                cx, cy = t * bx - px, t * by - py
                out[y, x] = min(out[y, x], cx * cx + cy * cy)
    return np.sqrt(out)


@njit(cache=True)
def spaced(order: I32, allowed: Bools, gap: int, count: int) -> I32:
    """Takes cells in an order, none within a gap of another.

    Args:
        order: Flat cell numbers, the most wanted first.
        allowed: Which cells may be taken; what is taken and too near is crossed out in it.
        gap: Cells that stay clear around each, also slantwise; 0 lets them touch.
        count: The most to take.

    Returns:
        The cells taken, flat.
    """
    height, width = allowed.shape
    taken = np.empty(max(count, 0), np.int32)
    found = 0
    for cell in order:
        if found >= count:
            break
        y, x = cell // width, cell % width
        if not allowed[y, x]:
            continue
        taken[found] = cell
        found += 1
        for ny in range(max(0, y - gap), min(height, y + gap + 1)):
            for nx in range(max(0, x - gap), min(width, x + gap + 1)):
                allowed[ny, nx] = False
    return taken[:found]


@njit(cache=True)
def gentle(heights: I8) -> None:
    """Lowers cells, in place, until none is more than one step above a neighbour."""
    height, width = heights.shape
    changed = True
    while changed:
        changed = False
        for turn in range(2):
            for i in range(height):
                y = height - 1 - i if turn else i
                for j in range(width):
                    x = width - 1 - j if turn else j
                    for d in range(8):
                        nx, ny = x + DX[d], y + DY[d]
                        if 0 <= nx < width and 0 <= ny < height and heights[y, x] > heights[ny, nx] + 1:
                            heights[y, x] = heights[ny, nx] + 1
                            changed = True


@njit(cache=True)
def steps(pace: U8, heights: I8, across: Bools, down: Bools) -> U8:
    """Where one may walk from each cell.

    Args:
        pace: Of each cell; nobody enters 0.
        heights: Elevation; an edge between cells two or more apart is not climbed.
        across: `[y, x]`, whether the edge above cell (x, y) is barred; height + 1 rows.
        down: `[y, x]`, whether the edge left of cell (x, y) is barred; width + 1 columns.

    Returns:
        Eight bits a cell. A slanting step needs both corner cells and all four edges around the corner.
    """
    height, width = pace.shape
    out = np.zeros((height, width), np.uint8)
    for y in range(height):
        for x in range(width):
            if pace[y, x] == 0:
                continue
            if (
                x + 1 < width
                and pace[y, x + 1]
                and not down[y, x + 1]
                and abs(heights[y, x] - heights[y, x + 1]) < 2
            ):
                out[y, x] |= np.uint8(4)
                out[y, x + 1] |= np.uint8(64)
            if (
                y + 1 < height
                and pace[y + 1, x]
                and not across[y + 1, x]
                and abs(heights[y, x] - heights[y + 1, x]) < 2
            ):
                out[y, x] |= np.uint8(16)
                out[y + 1, x] |= np.uint8(1)
    for y in range(height - 1):
        for x in range(width - 1):
            # East and south from the upper left, and east and south into the lower right.
            if (out[y, x] & 4) and (out[y, x] & 16) and (out[y + 1, x + 1] & 1) and (out[y + 1, x + 1] & 64):
                out[y, x] |= np.uint8(8)
                out[y + 1, x + 1] |= np.uint8(128)
                out[y, x + 1] |= np.uint8(32)
                out[y + 1, x] |= np.uint8(2)
    return out


@njit(cache=True)
def parts(pace: U8, ways: U8) -> tuple[I32, I32]:
    """The connected parts of what can be walked.

    Returns:
        The number of each cell's part, -1 where nobody walks, and the size of each part.
    """
    height, width = pace.shape
    out = np.full((height, width), -1, np.int32)
    sizes = np.zeros(height * width, np.int32)
    stack = np.empty(height * width, np.int32)
    found = 0
    for first in range(height * width):
        if pace[first // width, first % width] == 0 or out[first // width, first % width] >= 0:
            continue
        out[first // width, first % width] = found
        stack[0], top = first, 1
        while top:
            top -= 1
            y, x = stack[top] // width, stack[top] % width
            sizes[found] += 1
            for d in range(8):
                ny, nx = y + DY[d], x + DX[d]
                if ways[y, x] >> d & 1 and out[ny, nx] < 0:
                    out[ny, nx] = found
                    stack[top] = ny * width + nx
                    top += 1
        found += 1
    return out, sizes[:found]


@njit(cache=True)
def cheapest(ways: U8, cost: U8, start: Bools, goal: Bools) -> I32:
    """The cheapest way from one set of cells to another (Dial's buckets).

    Args:
        ways: Steps, as `steps` gives them.
        cost: Of entering each cell, 1 to `MOST_COST`; 0 forbids it.
        start: Where it may begin.
        goal: Where it may end.

    Returns:
        The cells from the goal back to the start, flat; empty when there is no way.
    """
    height, width = cost.shape
    far = np.int32(2**30)
    best = np.full(height * width, far, np.int32)
    before = np.full(height * width, -1, np.int32)
    heads = np.full(256, -1, np.int32)
    cells = np.empty(9 * height * width, np.int32)
    links = np.empty(9 * height * width, np.int32)
    used = 0
    for cell in range(height * width):
        if start[cell // width, cell % width]:
            best[cell] = 0
            cells[used], links[used] = cell, heads[0]
            heads[0] = used
            used += 1
    at, idle, end = 0, 0, -1
    while idle < 256 and end < 0:
        entry = heads[at & 255]
        if entry < 0:
            at += 1
            idle += 1
            continue
        idle = 0
        heads[at & 255] = links[entry]
        cell = cells[entry]
        if best[cell] != at:
            continue
        y, x = cell // width, cell % width
        if goal[y, x]:
            end = cell
            break
        for d in range(8):
            if not (ways[y, x] >> d & 1):
                continue
            ny, nx = y + DY[d], x + DX[d]
            price = np.int32(cost[ny, nx])
            if price == 0:
                continue
            # A slanting step is a little dearer, so that ways run straight where they can.
            total = at + price + (d & 1)
            to = ny * width + nx
            if total < best[to]:
                best[to] = total
                before[to] = cell
                cells[used], links[used] = to, heads[total & 255]
                heads[total & 255] = used
                used += 1
    out = np.empty(height * width, np.int32)
    length = 0
    while end >= 0:
        out[length] = end
        length += 1
        end = before[end]
    return out[:length]
