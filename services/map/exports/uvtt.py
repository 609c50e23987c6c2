"""Universal VTT (`.uvtt`, `.dd2vtt`): one JSON file that most virtual tables import, picture and all.

Positions are in cells from the top left of the map. What its readers do with it decides some choices: a
`portal` with `closed: false` becomes a window in Foundry VTT and Roll20, never an open door, so every door is
written closed, a portcullis too, though one sees through it, and windows and fences, which stop walking
alone, are the portals that are not. An arch is no portal, only a gap. The format knows no secret doors: in
the game master's file they are doors, in a player's they are wall because the map handed in has wall there.
Low walls stop nothing and are left to the picture.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable, Sequence
from typing import Any

import orjson

from services.map.exports.geometry import Polyline, barriers
from services.map.generation.grid.model import GridMap, Light, Spot

FORMAT = 0.3
SOFTWARE = "Hearthforge"
PIXELS_PER_GRID = 100
"""Pixels along one cell that readers expect unless the file says otherwise."""

AMBIENT = {"bright": "ffffffff", "dim": "ff808080", "dark": "ff000000"}
"""Colour of the light where nothing shines, AARRGGBB, by `GridMap.ambient`."""


def to_uvtt(model: GridMap, image: bytes | None = None, pixels_per_grid: int = PIXELS_PER_GRID) -> bytes:
    """The map as Universal VTT.

    Args:
        model: The map; for players the one without what they must not know.
        image: The picture as PNG or WebP, exactly `width * pixels_per_grid` by `height * pixels_per_grid`
            pixels. Without one the file has no `image`: lines and lights for a table that has the picture
            already, or to paste into Roll20.
        pixels_per_grid: Pixels along one cell, of the picture or of the one to come.

    Raises:
        ValueError: A cell has no pixels.
    """
    if pixels_per_grid < 1:
        raise ValueError("a cell has at least one pixel")
    found = barriers(model)
    document: dict[str, Any] = {
        "format": FORMAT,
        "software": SOFTWARE,
        "resolution": {
            "map_origin": {"x": 0, "y": 0},
            "map_size": {"x": model.width, "y": model.height},
            "pixels_per_grid": pixels_per_grid,
        },
        "line_of_sight": [_points(line) for line in _apart(found.walls)],
        "objects_line_of_sight": [_points(line) for line in found.objects],
        "portals": [
            *(_portal(door.bounds, closed=True) for door in found.doors),
            *(_portal(line, closed=False) for line in (*found.windows, *found.fences)),
        ],
        "environment": {"baked_lighting": model.baked_lighting, "ambient_light": AMBIENT[model.ambient]},
        "lights": [_light(light) for light in model.lights],
    }
    if image is not None:
        document["image"] = base64.b64encode(image).decode("ascii")
    return orjson.dumps(document)


def _apart(lines: Sequence[Polyline]) -> Iterable[Polyline]:
    """The lines, turned round where one would end at the very spot another starts from.

    Foundry VTT's importer joins such lines with a wall of no length.
    """
    starts: set[Spot] = set()
    ends: set[Spot] = set()
    for line in lines:
        start, end = line[0], line[-1]
        if start == end:
            yield line
        elif start in ends or end in starts:
            starts.add(end)
            ends.add(start)
            yield line[::-1]
        else:
            starts.add(start)
            ends.add(end)
            yield line


def _point(spot: Spot) -> dict[str, float]:
    return {"x": spot[0], "y": spot[1]}


def _points(line: Polyline) -> list[dict[str, float]]:
    return [{"x": x, "y": y} for x, y in line]


def _portal(bounds: tuple[Spot, Spot], closed: bool) -> dict[str, Any]:
    (x0, y0), (x1, y1) = bounds
    return {
        "position": {"x": (x0 + x1) / 2, "y": (y0 + y1) / 2},
        "bounds": [_point(bounds[0]), _point(bounds[1])],
        "rotation": math.atan2(y1 - y0, x1 - x0),
        "closed": closed,
        "freestanding": False,
    }


def _light(light: Light) -> dict[str, Any]:
    return {
        "position": _point(light.at),
        "range": light.dim,
        "intensity": 1.0,
        "color": f"ff{light.color.removeprefix('#')}",
        "shadows": True,
    }
