"""What rooms are like before anything is put into them: pillars, pools, chasms, floods, rubble.

Nothing that stops walking is ever put before a door or where it would cut a room apart: each such cell is
closed only while its open neighbours hang together without it (`carving.simple`).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from services.map.kinds.dungeon.carving import FLOOR, ROCK, ROUGH, simple
from services.map.kinds.dungeon.chance import Bytes, Ints, State, below, kernel

RUBBLE, SHALLOWS, WATER, PILLAR = 4, 5, 6, 10
"""Codes of `Terrain`, as plain numbers for the kernels."""

PILLARED, FLOODED, POOLED, RUINED = 1, 2, 4, 8
"""What `dress_rooms` did to a room, as bits."""

_SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))
_TRIES = 10


@kernel
def beside_doors(doors: Ints, height: int, width: int) -> Bytes:
    """1 on the cells on both sides of each door: they stay clear."""
    clear = np.zeros((height, width), np.uint8)
    for door in range(doors.shape[0]):
        x = doors[door, 0]
        y = doors[door, 1]
        if doors[door, 2] == 1:
            clear[y - 1, x] = 1
            clear[y + 1, x] = 1
        else:
            clear[y, x - 1] = 1
            clear[y, x + 1] = 1
    return clear


@kernel
def _close(cells: Bytes, open_cells: Bytes, clear: Bytes, x: int, y: int, code: int) -> bool:
    """Makes a cell something nobody walks through, if that harms nothing."""
    if open_cells[y, x] == 0 or clear[y, x] == 1 or not simple(open_cells, x, y):
        return False
    open_cells[y, x] = 0
    cells[y, x] = code
    return True


@kernel
def _pillars(
    cells: Bytes, label: Ints, open_cells: Bytes, clear: Bytes, room: int, box: Ints, state: State
) -> int:
    """Pillars on an even raster: two rows along a hall, or all over; returns how many."""
    left, top, width, height = box[0], box[1], box[2], box[3]
    step = 2 if min(width, height) < 9 or below(state, 2) == 0 else 4
    everywhere = below(state, 4) == 0
    made = 0
    for dy in range(1, height - 1, step):
        for dx in range(1, width - 1, step):
            if not everywhere and width >= height and dy != 1 and dy + step < height - 1:
                continue
            if not everywhere and width < height and dx != 1 and dx + step < width - 1:
                continue
            x = left + dx
            y = top + dy
            if label[y, x] == room and cells[y, x] == FLOOR:
                beside_rock = False
                for sx, sy in _SIDES:
                    if cells[y + sy, x + sx] == ROCK:
                        beside_rock = True
                if not beside_rock and _close(cells, open_cells, clear, x, y, PILLAR):
                    made += 1
    return made


@kernel
def _pool(
    cells: Bytes,
    label: Ints,
    open_cells: Bytes,
    clear: Bytes,
    room: int,
    box: Ints,
    size: int,
    code: int,
    state: State,
) -> int:
    """Grows something deep from one cell outwards; returns how many cells it covers."""
    grown = np.empty((size + 1, 2), np.int32)
    count = 0
    for _ in range(_TRIES):
        x = box[0] + below(state, box[2])
        y = box[1] + below(state, box[3])
        if label[y, x] != room or cells[y, x] not in (FLOOR, SHALLOWS):
            continue
        if _close(cells, open_cells, clear, x, y, code):
            grown[0, 0] = x
            grown[0, 1] = y
            count = 1
            break
    if count == 0:
        return 0
    for _ in range(6 * size):
        if count >= size:
            break
        source = below(state, count)
        sx, sy = _SIDES[below(state, 4)]
        x = grown[source, 0] + sx
        y = grown[source, 1] + sy
        if label[y, x] != room or cells[y, x] not in (FLOOR, SHALLOWS):
            continue
        if _close(cells, open_cells, clear, x, y, code):
            grown[count, 0] = x
            grown[count, 1] = y
            count += 1
    return count


@kernel
def dress_rooms(
    cells: Bytes,
    label: Ints,
    doors: Ints,
    boxes: Ints,
    shapes: Ints,
    flooded: Ints,
    odds: npt.NDArray[np.int64],
    state: State,
) -> Ints:
    """Puts pillars, water, chasms and rubble into rooms.

    Args:
        cells: Are changed.
        label: The room of each cell, or -1.
        doors: As `carving.carve` made them.
        boxes: The rooms' boxes, in map cells.
        shapes: Of the rooms.
        flooded: Which rooms stand under water.
        odds: Per mille of rooms with pillars, with a pool and with rubble, of those large enough; and the
            code of what the pools hold, and of what is around it.
        state: Of the random stream.

    Returns:
        What was done to each room: `PILLARED`, `FLOODED`, ... as bits.
    """
    height, width = cells.shape
    clear = beside_doors(doors, height, width)
    open_cells = (cells > 0).astype(np.uint8)
    done = np.zeros(boxes.shape[0], np.int32)
    for room in range(boxes.shape[0]):
        box = boxes[room]
        area = box[2] * box[3]
        pillared = min(box[2], box[3]) >= 7 and shapes[room] != ROUGH and below(state, 1000) < odds[0]
        if pillared and _pillars(cells, label, open_cells, clear, room, box, state) > 0:
            done[room] |= PILLARED
        if flooded[room] == 1:
            for y in range(box[1], box[1] + box[3]):
                for x in range(box[0], box[0] + box[2]):
                    if label[y, x] == room and cells[y, x] == FLOOR and below(state, 8) > 0:
                        cells[y, x] = SHALLOWS
            _pool(cells, label, open_cells, clear, room, box, area // 4, WATER, state)
            done[room] |= FLOODED
        elif min(box[2], box[3]) >= 5 and done[room] == 0 and below(state, 1000) < odds[1]:
            size = area // 8 + below(state, 1 + area // 6)
            if _pool(cells, label, open_cells, clear, room, box, size, odds[3], state) > 0:
                done[room] |= POOLED
                for y in range(box[1], box[1] + box[3]):
                    for x in range(box[0], box[0] + box[2]):
                        if label[y, x] != room or cells[y, x] != FLOOR or below(state, 3) == 0:
                            continue
                        for sx, sy in _SIDES:
                            if cells[y + sy, x + sx] == odds[3]:
                                cells[y, x] = odds[4]
                                break
        if below(state, 1000) < odds[2]:
            x = box[0] + below(state, box[2])
            y = box[1] + below(state, box[3])
            for _ in range(3 + below(state, 5)):
                if label[y, x] == room and cells[y, x] == FLOOR:
                    cells[y, x] = RUBBLE
                    done[room] |= RUINED
                x = min(max(x + below(state, 3) - 1, box[0]), box[0] + box[2] - 1)
                y = min(max(y + below(state, 3) - 1, box[1]), box[1] + box[3] - 1)
    return done
