"""Ways over the grid of a scene: to one square, or to many at the price of one search."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from services.rules.engine.grid import Grid, Ground, Square, search


def way(
    grid: Grid | Ground,
    start: Square,
    goal: Square,
    taken: Collection[Square] = (),
    avoid: Collection[Square] = (),
) -> tuple[Square, ...] | None:
    """A way of the fewest paces, without its start; None when there is none.

    Args:
        grid: The grid or the ground.
        start: From where.
        goal: Where to.
        taken: Squares somebody stands in.
        avoid: Squares to go round where a way round is as short.
    """
    if isinstance(grid, Grid):
        return _chain(grid, _first_come(grid, start, goal, taken, avoid), start, goal)
    searched = search(grid, start, None, taken, avoid, goal)
    before = {square: came_from for square, (_, came_from) in searched.items()}
    if goal not in before:
        return None
    found = []
    here = goal
    while here != start:
        found.append(here)
        here = before[here]
    return tuple(reversed(found))


@dataclass(frozen=True, slots=True)
class Reach:
    """Every square that can be walked to from one square, and how; nobody stands in the way.

    Attributes:
        start: The square.
        paces: How far is looked.
        before: By the number of each square, that of the square one comes from; see `_numbered`.
        grid: The grid.
    """

    start: Square
    paces: int
    before: Mapping[int, int]
    grid: Grid

    def way(self, goal: Square) -> tuple[Square, ...] | None:
        """The way that `way` finds, without its start; None where it is longer than the paces."""
        return _chain(self.grid, self.before, self.start, goal)


_REACHES: dict[tuple[int, int, int, Square, int], Reach] = {}
_MOST_REACHES = 64


def reach(grid: Grid, start: Square, paces: int) -> Reach:
    """One search for the ways to many goals, remembered by the grid's own squares as `_as_set` is."""
    key = (id(grid.solid), grid.width, grid.height, start, paces)
    known = _REACHES.get(key)
    if known is not None and known.grid.solid is grid.solid:
        return known
    if len(_REACHES) >= _MOST_REACHES:
        _REACHES.clear()
    made = Reach(start, paces, _first_come(grid, start, None, (), (), paces), grid)
    _REACHES[key] = made
    return made


_STRAIGHT = ((0, -1), (-1, 0), (1, 0), (0, 1))
_SLANTING = ((-1, -1), (1, -1), (-1, 1), (1, 1))


def _numbered(grid: Grid, square: Square) -> int:
    """A square as a number, row by row, with a border around the grid that nobody enters."""
    return (square.y + 1) * (grid.width + 2) + square.x + 1


def _first_come(
    grid: Grid,
    start: Square,
    goal: Square | None,
    taken: Collection[Square],
    avoid: Collection[Square],
    paces: int | None = None,
) -> dict[int, int]:
    """Breadth-first search: the number of each square reached, with that of the square one comes from.

    Numbers, because where there is no way every square of a large grid is looked at.
    """
    across = grid.width + 2
    solid = bytearray(b"\1" * across + (b"\1" + bytes(grid.width) + b"\1") * grid.height + b"\1" * across)
    for square in grid.solid:
        if grid.holds(square):
            solid[_numbered(grid, square)] = 1
    closed = bytearray(solid)
    for square in taken:
        if grid.holds(square):
            closed[_numbered(grid, square)] = 1
    wary = {_numbered(grid, square) for square in avoid if grid.holds(square)}
    straight = [y * across + x for x, y in _STRAIGHT]
    slanting = [(y * across, x) for x, y in _SLANTING]
    begin = _numbered(grid, start)
    end = _numbered(grid, goal) if goal is not None and grid.holds(goal) else None
    before = {begin: begin}
    waiting = [begin] if grid.holds(start) else []
    for number in waiting:
        closed[number] = 1
    gone = 0
    while waiting and end not in before and gone != paces:
        following: list[int] = []
        for here in waiting:
            reached = [to for step in straight if not closed[to := here + step]]
            for up, aside in slanting:
                to = here + up + aside
                if not (closed[to] or solid[here + up] or solid[here + aside]):
                    reached.append(to)
            if wary:
                reached.sort(key=wary.__contains__)
            for to in reached:
                closed[to] = 1
                before[to] = here
            following += reached
        waiting, gone = following, gone + 1
    return before


def _chain(grid: Grid, before: Mapping[int, int], start: Square, goal: Square) -> tuple[Square, ...] | None:
    """The squares from the first behind the start to the goal; None where the goal was not reached."""
    here, begin = _numbered(grid, goal), _numbered(grid, start)
    if here not in before or not (grid.holds(goal) or goal == start):
        return None
    across = grid.width + 2
    found: list[Square] = []
    while here != begin:
        found.append(Square(here % across - 1, here // across - 1))
        here = before[here]
    return tuple(reversed(found))
