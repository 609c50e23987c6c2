"""The cross-hatching of the rock beside floors: clusters of short strokes, each against its neighbours.

Clusters stand on a lattice of half cells that repeats every six cells, so the rock near a floor is filled
with one small pattern. Where the band ends, the pattern is covered and the clusters at its rim are drawn
whole: the hatching frays out instead of being cut.
"""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin

import numpy as np

from services.map.generation.grid.cells import Mask
from services.map.render.grid.noise import shares
from services.map.render.grid.outline import curved_path, smooth, trace
from services.map.render.grid.palette import Palette
from services.map.render.svg import element

PERIOD = 12
"""Clusters along one side of the pattern."""

STEP = 50
"""Units between clusters."""

MARGIN = 2
"""Cells of rock that are hatched around the map, for the page beyond its edge."""

_STROKE = 4.6


@cache
def _clusters() -> tuple[tuple[int, int, str], ...]:
    """Offset of each cluster's middle from its lattice point, and its strokes as relative path data."""
    column, row = np.meshgrid(np.arange(PERIOD), np.arange(PERIOD))
    chance = [shares(column, row, salt).tolist() for salt in range(31, 36)]
    found: list[tuple[int, int, str]] = []
    for j in range(PERIOD):
        for i in range(PERIOD):
            a, b, c, d, e = (chance[k][j][i] for k in range(5))
            # Next to each other they stand nearly crosswise: that is what makes it read as hatching.
            angle = (a - 0.5) * 1.1 + (pi / 2 if (i + j) % 2 else 0.0) + (0.6 if i % 3 == 0 else 0.0)
            found.append((round((b - 0.5) * 20), round((c - 0.5) * 20), _strokes(angle, d, e)))
    return tuple(found)


def _strokes(angle: float, long: float, apart: float) -> str:
    """Three parallel strokes around a middle, moving there from the middle and leaving the pen anywhere."""
    ux, uy = cos(angle), sin(angle)
    spacing = 12.5 + apart * 3
    data, at = "", (0, 0)
    for place in (-1, 0, 1):
        half = 25 + 7 * long - (5 * long if place else 0) + (4 if place == 0 else 0)
        lean = (long - 0.5) * 8 * place
        sx = round(-uy * spacing * place - ux * (half + lean))
        sy = round(ux * spacing * place - uy * (half + lean))
        dx, dy = round(2 * half * ux), round(2 * half * uy)
        data += f"m{sx - at[0]} {sy - at[1]}l{dx} {dy}"
        at = (sx + dx, sy + dy)
    return data.replace(" -", "-")


@cache
def hatch_pattern(colour: str) -> str:
    """The definition of the repeated hatching, id `hf-hatch`."""
    side = PERIOD * STEP
    data: list[str] = []
    for index, (dx, dy, strokes) in enumerate(_clusters()):
        x = index % PERIOD * STEP + STEP // 2 + dx
        y = index // PERIOD * STEP + STEP // 2 + dy
        # A cluster that hangs over an edge shows at the opposite one as well.
        columns = [x] + [x + side] * (x < STEP) + [x - side] * (x > side - STEP)
        rows = [y] + [y + side] * (y < STEP) + [y - side] * (y > side - STEP)
        data += [f"M{cx} {cy}{strokes}" for cy in rows for cx in columns]
    lines = element(
        "path",
        d="".join(data),
        fill="none",
        stroke=colour,
        stroke_width=_STROKE,
        stroke_linecap="round",
    )
    return element(
        "pattern", lines, id="hf-hatch", patternUnits="userSpaceOnUse", width=side, height=side, x=0, y=0
    )


def _grown(mask: Mask, *, corners: bool) -> Mask:
    """The area and the cells beside it, also aslant when `corners`."""
    grown = mask.copy()
    grown[1:] |= mask[:-1]
    grown[:-1] |= mask[1:]
    level = grown.copy() if corners else mask
    grown[:, 1:] |= level[:, :-1]
    grown[:, :-1] |= level[:, 1:]
    return grown


def fraying(open_cells: Mask, paint: Palette, cover: str) -> tuple[str, str]:
    """What ends the band of hatching: the far rock over the pattern, and the whole clusters at the rim.

    Args:
        open_cells: Cells that are no rock, rows first.
        paint: Colours.
        cover: What the far rock is filled with.

    Returns:
        The area without hatching, and the clusters to be drawn over its edge.
    """
    floor = np.repeat(np.repeat(np.pad(open_cells, MARGIN), 2, axis=0), 2, axis=1)
    near = _grown(_grown(floor, corners=True), corners=False)
    row, column = np.ogrid[: floor.shape[0], : floor.shape[1]]
    column, row = column - 2 * MARGIN, row - 2 * MARGIN
    band = near | (_grown(near, corners=True) & (shares(column, row, 41) < 0.3))
    inner = ~_grown(~band, corners=True)
    # Clusters right at a wall would reach over it; there the pattern, which the rock cuts off, is enough.
    rim = band & ~_grown(floor, corners=True) & _grown(~inner, corners=True)
    far = trace(~inner, 2)
    # Loops of the far rock, in half cells counted from the margin's corner.
    soft = smooth(far, wobble=18.0, salt=9)
    moved = type(soft)(soft.x - 200.0 * MARGIN, soft.y - 200.0 * MARGIN, soft.bounds).scaled(0.5)
    data = curved_path(moved)
    covered = element("path", d=data, fill=cover) if data else ""
    return covered, _whole_clusters(rim, paint)


def _whole_clusters(rim: Mask, paint: Palette) -> str:
    rows, columns = np.nonzero(rim)
    if not len(rows):
        return ""
    rows, columns = rows - 2 * MARGIN, columns - 2 * MARGIN
    clusters = _clusters()
    kinds = (rows % PERIOD * PERIOD + columns % PERIOD).tolist()
    parts = [
        f"M{x + clusters[kind][0]} {y + clusters[kind][1]}{clusters[kind][2]}"
        for x, y, kind in zip(
            (columns * STEP + STEP // 2).tolist(), (rows * STEP + STEP // 2).tolist(), kinds, strict=True
        )
    ]
    return element(
        "path",
        d="".join(parts),
        fill="none",
        stroke=paint.hatch,
        stroke_width=_STROKE,
        stroke_linecap="round",
    )
