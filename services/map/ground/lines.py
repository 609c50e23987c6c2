"""The compiled lines of sight: whether two cells see each other, what covers one, where an area stops.

They are `sees`, `cover_between` and `areas.line_of_effect` of the rules, walked over the arrays of a whole
map: a ground of the rules' own takes a second to make of a large map.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from services.map.ground.kernels import edge_between, looks_round
from services.map.ground.model import COVER, OPAQUE, U8, Bools

NONE, PARTIAL, TOTAL = 0, 1, 2
"""What protects a target: the values that `cover_along` returns."""


@njit(cache=True, nogil=True)
def sees_along(opaque: Bools, east: U8, south: U8, x: int, y: int, to_x: int, to_y: int) -> bool:
    """Whether a straight line between the middles of two cells meets nothing that stops sight."""
    wide, tall = abs(to_x - x), abs(to_y - y)
    dx, dy = 1 if to_x > x else -1, 1 if to_y > y else -1
    error = wide - tall
    while x != to_x or y != to_y:
        if error > 0:
            if edge_between(east, south, x, y, dx, 0) & OPAQUE:
                return False
            x, error = x + dx, error - 2 * tall
        elif error < 0:
            if edge_between(east, south, x, y, 0, dy) & OPAQUE:
                return False
            y, error = y + dy, error + 2 * wide
        else:
            if not (
                looks_round(opaque, east, south, x, y, dx, dy, True)
                or looks_round(opaque, east, south, x, y, dx, dy, False)
            ):
                return False
            x, y, error = x + dx, y + dy, error + 2 * (wide - tall)
        if opaque[y, x] and not (x == to_x and y == to_y):
            return False
    return True


@njit(cache=True, nogil=True)
def cover_along(
    opaque: Bools, cover: Bools, east: U8, south: U8, x: int, y: int, to_x: int, to_y: int
) -> int:
    """What protects the second cell from the first: `NONE`, `PARTIAL` or `TOTAL`."""
    if not sees_along(opaque, east, south, x, y, to_x, to_y):
        return TOTAL
    wide, tall = abs(to_x - x), abs(to_y - y)
    dx, dy = 1 if to_x > x else -1, 1 if to_y > y else -1
    error = wide - tall
    while x != to_x or y != to_y:
        if error > 0:
            edges = edge_between(east, south, x, y, dx, 0)
            x, error = x + dx, error - 2 * tall
        elif error < 0:
            edges = edge_between(east, south, x, y, 0, dy)
            y, error = y + dy, error + 2 * wide
        else:
            if not (
                looks_round(opaque, east, south, x, y, dx, dy, True)
                and looks_round(opaque, east, south, x, y, dx, dy, False)
            ):
                return PARTIAL
            edges = edge_between(east, south, x, y, dx, 0) | edge_between(east, south, x + dx, y, 0, dy)
            edges |= edge_between(east, south, x, y, 0, dy) | edge_between(east, south, x, y + dy, dx, 0)
            x, y, error = x + dx, y + dy, error + 2 * (wide - tall)
        if edges & COVER or cover[y, x]:
            return PARTIAL
    return NONE


@njit(cache=True, nogil=True)
def reached_by_sight(area: Bools, origins: NDArray[np.int64], opaque: Bools, east: U8, south: U8) -> Bools:
    """The cells of an area that are seen through, and seen from one of some cells, rows of (x, y)."""
    height, width = area.shape
    left = np.zeros((height, width), np.bool_)
    for y in range(height):
        for x in range(width):
            if area[y, x] and not opaque[y, x]:
                for index in range(len(origins)):
                    if sees_along(opaque, east, south, origins[index, 0], origins[index, 1], x, y):
                        left[y, x] = True
                        break
    return left


@njit(cache=True, nogil=True)
def mean_steps(
    opaque: Bools, east: U8, south: U8, x: int, y: int, window: tuple[int, int, int, int]
) -> float:
    """How far lines of sight get, in steps, on the way to cells spread over a window; a sample.

    Args:
        opaque: Cells nobody sees through.
        east: Flags of the edges on the right.
        south: Flags of the edges below.
        x: Column one looks from.
        y: Row one looks from.
        window: Its first column and row, and those after the last.
    """
    left, top, right, bottom = window
    across, down = max(1, (right - left) // 10), max(1, (bottom - top) // 10)
    walked, lines = 0, 0
    for to_y in range(top + down // 2, bottom, down):
        for to_x in range(left + across // 2, right, across):
            walked += _steps(opaque, east, south, x, y, to_x, to_y)
            lines += 1
    return walked / max(1, lines)


@njit(cache=True, nogil=True)
def _steps(opaque: Bools, east: U8, south: U8, x: int, y: int, to_x: int, to_y: int) -> int:
    wide, tall = abs(to_x - x), abs(to_y - y)
    dx, dy = 1 if to_x > x else -1, 1 if to_y > y else -1
    error, steps = wide - tall, 0
    while x != to_x or y != to_y:
        steps += 1
        across = error > 0
        if (
            edge_between(east, south, x, y, dx, 0) if across else edge_between(east, south, x, y, 0, dy)
        ) & OPAQUE:
            return steps
        if across:
            x, error = x + dx, error - 2 * tall
        else:
            y, error = y + dy, error + 2 * wide
        if opaque[y, x]:
            return steps
    return steps
