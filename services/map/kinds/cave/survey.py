"""A finished cave measured again, from its cells alone: the kernels behind the gates."""

from __future__ import annotations

import numpy as np

from services.map.kinds.dungeon.chance import Bytes, Ints, kernel


@kernel
def depths(ground: Bytes, first: int, far: Ints, queue: Ints) -> int:
    """Breadth-first search in four directions over cells that can be walked.

    Args:
        ground: 1 where one can walk, row by row; the rim is 0.
        first: Index of the cell to start from.
        far: Is filled with the steps to each cell, -1 where nobody comes.
        queue: Is filled with the cells in the order they were found.

    Returns:
        How many cells were found.
    """
    width = ground.shape[1]
    cells = ground.reshape(-1)
    far[:] = -1
    far[first] = 0
    queue[0] = first
    found = 1
    done = 0
    while done < found:
        cell = queue[done]
        done += 1
        for step in (1, width, -1, -width):
            other = cell + step
            if cells[other] == 1 and far[other] < 0:
                far[other] = far[cell] + 1
                queue[found] = other
                found += 1
    return found


@kernel
def islands(rock: Bytes, speck: int, loop: int) -> tuple[int, int]:
    """Counts rock that floor surrounds: patches of a few cells, and patches large enough to walk around.

    Args:
        rock: 1 where a cell is rock or wall.
        speck: Cells of the largest patch that is a mere speck.
        loop: Cells of the smallest patch that makes a loop.

    Returns:
        Specks, and patches that make a loop. Rock hangs together over corners too.
    """
    height, width = rock.shape
    seen = np.zeros((height, width), np.uint8)
    stack = np.empty((height * width, 2), np.int32)
    specks = 0
    loops = 0
    for sy in range(height):
        for sx in range(width):
            if rock[sy, sx] == 0 or seen[sy, sx] == 1:
                continue
            stack[0, 0] = sx
            stack[0, 1] = sy
            seen[sy, sx] = 1
            held = 1
            count = 0
            while held > 0:
                held -= 1
                x = stack[held, 0]
                y = stack[held, 1]
                count += 1
                for dy in range(-1, 2):
                    for dx in range(-1, 2):
                        nx = x + dx
                        ny = y + dy
                        if nx < 0 or ny < 0 or nx >= width or ny >= height:
                            continue
                        if rock[ny, nx] == 1 and seen[ny, nx] == 0:
                            seen[ny, nx] = 1
                            stack[held, 0] = nx
                            stack[held, 1] = ny
                            held += 1
            if sx > 0 or sy > 0:
                specks += 1 if count <= speck else 0
                loops += 1 if count >= loop else 0
    return specks, loops
