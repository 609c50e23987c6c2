"""What a game's scene needs to begin on a stored map: plain squares, no arrays.

A scene knows solid squares, doors, lights and where each side starts. Thin walls that are no doors are not
part of it: what needs them asks the map's own ground.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from services.map.generation.grid.model import Cell, DoorKind, DoorState, GridMap
from services.map.ground.building import AS_DRAWN, cell_of, ground_of
from services.map.ground.doors import state_of
from services.map.ground.model import Bools


@dataclass(frozen=True, slots=True)
class SceneDoor:
    """A door of the scene.

    Attributes:
        id: As on the map.
        squares: The squares it fills, or on whose edge it hangs.
        kind: What it is.
        state: How it stands now.
        edge: None when it fills its squares, else the edge it hangs on: "n", "e", "s" or "w".
        secret: Whether only the game master knows of it.
    """

    id: str
    squares: tuple[Cell, ...]
    kind: DoorKind
    state: DoorState
    edge: str | None
    secret: bool


@dataclass(frozen=True, slots=True)
class SceneLight:
    """A light of the scene.

    Attributes:
        id: As on the map.
        at: Its square.
        bright: Whole squares of bright light around it.
        dim: Whole squares of light at all.
    """

    id: str
    at: Cell
    bright: int
    dim: int


@dataclass(frozen=True, slots=True)
class SceneStart:
    """Where one side starts.

    Attributes:
        side: `heroes`, `foes`, or empty for nobody's.
        squares: Squares one can stand in, row by row.
    """

    side: str
    squares: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class SceneGround:
    """A map as a scene begins on it; squares are (column, row) from the top left.

    Attributes:
        width: Columns.
        height: Rows.
        feet: Feet along one side of a square.
        solid: Squares nobody can stand in, row by row; those a door fills are not among them.
        difficult: Squares that cost two paces, row by row.
        doors: Doors, arches left out.
        light: Light where nothing shines: `bright`, `dim` or `dark`.
        lights: What shines.
        starts: Where each side starts, by side.
    """

    width: int
    height: int
    feet: int
    solid: tuple[Cell, ...]
    difficult: tuple[Cell, ...]
    doors: tuple[SceneDoor, ...]
    light: str
    lights: tuple[SceneLight, ...]
    starts: tuple[SceneStart, ...]


def scene_ground(model: GridMap, doors: Mapping[str, DoorState] = AS_DRAWN) -> SceneGround:
    """What a scene begins with on a map.

    Args:
        model: The map; the players' own version gives a scene without what they must not know.
        doors: How doors stand now, by id, where that is not as the map has them.
    """
    ground = ground_of(model, {door.id: DoorState.OPEN for door in model.doors})
    free = ground.paces > 0
    starts: dict[str, Bools] = {}
    for zone in model.zones:
        if zone.kind == "start":
            cells = starts.setdefault(zone.side, np.zeros_like(free))
            for y, first, last in zone.spans:
                cells[y, first:last] = True
    lights = ((light, cell_of(ground, light)) for light in model.lights if light.dim > 0)
    return SceneGround(
        width=model.width,
        height=model.height,
        feet=model.feet,
        solid=_cells(~free),
        difficult=_cells(ground.paces > 1),
        doors=tuple(
            SceneDoor(door.id, door.cells, door.kind, state_of(door, doors), door.edge, door.secret)
            for door in model.doors
            if door.kind is not DoorKind.ARCH
        ),
        light=model.ambient,
        lights=tuple(
            SceneLight(light.id, at, int(light.bright), int(light.dim))
            for light, at in lights
            if at is not None
        ),
        starts=tuple(SceneStart(side, _cells(cells & free)) for side, cells in sorted(starts.items())),
    )


def _cells(chosen: Bools) -> tuple[Cell, ...]:
    return tuple((x, y) for y, x in np.argwhere(chosen).tolist())
