"""What fills a cave: pools, chasms, patches of growth, rubble, and spots for crystals and bones.

What stops walking is put only where its open neighbours hang together without it, so that a cave stays whole.
"""

from __future__ import annotations

import numpy as np

from services.map.kinds.dungeon.carving import simple
from services.map.kinds.dungeon.chance import Bytes, Ints, State, below, kernel

FLOOR = 2
_SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))
_TRIES = 12


@kernel
def grow_patches(
    cells: Bytes, open_cells: Bytes, keep: Bytes, total: int, size: int, code: int, shore: int, state: State
) -> int:
    """Grows patches until they cover so many cells, or no more fit.

    Args:
        cells: Are changed.
        open_cells: 1 where one can walk; changed where a patch stops walking.
        keep: 1 on cells that stay as they are.
        total: Cells to cover.
        size: Cells of one patch, about.
        code: Of the terrain.
        shore: Code of the terrain around it, for what stops walking; 0 for what can be walked on.
        state: Of the random stream.

    Returns:
        How many cells were covered.
    """
    height, width = cells.shape
    grown = np.empty((2 * size + 2, 2), np.int32)
    covered = 0
    for _ in range(_TRIES + 3 * total // max(size, 1)):
        if covered >= total:
            break
        x = 1 + below(state, width - 2)
        y = 1 + below(state, height - 2)
        if cells[y, x] != FLOOR or keep[y, x] == 1 or (shore > 0 and not simple(open_cells, x, y)):
            continue
        wanted = min(size // 2 + below(state, size + 1), 2 * size, total - covered)
        cells[y, x] = code
        if shore > 0:
            open_cells[y, x] = 0
        grown[0, 0] = x
        grown[0, 1] = y
        count = 1
        for _ in range(6 * wanted):
            if count >= wanted:
                break
            source = count - 1 - below(state, min(count, 24))
            dx, dy = _SIDES[below(state, 4)]
            nx = grown[source, 0] + dx
            ny = grown[source, 1] + dy
            if cells[ny, nx] != FLOOR or keep[ny, nx] == 1:
                continue
            if shore > 0:
                if not simple(open_cells, nx, ny):
                    continue
                open_cells[ny, nx] = 0
            cells[ny, nx] = code
            grown[count, 0] = nx
            grown[count, 1] = ny
            count += 1
        covered += count
        if shore > 0:
            for index in range(count):
                for dx, dy in _SIDES:
                    nx = grown[index, 0] + dx
                    ny = grown[index, 1] + dy
                    if cells[ny, nx] == FLOOR and below(state, 4) > 0:
                        cells[ny, nx] = shore
    return covered


@kernel
def strew(cells: Bytes, code: int, per_mille: int, state: State) -> None:
    """Turns some floor cells beside rock into another terrain that can be walked on."""
    height, width = cells.shape
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            if cells[y, x] != FLOOR or below(state, 1000) >= per_mille:
                continue
            for dx, dy in _SIDES:
                if cells[y + dy, x + dx] == 0:
                    cells[y, x] = code
                    break


@kernel
def spots_by_rock(cells: Bytes, spans: Ints, wanted: Ints, state: State) -> Ints:
    """Spots at the walls of chambers.

    Args:
        cells: The map.
        spans: Of the chambers, by chamber.
        wanted: How many spots each chamber gets.
        state: Of the random stream.

    Returns:
        A row a spot: chamber, column, row.
    """
    total = 0
    for chamber in range(wanted.shape[0]):
        total += wanted[chamber]
    spots = np.zeros((total, 3), np.int32)
    made = 0
    first = 0
    for chamber in range(wanted.shape[0]):
        last = first
        while last < spans.shape[0] and spans[last, 0] == chamber:
            last += 1
        for _ in range(wanted[chamber]):
            for _ in range(4 * _TRIES):
                row = first + below(state, last - first)
                y = spans[row, 1]
                x = spans[row, 2] + below(state, spans[row, 3] - spans[row, 2])
                if cells[y, x] != FLOOR:
                    continue
                beside = False
                for dx, dy in _SIDES:
                    if cells[y + dy, x + dx] == 0:
                        beside = True
                for other in range(made):
                    if spots[other, 1] == x and spots[other, 2] == y:
                        beside = False
                if beside:
                    spots[made, 0] = chamber
                    spots[made, 1] = x
                    spots[made, 2] = y
                    made += 1
                    break
        first = last
    return spots[:made].copy()
