"""What is known of a ground by those who see along lines of sight: which cells, and the ground cut to them.

Cells are a set of bits, the bit of a cell being its number `y * width + x`, so that sets are joined with `|`.
A ground that is cut tells nothing of the rest: cells are walls, edges and doors are not there, kinds of
terrain and barriers that occur only beyond are left out, and a shut door does not say whether it is locked.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace

from services.rules.engine.ground.kinds import WALLED, Door, DoorState
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.sight import clear, sees
from services.rules.engine.ground.squares import Square, distance

FARTHEST = 40
"""Cells away from whoever looks round within which the ground is made out; beings are seen from farther."""


def bit_of(ground: Ground, square: Square) -> int:
    """The set with one square of the ground in it; the empty set for one beyond the ground."""
    return 1 << (square.y * ground.width + square.x) if ground.holds(square) else 0


def cells_of(ground: Ground, squares: Iterable[Square]) -> int:
    """The set of some squares; those beyond the ground are in none."""
    found = 0
    for square in squares:
        found |= bit_of(ground, square)
    return found


def squares_of(ground: Ground, cells: int) -> Iterator[Square]:
    """The squares of a set of cells, row by row."""
    while cells:
        lowest = cells & -cells
        number = lowest.bit_length() - 1
        yield Square(number % ground.width, number // ground.width)
        cells ^= lowest


def seen_from(ground: Ground, eye: Square) -> int:
    """The cells that are seen from a square, walls and shut doors that stop the look included.

    With each cell all that the line to it passes is seen, so that the line is as free on the ground cut to
    these cells as on the whole.

    Returns:
        A set of cells within `FARTHEST` of the square; empty for a square beyond the ground.
    """
    if not ground.holds(eye):
        return 0
    known: int | None = ground.index.memory.get(("fog", eye))
    return int(ground.index.keep(("fog", eye), _seen(ground, eye))) if known is None else known


def _seen(ground: Ground, eye: Square) -> int:
    found = bit_of(ground, eye)
    waiting, met = deque([eye]), {eye}
    while waiting:
        here = waiting.popleft()
        for near in _neighbours(ground, here):
            if near in met or distance(eye, near) > FARTHEST:
                continue
            met.add(near)
            if not sees(ground, eye, near):
                continue
            found |= line_between(ground, eye, near)
            if clear(ground, near):
                waiting.append(near)
    return found


def _neighbours(ground: Ground, square: Square) -> Iterable[Square]:
    return (
        Square(x, y)
        for y in range(max(0, square.y - 1), min(ground.height, square.y + 2))
        for x in range(max(0, square.x - 1), min(ground.width, square.x + 2))
    )


def line_between(ground: Ground, one: Square, other: Square) -> int:
    """The set of cells that a straight line between two middles passes, both ends and brushed corners too."""
    wide, tall = abs(other.x - one.x), abs(other.y - one.y)
    dx = 1 if other.x > one.x else -1
    dy = 1 if other.y > one.y else -1
    x, y, found = one.x, one.y, bit_of(ground, one)
    # Half cells to the next line of the grid each way, as `sight.Lines` counts them.
    next_x, next_y = 1, 1
    while (x, y) != (other.x, other.y):
        first = next_x * tall - next_y * wide
        if first == 0:
            found |= bit_of(ground, Square(x + dx, y)) | bit_of(ground, Square(x, y + dy))
        if first <= 0:
            x, next_x = x + dx, next_x + 2
        if first >= 0:
            y, next_y = y + dy, next_y + 2
        found |= bit_of(ground, Square(x, y))
    return found


def written(cells: int) -> str:
    """A set of cells as text: hexadecimal digits, empty for the empty set."""
    return f"{cells:x}" if cells else ""


def is_written(text: str, size: int) -> bool:
    """Whether a text is a set of cells of a ground with so many."""
    return set(text) <= set("0123456789abcdef") and read(text) >> size == 0


def read(text: str) -> int:
    """A set of cells from its text.

    Raises:
        ValueError: It is not made of hexadecimal digits.
    """
    return int(text, 16) if text else 0


def cut(ground: Ground, cells: int) -> Ground:
    """The ground as those know it who know these cells: all else is wall."""
    width, size = ground.width, ground.width * ground.height
    known = bytearray(f"{cells:0{size}b}"[::-1][:size].encode())
    is_known = [bit == 49 for bit in known]
    signs = "".join(
        sign if there else WALLED.sign for sign, there in zip(ground.cells, is_known, strict=True)
    )
    nothing = next((kind for kind in ground.barriers if not kind.flags), None)
    east = _edges(ground.east, is_known, 1, nothing.sign if nothing else "")
    south = _edges(ground.south, is_known, width, nothing.sign if nothing else "")
    terrains = tuple(kind for kind in ground.terrains if kind.sign in signs)
    used = {*east, *south}
    return replace(
        ground,
        cells=signs,
        terrains=terrains if WALLED in terrains else (*terrains, WALLED),
        east=east,
        south=south,
        barriers=tuple(kind for kind in ground.barriers if kind.sign in used or kind is nothing),
        doors=tuple(
            replace(door, state=DoorState.CLOSED) if door.state is DoorState.LOCKED else door
            for door in ground.doors
            if touches(ground, door, cells)
        ),
        heights=tuple(height if there else 0 for height, there in zip(ground.heights, is_known, strict=True))
        if ground.heights
        else (),
        lamps=tuple(lamp for lamp in ground.lamps if bit_of(ground, lamp.at) & cells),
    )


def unlocked(ground: Ground) -> Ground:
    """The ground with nothing to tell a locked door from a closed one: that is found out by trying."""
    for door in ground.doors:
        if door.state is DoorState.LOCKED:
            ground = ground.with_door(door.id, DoorState.CLOSED)
    return ground


def touches(ground: Ground, door: Door, cells: int) -> bool:
    """Whether a door can be made out by those who know these cells: one that it fills, or hangs beside."""
    squares = (*door.squares, *(square for side in door.edges for square in side))
    return any(bit_of(ground, square) & cells for square in squares)


def _edges(signs: str, known: list[bool], step: int, nothing: str) -> str:
    """The edges with a known cell on either side.

    Args:
        signs: One sign a cell for the edge towards the cell that is `step` numbers further.
        known: Whether each cell is known.
        step: How many numbers further the cell on the other side is.
        nothing: Sign of an edge with nothing on it.
    """
    if not signs:
        return signs
    kept = (
        sign if known[at] or (at + step < len(known) and known[at + step]) else nothing
        for at, sign in enumerate(signs)
    )
    found = "".join(kept)
    return found if found.strip(nothing) else ""
