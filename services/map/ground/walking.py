"""Walking on a map: how far one gets, and the way there, for footprints of any size and by any measure.

The rules are those of `engine.ground.walking`; the kernels compute the same costs for a whole map at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from services.map.generation.grid.model import Cell
from services.map.ground.footprints import steps_of_size
from services.map.ground.kernels import spread
from services.map.ground.measured import spread_by, way_back
from services.map.ground.model import DIRECTIONS, I32, U8, Bools, MapGround
from services.rules.engine.ground.measure import PACES, Diagonal, Measure
from services.rules.engine.ground.steps import prices_of

_UNBOUNDED = 2**30
_NOWHERE = (-1, -1)

SIZES_AT_HAND = 2
"""Sizes of footprints, beside one cell, that a ground keeps the steps of."""


@dataclass(frozen=True, slots=True)
class Walk:
    """A cheapest way.

    Attributes:
        cells: The cells of the top left one, without its start.
        points: What it costs, in points of its measure.
    """

    cells: tuple[Cell, ...]
    points: int


def reach(
    ground: MapGround,
    at: Cell,
    units: int,
    taken: Iterable[Cell] = (),
    size: int = 1,
    measure: Measure = PACES,
) -> I32:
    """What it costs to walk to each cell.

    Args:
        ground: The ground.
        at: From where; the top left cell of a larger footprint.
        units: The most it may cost, in units of the measure.
        taken: Cells others stand in; they are not entered, but their corners may be cut.
        size: Cells along one side of the footprint.
        measure: How steps are counted.

    Returns:
        `[y, x]`: units, -1 where one does not get to; 0 at the start.

    Raises:
        ValueError: The footprint is not on the map whole, or the units are negative.
    """
    if units < 0:
        raise ValueError("a reach is not negative")
    points = _searched(ground, at, min(measure.points(units), _UNBOUNDED), taken, size, measure, _NOWHERE)
    least: I32 = points[0]
    if measure.diagonal is Diagonal.EQUAL and measure.units == 1:
        return least
    if len(points) > 1:
        least = np.where((least < 0) | ((points[1] >= 0) & (points[1] < least)), points[1], least)
    # A part of a unit counts as a whole one; what is not reached stays at -1.
    spent: I32 = np.where(least < 0, -1, -(-least.astype(np.int64) * measure.units // measure.square))
    return spent.astype(np.int32)


def walk(
    ground: MapGround,
    start: Cell,
    goal: Cell,
    taken: Iterable[Cell] = (),
    size: int = 1,
    measure: Measure = PACES,
) -> Walk | None:
    """A cheapest way and its cost; None when there is none.

    Args:
        ground: The ground.
        start: From where; the top left cell of a larger footprint.
        goal: Where that cell is to be.
        taken: Cells others stand in.
        size: Cells along one side of the footprint.
        measure: How steps are counted.

    Raises:
        ValueError: The footprint, or its goal, is not on the map.
    """
    ground.require(goal)
    points = _searched(ground, start, _UNBOUNDED, taken, size, measure, goal)
    x, y = goal
    ends = [int(layer[y, x]) for layer in points if layer[y, x] >= 0]
    if not ends:
        return None
    cells = way_back(_prices(measure), points, steps_of(ground, size), x, y)
    return Walk(tuple((x, y) for x, y in cells.tolist()), min(ends))


def path(
    ground: MapGround, start: Cell, goal: Cell, taken: Iterable[Cell] = (), size: int = 1
) -> tuple[Cell, ...] | None:
    """A way of the fewest paces, without its start; None when there is none.

    Raises:
        ValueError: The footprint, or its goal, is not on the map.
    """
    found = walk(ground, start, goal, taken, size)
    return None if found is None else found.cells


def cost_of(
    ground: MapGround, start: Cell, way: Iterable[Cell], size: int = 1, measure: Measure = PACES
) -> int | None:
    """Units that a way costs, step by step; None when it cannot be walked.

    Raises:
        ValueError: The footprint, or a cell of its way, is not on the map.
    """
    ground.require_block(start, size)
    steps, prices = steps_of(ground, size), _prices(measure)
    alternating = measure.diagonal is Diagonal.ALTERNATING
    (x, y), points, odd = start, 0, 0
    for to in way:
        ground.require(to)
        step = (to[0] - x, to[1] - y)
        direction = DIRECTIONS.index(step) if step in DIRECTIONS else None
        cost = 0 if direction is None else int(steps[y, x, direction])
        if cost == 0:
            return None
        slants = int(0 not in step)
        points += int(prices[cost - 1, slants, odd])
        odd ^= slants & alternating
        x, y = to
    return measure.spent(points)


def steps_of(ground: MapGround, size: int) -> U8:
    """One more than how rough each of the eight steps is for a footprint from each cell, 0 for none.

    Returns:
        `[y, x, direction]`; for one cell the paces that a step costs.
    """
    if size == 1:
        return ground.steps
    known = ground.sized.get(size)
    if known is None:
        flat = ground.rules.index.heights is None
        known = steps_of_size(size, ground.steps, ground.paces, ground.heights, flat)
        known.setflags(write=False)
        if len(ground.sized) >= SIZES_AT_HAND:
            ground.sized.clear()
        ground.sized[size] = known
    return known


def _searched(
    ground: MapGround,
    at: Cell,
    most: int,
    taken: Iterable[Cell],
    size: int,
    measure: Measure,
    goal: Cell,
) -> I32:
    """Points to each cell, `[layer, y, x]`; see `measured.spread_by`."""
    ground.require_block(at, size)
    steps, closed = steps_of(ground, size), _closed(ground, at, taken, size)
    if measure.diagonal is Diagonal.EQUAL:
        found: I32 = spread(steps, closed, *at, most, *goal)
        return found[None]
    layers = 2 if measure.diagonal is Diagonal.ALTERNATING else 1
    points: I32 = spread_by(_prices(measure), layers, steps, closed, at, most, goal)
    return points


@lru_cache(maxsize=64)
def _prices(measure: Measure) -> I32:
    return np.array(prices_of(measure), np.int32).reshape(-1, 2, 2)


def _closed(ground: MapGround, at: Cell, cells: Iterable[Cell], size: int) -> Bools:
    """Where the top left cell of a footprint may not come, lest it enter a taken cell."""
    closed = np.zeros((ground.height, ground.width), np.bool_)
    for x, y in cells:
        if ground.holds((x, y)):
            closed[max(0, y - size + 1) : y + 1, max(0, x - size + 1) : x + 1] = True
    closed[at[1], at[0]] = False
    return closed
