"""Walking on a map: how far one gets, and the way there.

Costs are in paces of the grid, one a cell, by the same rules as `services.rules.engine.ground`: the kernels
give the same costs for a whole map at once.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from services.map.generation.grid.model import Cell
from services.map.ground.kernels import spread, way_back
from services.map.ground.model import DIRECTIONS, I32, Bools, MapGround

_UNBOUNDED = 2**30


def reach(ground: MapGround, at: Cell, paces: int, taken: Iterable[Cell] = ()) -> I32:
    """What it costs to walk to each cell.

    Args:
        ground: The ground.
        at: From where.
        paces: The most it may cost.
        taken: Cells somebody stands in; they are not entered, but their corners may be cut.

    Returns:
        `[y, x]`: paces, -1 where one does not get to; 0 at the start.

    Raises:
        ValueError: A cell is not on the map, or the paces are negative.
    """
    if paces < 0:
        raise ValueError("paces are not negative")
    ground.require(at)
    costs: I32 = spread(ground.steps, _taken(ground, taken), at[0], at[1], min(paces, _UNBOUNDED), -1, -1)
    return costs


def path(ground: MapGround, start: Cell, goal: Cell, taken: Iterable[Cell] = ()) -> tuple[Cell, ...] | None:
    """A way of the fewest paces, without its start; None when there is none.

    Raises:
        ValueError: A cell is not on the map.
    """
    ground.require(start, goal)
    costs = spread(ground.steps, _taken(ground, taken), start[0], start[1], _UNBOUNDED, goal[0], goal[1])
    if costs[goal[1], goal[0]] < 0:
        return None
    return tuple((x, y) for x, y in way_back(ground.steps, costs, goal[0], goal[1]).tolist())


def cost_of(ground: MapGround, start: Cell, way: Iterable[Cell]) -> int | None:
    """Paces that a way costs, step by step; None when it cannot be walked.

    Raises:
        ValueError: A cell is not on the map.
    """
    ground.require(start)
    (x, y), paces = start, 0
    for to in way:
        ground.require(to)
        step = (to[0] - x, to[1] - y)
        cost = int(ground.steps[y, x, DIRECTIONS.index(step)]) if step in DIRECTIONS else 0
        if cost == 0:
            return None
        (x, y), paces = to, paces + cost
    return paces


def _taken(ground: MapGround, cells: Iterable[Cell]) -> Bools:
    taken = np.zeros((ground.height, ground.width), np.bool_)
    for x, y in cells:
        if ground.holds((x, y)):
            taken[y, x] = True
    return taken
