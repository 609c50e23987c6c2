"""Cheapest ways of one square over even ground, where every step costs the same: most grounds of most games.

Sets of cells are whole numbers, a bit for each cell, so that all cells as far from a goal as each other are
found together. A row has one bit more than it has cells, always 0: what is shifted over the edge falls there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from services.rules.engine.ground.measure import Diagonal
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.squares import Square
from services.rules.engine.ground.steps import moves


@dataclass(frozen=True, slots=True)
class _Cells:
    """The cells of a ground as sets.

    Attributes:
        row: Bits from one row to the next.
        open: Cells that can be entered.
        corners: Of each slanting step, as bits from its start to its end: the ends that it cuts no corner to.
    """

    row: int
    open: int
    corners: tuple[tuple[int, int], ...]

    def bits(self, squares: Iterable[Square]) -> int:
        """Squares of the ground as a set."""
        found = 0
        for square in squares:
            found |= 1 << square.y * self.row + square.x
        return found

    def numbers(self, found: int) -> Iterator[int]:
        """The numbers of the cells of a set, in their order."""
        first, row = (found & -found).bit_length() - 1, self.row
        signs = f"{found >> first:b}"[::-1] if found else ""
        at = signs.find("1")
        while at >= 0:
            yield first + at - (first + at) // row
            at = signs.find("1", at + 1)

    def before(self, ends: int) -> int:
        """The cells from which one step leads to any of these."""
        row = self.row
        found = ends << 1 | ends >> 1 | ends << row | ends >> row
        for far, uncut in self.corners:
            found |= (ends & uncut) >> far if far > 0 else (ends & uncut) << -far
        return found


def even(ground: Ground) -> bool:
    """Whether every step of one square costs the same, and only cells stop it."""
    key = ("even",)
    known: bool | None = ground.index.memory.get(key)
    if known is None:
        index = ground.index
        known = index.plain and ground.measure.diagonal is Diagonal.EQUAL and max(index.costs) <= 1
        index.keep(key, known)
    return known


def even_way(
    ground: Ground, start: Square, goal: Square, taken: Collection[Square], avoid: Collection[Square]
) -> tuple[Square, ...] | None:
    """A way of the fewest steps over even ground; see `walking.way`, which finds the very same one.

    It searches from the goal, and then goes by the first step from each square that comes nearer.
    """
    if not (ground.holds(start) and ground.holds(goal)):
        return None
    cells = _cells(ground)
    rings = _rings(cells, cells.bits((start,)), cells.bits((goal,)), cells.bits(filter(ground.holds, taken)))
    if rings is None:
        return None
    wary = {square.y * ground.width + square.x for square in avoid if ground.holds(square)}
    here, found = start.y * ground.width + start.x, list[Square]()
    for ring in reversed(rings):
        steps = (to for to, _ in moves(ground.index, 1, here))
        for to in sorted(steps, key=wary.__contains__) if wary else steps:
            y, x = divmod(to, ground.width)
            if ring >> y * cells.row + x & 1:
                here = to
                found.append(Square(x, y))
                break
    return tuple(found)


def even_walks(
    ground: Ground, start: Square, most: int, taken: Collection[Square], filled: Collection[Square]
) -> Iterator[list[Square]]:
    """The squares that one step over even ground leads to, those that two lead to, and so on.

    `walking.walks` says of what; `walking.searched_walks` finds the very same ones.

    Args:
        ground: The ground.
        start: From where; it is left out.
        most: Steps at most.
        taken: Squares that are not entered.
        filled: Squares that are passed through but left out.
    """
    if not ground.holds(start):
        return
    cells, known, square = _cells(ground), ground.index.squares, ground.index.square
    ring, closed = cells.bits((start,)), cells.bits(filter(ground.holds, taken))
    left, ends = cells.open & ~(closed | ring), ~cells.bits(filter(ground.holds, filled))
    for _ in range(most):
        ring = cells.before(ring) & left
        if not ring:
            return
        left &= ~ring
        yield [known.get(number) or square(number) for number in cells.numbers(ring & ends)]


def _rings(cells: _Cells, start: int, goal: int, taken: int) -> list[int] | None:
    """The cells as far from the goal as each other, the goal itself first, up to those next to the start."""
    if start == goal:
        return []
    free = cells.open & ~taken
    ring, left, rings = goal & free, free & ~goal, list[int]()
    while ring:
        rings.append(ring)
        before = cells.before(ring)
        if before & start:
            return rings
        ring = before & left
        left &= ~ring
    return None


def _cells(ground: Ground) -> _Cells:
    key = ("cells",)
    known: _Cells | None = ground.index.memory.get(key)
    if known is not None:
        return known
    width, row = ground.width, ground.width + 1
    signs = ground.index.costs.translate(_SIGNS).decode()
    lines = [signs[at : at + width] + "0" for at in range(0, len(signs), width)]
    free = int("".join(lines)[::-1], 2)
    # Both ways round are open: the cell across from the end, and the one above or below it.
    corners = tuple(
        (down * row + across, _shifted(free, across) & _shifted(free, down * row))
        for down in (-1, 1)
        for across in (-1, 1)
    )
    made: _Cells = ground.index.keep(key, _Cells(row, free, corners))
    return made


_SIGNS = bytes([ord("0")] + [ord("1")] * 255)


def _shifted(cells: int, far: int) -> int:
    return cells << far if far > 0 else cells >> -far
