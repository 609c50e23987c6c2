"""How bright each cell of a map is."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from services.map.bounded import check_time
from services.map.generation.grid.model import Cell, Light
from services.map.ground.building import cell_of
from services.map.ground.lines import shine
from services.map.ground.measuring import near
from services.map.ground.model import U8, MapGround
from services.rules.engine.ground.kinds import Ambient, Level
from services.rules.engine.ground.measure import PACES, Diagonal, Measure

AMBIENT = {ambient.value: ambient.level for ambient in Ambient}
"""The levels by the words of `GridMap.ambient`."""


def light_levels(
    ground: MapGround,
    lights: Iterable[Light],
    ambient: str = "dark",
    before: U8 | None = None,
    measure: Measure = PACES,
) -> U8:
    """How bright each cell is: `engine.ground.light` for the whole map at once.

    Args:
        ground: The ground.
        lights: What shines; a light that is not on the map reaches nothing.
        ambient: Light where nothing shines: `bright`, `dim` or `dark`.
        before: How bright it is without these lights, if that is known.
        measure: How far lights shine is counted in it.

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
            _shine(ground, levels, light, cell, measure.diagonal)
    return levels


def _shine(ground: MapGround, levels: U8, light: Light, cell: Cell, diagonal: Diagonal) -> None:
    (x, y), far = cell, int(max(light.dim, light.bright))
    left, top = max(0, x - far), max(0, y - far)
    across = np.arange(left, min(ground.width, x + far + 1))[None, :] - x
    down = np.arange(top, min(ground.height, y + far + 1))[:, None] - y
    shone = near(diagonal, across, down, int(light.dim)) * np.uint8(Level.DIM)
    if light.bright > 0:
        shone[near(diagonal, across, down, int(light.bright))] = Level.BRIGHT
    sheets = (ground.opaque, ground.tops, ground.heights, ground.east, ground.south)
    shine(levels, shone, (left, top), cell, sheets)
