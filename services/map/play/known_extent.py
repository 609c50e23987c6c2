"""How far a map under fog goes as a player knows it: the box around what they know, and a cell more.

The whole size of a map would tell how much of it is still unknown, so players are told this part alone: in
the state of play, in the map itself, in pictures and exports. It is made of nothing but what the viewer
knows; two maps that differ beyond it look the same.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from services.map.generation.grid.model import Cell, GridMap, Room, Spot
from services.map.generation.grid.terrain import Terrain
from services.map.play.cells import Cells, any_of, block, packed, unpacked
from services.map.play.movement import door_cells
from services.map.play.state import Extent, MapState

UNKNOWN = Extent(3, 3, True)
"""The extent of a map that a viewer knows nothing of, however large it is."""

MARGIN = 1
"""Cells around what is known, as far as the map goes."""

Part = tuple[float, float, float, float]
"""Left, top, right and bottom of a part of a picture, as shares of all of it."""

_Box = tuple[float, float, float, float]
_Kind = TypeVar("_Kind", np.bool_, np.uint8)


def within_known(state: MapState, model: GridMap, found: Collection[str]) -> MapState:
    """A player's view of the state of play under fog, as far as they know the map.

    Args:
        state: The view, whose extent is the whole map.
        model: The whole map.
        found: Ids of secret doors that were found.
    """
    explored = unpacked(state.explored[0].cells, state.extent)
    boxes = [*_explored_box(explored), *_boxes_of_map(model, explored, found), *_boxes_of_play(state)]
    extent = _around(boxes, state.extent)
    cells = _part(explored, extent, fill=0)
    return replace(state, extent=extent, explored=(replace(state.explored[0], cells=packed(cells)),))


def _around(boxes: list[_Box], whole: Extent) -> Extent:
    if not boxes:
        return UNKNOWN
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    left, top = max(math.floor(min(lefts)) - MARGIN, 0), max(math.floor(min(tops)) - MARGIN, 0)
    right = min(math.ceil(max(rights)) + MARGIN, whole.columns)
    bottom = min(math.ceil(max(bottoms)) + MARGIN, whole.rows)
    return Extent(right - left, bottom - top, True, left, top)


def _explored_box(explored: Cells) -> Iterator[_Box]:
    rows, columns = np.flatnonzero(explored.any(1)), np.flatnonzero(explored.any(0))
    if rows.size:
        yield float(columns[0]), float(rows[0]), float(columns[-1] + 1), float(rows[-1] + 1)


def _boxes_of_map(model: GridMap, explored: Cells, found: Collection[str]) -> Iterator[_Box]:
    """What stands in explored cells and reaches beyond them."""
    for door in model.doors:
        if (not door.secret or door.id in found) and any_of(explored, door_cells(door)):
            yield from (_cell_box(cell) for cell in door_cells(door))
    for prop in model.props:
        middle = math.floor(prop.x + prop.width / 2), math.floor(prop.y + prop.height / 2)
        if any_of(explored, (middle,)):
            yield prop.x, prop.y, prop.x + prop.width, prop.y + prop.height


def _boxes_of_play(state: MapState) -> Iterator[_Box]:
    """What the viewer sees or has put there, wherever it lies."""
    for token in state.tokens:
        yield from map(_cell_box, block(token))
    spots = [one.at for section in (state.markers, state.notes, state.lights) for one in section]
    for spot in (*spots, *(point for drawing in state.drawings for point in drawing.points)):
        yield spot.x, spot.y, spot.x, spot.y


def _cell_box(cell: Cell) -> _Box:
    x, y = cell
    return x, y, x + 1, y + 1


def _part(cells: npt.NDArray[_Kind], extent: Extent, fill: int) -> npt.NDArray[_Kind]:
    """The part of an array of cells, `[y, x]`, that an extent covers; beyond the array it is filled."""
    x, y = extent.left, extent.top
    part = np.full((extent.rows, extent.columns), fill, cells.dtype)
    taken = cells[y : y + extent.rows, x : x + extent.columns]
    part[: taken.shape[0], : taken.shape[1]] = taken
    return part


def with_cells_of(model: GridMap, extent: Extent) -> GridMap:
    """A map with the cells of an extent alone; what stands on it keeps its place on the whole map.

    Args:
        model: The map as its reader may know it.
        extent: As far as the reader knows it.
    """
    if extent == Extent(model.width, model.height, True):
        return model
    shape = model.height, model.width
    cells = _part(np.frombuffer(model.cells, np.uint8).reshape(shape), extent, fill=Terrain.ROCK)
    heights = b""
    if model.heights:
        heights = _part(np.frombuffer(model.heights, np.uint8).reshape(shape), extent, fill=0).tobytes()
    return replace(model, width=extent.columns, height=extent.rows, cells=cells.tobytes(), heights=heights)


def cut_to(model: GridMap, extent: Extent) -> GridMap:
    """A map of an extent alone, everything counted from its top left cell: what pictures and exports are of.

    Args:
        model: The map as its reader may know it.
        extent: As far as the reader knows it.
    """
    part = with_cells_of(model, extent)
    if part is model:
        return model
    left, top = extent.left, extent.top

    def cell(at: Cell) -> Cell:
        return at[0] - left, at[1] - top

    def spot(at: Spot) -> Spot:
        return at[0] - left, at[1] - top

    def spans(rows: tuple[tuple[int, int, int], ...]) -> tuple[tuple[int, int, int], ...]:
        return tuple((row - top, first - left, after - left) for row, first, after in rows)

    def room(one: Room) -> Room:
        return replace(one, x=one.x - left, y=one.y - top, spans=spans(one.spans))

    return replace(
        part,
        rooms=tuple(map(room, model.rooms)),
        doors=tuple(
            replace(one, at=cell(one.at), ends=one.ends and (spot(one.ends[0]), spot(one.ends[1])))
            for one in model.doors
        ),
        walls=tuple(replace(one, points=tuple(map(spot, one.points))) for one in model.walls),
        traps=tuple(replace(one, at=cell(one.at)) for one in model.traps),
        stairs=tuple(replace(one, at=cell(one.at)) for one in model.stairs),
        lights=tuple(replace(one, at=spot(one.at)) for one in model.lights),
        props=tuple(replace(one, x=one.x - left, y=one.y - top) for one in model.props),
        zones=tuple(replace(one, spans=spans(one.spans)) for one in model.zones),
        notes=tuple(replace(one, at=spot(one.at)) for one in model.notes),
        entrance=model.entrance and cell(model.entrance),
        goal=model.goal and cell(model.goal),
        extent=_picture_extent(model, extent),
    )


def picture_part(model: GridMap, extent: Extent) -> Part | None:
    """Which part of the picture that an imported map came with an extent covers.

    Returns:
        The part; None for all of it.
    """
    if extent == Extent(model.width, model.height, True):
        return None
    across, down = model.extent or (float(model.width), float(model.height))
    right, bottom = min(extent.x + extent.width, across), min(extent.y + extent.height, down)
    return extent.x / across, extent.y / down, right / across, bottom / down


def _picture_extent(model: GridMap, extent: Extent) -> Spot | None:
    if model.extent is None:
        return None
    across, down = model.extent
    covered = min(across - extent.x, extent.width), min(down - extent.y, extent.height)
    return None if covered == (extent.width, extent.height) else covered
