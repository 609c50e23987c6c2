"""The outlines of cells: closed loops around an area, maximal straight runs along walls, and their path data.

Read in this order: `trace` (cells to loops of corners), `wall_runs` (the lines that solid cells end at), then
`crisp` and `smooth`, which turn loops into control points, and `closed_path` and `curved_path`, their path
data.

A loop keeps the area on its right: outer loops run clockwise on the screen, holes the other way. Areas that
meet at a corner alone are kept apart there, as the rules of the grid keep them apart for walkers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from services.map.generation.grid.cells import Mask
from services.map.generation.grid.model import GridMap
from services.map.generation.grid.terrain import Terrain
from services.map.render.grid.noise import shares, swings

Whole = NDArray[np.int64]
Real = NDArray[np.float64]
Run = tuple[tuple[int, int], tuple[int, int]]

UNIT = 100
"""Units of a drawing along one cell: whole units are fine enough for any picture, and short to write."""

_LONGEST_STEP = 3
"""Cells of the longest run that is the step of a slope and not the straight of a wall."""

_DX = np.array([1, 0, -1, 0])
_DY = np.array([0, 1, 0, -1])


@dataclass(frozen=True, slots=True)
class Outline:
    """Closed loops of straight runs.

    Attributes:
        x: Column line of each corner, loop after loop.
        y: Row line of each corner.
        heading: Way of the run that leaves the corner: 0 east, 1 south, 2 west, 3 north.
        length: Cells along that run.
        bounds: Where each loop starts in the arrays, and their length at the end.
    """

    x: Whole
    y: Whole
    heading: Whole
    length: Whole
    bounds: Whole


@dataclass(frozen=True, slots=True)
class Loops:
    """Closed loops of points in drawing units.

    Attributes:
        x: Of each point, loop after loop.
        y: Of each point.
        bounds: Where each loop starts in the arrays, and their length at the end.
    """

    x: Real
    y: Real
    bounds: Whole

    def scaled(self, factor: float) -> Loops:
        """The loops in other units."""
        return Loops(self.x * factor, self.y * factor, self.bounds)


def cell_codes(model: GridMap) -> NDArray[np.uint8]:
    """The cells as an array of terrain codes, rows first."""
    return np.frombuffer(model.cells, np.uint8).reshape(model.height, model.width)


def solid_cells(model: GridMap) -> Mask:
    """Where rock and thick walls are."""
    codes: NDArray[np.uint8] = cell_codes(model)
    solid: Mask = codes <= int(Terrain.WALL)
    return solid


def wall_runs(model: GridMap) -> list[Run]:
    """The straight lines at which solid cells (rock and wall) end, in cells.

    Runs are maximal: no two of them continue each other. The edge of the map is no wall by itself.

    Returns:
        Level runs, west end first, row by row; then upright ones, north end first, column by column.
    """
    solid = solid_cells(model)
    level = solid[1:] != solid[:-1]
    upright = (solid[:, 1:] != solid[:, :-1]).T
    runs: list[Run] = [((s, y + 1), (e, y + 1)) for y, s, e in zip(*cell_runs(level), strict=True)]
    runs += [((x + 1, s), (x + 1, e)) for x, s, e in zip(*cell_runs(upright), strict=True)]
    return runs


def cell_runs(mask: Mask) -> tuple[list[int], list[int], list[int]]:
    """Maximal runs of set cells along the rows.

    Returns:
        The row of each run, its first column, and the column after its last.
    """
    padded = np.zeros((mask.shape[0], mask.shape[1] + 2), np.int8)
    padded[:, 1:-1] = mask
    change = np.diff(padded, axis=1)
    rows, first = np.nonzero(change == 1)
    last = np.nonzero(change == -1)[1]
    return rows.tolist(), first.tolist(), last.tolist()


def trace(mask: Mask, margin: int = 0) -> Outline:
    """The loops around an area of cells.

    Args:
        mask: The area, rows first.
        margin: Cells by which the area is continued beyond the edges, so that its loops close out of sight.
    """
    if margin:
        mask = np.pad(mask, margin, mode="edge")
    around = np.zeros((mask.shape[0] + 2, mask.shape[1] + 2), bool)
    around[1:-1, 1:-1] = mask
    nw, ne, sw, se = around[:-1, :-1], around[:-1, 1:], around[1:, :-1], around[1:, 1:]
    leaves = (se & ~ne, sw & ~se, nw & ~sw, ne & ~nw)
    arrives = (sw & ~nw, nw & ~ne, ne & ~se, se & ~sw)
    starts_x, starts_y, ends_x, ends_y, headings = [], [], [], [], []
    for heading in range(4):
        begins = leaves[heading] & ~arrives[heading]
        ends = arrives[heading] & ~leaves[heading]
        # Runs on one line never overlap, so the nth beginning on it belongs to the nth end.
        if heading % 2:
            (x0, y0), (x1, y1) = np.nonzero(begins.T), np.nonzero(ends.T)
        else:
            (y0, x0), (y1, x1) = np.nonzero(begins), np.nonzero(ends)
        starts_x.append(x0)
        starts_y.append(y0)
        ends_x.append(x1)
        ends_y.append(y1)
        headings.append(np.full(len(x0), heading))
    x0, y0 = np.concatenate(starts_x), np.concatenate(starts_y)
    x1, y1 = np.concatenate(ends_x), np.concatenate(ends_y)
    heading_of = np.concatenate(headings)
    at = np.full((4, *nw.shape), -1)
    at[heading_of, y0, x0] = np.arange(len(x0))
    # Turning right where two areas touch at a corner keeps to the same area.
    right = at[(heading_of + 1) % 4, y1, x1]
    following = np.where(right >= 0, right, at[(heading_of + 3) % 4, y1, x1])
    order, bounds = _cycles(following.tolist())
    length = np.abs(x1 - x0) + np.abs(y1 - y0)
    return Outline(
        x0[order] - margin, y0[order] - margin, heading_of[order], length[order], np.array(bounds, np.int64)
    )


def _cycles(following: list[int]) -> tuple[list[int], list[int]]:
    """The members of each cycle of a permutation, and where the cycles start and end in that list."""
    seen = bytearray(len(following))
    order: list[int] = []
    bounds = [0]
    for first in range(len(following)):
        if seen[first]:
            continue
        at = first
        while not seen[at]:
            seen[at] = 1
            order.append(at)
            at = following[at]
        bounds.append(len(order))
    return order, bounds


def _unit_edges(outline: Outline) -> tuple[Whole, Whole, Whole, Whole]:
    """Every edge of one cell: x and y of its start, its heading; and the bounds of the loops."""
    length = outline.length
    ends = np.cumsum(length)
    along = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - length, length)
    heading = np.repeat(outline.heading, length)
    x = np.repeat(outline.x, length) + along * _DX[heading]
    y = np.repeat(outline.y, length) + along * _DY[heading]
    return x, y, heading, np.concatenate((np.zeros(1, np.int64), ends))[outline.bounds]


def _neighbours(bounds: Whole, count: int) -> tuple[Whole, Whole]:
    """Indices of the point before and after each point, around the loops."""
    before, after = np.arange(count) - 1, np.arange(count) + 1
    before[bounds[:-1]] = bounds[1:] - 1
    after[bounds[1:] - 1] = bounds[:-1]
    return before, after


def crisp(outline: Outline, wobble: float = 0.0, every: float = 0.0, soft: Mask | None = None) -> Loops:
    """Loops with square corners, drawn by a hand that is not quite steady.

    Args:
        outline: The loops.
        wobble: Units by which a point may be off.
        every: Share of the points along a straight run that are kept as points of their own.
        soft: Cells whose steps are cut aslant (round and eight-sided rooms), rows first.
    """
    x, y, heading, bounds = _unit_edges(outline)
    count = len(x)
    if count == 0:
        return Loops(np.zeros(0), np.zeros(0), np.zeros(1, np.int64))
    before, _ = _neighbours(bounds, count)
    corner = heading != heading[before]
    kept = corner if every <= 0 else corner | (shares(x, y, 11) < every)
    px = x * float(UNIT) + swings(x, y, 12) * wobble
    py = y * float(UNIT) + swings(x, y, 13) * wobble
    if soft is not None:
        before, _ = _neighbours(bounds, count)
        cell_x = np.clip(x + np.array([0, -1, -1, 0])[heading], 0, soft.shape[1] - 1)
        cell_y = np.clip(y + np.array([0, 0, -1, -1])[heading], 0, soft.shape[0] - 1)
        step = soft[cell_y, cell_x] & (np.repeat(outline.length, outline.length) <= _LONGEST_STEP)
        inner = _lone_inner_corners(outline)[np.cumsum(corner) - 1]
        kept &= ~(step & step[before] & (inner | ~corner))
    totals = np.concatenate((np.zeros(1, np.int64), np.cumsum(kept)))
    return Loops(px[kept], py[kept], totals[bounds])


def _lone_inner_corners(outline: Outline) -> Mask:
    """Corners at which the area turns outward, between two at which it does not: the inside of one step.

    Where two follow each other a piece of rock juts out, and that is no step.
    """
    before, after = _neighbours(outline.bounds, len(outline.heading))
    inner: Mask = outline.heading == (outline.heading[before] + 3) % 4
    return inner & ~inner[before] & ~inner[after]


def smooth(
    outline: Outline, wobble: float = 0.0, salt: int = 0, inward: float = 0.0, ragged: float = 0.0
) -> Loops:
    """Control points of soft curves around an area: the middles of the edges, as marching squares takes them.

    Args:
        outline: The loops.
        wobble: Units by which a point may be off.
        salt: Tells the wobble of one kind of area from another's.
        inward: Units by which the curve runs inside the area.
        ragged: Units by which points between the middles are off; 0 for no such points.
    """
    x, y, heading, bounds = _unit_edges(outline)
    if len(x) == 0:
        return Loops(np.zeros(0), np.zeros(0), np.zeros(1, np.int64))
    px = (x + 0.5 * _DX[heading]) * UNIT
    py = (y + 0.5 * _DY[heading]) * UNIT
    if wobble:
        key = x * 4 + heading
        px = px + swings(key, y, 21 + salt) * wobble
        py = py + swings(key, y, 22 + salt) * wobble
    if inward:
        nx, ny = normals(Loops(px, py, bounds))
        px, py = px + nx * inward, py + ny * inward
    if ragged:
        _, after = _neighbours(bounds, len(px))
        bx = (px + px[after]) / 2 + swings(x * 4 + heading, y, 23 + salt) * ragged
        by = (py + py[after]) / 2 + swings(x * 4 + heading, y, 24 + salt) * ragged
        px, py = np.stack((px, bx), axis=1).ravel(), np.stack((py, by), axis=1).ravel()
        bounds = 2 * bounds
    return Loops(px, py, bounds)


def normals(loops: Loops) -> tuple[Real, Real]:
    """Unit vectors that point into the area from each point."""
    before, after = _neighbours(loops.bounds, len(loops.x))
    tx, ty = loops.x[after] - loops.x[before], loops.y[after] - loops.y[before]
    size = np.maximum(np.hypot(tx, ty), 1e-9)
    return -ty / size, tx / size


def closed_path(loops: Loops) -> str:
    """Path data of straight-edged loops, in whole units."""
    values, bounds = _stepped(loops.x, loops.y, loops.bounds)
    template = "".join(f"M%d %dl{'%d %d ' * (n - 1)}z" for n in np.diff(bounds).tolist())
    return _compact(template % tuple(values.ravel().tolist()))


def _stepped(x: Real, y: Real, bounds: Whole) -> tuple[NDArray[Any], Whole]:
    """Points as steps from the point before, the first of a loop in full."""
    whole = np.stack((np.rint(x), np.rint(y)), axis=1).astype(np.int64)
    steps = np.empty_like(whole)
    if len(whole):
        steps[1:] = whole[1:] - whole[:-1]
        firsts = bounds[:-1]
        steps[firsts] = whole[firsts]
    return steps, bounds


def curved_path(loops: Loops) -> str:
    """Path data of a closed uniform quadratic B-spline over the points, in whole units."""
    count = len(loops.x)
    if count == 0:
        return ""
    _, after = _neighbours(loops.bounds, count)
    x, y = np.rint(loops.x).astype(np.int64), np.rint(loops.y).astype(np.int64)
    px, py = (x + x[after]) // 2, (y + y[after]) // 2
    # The piece of point i runs from the middle before it to the middle after it.
    before, _ = _neighbours(loops.bounds, count)
    sx, sy = px[before], py[before]
    pieces = np.stack((x - sx, y - sy, px - sx, py - sy), axis=1)
    chunks: list[str] = []
    starts = loops.bounds[:-1].tolist()
    flat = pieces.ravel().tolist()
    for start, end in zip(starts, loops.bounds[1:].tolist(), strict=True):
        body = "%d %d %d %d " * (end - start) % tuple(flat[4 * start : 4 * end])
        chunks.append(f"M{sx[start]} {sy[start]}q{body}z")
    return _compact("".join(chunks))


def _compact(data: str) -> str:
    return data.replace(" -", "-").replace(" z", "z")
