"""How bright each cell of a map is."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from services.map.bounded import check_time
from services.map.generation.grid.model import Cell, Light
from services.map.ground.building import cell_of
from services.map.ground.model import U8, MapGround
from services.map.ground.sight import field_of_view
from services.rules.engine.ground.kinds import Ambient, Level

AMBIENT = {ambient.value: ambient.level for ambient in Ambient}
"""The levels by the words of `GridMap.ambient`."""


def light_levels(
    ground: MapGround, lights: Iterable[Light], ambient: str = "dark", before: U8 | None = None
) -> U8:
    """How bright each cell is: the brightest of what is all around and of every light that reaches it.

    A light reaches the field of view of its cell, as far as its radius goes, counted as paces are: all that
    `engine.ground.light` lights by lines of sight, and what is seen round a corner besides, walls by their
    faces too.

    Args:
        ground: The ground.
        lights: What shines; a light that is not on the map reaches nothing.
        ambient: Light where nothing shines: `bright`, `dim` or `dark`.
        before: How bright it is without these lights, if that is known.

    Returns:
        `[y, x]`, the values of `Level`.

    Raises:
        ValueError: No such ambient light.
    """
    if ambient not in AMBIENT:
        raise ValueError(f"ambient light is one of {', '.join(AMBIENT)}, not {ambient!r}")
    shape = ground.height, ground.width
    levels = np.full(shape, AMBIENT[ambient], np.uint8) if before is None else before.copy()
    if ambient == "bright":
        return levels
    for light in lights:
        cell = cell_of(ground, light)
        if cell is not None and light.dim > 0:
            check_time()
            _shine(ground, levels, light, cell)
    return levels


def _shine(ground: MapGround, levels: U8, light: Light, cell: Cell) -> None:
    x, y = cell
    left, top, lit = field_of_view(ground, cell, int(max(light.dim, light.bright)))
    rows, columns = lit.shape
    shone = lit * np.uint8(Level.DIM)
    if light.bright > 0:
        near = int(light.bright)
        inner = (
            slice(max(0, y - near - top), y + near + 1 - top),
            slice(max(0, x - near - left), x + near + 1 - left),
        )
        shone[inner] = lit[inner] * np.uint8(Level.BRIGHT)
    part = levels[top : top + rows, left : left + columns]
    np.maximum(part, shone, out=part)
