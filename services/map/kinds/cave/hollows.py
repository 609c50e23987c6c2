"""Hollows in the rock: noise smoothed by a cellular automaton, and joined to one cave."""

from __future__ import annotations

import numpy as np

from services.map.kinds.dungeon.carving import simple
from services.map.kinds.dungeon.chance import Bytes, Ints, State, below, kernel

FLOOR = 2
"""Code of `Terrain`, as a plain number for the kernels."""

_SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))
_LEVELS = 6000
_SMOOTHINGS = 3
_EDGE = 7
_EDGE_RISE = 170
_SMALLEST_HOLLOW = 12
_LARGEST_SPECK = 4
_MOST_HOLLOWS = 600
_RIM = -2
_LONGEST_SQUEEZE = 11
_LONG_WALK = 24


@kernel
def hollow_out(width: int, height: int, share: float, roughness: float, state: State) -> Bytes:
    """Hollows out the rock: smooth noise with rough noise on top, cut at a level, then smoothed.

    Args:
        width: Columns of the map.
        height: Rows.
        share: Of the cells, how many are floor at first.
        roughness: 0 for the smoothest walls, 1 for the most ragged.
        state: Of the random stream.

    Returns:
        1 where there is floor.
    """
    heights = np.zeros((height, width), np.int32)
    for octave in range(2):
        step = 8 if octave == 0 else 3
        weight = 5 if octave == 0 else 3
        columns = width // step + 2
        nodes = np.empty((height // step + 2, columns), np.int32)
        for j in range(nodes.shape[0]):
            for i in range(columns):
                nodes[j, i] = below(state, 400)
        for y in range(height):
            j = y // step
            v = y - j * step
            for x in range(width):
                i = x // step
                u = x - i * step
                top = nodes[j, i] * (step - u) + nodes[j, i + 1] * u
                bottom = nodes[j + 1, i] * (step - u) + nodes[j + 1, i + 1] * u
                heights[y, x] += weight * (top * (step - v) + bottom * v) // (step * step)
    grain = int(200 + 700 * roughness)
    histogram = np.zeros(_LEVELS + 1, np.int32)
    inner = 0
    for y in range(2, height - 2):
        for x in range(2, width - 2):
            edge = min(x, y, width - 1 - x, height - 1 - y)
            # Towards the edges of the map there is more rock, so that no hollow is cut off straight.
            near = (_EDGE - edge) * _EDGE_RISE if edge < _EDGE else 0
            heights[y, x] = min(heights[y, x] + below(state, grain) + near, _LEVELS)
            histogram[heights[y, x]] += 1
            inner += 1
    level = 0
    under = 0
    while level < _LEVELS and under < share * inner:
        under += histogram[level]
        level += 1
    floor = np.zeros((height, width), np.uint8)
    for y in range(2, height - 2):
        for x in range(2, width - 2):
            if heights[y, x] < level:
                floor[y, x] = 1
    for _ in range(_SMOOTHINGS):
        floor = _smoothed(floor)
    return floor


@kernel
def _smoothed(floor: Bytes) -> Bytes:
    """Each cell becomes what most of the nine cells around it are."""
    height, width = floor.shape
    smooth = np.zeros((height, width), np.uint8)
    for y in range(1, height - 1):
        left = np.int64(0)
        middle = np.int64(floor[y - 1, 0]) + floor[y, 0] + floor[y + 1, 0]
        right = np.int64(floor[y - 1, 1]) + floor[y, 1] + floor[y + 1, 1]
        for x in range(1, width - 1):
            left = middle
            middle = right
            right = np.int64(floor[y - 1, x + 1]) + floor[y, x + 1] + floor[y + 1, x + 1]
            if left + middle + right >= 5:
                smooth[y, x] = 1
    return smooth


@kernel
def _fill(cells: Bytes, mark: Ints, stack: Ints, first: int, width: int, value: int, number: int) -> int:
    """Marks everything of one value that hangs together with a cell; the rim is never of that value."""
    stack[0] = first
    mark[first] = number
    held = 1
    count = 0
    while held > 0:
        held -= 1
        cell = stack[held]
        stack[mark.shape[0] - 1 - count] = cell  # the far end keeps what was found
        count += 1
        for step in (1, width, -1, -width):
            other = cell + step
            if 0 <= other < mark.shape[0] and cells[other] == value and mark[other] < 0:
                mark[other] = number
                stack[held] = other
                held += 1
    return count


@kernel
def join_hollows(floor: Bytes, state: State) -> int:
    """Drops the smallest hollows and specks of rock, and digs short ways between the rest; returns hollows.

    Where hollows are joined is found by spreading from all of them through the rock at once; the shortest
    ways make a tree (Kruskal), a few more make loops.
    """
    height, width = floor.shape
    size = height * width
    cells = floor.reshape(size)
    mark = np.full(size, -1, np.int32)
    stack = np.empty(2 * size, np.int32)
    for cell in range(size):
        if cells[cell] == 0 and mark[cell] < 0:
            found = _fill(cells, mark, stack, cell, width, 0, 0)
            if found <= _LARGEST_SPECK:
                for index in range(found):
                    cells[stack[size - 1 - index]] = 1
    mark[:] = -1
    hollows = 0
    for cell in range(size):
        if cells[cell] == 1 and mark[cell] < 0:
            found = _fill(cells, mark, stack, cell, width, 1, hollows)
            if found < _SMALLEST_HOLLOW or hollows == _MOST_HOLLOWS:
                for index in range(found):
                    cells[stack[size - 1 - index]] = 0
                    mark[stack[size - 1 - index]] = -1
            else:
                hollows += 1
    if hollows > 1:
        _dig_between(cells, mark, hollows, width, height, state)
    return hollows


@kernel
def _dig_between(cells: Bytes, mark: Ints, hollows: int, width: int, height: int, state: State) -> None:
    size = cells.shape[0]
    for cell in range(size):
        if cell < width or cell >= size - width or cell % width == 0 or cell % width == width - 1:
            mark[cell] = _RIM
    far = np.full(size, -1, np.int32)
    came = np.full(size, -1, np.int32)
    queue = np.empty(size, np.int32)
    found = 0
    for cell in range(size):
        if mark[cell] >= 0:
            far[cell] = 0
            queue[found] = cell
            found += 1
    done = 0
    while done < found:
        cell = queue[done]
        done += 1
        for k in range(4):
            dx, dy = _SIDES[(cell + k) % 4]
            other = cell + dx + dy * width
            if mark[other] != -1:
                continue
            far[other] = far[cell] + 1
            came[other] = cell
            mark[other] = mark[cell]
            queue[found] = other
            found += 1
    slot = np.full((hollows, hollows), -1, np.int32)
    pairs = np.zeros((3 * hollows + 3, 3), np.int32)
    count = 0
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            cell = y * width + x
            for step in (1, width):
                other = cell + step
                a = mark[cell]
                b = mark[other]
                if a < 0 or b < 0 or a == b:
                    continue
                length = far[cell] + far[other]
                index = slot[a, b]
                if index < 0:
                    index = count
                    slot[a, b] = index
                    slot[b, a] = index
                    count += 1
                elif pairs[index, 0] <= length:
                    continue
                pairs[index, 0] = length
                pairs[index, 1] = cell
                pairs[index, 2] = other
    parent = np.arange(hollows)
    for index in np.argsort(pairs[:count, 0]):
        a = mark[pairs[index, 1]]
        b = mark[pairs[index, 2]]
        while parent[a] != a:
            a = parent[a]
        while parent[b] != b:
            b = parent[b]
        if a == b and (pairs[index, 0] > 9 or below(state, 3) > 0):
            continue
        parent[a] = b
        for end in range(1, 3):
            cell = pairs[index, end]
            while cell >= 0:
                cells[cell] = 1
                # Mostly wide enough for one, here and there for two.
                beside = cell + (1 if below(state, 2) == 0 else width)
                bx = beside % width
                by = beside // width
                if below(state, 5) < 2 and 0 < bx < width - 1 and 0 < by < height - 1:
                    cells[beside] = 1
                cell = came[cell]


@kernel
def roughen(floor: Bytes, roughness: float, state: State) -> None:
    """Makes the walls ragged: rock falls off them and grows out of them, and nothing is cut off."""
    height, width = floor.shape
    chance = int(220 * roughness)
    if chance == 0:
        return
    for y in range(2, height - 2):
        for x in range(2, width - 2):
            around = floor[y - 1, x] + floor[y + 1, x] + floor[y, x - 1] + floor[y, x + 1]
            if around == 0 or around == 4 or below(state, 1000) >= chance:
                continue
            if floor[y, x] == 0:
                floor[y, x] = 1
            elif simple(floor, x, y):
                floor[y, x] = 0


@kernel
def dig_loops(floor: Bytes, wanted: int, state: State) -> int:
    """Digs straight squeezes through thin rock between places that are a long walk apart; returns how many.

    Args:
        floor: Is changed.
        wanted: How many at most.
        state: Of the random stream.
    """
    height, width = floor.shape
    cells = floor.reshape(-1)
    seen = np.zeros(cells.shape[0], np.int32)
    far = np.zeros(cells.shape[0], np.int32)
    queue = np.empty(cells.shape[0], np.int32)
    made = 0
    search = 0
    for _ in range(60 * wanted):
        if made == wanted:
            break
        x = 1 + below(state, width - 2)
        y = 1 + below(state, height - 2)
        dx, dy = _SIDES[below(state, 4)]
        first = y * width + x
        step = dx + dy * width
        if cells[first] == 0 or cells[first + step] == 1:
            continue
        length = 0
        cell = first
        end = -1
        for _ in range(_LONGEST_SQUEEZE + 1):
            cell += step
            cx = cell % width
            cy = cell // width
            if cx < 1 or cy < 1 or cx >= width - 1 or cy >= height - 1:
                break
            if cells[cell] == 1:
                end = cell
                break
            length += 1
        if end < 0 or length < 2:
            continue
        search += 1
        seen[first] = search
        far[first] = 0
        queue[0] = first
        found = 1
        done = 0
        while done < found and far[queue[done]] < _LONG_WALK and seen[end] != search:
            cell = queue[done]
            done += 1
            for near in (1, width, -1, -width):
                other = cell + near
                if cells[other] == 1 and seen[other] != search:
                    seen[other] = search
                    far[other] = far[cell] + 1
                    queue[found] = other
                    found += 1
        if seen[end] == search:
            continue
        cell = first + step
        while cell != end:
            cells[cell] = 1
            cell += step
        made += 1
    return made
