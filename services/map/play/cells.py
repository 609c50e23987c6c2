"""Sets of cells: as arrays to reckon with, as bitmaps to keep, and from the areas that edits name.

An array of cells is of bool, one row a row of the map; a bitmap holds its bits row by row from the top left,
the first in the highest bit of a byte, as base64.
"""

from __future__ import annotations

import base64
import math
from binascii import Error
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from services.map.play.edits import CellArea
from services.map.play.shapes import DrawingShape
from services.map.play.state import (
    PARTY,
    Drawing,
    Explored,
    Extent,
    MapState,
    Spot,
    Token,
    find,
)

Cells = npt.NDArray[np.bool_]

_STROKE_STEP = 0.25
"""Cells between two spots at which a stroke is looked at."""

_OUTLINES = {DrawingShape.POLYGON, DrawingShape.RECTANGLE, DrawingShape.ELLIPSE}


def no_cells(extent: Extent) -> Cells:
    """No cell of a map."""
    return np.zeros((extent.rows, extent.columns), dtype=np.bool_)


def as_cells(found: npt.NDArray[np.generic] | bytes, extent: Extent) -> Cells:
    """Cells that came as an array, or as a byte for each, row by row.

    Raises:
        ValueError: It is not one for each cell of the map.
    """
    flat = np.frombuffer(found, dtype=np.uint8) if isinstance(found, bytes) else np.asarray(found)
    return flat.reshape(extent.rows, extent.columns).astype(np.bool_)


def packed(cells: Cells) -> str:
    """The bitmap of some cells."""
    return base64.b64encode(np.packbits(cells).tobytes()).decode()


def unpacked(bitmap: str, extent: Extent) -> Cells:
    """The cells of a bitmap.

    Raises:
        ValueError: It is no bitmap of this map.
    """
    try:
        octets = np.frombuffer(base64.b64decode(bitmap, validate=True), dtype=np.uint8)
    except Error as error:
        raise ValueError("a bitmap is written in base64") from error
    count = extent.rows * extent.columns
    if len(octets) != (count + 7) // 8:
        raise ValueError(f"the bitmap of this map has {(count + 7) // 8} bytes, found {len(octets)}")
    return np.unpackbits(octets, count=count).astype(np.bool_).reshape(extent.rows, extent.columns)


def fog_owner(state: MapState, account: str) -> str:
    """Whose fog an account looks through: its own, or the party's."""
    return PARTY if state.fog.shared else account


def known(state: MapState, viewer: str) -> Cells:
    """The cells that a viewer has explored; a viewer without fog of their own knows what the party does.

    Args:
        state: Of a map with cells.
        viewer: Id of an account, or `party`.
    """
    for id in (fog_owner(state, viewer), PARTY):
        explored = find(state, "explored", id)
        if isinstance(explored, Explored):
            return unpacked(explored.cells, state.extent)
    return no_cells(state.extent)


def cell_of(spot: Spot, extent: Extent) -> tuple[int, int]:
    """The cell a spot lies in; what lies on the far edge of the map belongs to the last one."""
    return (
        min(max(math.floor(spot.x), 0), extent.columns - 1),
        min(max(math.floor(spot.y), 0), extent.rows - 1),
    )


def block(token: Token) -> tuple[tuple[int, int], ...]:
    """The cells that a token stands in, row by row."""
    x, y = int(token.at.x), int(token.at.y)
    return tuple((x + dx, y + dy) for dy in range(token.size) for dx in range(token.size))


def any_of(cells: Cells, these: Iterable[tuple[int, int]]) -> bool:
    """Whether one of these, which may lie beyond the edge, is among some cells."""
    rows, columns = cells.shape
    return any(0 <= x < columns and 0 <= y < rows and bool(cells[y, x]) for x, y in these)


def area_cells(area: CellArea, extent: Extent) -> Cells:
    """The cells of an area: of its rectangle, its polygon and its spans together, as far as the map goes.

    A cell belongs to the polygon when its middle lies inside; one that lies on the outline counts on the left
    and upper side only, so that polygons side by side share no cell.
    """
    cells = no_cells(extent)
    box = area.rectangle
    if box is not None:
        cells[max(box.y, 0) : max(box.y + box.height, 0), max(box.x, 0) : max(box.x + box.width, 0)] = True
    for span in area.spans:
        if 0 <= span.row < extent.rows:
            cells[span.row, max(span.first, 0) : max(span.after, 0)] = True
    if area.polygon:
        cells |= _inside(np.array([(spot.x, spot.y) for spot in area.polygon]), extent)
    return cells


def _inside(corners: npt.NDArray[np.float64], extent: Extent) -> Cells:
    """The cells whose middles lie inside a polygon, by the even-odd rule, a row at a time."""
    cells = no_cells(extent)
    x0, y0 = corners[:, 0], corners[:, 1]
    x1, y1 = np.roll(x0, -1), np.roll(y0, -1)
    top = max(math.floor(y0.min()), 0)
    for row in range(top, min(math.ceil(y0.max()), extent.rows)):
        level = row + 0.5
        crossing = (y0 <= level) != (y1 <= level)
        at = np.sort(x0[crossing] + (level - y0[crossing]) / (y1 - y0)[crossing] * (x1 - x0)[crossing])
        edges = np.clip(np.ceil(at - 0.5), 0, extent.columns).astype(np.int64)
        for first, after in zip(edges[::2], edges[1::2], strict=True):
            cells[row, first:after] = True
    return cells


def lies_in(drawing: Drawing, cells: Cells, extent: Extent) -> bool:
    """Whether all that a drawing lies on is among some cells: under its strokes, and inside when filled."""
    corners = _corners(drawing)
    closed = drawing.shape in _OUTLINES
    starts, ends = (corners, np.roll(corners, -1, axis=0)) if closed else (corners[:-1], corners[1:])
    spots = [corners]
    for start, end in zip(starts, ends, strict=True):
        parts = math.ceil(abs(end - start).max() / _STROKE_STEP)
        spots.append(start + np.arange(parts + 1)[:, None] / max(parts, 1) * (end - start))
    x, y = np.concatenate(spots).T
    columns = np.clip(np.floor(x), 0, extent.columns - 1).astype(np.int64)
    rows = np.clip(np.floor(y), 0, extent.rows - 1).astype(np.int64)
    if not cells[rows, columns].all():
        return False
    return not (closed and drawing.fill) or bool(cells[_inside(corners, extent)].all())


def _corners(drawing: Drawing) -> npt.NDArray[np.float64]:
    """The corners of the line that is drawn."""
    points = np.array([(spot.x, spot.y) for spot in drawing.points], dtype=np.float64)
    if drawing.shape is DrawingShape.RECTANGLE:
        (left, top), (right, bottom) = points
        return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    if drawing.shape is DrawingShape.ELLIPSE:
        middle, radii = (points[0] + points[1]) / 2, abs(points[1] - points[0]) / 2
        turn = np.linspace(0, 2 * np.pi, 64, endpoint=False)
        return np.asarray(middle + radii * np.stack([np.cos(turn), np.sin(turn)], axis=1))
    return points
