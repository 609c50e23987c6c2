"""Elevation: each step of five feet as a line with strokes down the slope and a shadow on the lower side."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from services.map.generation.grid.cells import Mask
from services.map.generation.grid.model import GridMap
from services.map.render.grid.noise import shares
from services.map.render.grid.outline import Loops, curved_path, normals, smooth, trace
from services.map.render.grid.palette import Palette
from services.map.render.svg import element, group

MAX_LINES = 40
"""Steps beyond these are not drawn: nothing could be told apart."""

_MARGIN = 2


def height_steps(model: GridMap) -> NDArray[np.int8] | None:
    """Elevation of each cell, rows first; None on flat maps."""
    if not model.heights:
        return None
    heights = np.frombuffer(model.heights, np.int8).reshape(model.height, model.width)
    return heights if int(heights.min()) != int(heights.max()) else None


def contours(model: GridMap, paint: Palette) -> str:
    """The contour lines of a map, from the lowest to the highest."""
    heights = height_steps(model)
    if heights is None:
        return ""
    low, high = int(heights.min()), int(heights.max())
    levels = range(low + 1, min(high, low + MAX_LINES) + 1)
    return "".join(_contour(heights, level, paint) for level in levels)


def _contour(heights: NDArray[np.int8], level: int, paint: Palette) -> str:
    above: Mask = heights >= level
    loops = smooth(trace(above, _MARGIN), wobble=9.0, salt=60)
    data = curved_path(loops)
    nx, ny = normals(loops)
    # A ledge: the ground beyond the line lies two steps lower, and nobody walks up there.
    padded = np.pad(heights, _MARGIN + 1, mode="edge")
    outside_x = np.floor((loops.x - nx * 50) / 100).astype(np.int64) + _MARGIN + 1
    outside_y = np.floor((loops.y - ny * 50) / 100).astype(np.int64) + _MARGIN + 1
    outside_x = np.clip(outside_x, 0, padded.shape[1] - 1)
    outside_y = np.clip(outside_y, 0, padded.shape[0] - 1)
    steep = padded[outside_y, outside_x] <= level - 2
    long = 16 + 16 * shares(np.rint(loops.x).astype(np.int64), np.rint(loops.y).astype(np.int64), 71)
    long = np.where(steep, long * 1.6, long)
    after = np.arange(1, len(loops.x) + 1)
    after[loops.bounds[1:] - 1] = loops.bounds[:-1]
    strokes: list[str] = []
    for part in (0.0, 0.5):
        x = loops.x + (loops.x[after] - loops.x) * part
        y = loops.y + (loops.y[after] - loops.y) * part
        rows = np.rint(np.stack((x, y, -nx * long, -ny * long), axis=1)).astype(np.int64)
        strokes += [f"M{sx} {sy}l{dx} {dy}" for sx, sy, dx, dy in rows.tolist()]
    # The shadow is the ring between the line and itself grown outward and moved away from the light.
    ring = curved_path(Loops(loops.x - nx * 14 + 8, loops.y - ny * 14 + 9, loops.bounds))
    return group(
        element("path", d=ring + data, fill=paint.shadow, fill_opacity=0.24, fill_rule="evenodd"),
        element("path", d=data, fill=paint.plate, fill_opacity=0.07),
        element("path", d="".join(strokes), stroke=paint.line, stroke_width=3.4, stroke_opacity=0.5),
        element("path", d=data, stroke=paint.line, stroke_width=5.0, stroke_opacity=0.7),
        fill="none",
        stroke_linecap="round",
    )
