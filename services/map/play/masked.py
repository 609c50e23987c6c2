"""A grid map as players may see it under fog, and as play has changed it: for pictures and exports."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from services.map.generation.grid.model import Cell, GridMap, Room, Spot, Wall
from services.map.generation.grid.secrets import for_players
from services.map.generation.grid.terrain import Terrain
from services.map.play.cells import Cells, any_of, as_cells
from services.map.play.cutting import seen_parts
from services.map.play.movement import door_cells
from services.map.play.sight import shining
from services.map.play.state import DoorPlay, Extent, MapState, find

_Spans = tuple[tuple[int, int, int], ...]


def as_played(model: GridMap, state: MapState) -> GridMap:
    """The map with its doors as they stand now and the lights that play has brought.

    Args:
        model: The whole map.
        state: The state of play; for a picture for players their view of it, because a light that a hidden
            token carries would show where it stands.
    """
    doors = []
    for door in model.doors:
        play = find(state, "doors", door.id)
        stands = play.state if isinstance(play, DoorPlay) else None
        doors.append(door if stands is None else replace(door, state=stands))
    return replace(model, doors=tuple(doors), lights=(*model.lights, *shining(state)))


def found_doors(state: MapState) -> frozenset[str]:
    """The secret doors that players have found."""
    return frozenset(door.id for door in state.doors if door.found)


def masked(model: GridMap, explored: bytes | Cells, found: Collection[str] = ()) -> GridMap:
    """The map as players know it, cut to what is explored; all else is rock.

    Rooms, zones and thin walls are cut to their explored parts. What stands somewhere is there when the cell
    of its middle is explored, a door when one of the cells it is seen in is. A passage is told when the doors
    on it and both its rooms are known.

    Args:
        model: The whole map.
        explored: Its explored cells: an array of one row a row of the map, or a byte a cell.
        found: Ids of secret doors that were found.
    """
    shown = for_players(model, found)
    cells = as_cells(explored, Extent(model.width, model.height, True))

    def open_at(x: float, y: float) -> bool:
        return any_of(cells, ((min(math.floor(x), model.width - 1), min(math.floor(y), model.height - 1)),))

    rooms = tuple(_cut_rooms(shown.rooms, cells))
    doors = tuple(door for door in shown.doors if any_of(cells, door_cells(door)))
    known_rooms, known_doors = {room.id for room in rooms}, {door.id for door in doors}
    return replace(
        shown,
        cells=np.where(cells.ravel(), _octets(shown.cells), np.uint8(Terrain.ROCK)).tobytes(),
        heights=np.where(cells.ravel(), _octets(shown.heights), 0).astype(np.uint8).tobytes()
        if shown.heights
        else b"",
        rooms=rooms,
        doors=doors,
        passages=tuple(
            way
            for way in shown.passages
            if way.doors and known_doors.issuperset(way.doors) and known_rooms >= {way.start, way.end}
        ),
        walls=tuple(_cut_walls(shown.walls, cells)),
        stairs=tuple(one for one in shown.stairs if open_at(*one.at)),
        lights=tuple(one for one in shown.lights if open_at(*one.at)),
        props=tuple(one for one in shown.props if open_at(one.x + one.width / 2, one.y + one.height / 2)),
        zones=tuple(
            replace(zone, spans=spans) for zone in shown.zones if (spans := _cut_spans(zone.spans, cells))
        ),
        notes=tuple(one for one in shown.notes if open_at(*one.at)),
        entrance=_open_cell(shown.entrance, cells),
    )


def _octets(data: bytes) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    return np.frombuffer(data, dtype=np.uint8)


def _open_cell(cell: Cell | None, cells: Cells) -> Cell | None:
    return cell if cell is not None and any_of(cells, (cell,)) else None


def _cut_rooms(rooms: Iterable[Room], cells: Cells) -> Iterator[Room]:
    for room in rooms:
        spans = _cut_spans(room.rows, cells)
        if spans == room.rows:
            yield room
        elif spans:
            left, right = min(first for _, first, _ in spans), max(after for _, _, after in spans)
            top, bottom = spans[0][0], spans[-1][0] + 1
            yield replace(room, x=left, y=top, width=right - left, height=bottom - top, spans=spans)


def _cut_spans(spans: _Spans, cells: Cells) -> _Spans:
    """The explored parts of some spans, in their order."""
    parts: list[tuple[int, int, int]] = []
    rows, columns = cells.shape
    for row, first, after in spans:
        if not 0 <= row < rows:
            continue
        left = max(first, 0)
        seen = cells[row, left : min(after, columns)].astype(np.int8)
        edges = np.flatnonzero(np.diff(seen, prepend=0, append=0)) + left
        parts += [(row, int(start), int(end)) for start, end in zip(edges[::2], edges[1::2], strict=True)]
    return tuple(parts)


def _cut_walls(walls: Iterable[Wall], cells: Cells) -> Iterator[Wall]:
    """The parts of thin walls that have an explored cell on one side."""
    pieces = [(wall, start, end) for wall in walls for start, end in pairwise(wall.points)]
    ends = np.array([(*start, *end) for _, start, end in pieces], np.float64).reshape(-1, 4)
    which, shares = seen_parts(ends, cells)
    # A line that goes on as one wall, until there is a gap in it or the wall ends.
    of: Wall | None = None
    line: list[Spot] = []
    for index, (low, high) in zip(which.tolist(), shares.tolist(), strict=True):
        wall, start, end = pieces[index]
        first, last = _between(start, end, low), _between(start, end, high)
        if of is not wall or line[-1] != first:
            if of is not None:
                yield replace(of, points=tuple(line))
            of, line = wall, [first]
        line.append(last)
    if of is not None:
        yield replace(of, points=tuple(line))


def _between(start: Spot, end: Spot, share: float) -> Spot:
    # The ends are given back as they are, so that pieces still meet.
    if share in (0.0, 1.0):
        return end if share else start
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
