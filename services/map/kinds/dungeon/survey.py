"""The cells of a finished dungeon measured again: kernels behind the gates.

Nothing here is shared with the kernels that make dungeons. What can be walked to is found by flooding cells,
with secret doors shut and open.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from services.map.kinds.dungeon.chance import Bytes, Ints, kernel

_DX = (1, 0, -1, 0)
_DY = (0, 1, 0, -1)
SOLID, CLIMBED, OPEN = 0, 1, 2
"""What a cell is to somebody walking: never entered, only over an obstacle, freely."""


@kernel
def flood(ground: Bytes, shut: Bytes, reached: Bytes, first: int, least: int) -> int:
    """Marks every cell that can be walked to in four directions.

    Args:
        ground: What each cell is to somebody walking, row by row with a rim of solid cells.
        shut: 1 where a closed secret door stands.
        reached: Is marked with 1; what is marked already is not walked again.
        first: Index of the cell to start from.
        least: `OPEN` to walk freely, `CLIMBED` to climb too.

    Returns:
        How many cells were marked.
    """
    width = ground.shape[1]
    walls = ground.reshape(-1)
    doors = shut.reshape(-1)
    marks = reached.reshape(-1)
    stack = np.empty(walls.shape[0], np.int32)
    stack[0] = first
    marks[first] = 1
    held = 1
    count = 0
    while held > 0:
        held -= 1
        cell = stack[held]
        count += 1
        for step in (1, width, -1, -width):
            other = cell + step
            if marks[other] == 0 and walls[other] >= least and doors[other] == 0:
                marks[other] = 1
                stack[held] = other
                held += 1
    return count


@kernel
def check_doors(ground: Bytes, wall: Bytes, doors: Ints) -> Ints:
    """For each door, whether floor is on its two sides along its axis, and wall on the two others.

    Args:
        ground: What each cell is to somebody walking.
        wall: 1 where a cell is rock or wall.
        doors: A row a door: column, row, 1 when walked through north and south.
    """
    sound = np.zeros(doors.shape[0], np.int32)
    for door in range(doors.shape[0]):
        x = doors[door, 0]
        y = doors[door, 1]
        across = wall[y, x - 1] == 1 and wall[y, x + 1] == 1
        along = wall[y - 1, x] == 1 and wall[y + 1, x] == 1
        if doors[door, 2] == 1:
            passable = ground[y - 1, x] == OPEN and ground[y + 1, x] == OPEN
            sound[door] = 1 if across and passable and ground[y, x] == OPEN else 0
        else:
            passable = ground[y, x - 1] == OPEN and ground[y, x + 1] == OPEN
            sound[door] = 1 if along and passable and ground[y, x] == OPEN else 0
    return sound


@kernel
def examine_cells(
    ground: Bytes, label: Ints, shut: Bytes, plain: Bytes, everything: Bytes, hidden: Ints
) -> tuple[Ints, Ints, Ints]:
    """Counts what is wrong with cells, and how many openings each room has.

    Args:
        ground: What each cell is to somebody walking.
        label: The room of each cell, or -1.
        shut: 1 where a secret door stands.
        plain: 1 where one comes with secret doors shut, without climbing.
        everything: 1 where one comes with secret doors open, without climbing.
        hidden: Whether each room is hidden.

    Returns:
        Counts: cells cut off, obstacles out of reach, dead ends, dead ends as players see them. For each
        room: its cells that are out of reach with secret doors shut (in a plain room) or within it (in a
        hidden one). And the openings of each room.
    """
    height, width = ground.shape
    counts = np.zeros(4, np.int32)
    wrong = np.zeros(hidden.shape[0], np.int32)
    openings = np.zeros(hidden.shape[0], np.int32)
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            kind = ground[y, x]
            if kind == SOLID:
                continue
            room = label[y, x]
            ways = 0
            seen_ways = 0
            beside = False
            for k in range(4):
                nx = x + _DX[k]
                ny = y + _DY[k]
                if ground[ny, nx] == SOLID:
                    continue
                ways += 1
                if plain[ny, nx] == 1:
                    seen_ways += 1
                if everything[ny, nx] == 1:
                    beside = True
                if room >= 0 and label[ny, nx] < 0:
                    openings[room] += 1
            if kind == CLIMBED:
                if not beside:
                    counts[1] += 1
                continue
            if everything[y, x] == 0:
                counts[0] += 1
            if room < 0:
                if ways < 2:
                    counts[2] += 1
                elif plain[y, x] == 1 and seen_ways < 2:
                    counts[3] += 1
            elif (plain[y, x] == 1) == (hidden[room] == 1):
                wrong[room] += 1
    return counts, wrong, openings


@kernel
def check_props(wall: Bytes, doors: Ints, stairs: Ints, props: Ints) -> Ints:
    """For each piece of furniture: 1 when it is in rock or outside, 2 when it bars a door, stairs or another.

    Args:
        wall: 1 where a cell is rock or wall.
        doors: A row a door: column, row, 1 when walked through north and south.
        stairs: A row each: column, row.
        props: A row each: column, row, columns.
    """
    height, width = wall.shape
    taken = np.zeros((height, width), np.uint8)
    for door in range(doors.shape[0]):
        for step in range(-1, 2):
            if doors[door, 2] == 1:
                taken[doors[door, 1] + step, doors[door, 0]] = 1
            else:
                taken[doors[door, 1], doors[door, 0] + step] = 1
    for row in range(stairs.shape[0]):
        taken[stairs[row, 1], stairs[row, 0]] = 1
    wrong = np.zeros(props.shape[0], np.int32)
    for prop in range(props.shape[0]):
        y = props[prop, 1]
        for x in range(props[prop, 0], props[prop, 0] + props[prop, 2]):
            if x < 0 or y < 0 or x >= width or y >= height or wall[y, x] == 1:
                wrong[prop] = 1
            elif taken[y, x] == 1:
                wrong[prop] = 2
            else:
                taken[y, x] = 1
    return wrong


@kernel
def label_rooms(width: int, height: int, spans: Ints) -> tuple[Ints, npt.NDArray[np.int64], int]:
    """Which room each cell belongs to.

    Args:
        width: Columns of the map.
        height: Rows.
        spans: A row a span: room, row, first column, column after the last; all inside the map.

    Returns:
        The room of each cell, -1 for none; the cells of each room; how many cells belong to two rooms.
    """
    rooms = 0
    for row in range(spans.shape[0]):
        rooms = max(rooms, spans[row, 0] + 1)
    label = np.full((height, width), -1, np.int32)
    areas = np.zeros(rooms, np.int64)
    doubled = 0
    for row in range(spans.shape[0]):
        for x in range(spans[row, 2], spans[row, 3]):
            if label[spans[row, 1], x] >= 0:
                doubled += 1
            label[spans[row, 1], x] = spans[row, 0]
            areas[spans[row, 0]] += 1
    return label, areas, doubled
