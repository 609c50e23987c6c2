"""The compiled search for ways by any measure: points of `Measure.step`, slanting steps counted by turns.

By equal diagonals points are squares, and `kernels.spread` does the same several times as fast.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from services.map.ground.kernels import DX, DY, STRAIGHT
from services.map.ground.model import I32, U8, Bools


@njit(cache=True, nogil=True)
def spread_by(
    prices: I32,
    layers: int,
    steps: U8,
    taken: Bools,
    start: tuple[int, int],
    most: int,
    goal: tuple[int, int],
) -> I32:
    """Uniform-cost search from a cell, by buckets of points that are lists of cells both ways.

    Args:
        prices: Points of a step `[degree of roughness, whether it slants, whether after an odd number]`.
        layers: 2 where a step costs otherwise after an odd number of slanting steps, else 1.
        steps: One more than how rough each of the eight steps is from each cell, 0 where there is none.
        taken: Cells that are not entered; their corners may be cut.
        start: Column and row of the start.
        most: Points to spend at most.
        goal: Column and row to stop at, -1 for none.

    Returns:
        `[layer, y, x]`: the points to each cell, -1 where it is not reached; in the second layer after an odd
        number of slanting steps. With a goal, only cells nearer than it, and itself, are sure to have theirs.
    """
    height, width = taken.shape
    size, buckets = height * width, int(prices.max()) + 1
    points = np.full((layers, height, width), -1, np.int32)
    known = points.reshape(-1)
    first = np.full(buckets, -1, np.int32)
    lists = np.empty((2, layers * size), np.int32)
    after, before = lists[0], lists[1]
    begin = start[1] * width + start[0]
    known[begin], first[0], after[begin], before[begin] = 0, begin, -1, -1
    waiting, spent = 1, 0
    while waiting:
        bucket = spent % buckets
        while first[bucket] >= 0:
            node = first[bucket]
            _take(node, bucket, first, after, before)
            waiting -= 1
            layer, cell = node // size, node % size
            y, x = cell // width, cell % width
            if x == goal[0] and y == goal[1]:
                return points
            for direction in range(8):
                step = steps[y, x, direction]
                if step == 0 or taken[y + DY[direction], x + DX[direction]]:
                    continue
                slants = int(direction >= STRAIGHT)
                reached = spent + prices[step - 1, slants, layer]
                turned = (layer + slants) % layers
                to = turned * size + (y + DY[direction]) * width + x + DX[direction]
                if reached > most or 0 <= known[to] <= reached:
                    continue
                if known[to] >= 0:
                    _take(to, known[to] % buckets, first, after, before)
                    waiting -= 1
                known[to] = reached
                _put(to, reached % buckets, first, after, before)
                waiting += 1
        spent += 1
    return points


@njit(cache=True, nogil=True)
def _take(node: int, bucket: int, first: I32, after: I32, before: I32) -> None:
    """Takes a node out of the list of its bucket."""
    if before[node] >= 0:
        after[before[node]] = after[node]
    else:
        first[bucket] = after[node]
    if after[node] >= 0:
        before[after[node]] = before[node]


@njit(cache=True, nogil=True)
def _put(node: int, bucket: int, first: I32, after: I32, before: I32) -> None:
    """Puts a node at the head of the list of a bucket."""
    after[node], before[node] = first[bucket], -1
    if first[bucket] >= 0:
        before[first[bucket]] = node
    first[bucket] = node


@njit(cache=True, nogil=True)
def way_back(prices: I32, points: I32, steps: U8, x: int, y: int) -> NDArray[np.int64]:
    """A cheapest way to a cell that a search reached, from its first step on: rows of (x, y).

    Args:
        prices: As `spread_by` has them.
        points: What was reached, from there; of one layer from `kernels.spread`.
        steps: As there.
        x: Column of the cell.
        y: Row of the cell.
    """
    layers, height, width = points.shape
    layer = 0
    if layers > 1 and (points[0, y, x] < 0 or 0 <= points[1, y, x] < points[0, y, x]):
        layer = 1
    way = np.empty((points[layer, y, x], 2), np.int64)
    used = 0
    while points[layer, y, x] > 0:
        way[used, 0], way[used, 1] = x, y
        used += 1
        for direction in range(8):
            from_x, from_y = x - DX[direction], y - DY[direction]
            if not (0 <= from_x < width and 0 <= from_y < height):
                continue
            slants = int(direction >= STRAIGHT)
            turned = (layer + slants) % layers
            step, spent = steps[from_y, from_x, direction], points[turned, from_y, from_x]
            if step and spent >= 0 and spent + prices[step - 1, slants, turned] == points[layer, y, x]:
                x, y, layer = from_x, from_y, turned
                break
    return way[:used][::-1]
