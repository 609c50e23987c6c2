"""Compiles every kernel of maps, or loads it from the cache beside the code.

An installation does it once, ``python -m services.map.compiling``; a worker before it takes its first job, so
that no job pays for it with the time it has.
"""

import sys
from typing import Any

import numpy as np

from services.map.drawing import warm as warm_drawing
from services.map.generation.grid.model import GridKind, GridMap, Light, Wall
from services.map.generation.grid.terrain import Terrain
from services.map.generation.kind import make
from services.map.ground import areas
from services.map.ground.building import ground_of
from services.map.ground.light import light_levels
from services.map.ground.lines import mean_steps
from services.map.ground.sight import cover, sees, visible
from services.map.ground.walking import path, reach
from services.map.ground.walls import mark_walls
from services.map.play.cutting import seen_parts
from services.map.registry import GENERATORS
from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.measure import Diagonal, Measure
from services.rules.engine.ground.squares import Square

DRAWING = "drawing"
ALL = (*GENERATORS, DRAWING)
BUT = "--but"
"""Before the names of what is not to be compiled."""


def warm(*names: str) -> None:
    """Make one map of each kind, walk and look around on it, and draw.

    Args:
        names: slugs of the kinds, or `drawing`; all of them when none is named.
    """
    for slug in names or ALL:
        if slug == DRAWING:
            warm_drawing()
            continue
        kind = GENERATORS[slug]
        made = make(kind, kind.codec.type(), 1)
        model: Any = getattr(made, "model", None)
        if isinstance(model, GridMap):
            _walk(model)


def warm_ground() -> None:
    """Load what questions about grounds are answered by."""
    side = 8
    cells = bytes([Terrain.FLOOR]) * side**2
    wall = Wall(((1.0, 1.0), (2.0, 2.0)))
    light = Light("light-1", (4.5, 4.5), 2.0, 4.0)
    _walk(GridMap(GridKind.IMPORTED, 1, 0, 0, "", "", side, side, cells, walls=(wall,), lights=(light,)))


def _walk(model: GridMap) -> None:
    ground = ground_of(model)
    middle, corner = (model.width // 2, model.height // 2), (0, 0)
    visible(ground, middle, 6)
    reach(ground, middle, 6)
    reach(ground, middle, 6, measure=Measure(diagonal=Diagonal.ALTERNATING))
    for size in (1, 2):
        one, other = Footprint(Square(*middle), size), Footprint(Square(*corner), size)
        sees(ground, one, other)
        cover(ground, one, other)
        path(ground, corner, middle, size=size)
    areas.stopped(ground, areas.circle(ground, middle, 3), middle)
    mean_steps(ground.opaque, ground.east, ground.south, *middle, (0, 0, 2, 2))
    mark_walls((Wall(((0.0, 0.0), (1.0, 1.0))),), np.zeros((2, 2), np.uint8), np.zeros((2, 2), np.uint8))
    seen_parts(np.array([[0.0, 0.0, 1.0, 1.0]]), np.ones((2, 2), np.bool_))
    light_levels(ground, model.lights, model.ambient)


if __name__ == "__main__":
    given = sys.argv[1:]
    warm(*(name for name in ALL if name not in given) if BUT in given else given)
