"""From a map to its ground."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

import numpy as np

from services.map.generation.grid.model import Cell, DoorState, GridMap, Light
from services.map.generation.grid.terrain import TRAITS, Terrain
from services.map.ground.doors import doors_of
from services.map.ground.kernels import step_costs
from services.map.ground.model import I32, U8, Bools, MapGround
from services.map.ground.walls import fillings, mark_walls
from services.rules.engine.ground import kinds
from services.rules.engine.ground.index import ENDLESS, Index
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.squares import Square

AS_DRAWN: Mapping[str, DoorState] = MappingProxyType({})
"""Every door as the map has it."""

_TERRAINS = tuple(
    kinds.Terrain(trait.letter, trait.pace, trait.opaque, cover=trait.cover) for trait in TRAITS.values()
)
_LETTERS = "".join(TRAITS[Terrain(code)].letter for code in range(len(Terrain))).encode()
_LETTERS += bytes(256 - len(_LETTERS))

_FLAGS = 32
_SIGNS = kinds.NOTHING.sign.encode() + bytes(range(ord("A"), ord("A") + _FLAGS - 1)) + bytes(256 - _FLAGS)
_BARRIERS = tuple(kinds.barrier_of(chr(_SIGNS[flags]), flags) for flags in range(_FLAGS))


def ground_of(model: GridMap, doors: Mapping[str, DoorState] = AS_DRAWN) -> MapGround:
    """The ground of a map.

    Args:
        model: The map.
        doors: How doors stand now, by id, where that is not as the map has them; other ids change nothing.
    """
    rules = rules_ground(model, doors)
    index, shape = rules.index, (model.height, model.width)

    def sheet(cells: bytes) -> U8:
        return np.frombuffer(cells, np.uint8).reshape(shape)

    paces, opaque = sheet(index.costs), np.frombuffer(index.opaque, np.bool_).reshape(shape)
    east, south = sheet(index.east), sheet(index.south)
    heights, tops = _levels(index)
    ground = MapGround(
        width=model.width,
        height=model.height,
        rules=rules,
        paces=paces,
        opaque=opaque,
        cover=sheet(index.cover),
        east=east,
        south=south,
        heights=heights,
        tops=tops,
        steps=step_costs(paces, east, south, heights),
        thin=bool(((east | south) & kinds.OPAQUE).any()) or _touching_at_corners(opaque),
    )
    for array in (heights, tops, ground.steps):
        array.setflags(write=False)
    return ground


def rules_ground(model: GridMap, doors: Mapping[str, DoorState] = AS_DRAWN) -> Ground:
    """The ground of a map as the rules have it, counted in cells."""
    east, south = (np.zeros((model.height, model.width), np.uint8) for _ in range(2))
    mark_walls((*model.walls, *fillings(model.doors)), east, south)
    return Ground(
        width=model.width,
        height=model.height,
        cells=model.cells.translate(_LETTERS).decode(),
        terrains=_TERRAINS,
        east=_signs(east),
        south=_signs(south),
        barriers=tuple(_BARRIERS[flags] for flags in sorted({0, *np.unique(east), *np.unique(south)})),
        doors=doors_of(model, doors),
        heights=tuple(np.frombuffer(model.heights, np.int8).tolist()),
        ambient=kinds.Ambient(model.ambient),
        lamps=tuple(lamps_of(model, model.lights)),
    )


def lamps_of(model: GridMap, lights: Iterable[Light]) -> Iterator[kinds.Lamp]:
    """The lights of a map as the rules have them, of those that shine on it."""
    for light in lights:
        at = cell_of(model, light)
        if light.dim > 0 and at is not None:
            yield kinds.Lamp(light.id, Square(*at), int(light.bright), int(light.dim))


def cell_of(model: GridMap | MapGround, light: Light) -> Cell | None:
    """The cell a light shines from; None beyond the map. On the map's far rims it is the last cell."""
    x, y = light.at
    if not (0 <= x <= model.width and 0 <= y <= model.height):
        return None
    return min(int(x), model.width - 1), min(int(y), model.height - 1)


def _signs(edges: U8) -> str:
    return edges.tobytes().translate(_SIGNS).decode() if edges.any() else ""


def _levels(index: Index) -> tuple[I32, I32]:
    """How high each cell lies, and how high what stops sight reaches in it."""
    shape = index.height, index.width
    heights = np.zeros(shape, np.int32)
    if index.heights is not None:
        heights[:] = np.array(index.heights, np.int32).reshape(shape)
    opaque = np.frombuffer(index.opaque, np.bool_).reshape(shape)
    tops = np.where(opaque, np.int32(ENDLESS), heights)
    if index.tops is not None:
        tops[:] = np.array(index.tops, np.int32).reshape(shape)
    return heights, tops


def _touching_at_corners(opaque: Bools) -> bool:
    a, b, c, d = opaque[:-1, :-1], opaque[:-1, 1:], opaque[1:, :-1], opaque[1:, 1:]
    return bool(((a & d & ~b & ~c) | (b & c & ~a & ~d)).any())
