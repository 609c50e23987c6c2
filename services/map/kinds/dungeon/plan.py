"""The plan of a dungeon, still in numbers: rooms, ways, doors and shapes, each from a stream of its own."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from services.map.kinds.dungeon.carving import carve, shape_rooms
from services.map.kinds.dungeon.chance import Bytes, Ints, start
from services.map.kinds.dungeon.lattice import borders, place_rooms, share_out
from services.map.kinds.dungeon.parameters import DungeonDensity, DungeonParameters
from services.map.kinds.dungeon.themes.model import Theme
from services.map.kinds.dungeon.ways import choose_ends, choose_ways

_LAND_PER_ROOM = {DungeonDensity.SPARSE: 46, DungeonDensity.NORMAL: 33, DungeonDensity.DENSE: 25}
_FEWEST = 4
_PLAIN_SIDE = 25
_GREAT_SIDE = 85
_GREAT_LAND = 1.0


def _scale(columns: int, rows: int) -> float:
    """0 for maps of up to 25 by 25 lattice cells, 1 from 85 by 85 on: great maps have greater halls."""
    return min(1.0, max(0.0, (math.sqrt(columns * rows) - _PLAIN_SIDE) / (_GREAT_SIDE - _PLAIN_SIDE)))


def _sizes(scale: float) -> npt.NDArray[np.int64]:
    """The classes of rooms, as `lattice.place_rooms` reads them."""
    more = round(4 * scale)
    return np.array(
        [[5, 8 + more, 4, 6 + more, 130], [3, 5 + more // 2, 3, 4 + more // 2, 400], [2, 3, 2, 3, 470]],
        np.int64,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """A dungeon in numbers; rooms are counted from 0 in the order they were placed.

    Attributes:
        cells: `Terrain` codes, rows by columns.
        label: The room of each cell, or a negative number.
        boxes: A row a room: column, row, width, height, in map cells.
        shapes: Of the rooms, codes of `carving`.
        spans: Of rooms that are no rectangles: room, row, first column, column after the last.
        doors: A row a door: column, row, 1 when walked through north and south, 1 when secret.
        ways: A row a way: room, room, four doors (-1 for none), 1 when secret.
        entrance: The room one comes in at.
        goal: The room it is all about.
        hops: Of each room from the entrance over plain ways; -1 for hidden rooms.
        degree: Ways of each room.
        hidden: Whether each room is hidden.
    """

    cells: Bytes
    label: Ints
    boxes: Ints
    shapes: Ints
    spans: Ints
    doors: Ints
    ways: Ints
    entrance: int
    goal: int
    hops: Ints
    degree: Ints
    hidden: Ints


def make_plan(parameters: DungeonParameters, theme: Theme, seed: int, attempt: int) -> Plan:
    """Lays out a dungeon."""
    columns, rows = (parameters.width - 1) // 2, (parameters.height - 1) // 2
    scale = _scale(columns, rows)
    land_per_room = _LAND_PER_ROOM[parameters.density] * (1 + _GREAT_LAND * scale)
    wanted = parameters.rooms or max(_FEWEST, int(columns * rows / land_per_room))
    rooms_state = start(seed, "dungeon rooms", attempt)
    boxes, owner = place_rooms(columns, rows, wanted, _sizes(scale), theme.snug, rooms_state)
    ways_state = start(seed, "dungeon ways", attempt)
    land, far, came = share_out(owner, boxes, theme.winding, ways_state)
    pairs = borders(owner, boxes, land, far, ways_state)
    use, hidden = choose_ways(pairs, len(boxes), parameters.loops, parameters.secrets, ways_state)
    entrance, goal, hops, degree = choose_ends(pairs, use, hidden, boxes, columns, rows, ways_state)
    cells, label, door_at, doors, ways = carve(
        parameters.width, parameters.height, boxes, owner, pairs, use, hidden, came
    )
    odds = np.array(theme.shapes, np.int64)
    shapes, spans = shape_rooms(cells, label, door_at, boxes, odds, start(seed, "dungeon shapes", attempt))
    map_boxes = 2 * boxes + np.array([1, 1, -1, -1], np.int32)
    return Plan(
        cells, label, map_boxes, shapes, spans, doors, ways, int(entrance), int(goal), hops, degree, hidden
    )
