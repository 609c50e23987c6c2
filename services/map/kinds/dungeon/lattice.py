"""Rooms on an odd lattice, and the land between them shared out.

Lattice cell (i, j) is map cell (2 i + 1, 2 j + 1): rooms and corridors begin and end on odd columns and rows,
so that every wall between them is one cell thick and every opening in one is a sound place for a door. The
free cells between the rooms are shared out: each belongs to the room that reaches it most cheaply. Two rooms
whose lands meet can be joined by a corridor through those two lands alone, so corridors never cross.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from services.map.kinds.dungeon.chance import Ints, State, below, kernel

_DX = (1, -1, 0, 0)
_DY = (0, 0, 1, -1)
_FAR = 1 << 30
_BUCKETS = 64
_TRIES = 24
_STEP = 4
_TURN = 3
_CORNER = 9


@kernel
def _free(owner: Ints, x: int, y: int, width: int, height: int) -> bool:
    rows, columns = owner.shape
    for j in range(max(y, 0), min(y + height, rows)):
        for i in range(max(x, 0), min(x + width, columns)):
            if owner[j, i] >= 0:
                return False
    return True


@kernel
def place_rooms(
    columns: int, rows: int, wanted: int, sizes: npt.NDArray[np.int64], snug: int, state: State
) -> tuple[Ints, Ints]:
    """Places rooms, the large ones first, each at one of a few random spots where it has room.

    Args:
        columns: Of the lattice.
        rows: Of the lattice.
        wanted: How many; fewer are placed when no more fit.
        sizes: A row for each class of rooms: least and most length, least and most breadth, in lattice
            cells, and the share of the rooms, per mille.
        snug: Share of rooms that may share a wall with another one, per mille.
        state: Of the random stream.

    Returns:
        The boxes (x, y, width, height in lattice cells, a row a room), and which room each lattice cell
        belongs to, -1 for none.
    """
    owner = np.full((rows, columns), -1, np.int32)
    boxes = np.zeros((wanted, 4), np.int32)
    count = 0
    classes = sizes.shape[0]
    for rank in range(classes):
        last = wanted
        if rank < classes - 1:
            last = min(wanted, count + max(1, wanted * sizes[rank, 4] // 1000))
        fails = 0
        while count < last and fails < last:
            width = sizes[rank, 0] + below(state, sizes[rank, 1] - sizes[rank, 0] + 1)
            height = sizes[rank, 2] + below(state, sizes[rank, 3] - sizes[rank, 2] + 1)
            if below(state, 2) == 0:
                width, height = height, width
            width = min(width, max(2, columns // 3))
            height = min(height, max(2, rows // 3))
            gap = 0 if below(state, 1000) < snug else 1
            placed = False
            for _ in range(_TRIES):
                x = below(state, columns - width + 1)
                y = below(state, rows - height + 1)
                if _free(owner, x - gap, y - gap, width + 2 * gap, height + 2 * gap):
                    owner[y : y + height, x : x + width] = count
                    boxes[count, 0] = x
                    boxes[count, 1] = y
                    boxes[count, 2] = width
                    boxes[count, 3] = height
                    count += 1
                    placed = True
                    break
            if not placed:
                fails += 1
                if rank < classes - 1:
                    last -= 1
    return boxes[:count].copy(), owner


@kernel
def _at_corner(boxes: Ints, room: int, x: int, y: int, direction: int) -> bool:
    """Whether a way out in this direction would leave a longer side at its end, beside a corner."""
    if direction < 2:
        first, length, at = boxes[room, 1], boxes[room, 3], y
    else:
        first, length, at = boxes[room, 0], boxes[room, 2], x
    return bool(length > 2 and (at == first or at == first + length - 1))


@kernel
def share_out(owner: Ints, boxes: Ints, winding: int, state: State) -> tuple[Ints, Ints, Ints]:
    """Shares the free cells out between the rooms: Dijkstra from all rooms at once, in buckets (Dial 1969).

    Args:
        owner: The room of each lattice cell, or -1.
        boxes: The rooms.
        winding: 0 for straight corridors; the more, the more they wind.
        state: Of the random stream.

    Returns:
        For each lattice cell, row by row: whose it is, how far from the room, and the cell before it on the
        way from the room (-1 in rooms).
    """
    rows, columns = owner.shape
    size = rows * columns
    land = owner.copy().reshape(size)
    far = np.full(size, _FAR, np.int32)
    came = np.full(size, -1, np.int32)
    cost = np.empty(size, np.int32)
    for cell in range(size):
        cost[cell] = _STEP + below(state, winding + 1)
    entry = np.empty(5 * size, np.int32)
    follow = np.empty(5 * size, np.int32)
    head = np.full(_BUCKETS, -1, np.int32)
    used = 0
    for cell in range(size):
        if land[cell] >= 0:
            far[cell] = 0
            entry[used] = cell
            follow[used] = head[0]
            head[0] = used
            used += 1
    waiting = used
    level = 0
    while waiting > 0:
        bucket = level % _BUCKETS
        while head[bucket] >= 0:
            top = head[bucket]
            head[bucket] = follow[top]
            waiting -= 1
            cell = entry[top]
            if far[cell] != level:
                continue
            y = cell // columns
            x = cell - y * columns
            for k in range(4):
                nx = x + _DX[k]
                ny = y + _DY[k]
                if nx < 0 or ny < 0 or nx >= columns or ny >= rows or owner[ny, nx] >= 0:
                    continue
                other = ny * columns + nx
                step = level + cost[other]
                if owner[y, x] >= 0:
                    if _at_corner(boxes, owner[y, x], x, y, k):
                        step += _CORNER
                elif cell - came[cell] != other - cell:
                    step += _TURN
                if step < far[other]:
                    far[other] = step
                    came[other] = cell
                    land[other] = land[cell]
                    entry[used] = other
                    follow[used] = head[step % _BUCKETS]
                    head[step % _BUCKETS] = used
                    used += 1
                    waiting += 1
        level += 1
    return land, far, came


@kernel
def borders(owner: Ints, boxes: Ints, land: Ints, far: Ints, state: State) -> Ints:
    """The best place to join each pair of rooms whose lands meet.

    Returns:
        A row a pair: the two rooms, the two lattice cells where their lands meet, and what the way costs
        (made a little random, so that not always the shortest is the best).
    """
    rows, columns = owner.shape
    count = boxes.shape[0]
    slot = np.full((count, count), -1, np.int32)
    found = np.zeros((3 * count + 3, 5), np.int32)
    pairs = 0
    for y in range(rows):
        for x in range(columns):
            for k in (0, 2):
                nx = x + _DX[k]
                ny = y + _DY[k]
                if nx >= columns or ny >= rows:
                    continue
                here = y * columns + x
                there = ny * columns + nx
                a = land[here]
                b = land[there]
                if a == b:
                    continue
                length = far[here] + far[there] + _STEP
                if owner[y, x] >= 0 and _at_corner(boxes, a, x, y, k):
                    length += _CORNER
                if owner[ny, nx] >= 0 and _at_corner(boxes, b, nx, ny, k):
                    length += _CORNER
                length = length * (32 + below(state, 12))
                index = slot[a, b]
                if index < 0:
                    index = pairs
                    slot[a, b] = index
                    slot[b, a] = index
                    pairs += 1
                elif found[index, 4] <= length:
                    continue
                found[index, 0] = a
                found[index, 1] = b
                found[index, 2] = here
                found[index, 3] = there
                found[index, 4] = length
    return found[:pairs].copy()
