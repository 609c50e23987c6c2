"""The compiled lines of sight: who sees whom, where an area stops, how far a lamp shines.

They are `sees`, `in_sight` and `line_of_effect` of `engine.ground.sight`, and the light that falls along such
lines, over the arrays of a whole map.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from services.map.ground.kernels import DX, DY, edge_between, edges_round, shows
from services.map.ground.model import I32, U8, Bools
from services.rules.engine.ground.kinds import OPAQUE, Level
from services.rules.engine.ground.measure import Diagonal

_DIAGONALS = tuple(Diagonal)
_ALTERNATING = _DIAGONALS.index(Diagonal.ALTERNATING)
_ORTHOGONAL = _DIAGONALS.index(Diagonal.ORTHOGONAL)
_EUCLIDEAN = _DIAGONALS.index(Diagonal.EUCLIDEAN)
_BRIGHT = int(Level.BRIGHT)

_Line = tuple[int, int, int, int, int, int]
"""Column and row a line begins in, columns and rows it goes, how high it begins, how much it rises."""

_Sheets = tuple[Bools, I32, I32, U8, U8]
"""Which cells nobody sees through, how high what stops sight reaches, heights, the edges east and south."""

_Block = tuple[int, int, int]
"""Column and row of a footprint's top left cell, and its size."""


@njit(cache=True, nogil=True)
def sees_along(tops: I32, heights: I32, east: U8, south: U8, x: int, y: int, to_x: int, to_y: int) -> bool:
    """Whether a straight line between the middles of two cells meets nothing that stops sight."""
    eye = heights[y, x] + 1
    line = (x, y, to_x - x, to_y - y, eye, heights[to_y, to_x] + 1 - eye)
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
            over, under = edges_round(east, south, x, y, dx, dy)
            if (over & OPAQUE or _stops(tops, line, x + dx, y)) and (
                under & OPAQUE or _stops(tops, line, x, y + dy)
            ):
                return False
            x, y, error = x + dx, y + dy, error + 2 * (wide - tall)
        if not (x == to_x and y == to_y) and _stops(tops, line, x, y):
            return False
    return True


@njit(cache=True, nogil=True)
def sees_any(tops: I32, heights: I32, east: U8, south: U8, one: _Block, other: _Block) -> bool:
    """Whether a line from any cell of a footprint to any of another passes: `engine.ground.sight.in_sight`.

    Args:
        tops: How high what stops sight reaches in each cell, nowhere in the footprints' own.
        heights: How high each cell lies; in the footprints' own, one less than their eyes.
        east: Flags of the edges on the right.
        south: Flags of the edges below.
        one: The first footprint: column and row of its top left cell, and its size.
        other: The second.
    """
    for number in range(one[2] * one[2] * other[2] * other[2]):
        start, end = number // (other[2] * other[2]), number % (other[2] * other[2])
        x, y = one[0] + start % one[2], one[1] + start // one[2]
        to_x, to_y = other[0] + end % other[2], other[1] + end // other[2]
        if sees_along(tops, heights, east, south, x, y, to_x, to_y):
            return True
    return False


@njit(cache=True, nogil=True)
def _stops(tops: I32, line: _Line, x: int, y: int) -> bool:
    """Whether what is in a cell is higher than a line is there."""
    across, down = line[2], line[3]
    long = across * across + down * down
    gone = (x - line[0]) * across + (y - line[1]) * down
    return bool(np.int64(tops[y, x]) * long > line[4] * long + line[5] * gone)


@njit(cache=True, nogil=True)
def reached_by_sight(
    area: Bools, origins: NDArray[np.int64], opaque: Bools, tops: I32, heights: I32, east: U8, south: U8
) -> Bools:
    """The cells of an area that are seen through, and seen from one of some cells, rows of (x, y)."""
    height, width = area.shape
    left = np.zeros((height, width), np.bool_)
    for y in range(height):
        for x in range(width):
            if area[y, x] and not opaque[y, x]:
                for index in range(len(origins)):
                    if sees_along(tops, heights, east, south, origins[index, 0], origins[index, 1], x, y):
                        left[y, x] = True
                        break
    return left


@njit(cache=True, nogil=True)
def shine(levels: U8, lamp: tuple[int, int], radii: tuple[int, int], diagonal: int, sheets: _Sheets) -> None:
    """Raises the levels of light to what a lamp makes of them: `engine.ground.light`.

    Args:
        levels: How bright each cell is; changed.
        lamp: Column and row of the lamp.
        radii: Cells of bright light around it, and of dim light.
        diagonal: What a slanting step counts, by its place in `Diagonal`.
        sheets: What the ground is for sight.
    """
    height, width = levels.shape
    far = max(radii[0], radii[1])
    left, top = max(0, lamp[0] - far), max(0, lamp[1] - far)
    right, bottom = min(width, lamp[0] + far + 1), min(height, lamp[1] + far + 1)
    near = _in_reach(sheets[0], sheets[3], sheets[4], lamp, (left, top, right, bottom))
    for row in range(bottom - top):
        for column in range(right - left):
            x, y = left + column, top + row
            shone = _shone(diagonal, radii, abs(x - lamp[0]), abs(y - lamp[1]))
            if shone <= levels[y, x]:
                continue
            if (
                near[row, column]
                and sees_along(sheets[1], sheets[2], sheets[3], sheets[4], lamp[0], lamp[1], x, y)
            ) or (sheets[0][y, x] and _faces(near, (left, top), lamp, radii, diagonal, sheets, x, y)):
                levels[y, x] = shone


@njit(cache=True, nogil=True)
def _shone(diagonal: int, radii: tuple[int, int], wide: int, tall: int) -> int:
    """How bright a lamp makes a cell so many columns and rows away, if nothing stops its light."""
    far, less = max(wide, tall), min(wide, tall)
    if diagonal == _EUCLIDEAN:
        # Rounded up, a root is at most a whole number where what it is of is at most its square.
        square = far * far + less * less
        return _BRIGHT if radii[0] > 0 and square <= radii[0] ** 2 else int(square <= radii[1] ** 2)
    if diagonal == _ALTERNATING:
        far += less // 2
    elif diagonal == _ORTHOGONAL:
        far += less
    return _BRIGHT if radii[0] > 0 and far <= radii[0] else int(far <= radii[1])


@njit(cache=True, nogil=True)
def _in_reach(
    opaque: Bools, east: U8, south: U8, eye: tuple[int, int], window: tuple[int, int, int, int]
) -> Bools:
    """The cells of a window that a line of sight may lead to: over sides, ever further from the eye."""
    left, top, right, bottom = window
    found = np.zeros((bottom - top, right - left), np.bool_)
    found[eye[1] - top, eye[0] - left] = True
    for quarter in range(4):
        dx, dy = 1 - 2 * (quarter & 1), 1 - (quarter & 2)
        last, y = eye[0], eye[1]
        while top <= y < bottom:
            reached, x = -1, eye[0]
            while left <= x < right:
                if not found[y - top, x - left]:
                    found[y - top, x - left] = (
                        x != eye[0]
                        and found[y - top, x - dx - left]
                        and (not opaque[y, x - dx] or (x - dx == eye[0] and y == eye[1]))
                        and not edge_between(east, south, x, y, -dx, 0) & OPAQUE
                    ) or (
                        y != eye[1]
                        and found[y - dy - top, x - left]
                        and (not opaque[y - dy, x] or (x == eye[0] and y - dy == eye[1]))
                        and not edge_between(east, south, x, y, 0, -dy) & OPAQUE
                    )
                if found[y - top, x - left]:
                    reached = x
                elif (x - last) * dx > 0:
                    break
                x += dx
            if reached < 0:
                break
            last, y = reached, y + dy
    return found


@njit(cache=True, nogil=True)
def _faces(
    near: Bools,
    corner: tuple[int, int],
    lamp: tuple[int, int],
    radii: tuple[int, int],
    diagonal: int,
    sheets: _Sheets,
    x: int,
    y: int,
) -> bool:
    """Whether an opaque cell shows a face to a cell that sees a lamp, in the lamp's light.

    `near` holds the cells of a window, from a corner on, that may see it.
    """
    opaque, tops, heights, east, south = sheets
    rows, columns = near.shape
    for direction in range(8):
        to_x, to_y = x + DX[direction], y + DY[direction]
        row, column = to_y - corner[1], to_x - corner[0]
        if not (0 <= row < rows and 0 <= column < columns and near[row, column]) or opaque[to_y, to_x]:
            continue
        if (
            shows(east, south, x, y, DX[direction], DY[direction])
            and _shone(diagonal, radii, abs(to_x - lamp[0]), abs(to_y - lamp[1]))
            and sees_along(tops, heights, east, south, lamp[0], lamp[1], to_x, to_y)
        ):
            return True
    return False


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
