"""What a cave consists of: its chambers, the ways between them, its mouths, and how deep in each cell is."""

from __future__ import annotations

import numpy as np

from services.map.kinds.dungeon.chance import Bytes, Ints, State, below, kernel

_SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))
_LEAST_RADIUS = 2


@kernel
def find_chambers(floor: Bytes) -> tuple[Ints, Ints, Ints]:
    """Splits a cave into chambers: each around a spot far from rock, each cell to the nearest of them.

    Args:
        floor: 1 where there is floor; all of it hangs together.

    Returns:
        The chambers, a row each: column, row and free radius of the middle; the chamber of each cell, -1 in
        rock; and the steps of each cell from the middle of its chamber.
    """
    height, width = floor.shape
    room = np.zeros((height, width), np.int32)
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            if floor[y, x] == 1:
                room[y, x] = min(room[y - 1, x], room[y, x - 1], room[y - 1, x - 1], room[y - 1, x + 1]) + 1
    widest = 0
    for y in range(height - 2, 0, -1):
        for x in range(width - 2, 0, -1):
            if floor[y, x] == 1:
                near = min(room[y + 1, x], room[y, x + 1], room[y + 1, x + 1], room[y + 1, x - 1]) + 1
                room[y, x] = min(room[y, x], near)
                widest = max(widest, room[y, x])
    chambers = np.empty((height * width // 16 + 1, 3), np.int32)
    count = 0
    taken = np.zeros((height, width), np.uint8)
    # The widest first: the cells in order of their radius, by counting.
    least = min(_LEAST_RADIUS, widest)
    begin = np.zeros(widest + 2, np.int32)
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            if room[y, x] >= least:
                begin[widest - room[y, x] + 1] += 1
    for rank in range(widest + 1):
        begin[rank + 1] += begin[rank]
    order = np.empty(begin[widest + 1], np.int32)
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            if room[y, x] >= least:
                rank = widest - room[y, x]
                order[begin[rank]] = y * width + x
                begin[rank] += 1
    for cell in order:
        y = cell // width
        x = cell - y * width
        if taken[y, x] == 1:
            continue
        radius = room[y, x]
        chambers[count, 0] = x
        chambers[count, 1] = y
        chambers[count, 2] = radius
        count += 1
        away = max(8, 3 * radius)
        for ty in range(max(0, y - away), min(height, y + away + 1)):
            for tx in range(max(0, x - away), min(width, x + away + 1)):
                if (tx - x) ** 2 + (ty - y) ** 2 <= away * away:
                    taken[ty, tx] = 1
    label = np.full((height, width), -1, np.int32)
    steps = np.zeros((height, width), np.int32)
    queue = np.empty((height * width, 2), np.int32)
    found = 0
    for chamber in range(count):
        queue[found, 0] = chambers[chamber, 0]
        queue[found, 1] = chambers[chamber, 1]
        label[chambers[chamber, 1], chambers[chamber, 0]] = chamber
        found += 1
    done = 0
    while done < found:
        x = queue[done, 0]
        y = queue[done, 1]
        done += 1
        for dx, dy in _SIDES:
            if floor[y + dy, x + dx] == 1 and label[y + dy, x + dx] < 0:
                label[y + dy, x + dx] = label[y, x]
                steps[y + dy, x + dx] = steps[y, x] + 1
                queue[found, 0] = x + dx
                queue[found, 1] = y + dy
                found += 1
    return chambers[:count].copy(), label, steps


@kernel
def chamber_ways(label: Ints, count: int) -> Ints:
    """Which chambers lie side by side, a row each: chamber, chamber, cells that touch."""
    height, width = label.shape
    slot = np.full((count, count), -1, np.int32)
    ways = np.zeros((3 * count + 3, 3), np.int32)
    found = 0
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            a = label[y, x]
            if a < 0:
                continue
            for dx, dy in ((1, 0), (0, 1)):
                b = label[y + dy, x + dx]
                if b < 0 or a == b:
                    continue
                index = slot[a, b]
                if index < 0:
                    index = found
                    slot[a, b] = index
                    slot[b, a] = index
                    ways[index, 0] = min(a, b)
                    ways[index, 1] = max(a, b)
                    found += 1
                ways[index, 2] += 1
    return ways[:found].copy()


@kernel
def chamber_spans(label: Ints, steps: Ints, chambers: Ints) -> tuple[Ints, Ints]:
    """The open heart of each chamber, without the arms that reach out of it.

    Returns:
        The spans, a row each, by chamber: chamber, row, first column, column after the last; and the boxes, a
        row a chamber: left, top, right and bottom after the last.
    """
    height, width = label.shape
    count = chambers.shape[0]
    spans = np.empty((height * width // 2 + 1, 4), np.int32)
    boxes = np.empty((count, 4), np.int32)
    made = 0
    for chamber in range(count):
        reach = 2 * chambers[chamber, 2] + 1
        cx = chambers[chamber, 0]
        cy = chambers[chamber, 1]
        boxes[chamber, 0] = cx
        boxes[chamber, 1] = cy
        boxes[chamber, 2] = cx + 1
        boxes[chamber, 3] = cy + 1
        for y in range(max(1, cy - reach), min(height - 1, cy + reach + 1)):
            x = max(1, cx - reach)
            end = min(width - 1, cx + reach + 1)
            while x < end:
                if label[y, x] != chamber or steps[y, x] > reach:
                    x += 1
                    continue
                first = x
                while x < end and label[y, x] == chamber and steps[y, x] <= reach:
                    x += 1
                spans[made, 0] = chamber
                spans[made, 1] = y
                spans[made, 2] = first
                spans[made, 3] = x
                made += 1
                boxes[chamber, 0] = min(boxes[chamber, 0], first)
                boxes[chamber, 1] = min(boxes[chamber, 1], y)
                boxes[chamber, 2] = max(boxes[chamber, 2], x)
                boxes[chamber, 3] = max(boxes[chamber, 3], y + 1)
    return spans[:made].copy(), boxes


@kernel
def steps_from(open_cells: Bytes, x: int, y: int) -> Ints:
    """Steps in four directions from a cell to every other, -1 where nobody comes."""
    height, width = open_cells.shape
    far = np.full((height, width), -1, np.int32)
    queue = np.empty((height * width, 2), np.int32)
    far[y, x] = 0
    queue[0, 0] = x
    queue[0, 1] = y
    found = 1
    done = 0
    while done < found:
        cx = queue[done, 0]
        cy = queue[done, 1]
        done += 1
        for dx, dy in _SIDES:
            if open_cells[cy + dy, cx + dx] == 1 and far[cy + dy, cx + dx] < 0:
                far[cy + dy, cx + dx] = far[cy, cx] + 1
                queue[found, 0] = cx + dx
                queue[found, 1] = cy + dy
                found += 1
    return far


@kernel
def choose_mouths(floor: Bytes, count: int, state: State) -> Ints:
    """Cells near the edges of the map where one comes in: each the outermost of a side, the sides in turn.

    Returns:
        A row a mouth: column, row, the side it is on (0 north, 1 east, 2 south, 3 west).
    """
    height, width = floor.shape
    mouths = np.zeros((count, 3), np.int32)
    first = below(state, 4)
    for index in range(count):
        side = (first + index) % 4
        aim = below(state, width if side % 2 == 0 else height)
        best = 1 << 30
        for y in range(1, height - 1):
            for x in range(1, width - 1):
                if floor[y, x] == 0:
                    continue
                depth = (y, width - 1 - x, height - 1 - y, x)[side]
                aside = abs((x if side % 2 == 0 else y) - aim)
                if 4 * depth + aside < best:
                    best = 4 * depth + aside
                    mouths[index, 0] = x
                    mouths[index, 1] = y
                    mouths[index, 2] = side
    return mouths
