"""How bright each cell of a map is."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from services.map.bounded import check_time
from services.map.generation.grid.model import Light
from services.map.ground.building import cell_of
from services.map.ground.lines import shine
from services.map.ground.model import U8, MapGround
from services.rules.engine.ground.kinds import Ambient
from services.rules.engine.ground.measure import PACES, Diagonal, Measure

AMBIENT = {ambient.value: ambient.level for ambient in Ambient}
"""The levels by the words of `GridMap.ambient`."""


_NUMBERS = {diagonal: number for number, diagonal in enumerate(Diagonal)}


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
    sheets = ground.opaque, ground.tops, ground.heights, ground.east, ground.south
    for light in lights:
        cell = cell_of(ground, light)
        if cell is not None and light.dim > 0:
            check_time()
            shine(levels, cell, (int(light.bright), int(light.dim)), _NUMBERS[measure.diagonal], sheets)
    return levels
