"""Lakes and rivers: where hollows were filled, and where enough rain comes together."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from services.map.kinds.region.climate import Air
from services.map.kinds.region.compiled import kernel
from services.map.kinds.region.land import Flat, Land
from services.map.kinds.region.noise import Grid

_DEEP = 130
"""How deep a hollow is, in raw steps, that holds a lake."""
_DRY = 10
"""Moisture below which a hollow holds no lake."""
_MOST_LAKES = 24
_MOST_RIVERS = 60
_SHORTEST = 5


@dataclass(frozen=True, slots=True)
class Water:
    """Lakes and rivers as numbers.

    Attributes:
        lakes: 0, or the number of the lake of each cell, from 1 by falling size (height, width).
        lake_sizes: Cells of each lake.
        drained: How many cells of ordinary rain run through each cell (row by row).
        rivers: For each river its cells downstream, counted row by row, the longest first: a cell of the lake
            it comes from, if any, its own cells, and the cell it runs into, if it does not leave the map.
        river: 0, or the number of the river whose own a cell is, from 1 (height, width).
    """

    lakes: Grid
    lake_sizes: tuple[int, ...]
    drained: Flat
    rivers: tuple[tuple[int, ...], ...]
    river: Grid


@kernel
def _parts(codes: NDArray[np.uint8], slanting: bool) -> tuple[Grid, Flat]:
    """Numbers the connected parts of equal codes other than 0 from 1; answers the sizes by number too."""
    height, width = codes.shape
    parts = np.zeros((height, width), np.int32)
    queue = np.empty(height * width, np.int32)
    sizes = np.zeros(height * width + 1, np.int32)
    turns = 8 if slanting else 4
    found = 0
    for sy in range(height):
        for sx in range(width):
            code = codes[sy, sx]
            if code == 0 or parts[sy, sx] != 0:
                continue
            found += 1
            parts[sy, sx] = found
            queue[0] = sy * width + sx
            head, tail = 0, 1
            while head < tail:
                y = queue[head] // width
                x = queue[head] - y * width
                head += 1
                for turn in range(turns):
                    dx, dy = _AROUND[turn]
                    ny, nx = y + dy, x + dx
                    if 0 <= ny < height and 0 <= nx < width and parts[ny, nx] == 0 and codes[ny, nx] == code:
                        parts[ny, nx] = found
                        queue[tail] = ny * width + nx
                        tail += 1
            sizes[found] = tail
    return parts, sizes[: found + 1].copy()


_AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))


def connected_parts(codes: NDArray[np.uint8], *, slanting: bool = False) -> tuple[Grid, Flat]:
    """The connected parts of equal codes.

    Args:
        codes: (height, width); 0 belongs to no part.
        slanting: Whether cells that touch at a corner hang together.

    Returns:
        The number of each cell's part from 1, 0 for none; and the number of cells of each part, by number.
    """
    return _parts(np.ascontiguousarray(codes), slanting)


@kernel
def _lake_cells(
    pooled: Grid, sea: NDArray[np.bool_], feet: Grid, moisture: Grid, smallest: int
) -> tuple[Grid, Flat]:
    """The lakes, numbered from 1, and their sizes: hollows of one level, deep, large and wet enough.

    What is no lake after all has a -1.
    """
    height, width = pooled.shape
    lakes = np.zeros((height, width), np.int32)
    queue = np.empty(height * width, np.int32)
    sizes = np.zeros(height * width // smallest + 2, np.int32)
    found = 0
    for sy in range(height):
        for sx in range(width):
            if pooled[sy, sx] < _DEEP or sea[sy, sx] or lakes[sy, sx] != 0:
                continue
            level = feet[sy, sx]
            found += 1
            lakes[sy, sx] = found
            queue[0] = sy * width + sx
            head, tail, wet = 0, 1, 0
            while head < tail:
                y = queue[head] // width
                x = queue[head] - y * width
                wet += moisture[y, x]
                head += 1
                for turn in range(4):
                    dx, dy = _AROUND[turn]
                    ny, nx = y + dy, x + dx
                    if ny < 0 or nx < 0 or ny >= height or nx >= width or lakes[ny, nx] != 0:
                        continue
                    if pooled[ny, nx] > 0 and not sea[ny, nx] and feet[ny, nx] == level:
                        lakes[ny, nx] = found
                        queue[tail] = ny * width + nx
                        tail += 1
            if tail < smallest or wet < _DRY * tail:
                for i in range(tail):
                    lakes[queue[i] // width, queue[i] % width] = -1
                found -= 1
            else:
                sizes[found] = tail
    return lakes, sizes[: found + 1].copy()


@kernel
def _drained(moisture: Grid, downstream: Flat, order: Flat) -> Flat:
    """Rain gathered downstream, in cells of ordinary rain (moisture 40)."""
    wetness = moisture.ravel()
    gathered = np.empty(order.size, np.int64)
    for cell in range(order.size):
        gathered[cell] = max(0, wetness[cell] - 6)
    for i in range(order.size - 1, -1, -1):
        cell = order[i]
        if downstream[cell] >= 0:
            gathered[downstream[cell]] += gathered[cell]
    drained = np.empty(order.size, np.int32)
    for cell in range(order.size):
        drained[cell] = gathered[cell] // 34
    return drained


@kernel
def _channels(
    wet: NDArray[np.bool_], drained: Flat, downstream: Flat, order: Flat, least: int
) -> tuple[Flat, Flat]:
    """Every channel downstream, one after the other, and where each begins; main stems are the longest ones.

    The cell that a channel runs into follows its own cells; -1 does where it leaves the map.
    """
    count = order.size
    length = np.zeros(count, np.int32)
    main = np.full(count, -1, np.int32)
    for i in range(count - 1, -1, -1):
        cell = order[i]
        if drained[cell] < least or wet[cell]:
            continue
        length[cell] += 1
        below = downstream[cell]
        if below >= 0 and not wet[below] and length[below] < length[cell]:
            length[below], main[below] = length[cell], cell
    cells = np.empty(2 * count, np.int32)
    starts = np.empty(count, np.int32)
    found = filled = 0
    for i in range(count):
        cell = order[i]
        if length[cell] == 0 or (length[cell] < _SHORTEST and drained[cell] < 4 * least):
            continue
        below = downstream[cell]
        stem = below >= 0 and not wet[below] and main[below] == cell
        if stem:
            continue
        starts[found] = filled
        found += 1
        long = length[cell]
        at = filled + long - 1
        here = cell
        while here >= 0:
            cells[at] = here
            at -= 1
            here = main[here]
        filled += long
        cells[filled] = below
        filled += 1
    starts[found] = filled
    return cells[:filled].copy(), starts[: found + 1].copy()


def gather_water(land: Land, air: Air) -> Water:
    """The lakes and rivers of some land under some sky."""
    height, width = land.feet.shape
    smallest = max(8, height * width // 5000)
    marked, all_sizes = _lake_cells(land.pooled, land.sea, land.feet, air.moisture, smallest)
    lakes, sizes = _by_size(marked, all_sizes.tolist())
    drained = _drained(air.moisture, land.downstream, land.order)
    least = max(18, height * width // 640)
    wet = land.sea | (lakes > 0)
    cells, starts = _channels(wet.ravel(), drained, land.downstream, land.order, least)
    lines = [tuple(cells[a:b].tolist()) for a, b in pairwise(starts)]
    kept = _longest(lines, wet.ravel())
    river = np.zeros(height * width, np.int32)
    for number, line in enumerate(kept, 1):
        river[list(line[:-1])] = number
    whole = tuple(_from_its_lake(line, wet, land.downstream) for line in kept)
    return Water(lakes, sizes, drained, whole, river.reshape(height, width))


def _by_size(marked: Grid, sizes: list[int]) -> tuple[Grid, tuple[int, ...]]:
    """Numbers lakes by falling size and forgets the smallest beyond the most there may be."""
    ranked = sorted(range(1, len(sizes)), key=lambda lake: (-sizes[lake], lake))[:_MOST_LAKES]
    numbers = np.zeros(len(sizes), np.int32)
    for number, lake in enumerate(ranked, 1):
        numbers[lake] = number
    _renumber(marked, numbers)
    return marked, tuple(sizes[lake] for lake in ranked)


@kernel
def _renumber(marked: Grid, numbers: Flat) -> None:
    height, width = marked.shape
    for y in range(height):
        for x in range(width):
            marked[y, x] = numbers[marked[y, x]] if marked[y, x] > 0 else 0


def _longest(lines: list[tuple[int, ...]], wet: NDArray[np.bool_]) -> list[tuple[int, ...]]:
    """The longest rivers, none of which runs into one that was left out."""
    kept = sorted(lines, key=lambda line: (-len(line), line[0]))[:_MOST_RIVERS]
    while True:
        cells = {cell for line in kept for cell in line[:-1]}
        sound = [line for line in kept if line[-1] < 0 or wet[line[-1]] or line[-1] in cells]
        if len(sound) == len(kept):
            return kept
        kept = sound


def _from_its_lake(line: tuple[int, ...], wet: NDArray[np.bool_], downstream: Flat) -> tuple[int, ...]:
    """The river with the cell of the lake it flows out of in front, and without a -1 at its end."""
    height, width = wet.shape
    y, x = divmod(line[0], width)
    whole = line if line[-1] >= 0 else line[:-1]
    for dx, dy in _AROUND:
        if 0 <= x + dx < width and 0 <= y + dy < height and wet[y + dy, x + dx]:
            cell = (y + dy) * width + x + dx
            if downstream[cell] == line[0]:
                return (cell, *whole)
    return whole
