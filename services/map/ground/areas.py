"""The shapes of `services.rules.engine.ground.areas` over a whole map at once, and where they stop.

An area of 120 paces has 45,000 cells: too many to look at one after the other while others wait.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from services.map.generation.grid.model import Cell
from services.map.ground.lines import reached_by_sight
from services.map.ground.model import Bools, MapGround

_Ints = NDArray[np.int64]


def circle(ground: MapGround, centre: Cell, radius: int, *, corner: bool = False) -> Bools:
    """A disc about a cell, or about the top left corner of one: `engine.ground.areas.circle`.

    Returns:
        `[y, x]`.
    """
    less = int(corner)
    across, down = _from(ground, (0, 0))
    off = (2 * (across - centre[0]) + less) ** 2 + (2 * (down - centre[1]) + less) ** 2
    inside: Bools = off <= (2 * radius + 1 - less) ** 2
    return inside


def arc(ground: MapGround, origin: Cell, facing: Cell, degrees: int, radius: int) -> Bools:
    """A quarter or a half of a disc about a cell, without that cell: `engine.ground.areas.arc`.

    Args:
        ground: The ground.
        origin: Where it spreads from.
        facing: Columns and rows that its middle points along, as `engine.ground.squares.Direction` has them.
        degrees: 90 or 180.
        radius: In paces.
    """
    if degrees not in (90, 180):
        raise ValueError(f"an arc has 90 or 180 degrees, not {degrees}")
    ahead, aside, off = _along(ground, origin, facing)
    slope = int(degrees == 90)
    inside: Bools = (slope * aside <= ahead) & (off > 0) & (off <= (2 * radius + 1) ** 2)
    return inside


def cone(ground: MapGround, origin: Cell, toward: Cell, length: int) -> Bools:
    """A cone from a cell, as wide everywhere as it is far from there: `engine.ground.areas.cone`."""
    ahead, aside, off = _along(ground, origin, _axis(origin, toward))
    inside: Bools = (2 * aside <= ahead) & (off > 0) & (off <= (2 * length + 1) ** 2)
    return inside


def band(ground: MapGround, origin: Cell, toward: Cell, length: int, width: int) -> Bools:
    """A straight band from a cell: `engine.ground.areas.line`.

    Raises:
        ValueError: The width is not odd.
    """
    if width < 1 or width % 2 == 0:
        raise ValueError(f"the width of a line is odd, not {width}")
    across, down = axis = _axis(origin, toward)
    far, square = max(abs(across), abs(down)), across * across + down * down
    ahead, aside, _ = _along(ground, origin, axis)
    inside: Bools = (
        (ahead > 0)
        & (2 * far * ahead <= (2 * length + 1) * square)
        & (4 * aside * aside <= width * width * square)
    )
    return inside


def stopped(ground: MapGround, area: Bools, origin: Cell, *, corner: bool = False) -> Bools:
    """What is left of an area where it stops at walls: `engine.ground.sight.line_of_effect`.

    Args:
        ground: The ground.
        area: The area, `[y, x]`.
        origin: The cell it comes from.
        corner: Whether it comes from the top left corner of that cell instead: then from each cell around the
            corner that can be seen through.
    """
    x, y = origin
    around = [(x - right, y - down) for down in (1, 0) for right in (1, 0)] if corner else [origin]
    eyes = [
        cell for cell in around if not corner or (ground.holds(cell) and not ground.opaque[cell[1], cell[0]])
    ]
    origins = np.array(eyes, np.int64).reshape(-1, 2)
    left: Bools = reached_by_sight(
        area, origins, ground.opaque, ground.tops, ground.heights, ground.east, ground.south
    )
    return left


def rectangle(ground: MapGround, one: Cell, other: Cell) -> Bools:
    """The cells between two opposite ones, both included: `engine.ground.areas.rectangle`."""
    across, down = _from(ground, (0, 0))
    (left, right), (top, bottom) = sorted((one[0], other[0])), sorted((one[1], other[1]))
    inside: Bools = (left <= across) & (across <= right) & (top <= down) & (down <= bottom)
    return inside


def _from(ground: MapGround, origin: Cell) -> tuple[_Ints, _Ints]:
    """Columns to the right of a cell, and rows below it, for every cell: to be spread over each other."""
    return np.arange(ground.width)[None, :] - origin[0], np.arange(ground.height)[:, None] - origin[1]


def _along(ground: MapGround, origin: Cell, axis: Cell) -> tuple[_Ints, _Ints, _Ints]:
    """How far each cell's middle lies ahead along an axis and aside of it, both times the axis' length, and
    the square of twice its distance."""
    x, y = _from(ground, origin)
    across, down = axis
    return x * across + y * down, abs(x * down - y * across), 4 * (x * x + y * y)


def _axis(origin: Cell, toward: Cell) -> Cell:
    if origin == toward:
        raise ValueError("a direction needs two squares")
    return toward[0] - origin[0], toward[1] - origin[1]
