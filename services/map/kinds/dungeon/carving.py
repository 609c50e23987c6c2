"""Rooms and corridors as cells: what is dug out, where the doors are, and rooms that are no rectangles."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from services.map.kinds.dungeon.chance import Bytes, Ints, State, below, kernel
from services.map.kinds.dungeon.ways import LOOP, TREE, UNUSED

ROCK, FLOOR, CORRIDOR = 0, 2, 3
"""Codes of `Terrain`, as plain numbers for the kernels."""

CONCEALED = -2
"""The label of corridors that only secret doors lead to; -1 is any other cell outside of rooms."""

RECTANGLE, OCTAGON, ROUND, CROSS, ROUGH = 0, 1, 2, 3, 4
"""Shapes of rooms."""

_SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))
_RING = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))


@kernel
def _put_door(door_at: Ints, doors: Ints, count: int, x: int, y: int, secret: int) -> int:
    """Notes a door at a cell between two lattice cells, once; returns how many doors there are then."""
    known = door_at[y, x]
    if known >= 0:
        doors[known, 3] = max(doors[known, 3], secret)
        return count
    door_at[y, x] = count
    doors[count, 0] = x
    doors[count, 1] = y
    doors[count, 2] = x & 1  # odd column, even row: one walks through it north and south
    doors[count, 3] = secret
    return count + 1


@kernel
def _trace(pair: Ints, came: Ints, path: Ints) -> int:
    """The lattice cells of a way, from its first room to its second, both included; returns their count."""
    length = 0
    cell = pair[2]
    while cell >= 0:
        path[length] = cell
        length += 1
        cell = came[cell]
    for index in range(length // 2):
        path[index], path[length - 1 - index] = path[length - 1 - index], path[index]
    cell = pair[3]
    while cell >= 0:
        path[length] = cell
        length += 1
        cell = came[cell]
    return length


@kernel
def carve(
    width: int, height: int, boxes: Ints, owner: Ints, pairs: Ints, use: Ints, hidden: Ints, came: Ints
) -> tuple[Bytes, Ints, Ints, Ints, Ints]:
    """Digs out the rooms and the ways between them.

    Args:
        width: Columns of the map.
        height: Rows of the map.
        boxes: The rooms, in lattice cells.
        owner: The room of each lattice cell, or -1.
        pairs: As `lattice.borders` finds them.
        use: What each pair is.
        hidden: Whether each room is.
        came: The cell before each cell on the way from its room.

    Returns:
        The cells; the room of each cell, -1 elsewhere (`CONCEALED` in hidden corridors); the door at each
        cell, -1 elsewhere; the doors, those that players may see first, a row each: column, row, 1 when one
        walks north and south through it, 1 when it is secret; and the ways, a row each: room, room, four
        doors on the way (-1 for none), 1 when it is secret.
    """
    columns = owner.shape[1]
    cells = np.zeros((height, width), np.uint8)
    label = np.full((height, width), -1, np.int32)
    door_at = np.full((height, width), -1, np.int32)
    for room in range(boxes.shape[0]):
        left = 2 * boxes[room, 0] + 1
        top = 2 * boxes[room, 1] + 1
        right = left + 2 * boxes[room, 2] - 1
        bottom = top + 2 * boxes[room, 3] - 1
        cells[top:bottom, left:right] = FLOOR
        label[top:bottom, left:right] = room
    total = 0
    for edge in range(pairs.shape[0]):
        if use[edge] != UNUSED:
            total += 1
    doors = np.zeros((4 * total + 4, 4), np.int32)
    ways = np.full((total, 7), -1, np.int32)
    path = np.empty(owner.size + 2, np.int32)
    count = 0
    made = 0
    # The plain ways come first: what they dug out is what a secret door has to be set into.
    for secret in range(2):
        plain = cells > 0
        for edge in range(pairs.shape[0]):
            if use[edge] == UNUSED or (use[edge] == TREE or use[edge] == LOOP) != (secret == 0):
                continue
            a = pairs[edge, 0]
            b = pairs[edge, 1]
            ways[made, 0] = a
            ways[made, 1] = b
            ways[made, 6] = secret
            length = _trace(pairs[edge], came, path)
            last_dug = -1
            on_way = 2
            for index in range(length):
                y = path[index] // columns
                x = path[index] - y * columns
                if owner[y, x] < 0:
                    cells[2 * y + 1, 2 * x + 1] = CORRIDOR
                if index == length - 1:
                    break
                ny = path[index + 1] // columns
                nx = path[index + 1] - ny * columns
                gx = x + nx + 1
                gy = y + ny + 1
                cells[gy, gx] = CORRIDOR
                if secret == 1:
                    for cx, cy in ((2 * x + 1, 2 * y + 1), (gx, gy)):
                        if label[cy, cx] == -1 and not plain[cy, cx]:
                            label[cy, cx] = CONCEALED
                hide = 0
                if secret == 1 and not plain[gy, gx]:
                    here = plain[2 * y + 1, 2 * x + 1] and not (owner[y, x] >= 0 and hidden[owner[y, x]])
                    there = plain[2 * ny + 1, 2 * nx + 1] and not (
                        owner[ny, nx] >= 0 and hidden[owner[ny, nx]]
                    )
                    hide = 1 if here or there else 0
                if hide == 1 or owner[y, x] >= 0 or owner[ny, nx] >= 0:
                    count = _put_door(door_at, doors, count, gx, gy, hide)
                if door_at[gy, gx] >= 0 and door_at[gy, gx] != last_dug and on_way < 6:
                    last_dug = door_at[gy, gx]
                    ways[made, on_way] = last_dug
                    on_way += 1
            made += 1
    return cells, label, door_at, doors[:count].copy(), ways


@kernel
def simple(open_cells: Bytes, x: int, y: int) -> bool:
    """Whether closing a cell cuts nothing apart around it: its open neighbours hang together without it.

    Args:
        open_cells: 1 where one can walk; the cell is not at the edge of the map.
        x: Column.
        y: Row.
    """
    runs = 0
    for k in range(8):
        dx, dy = _RING[k]
        bx, by = _RING[(k + 7) % 8]
        if open_cells[y + dy, x + dx] == 0:
            continue
        if k % 2 == 0:
            # A run of open cells around it, counted at its first side: not reached from the side before
            # over the corner between.
            cx, cy = _RING[(k + 6) % 8]
            if open_cells[y + by, x + bx] == 0 or open_cells[y + cy, x + cx] == 0:
                runs += 1
    if runs == 0:
        for dx, dy in _SIDES:
            if open_cells[y + dy, x + dx] == 1:
                return True
    return runs == 1


@kernel
def _trimmed(shape: int, width: int, height: int, dx: int, dy: int) -> bool:
    """Whether a cell of a room's box is rock in this shape of room."""
    short = min(width, height)
    side_x = min(dx, width - 1 - dx)
    side_y = min(dy, height - 1 - dy)
    if shape == OCTAGON:
        return side_x + side_y < max(1, (short + 1) // 4)
    if shape == ROUND:
        rx = 2 * dx + 1 - width
        ry = 2 * dy + 1 - height
        return rx * rx * height * height + ry * ry * width * width > width * width * height * height
    if shape == CROSS:
        return side_x < width // 4 and side_y < height // 4
    return False


@kernel
def shape_rooms(
    cells: Bytes, label: Ints, door_at: Ints, boxes: Ints, odds: npt.NDArray[np.int64], state: State
) -> tuple[Ints, Ints]:
    """Trims some rooms to other shapes, where every door of theirs still opens onto floor.

    Args:
        cells: Are changed.
        label: Is changed.
        door_at: The door at each cell, or -1.
        boxes: The rooms, in lattice cells.
        odds: Per mille of octagons, round rooms, crosses and rough rooms among rooms that can be so.
        state: Of the random stream.

    Returns:
        The shape of each room; and the spans of those that are no rectangles, a row each: room, row, first
        column, column after the last.
    """
    count = boxes.shape[0]
    shapes = np.zeros(count, np.int32)
    spans = np.zeros((label.size // 2 + 1, 4), np.int32)
    made = 0
    for room in range(count):
        left = 2 * boxes[room, 0] + 1
        top = 2 * boxes[room, 1] + 1
        width = 2 * boxes[room, 2] - 1
        height = 2 * boxes[room, 3] - 1
        roll = below(state, 1000)
        shape = RECTANGLE
        for candidate in range(4):
            if roll < odds[candidate]:
                shape = candidate + 1
                break
            roll -= odds[candidate]
        short = min(width, height)
        if short < 5 and shape != ROUGH:
            continue
        if shape == CROSS and short < 7:
            shape = OCTAGON
        if shape == ROUND and max(width, height) > short + 2:
            shape = OCTAGON
        if shape == RECTANGLE:
            continue
        if shape == ROUGH:
            _roughen(cells, label, door_at, left, top, width, height, state)
        else:
            if not _doors_keep(door_at, shape, left, top, width, height):
                shape = OCTAGON
                if not _doors_keep(door_at, shape, left, top, width, height):
                    continue
            for dy in range(height):
                for dx in range(width):
                    if _trimmed(shape, width, height, dx, dy):
                        cells[top + dy, left + dx] = ROCK
                        label[top + dy, left + dx] = -1
        shapes[room] = shape
        for y in range(top, top + height):
            x = left
            while x < left + width:
                if label[y, x] != room:
                    x += 1
                    continue
                spans[made, 0] = room
                spans[made, 1] = y
                spans[made, 2] = x
                while x < left + width and label[y, x] == room:
                    x += 1
                spans[made, 3] = x
                made += 1
    return shapes, spans[:made].copy()


@kernel
def _doors_keep(door_at: Ints, shape: int, left: int, top: int, width: int, height: int) -> bool:
    """Whether every door in the walls of a room opens onto a cell that this shape leaves."""
    for dx in range(width):
        if door_at[top - 1, left + dx] >= 0 and _trimmed(shape, width, height, dx, 0):
            return False
        if door_at[top + height, left + dx] >= 0 and _trimmed(shape, width, height, dx, height - 1):
            return False
    for dy in range(height):
        if door_at[top + dy, left - 1] >= 0 and _trimmed(shape, width, height, 0, dy):
            return False
        if door_at[top + dy, left + width] >= 0 and _trimmed(shape, width, height, width - 1, dy):
            return False
    return True


@kernel
def _roughen(
    cells: Bytes, label: Ints, door_at: Ints, left: int, top: int, width: int, height: int, state: State
) -> None:
    """Leaves rock standing along the walls of a room, never in front of a door, never cutting it apart."""
    open_cells = np.zeros((height + 2, width + 2), np.uint8)
    open_cells[1:-1, 1:-1] = 1
    for turn in range(2):
        for dy in range(height):
            for dx in range(width):
                rim = min(dx, width - 1 - dx, dy, height - 1 - dy)
                corner = (dx == 0 or dx == width - 1) and (dy == 0 or dy == height - 1)
                if rim > turn or (turn == 1 and min(width, height) < 7):
                    continue
                chance = 700 if corner else (320 if turn == 0 else 120)
                if below(state, 1000) >= chance or open_cells[dy + 1, dx + 1] == 0:
                    continue
                beside_door = False
                for sx, sy in _SIDES:
                    if door_at[top + dy + sy, left + dx + sx] >= 0:
                        beside_door = True
                if not beside_door and simple(open_cells, dx + 1, dy + 1):
                    open_cells[dy + 1, dx + 1] = 0
                    cells[top + dy, left + dx] = ROCK
                    label[top + dy, left + dx] = -1
