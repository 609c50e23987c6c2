"""Compiles every kernel of maps, or loads it from the cache beside the code.

An installation does it once, ``python -m services.map.compiling``; a worker before it takes its first job, so
that no job pays for it with the time it has.
"""

import sys
from typing import Any

from services.map.drawing import warm as warm_drawing
from services.map.generation.grid.model import GridMap
from services.map.generation.kind import make
from services.map.ground.building import ground_of
from services.map.ground.light import light_levels
from services.map.ground.sight import cover, visible
from services.map.ground.walking import path, reach
from services.map.kinds import KINDS

DRAWING = "drawing"


def warm(*names: str) -> None:
    """Make one map of each kind, walk and look around on it, and draw.

    Args:
        names: slugs of the kinds, or `drawing`; all of them when none is named.
    """
    for slug in names or (*KINDS, DRAWING):
        if slug == DRAWING:
            warm_drawing()
            continue
        kind = KINDS[slug]
        made = make(kind, kind.codec.type(), 1)
        model: Any = getattr(made, "model", None)
        if isinstance(model, GridMap):
            _walk(model)


def _walk(model: GridMap) -> None:
    ground = ground_of(model)
    middle, corner = (model.width // 2, model.height // 2), (0, 0)
    visible(ground, middle, 6)
    reach(ground, middle, 6)
    path(ground, middle, corner)
    cover(ground, middle, corner)
    light_levels(ground, model.lights, model.ambient)


if __name__ == "__main__":
    warm(*sys.argv[1:])
