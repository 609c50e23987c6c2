"""Spots for furniture, lights, stairs and traps: each used once, none in the way of another or of a door."""

from __future__ import annotations

import numpy as np

from services.map.kinds.dungeon.carving import CORRIDOR, FLOOR, ROCK, simple
from services.map.kinds.dungeon.chance import Bytes, Ints, State, below, kernel
from services.map.kinds.dungeon.dressing import RUBBLE, SHALLOWS, beside_doors

ON_WALL, IN_MIDDLE, LIGHT, STAIRS, TRAP, GOAL = 0, 1, 2, 3, 4, 5
"""What a spot is for."""

_SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))
_TRIES = 10


@kernel
def _against_wall(
    cells: Bytes, label: Ints, room: int, box: Ints, side: int, along: int, found: Ints
) -> bool:
    """The first cell of a room that one meets from one side of its box, if there is a wall behind it.

    Args:
        cells: The map.
        label: The room of each cell, or -1.
        room: The room.
        box: Its box.
        side: 0 north, 1 east, 2 south, 3 west.
        along: How far along that side.
        found: Is filled with the column and row.
    """
    sx, sy = _SIDES[side]
    x = box[0] + along if sx == 0 else (box[0] if sx < 0 else box[0] + box[2] - 1)
    y = box[1] + along if sy == 0 else (box[1] if sy < 0 else box[1] + box[3] - 1)
    for _ in range(3):
        if x < box[0] or y < box[1] or x >= box[0] + box[2] or y >= box[1] + box[3]:
            return False
        if label[y, x] == room:
            found[0] = x
            found[1] = y
            return bool(cells[y + sy, x + sx] == ROCK)
        x -= sx
        y -= sy
    return False


@kernel
def find_spots(
    cells: Bytes,
    label: Ints,
    doors: Ints,
    boxes: Ints,
    orders: Ints,
    goal: int,
    passage_traps: int,
    passage_lights: int,
    state: State,
) -> Ints:
    """Finds spots for what a room is furnished with; a spot is used once, and nothing is put in the way.

    Args:
        cells: The map.
        label: The room of each cell, or -1.
        doors: As `carving.carve` made them.
        boxes: The rooms' boxes, in map cells.
        orders: A row a room: pieces along the walls, whether they stand in rows, columns of the piece in the
            middle (0, 1 or 3), lights, stairs, traps.
        goal: The room that the dungeon is about.
        passage_traps: Traps wanted in corridors.
        passage_lights: Lights wanted in corridors.
        state: Of the random stream.

    Returns:
        A row a spot: room (-1 for a corridor), what for (`ON_WALL`, ...), column, row, side of the wall
        behind it (0 north, 1 east, 2 south, 3 west).
    """
    height, width = cells.shape
    clear = beside_doors(doors, height, width)
    open_cells = np.zeros((height, width), np.uint8)
    for y in range(height):
        for x in range(width):
            code = cells[y, x]
            if code in (FLOOR, CORRIDOR, RUBBLE, SHALLOWS):
                open_cells[y, x] = 1
    count = 1 + passage_traps + passage_lights + orders[:, 0].sum() + orders.shape[0]
    count += orders[:, 3].sum() + orders[:, 4].sum() + orders[:, 5].sum()
    spots = np.zeros((count, 5), np.int32)
    at = np.zeros(2, np.int32)
    made = 0
    for room in range(boxes.shape[0]):
        box = boxes[room]
        cx = box[0] + box[2] // 2
        cy = box[1] + box[3] // 2
        if room == goal:
            # Beside the middle, so that what stands there has its place.
            made = _goal_spot(cells, label, open_cells, clear, room, box, spots, made)
        if orders[room, 2] > 0:
            half = orders[room, 2] // 2
            fits = True
            for x in range(cx - half, cx + half + 1):
                if label[cy, x] != room or cells[cy, x] != FLOOR or clear[cy, x] == 1:
                    fits = False
            if fits:
                taken = 0
                for x in range(cx - half, cx + half + 1):
                    if open_cells[cy, x] == 1 and simple(open_cells, x, cy):
                        open_cells[cy, x] = 0
                        clear[cy, x] = 1
                        taken += 1
                if taken == orders[room, 2]:
                    made = _note(spots, made, room, IN_MIDDLE, cx, cy, 0)
                else:
                    for x in range(cx - half, cx + half + 1):
                        open_cells[cy, x] = 1
        for _ in range(orders[room, 4]):
            for _ in range(4 * _TRIES):
                side = below(state, 4)
                along = below(state, box[2] if side % 2 == 0 else box[3])
                if not _against_wall(cells, label, room, box, side, along, at):
                    continue
                sx, sy = _SIDES[side]
                stepped_off = open_cells[at[1] - sy, at[0] - sx]
                if clear[at[1], at[0]] == 0 and open_cells[at[1], at[0]] == 1 and stepped_off == 1:
                    clear[at[1], at[0]] = 1
                    clear[at[1] - sy, at[0] - sx] = 1
                    made = _note(spots, made, room, STAIRS, at[0], at[1], side)
                    break
        made = _wall_spots(cells, label, open_cells, clear, room, box, orders[room], spots, made, state)
        for index in range(orders[room, 3]):
            first = below(state, 4)
            for attempt in range(_TRIES):
                side = (first + 2 * index + attempt // 3) % 4
                length = box[2] if side % 2 == 0 else box[3]
                along = length // 4 + below(state, max(1, length - 2 * (length // 4)))
                if _against_wall(cells, label, room, box, side, along, at) and open_cells[at[1], at[0]] == 1:
                    made = _note(spots, made, room, LIGHT, at[0], at[1], side)
                    break
        for _ in range(orders[room, 5]):
            for _ in range(_TRIES):
                x = box[0] + below(state, box[2])
                y = box[1] + below(state, box[3])
                free = open_cells[y, x] == 1 and clear[y, x] == 0
                if label[y, x] == room and cells[y, x] == FLOOR and free:
                    clear[y, x] = 1
                    made = _note(spots, made, room, TRAP, x, y, 0)
                    break
    return spots[: _corridor_spots(cells, label, clear, spots, made, passage_traps, passage_lights, state)]


@kernel
def _note(spots: Ints, made: int, room: int, purpose: int, x: int, y: int, side: int) -> int:
    spots[made, 0] = room
    spots[made, 1] = purpose
    spots[made, 2] = x
    spots[made, 3] = y
    spots[made, 4] = side
    return made + 1


@kernel
def _goal_spot(
    cells: Bytes, label: Ints, open_cells: Bytes, clear: Bytes, room: int, box: Ints, spots: Ints, made: int
) -> int:
    """The open cell nearest to the middle of a room, but not the middle itself."""
    best = 1 << 20
    bx, by = box[0], box[1]
    for y in range(box[1], box[1] + box[3]):
        for x in range(box[0], box[0] + box[2]):
            gap = abs(x - box[0] - box[2] // 2) + 2 * abs(y - box[1] - box[3] // 2)
            if label[y, x] == room and open_cells[y, x] == 1 and 2 <= gap < best:
                best = gap
                bx, by = x, y
    clear[by, bx] = 1
    return _note(spots, made, room, GOAL, bx, by, 0)


@kernel
def _strands(cells: Bytes, open_cells: Bytes, x: int, y: int) -> bool:
    """Whether closing a cell would leave furniture beside it that nobody can step up to any more."""
    for dx, dy in _SIDES:
        if open_cells[y + dy, x + dx] == 1 or cells[y + dy, x + dx] not in (FLOOR, RUBBLE, SHALLOWS):
            continue
        reached = False
        for sx, sy in _SIDES:
            if (sx != -dx or sy != -dy) and open_cells[y + dy + sy, x + dx + sx] == 1:
                reached = True
        if not reached:
            return True
    return False


@kernel
def _wall_spots(
    cells: Bytes,
    label: Ints,
    open_cells: Bytes,
    clear: Bytes,
    room: int,
    box: Ints,
    order: Ints,
    spots: Ints,
    made: int,
    state: State,
) -> int:
    """Spots along the walls: in two rows face to face, or in small groups."""
    at = np.zeros(2, np.int32)
    wanted = order[0]
    rows = order[1] == 1
    long_side = 0 if box[2] >= box[3] else 1
    side = long_side
    along = -2
    for attempt in range(4 * wanted + 8):
        if wanted == 0:
            break
        if rows:
            along += 2
            length = box[2] if side % 2 == 0 else box[3]
            if along >= length:
                if side != long_side:
                    break
                side += 2
                along = 0
        elif attempt == 0 or below(state, 2) == 0:
            side = below(state, 4)
            along = below(state, box[2] if side % 2 == 0 else box[3])
        else:
            along += 1
            if along >= (box[2] if side % 2 == 0 else box[3]):
                continue
        if not _against_wall(cells, label, room, box, side, along, at):
            continue
        x = at[0]
        y = at[1]
        if cells[y, x] != FLOOR or clear[y, x] == 1 or open_cells[y, x] == 0:
            continue
        if not simple(open_cells, x, y) or _strands(cells, open_cells, x, y):
            continue
        open_cells[y, x] = 0
        clear[y, x] = 1
        made = _note(spots, made, room, ON_WALL, x, y, side)
        wanted -= 1
    return made


@kernel
def _corridor_spots(
    cells: Bytes,
    label: Ints,
    clear: Bytes,
    spots: Ints,
    made: int,
    traps: int,
    lights: int,
    state: State,
) -> int:
    """Spots in corridors, away from doors and from each other."""
    height, width = cells.shape
    free = np.empty((height // 2 + 1) * (width // 2 + 1), np.int32)
    count = 0
    for y in range(1, height - 1, 2):
        for x in range(1, width - 1, 2):
            if cells[y, x] == CORRIDOR and label[y, x] == -1:
                free[count] = y * width + x
                count += 1
    first = made
    for index in range(traps + lights):
        purpose = TRAP if index < traps else LIGHT
        for _ in range(_TRIES):
            if count == 0:
                return made
            cell = free[below(state, count)]
            y = cell // width
            x = cell - y * width
            if purpose == TRAP and clear[y, x] == 1:
                continue
            crowded = False
            for other in range(first, made):
                if abs(spots[other, 2] - x) + abs(spots[other, 3] - y) < 6:
                    crowded = True
                    break
            if crowded:
                continue
            side = -1
            for k in range(4):
                sx, sy = _SIDES[k]
                if cells[y + sy, x + sx] == ROCK:
                    side = k
            if purpose == LIGHT and side < 0:
                continue
            made = _note(spots, made, -1, purpose, x, y, max(side, 0))
            break
    return made
