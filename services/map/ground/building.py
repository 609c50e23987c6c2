"""From a map to its ground."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import numpy as np

from services.map.generation.grid.model import Cell, DoorState, GridMap
from services.map.generation.grid.terrain import COVER as COVER_BY_CODE
from services.map.generation.grid.terrain import OPAQUE as OPAQUE_BY_CODE
from services.map.generation.grid.terrain import PACES as PACES_BY_CODE
from services.map.ground.doors import edges_of, state_of, stopped_by
from services.map.ground.kernels import step_costs
from services.map.ground.model import COVER, IMPASSABLE, OPAQUE, Bools, MapGround
from services.map.ground.walls import mark_walls

AS_DRAWN: Mapping[str, DoorState] = MappingProxyType({})
"""Every door as the map has it."""


def ground_of(model: GridMap, doors: Mapping[str, DoorState] = AS_DRAWN) -> MapGround:
    """The ground of a map.

    Args:
        model: The map.
        doors: How doors stand now, by id, where that is not as the map has them; other ids are nobody's.
    """
    shape = model.height, model.width
    codes = np.frombuffer(model.cells, np.uint8).reshape(shape)
    paces = np.frombuffer(PACES_BY_CODE, np.uint8)[codes]
    opaque = np.frombuffer(OPAQUE_BY_CODE, np.bool_)[codes]
    cover = np.frombuffer(COVER_BY_CODE, np.uint8)[codes] > 0
    heights = np.zeros(shape, np.int8)
    if model.heights:
        heights[:] = np.frombuffer(model.heights, np.int8).reshape(shape)
    east, south = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    mark_walls(model.walls, east, south)
    for door in model.doors:
        stops = stopped_by(door, state_of(door, doors))
        if door.edge is None:
            for x, y in _on_map(model, door.cells):
                paces[y, x] = 0 if stops & IMPASSABLE else max(1, paces[y, x])
                opaque[y, x] = bool(stops & OPAQUE)
                cover[y, x] |= bool(stops & COVER)
        else:
            # The wall may have been drawn through the doorway: the door alone decides.
            for cells, edges in zip(edges_of(door), (east, south), strict=True):
                for x, y in _on_map(model, cells):
                    edges[y, x] = stops
    ground = MapGround(
        width=model.width,
        height=model.height,
        feet=model.feet,
        paces=paces,
        opaque=opaque,
        cover=cover,
        east=east,
        south=south,
        heights=heights,
        steps=step_costs(paces, east, south, heights),
        thin=bool(((east | south) & OPAQUE).any()) or _touching_at_corners(opaque),
    )
    for array in (paces, opaque, cover, east, south, heights, ground.steps):
        array.setflags(write=False)
    return ground


def _on_map(model: GridMap, cells: Iterable[Cell]) -> list[Cell]:
    return [(x, y) for x, y in cells if 0 <= x < model.width and 0 <= y < model.height]


def _touching_at_corners(opaque: Bools) -> bool:
    a, b, c, d = opaque[:-1, :-1], opaque[:-1, 1:], opaque[1:, :-1], opaque[1:, 1:]
    return bool(((a & d & ~b & ~c) | (b & c & ~a & ~d)).any())
