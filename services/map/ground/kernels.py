"""The compiled loops of one cell: step costs, uniform-cost search by equal diagonals, sight past thin walls.

Every array is row by row, `[y, x]`; the flags of edges are those of
`engine.ground.kinds`, the order of the eight steps is that of `model`.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from services.map.ground.model import DIRECTIONS, I32, U8, Bools
from services.rules.engine.ground.kinds import IMPASSABLE, OPAQUE
from services.rules.engine.ground.model import LEDGE

DX = np.array([dx for dx, _ in DIRECTIONS], np.int64)
DY = np.array([dy for _, dy in DIRECTIONS], np.int64)
"""Columns right, and rows down, of each of the eight steps."""

STRAIGHT = 4
"""The first of them are straight."""

_BUCKETS = 4  # One more than the most a step costs: difficult ground over a low wall, 3.


@njit(cache=True, nogil=True)
def edge_between(east: U8, south: U8, x: int, y: int, dx: int, dy: int) -> int:
    """The flags of the edge that a straight step crosses."""
    if dx > 0:
        return int(east[y, x])
    if dx < 0:
        return int(east[y, x - 1])
    return int(south[y, x]) if dy > 0 else int(south[y - 1, x])


@njit(cache=True, nogil=True)
def edges_round(east: U8, south: U8, x: int, y: int, dx: int, dy: int) -> tuple[int, int]:
    """The flags that a slanting step crosses either way round: across first, and down first."""
    over = edge_between(east, south, x, y, dx, 0) | edge_between(east, south, x + dx, y, 0, dy)
    under = edge_between(east, south, x, y, 0, dy) | edge_between(east, south, x, y + dy, dx, 0)
    return over, under


@njit(cache=True, nogil=True)
def shows(east: U8, south: U8, x: int, y: int, dx: int, dy: int) -> bool:
    """Whether a cell shows a face to one beside it: `engine.ground.sight.faces`."""
    if dx and dy:
        over, under = edges_round(east, south, x, y, dx, dy)
        return not over & under & OPAQUE
    return not edge_between(east, south, x, y, dx, dy) & OPAQUE


@njit(cache=True, nogil=True)
def step_costs(paces: U8, east: U8, south: U8, heights: I32) -> U8:
    """What each of the eight steps costs from each cell: `engine.ground.steps` for the whole map at once.

    Args:
        paces: What entering each cell costs, 0 for never.
        east: Flags of the edges on the right.
        south: Flags of the edges below.
        heights: In cells.

    Returns:
        `[y, x, direction]`, 0 where the step cannot be walked.
    """
    height, width = paces.shape
    steps = np.zeros((height, width, 8), np.uint8)
    for direction in range(8):
        dx, dy = DX[direction], DY[direction]
        aside, along = 1 if dx > 0 else 3, 2 if dy > 0 else 0
        for y in range(max(0, -dy), height - max(0, dy)):
            for x in range(max(0, -dx), width - max(0, dx)):
                cost = paces[y + dy, x + dx]
                if cost == 0 or abs(np.int64(heights[y + dy, x + dx]) - np.int64(heights[y, x])) >= LEDGE:
                    continue
                if direction < STRAIGHT:
                    edge = edge_between(east, south, x, y, dx, dy)
                    if not edge & IMPASSABLE:
                        steps[y, x, direction] = cost + (edge >> 2 & 1)
                    continue
                one, then = steps[y, x, aside], steps[y, x + dx, along]
                other, last = steps[y, x, along], steps[y + dy, x, aside]
                if one and then and other and last:
                    # A straight step costs more than the cell it enters only over a difficult edge.
                    slow = one > paces[y, x + dx] or then > cost or other > paces[y + dy, x] or last > cost
                    steps[y, x, direction] = cost + slow
    return steps


@njit(cache=True, nogil=True)
def spread(steps: U8, taken: Bools, x: int, y: int, most: int, goal_x: int, goal_y: int) -> I32:
    """Uniform-cost search (Dial's buckets) from a cell.

    Args:
        steps: From `step_costs`.
        taken: Cells that are not entered; their corners may be cut.
        x: Column of the start.
        y: Row of the start.
        most: Paces to go at most.
        goal_x: Column to stop at, -1 for none.
        goal_y: Row to stop at.

    Returns:
        The paces to each cell, -1 where it is not reached. With a goal, only cells nearer than it, and
        itself, are sure to have their least.
    """
    height, width = taken.shape
    costs = np.full((height, width), -1, np.int32)
    box = min(most, max(width, height))
    # A cell's cost drops at most twice after it was first found, so this many entries are enough.
    room = 3 * min(width, 2 * box + 1) * min(height, 2 * box + 1) + 1
    cells = np.empty(room, np.int32)
    after = np.empty(room, np.int32)
    first = np.full(_BUCKETS, -1, np.int32)
    costs[y, x] = 0
    cells[0], after[0], first[0] = y * width + x, -1, 0
    used, waiting, cost = 1, 1, 0
    while waiting:
        bucket = cost % _BUCKETS
        while first[bucket] >= 0:
            entry = first[bucket]
            first[bucket] = after[entry]
            waiting -= 1
            here_y, here_x = cells[entry] // width, cells[entry] % width
            if costs[here_y, here_x] != cost:
                continue
            if here_x == goal_x and here_y == goal_y:
                return costs
            for direction in range(8):
                step = steps[here_y, here_x, direction]
                if step == 0:
                    continue
                to_x, to_y = here_x + DX[direction], here_y + DY[direction]
                reached = cost + step
                known = costs[to_y, to_x]
                if reached <= most and not taken[to_y, to_x] and (known < 0 or reached < known):
                    costs[to_y, to_x] = reached
                    cells[used], after[used] = to_y * width + to_x, first[reached % _BUCKETS]
                    first[reached % _BUCKETS] = used
                    used += 1
                    waiting += 1
        cost += 1
    return costs


@njit(cache=True, nogil=True)
def looks_round(opaque: Bools, east: U8, south: U8, x: int, y: int, dx: int, dy: int, across: bool) -> bool:
    """Whether one can look to a slanting neighbour round one side: through (x + dx, y) if across."""
    if across:
        middle_x, middle_y = x + dx, y
        edges = edge_between(east, south, x, y, dx, 0) | edge_between(east, south, middle_x, y, 0, dy)
    else:
        middle_x, middle_y = x, y + dy
        edges = edge_between(east, south, x, y, 0, dy) | edge_between(east, south, x, middle_y, dx, 0)
    return not opaque[middle_y, middle_x] and not edges & OPAQUE


@njit(cache=True, nogil=True)
def _looks(opaque: Bools, east: U8, south: U8, x: int, y: int, to_x: int, to_y: int) -> bool:
    """Whether the line between the middles of two cells passes: `squares.line` of the rules, step by step.

    It must cross no opaque edge, and corners only where one side is open. Where it clips the corner of an
    opaque cell, it passes if one can look round that corner.
    """
    wide, tall = abs(to_x - x), abs(to_y - y)
    dx, dy = 1 if to_x > x else -1, 1 if to_y > y else -1
    error = wide - tall
    while x != to_x or y != to_y:
        if error == 0:
            if not (
                looks_round(opaque, east, south, x, y, dx, dy, True)
                or looks_round(opaque, east, south, x, y, dx, dy, False)
            ):
                return False
            x, y, error = x + dx, y + dy, error + 2 * (wide - tall)
        else:
            across = error > 0
            next_x, next_y = (x + dx, y) if across else (x, y + dy)
            after = error - 2 * tall if across else error + 2 * wide
            if not opaque[next_y, next_x]:
                edge = (
                    edge_between(east, south, x, y, dx, 0)
                    if across
                    else edge_between(east, south, x, y, 0, dy)
                )
                if edge & OPAQUE:
                    return False
                x, y, error = next_x, next_y, after
            else:
                # Out of the opaque cell at once, over its other side: that was but its corner.
                clipped = after < 0 if across else after > 0
                if not clipped or not looks_round(opaque, east, south, x, y, dx, dy, not across):
                    return False
                x, y = x + dx, y + dy
                error = after + 2 * wide if across else after - 2 * tall
        if opaque[y, x]:
            return False
    return True


@njit(cache=True, nogil=True)
def narrow(
    seen: Bools,
    left: int,
    top: int,
    opaque: Bools,
    east: U8,
    south: U8,
    x: int,
    y: int,
    thin: bool,
) -> None:
    """Takes out of a field of view what thin walls hide, and opaque cells that show no face.

    Args:
        seen: The field of view by opaque cells alone, a window of the map; changed.
        left: Column of the window's first.
        top: Row of the window's first.
        opaque: Cells of the whole map nobody sees through.
        east: Flags of the edges on the right.
        south: Flags of the edges below.
        x: Column one looks from.
        y: Row one looks from.
        thin: Whether there are thin walls, or walls that meet at a corner alone; else all clear cells stay.
    """
    rows, columns = seen.shape
    for row in range(rows if thin else 0):
        for column in range(columns):
            to_x, to_y = column + left, row + top
            if seen[row, column] and not opaque[to_y, to_x] and not (to_x == x and to_y == y):
                seen[row, column] = _looks(opaque, east, south, x, y, to_x, to_y)
    for row in range(rows):
        for column in range(columns):
            to_x, to_y = column + left, row + top
            if seen[row, column] and opaque[to_y, to_x] and not (to_x == x and to_y == y):
                seen[row, column] = _shown(seen, left, top, opaque, east, south, x, y, to_x, to_y)


@njit(cache=True, nogil=True)
def _shown(
    seen: Bools,
    left: int,
    top: int,
    opaque: Bools,
    east: U8,
    south: U8,
    x: int,
    y: int,
    to_x: int,
    to_y: int,
) -> bool:
    """Whether an opaque cell shows a face: to a cell near it that is seen and seen through, or to the eye."""
    rows, columns = seen.shape
    for direction in range(8):
        dx, dy = DX[direction], DY[direction]
        near_x, near_y = to_x + dx, to_y + dy
        row, column = near_y - top, near_x - left
        if not (0 <= row < rows and 0 <= column < columns) or not seen[row, column]:
            continue
        if opaque[near_y, near_x] and not (near_x == x and near_y == y):
            continue
        if shows(east, south, to_x, to_y, dx, dy):
            return True
    return False
