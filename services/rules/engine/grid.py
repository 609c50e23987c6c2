"""The square grid of a scene: distances, ways, sight and shapes. One square is one pace of five feet.

A step goes to any of the eight neighbours and counts one; a slanting step never cuts the corner of something
solid. Sight is a straight line between the middles of two squares; what it only brushes at a corner does not
stop it unless both squares at that corner are solid.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

MAX_SIDE = 200
"""Squares along one side of the largest grid."""


@dataclass(frozen=True, slots=True, order=True)
class Square:
    """A square by column and row, counted from 0 at the top left."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid and what is solid on it.

    Attributes:
        width: Columns.
        height: Rows.
        solid: Squares nobody can stand in or see through.

    Raises:
        ValueError: The grid has no squares, or too many.
    """

    width: int
    height: int
    solid: tuple[Square, ...] = ()

    def __post_init__(self) -> None:
        if not (1 <= self.width <= MAX_SIDE and 1 <= self.height <= MAX_SIDE):
            raise ValueError(f"a grid has 1 to {MAX_SIDE} squares a side")

    def holds(self, square: Square) -> bool:
        """Whether the square is on the grid."""
        return 0 <= square.x < self.width and 0 <= square.y < self.height

    def open(self, square: Square) -> bool:
        """Whether the square is on the grid and not solid."""
        return (
            0 <= square.x < self.width
            and 0 <= square.y < self.height
            and not (self.solid and square in _as_set(self.solid))
        )


_SETS: dict[int, tuple[tuple[Square, ...], frozenset[Square]]] = {}
_MOST_SETS = 256


def _as_set(squares: tuple[Square, ...]) -> frozenset[Square]:
    """The squares as a set, remembered by the tuple itself: to hash its members at each question is slow."""
    known = _SETS.get(id(squares))
    if known is not None and known[0] is squares:
        return known[1]
    if len(_SETS) >= _MOST_SETS:
        _SETS.clear()
    made = frozenset(squares)
    _SETS[id(squares)] = (squares, made)
    return made


def distance(one: Square, other: Square) -> int:
    """Paces between two squares, as nobody stood in the way."""
    return max(abs(one.x - other.x), abs(one.y - other.y))


def beside(one: Square, other: Square) -> bool:
    """Whether two squares touch, at a corner too; a square touches itself."""
    return distance(one, other) <= 1


def steps(grid: Grid, square: Square, taken: Collection[Square] = ()) -> Iterator[Square]:
    """The squares one step away, in a fixed order.

    Args:
        grid: The grid.
        square: From where.
        taken: Squares somebody stands in; they are not entered, but their corners may be cut.
    """
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            to = Square(square.x + dx, square.y + dy)
            if (dx or dy) and to not in taken and _may_step(grid, square, to):
                yield to


def _may_step(grid: Grid, square: Square, to: Square) -> bool:
    if not grid.open(to):
        return False
    if to.x == square.x or to.y == square.y:
        return True
    return grid.open(Square(to.x, square.y)) and grid.open(Square(square.x, to.y))


def is_way(grid: Grid, start: Square, way: Iterable[Square], taken: Collection[Square] = ()) -> bool:
    """Whether somebody can walk this way, one step after the other, without entering a taken square."""
    here = start
    for to in way:
        if not beside(here, to) or here == to or to in taken or not _may_step(grid, here, to):
            return False
        here = to
    return True


def within_reach(
    grid: Grid, start: Square, paces: int, taken: Collection[Square] = ()
) -> Mapping[Square, int]:
    """Every square that can be walked to with at most this many steps, and how many it takes.

    The start is among them, with 0.
    """
    found = {start: 0}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        if found[here] == paces:
            continue
        for to in steps(grid, here, taken):
            if to not in found:
                found[to] = found[here] + 1
                waiting.append(to)
    return found


def way(
    grid: Grid, start: Square, goal: Square, taken: Collection[Square] = (), avoid: Collection[Square] = ()
) -> tuple[Square, ...] | None:
    """A shortest way, without its start; None when there is none.

    Args:
        grid: The grid.
        start: From where.
        goal: Where to.
        taken: Squares somebody stands in.
        avoid: Squares to go round where a way round is as short.
    """
    before = {start: start}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        if here == goal:
            break
        for to in sorted(
            steps(grid, here, taken), key=lambda square: (square in avoid, _slanting(here, square))
        ):
            if to not in before:
                before[to] = here
                waiting.append(to)
    if goal not in before:
        return None
    found = []
    here = goal
    while here != start:
        found.append(here)
        here = before[here]
    return tuple(reversed(found))


def _slanting(here: Square, to: Square) -> bool:
    return here.x != to.x and here.y != to.y


def line(one: Square, other: Square) -> tuple[Square, ...]:
    """The squares a straight line between two middles passes, both ends included, without brushed corners."""
    dx, dy = abs(other.x - one.x), abs(other.y - one.y)
    sx, sy = (1 if other.x > one.x else -1), (1 if other.y > one.y else -1)
    x, y = one.x, one.y
    found = [one]
    error = dx - dy
    for _ in range(dx + dy):
        if (x, y) == (other.x, other.y):
            break
        if error > 0:
            x, error = x + sx, error - 2 * dy
        elif error < 0:
            y, error = y + sy, error + 2 * dx
        else:
            x, y, error = x + sx, y + sy, error + 2 * (dx - dy)
        found.append(Square(x, y))
    return tuple(found)


def sees(grid: Grid, one: Square, other: Square) -> bool:
    """Whether a straight line between two squares meets nothing solid. It is the same both ways."""
    if not grid.solid:
        return True
    passed = line(one, other)
    for here, to in pairwise(passed):
        if to != other and not grid.open(to):
            return False
        corners = (Square(to.x, here.y), Square(here.x, to.y))
        if here.x != to.x and here.y != to.y and not any(grid.open(corner) for corner in corners):
            return False
    return True


def around(grid: Grid, middle: Square, paces: int) -> frozenset[Square]:
    """Every open square within so many paces of another, that one included."""
    return frozenset(
        square
        for y in range(middle.y - paces, middle.y + paces + 1)
        for x in range(middle.x - paces, middle.x + paces + 1)
        if grid.open(square := Square(x, y))
    )


def block(corner: Square, across: int) -> frozenset[Square]:
    """A block of squares from its top left corner."""
    return frozenset(Square(corner.x + x, corner.y + y) for x in range(across) for y in range(across))


def joined(squares: Collection[Square]) -> bool:
    """Whether squares make one shape: each can be reached from each over sides. No squares make none."""
    left = set(squares)
    if not left:
        return False
    waiting = [left.pop()]
    while waiting:
        here = waiting.pop()
        for to in (
            Square(here.x + 1, here.y),
            Square(here.x - 1, here.y),
            Square(here.x, here.y + 1),
            Square(here.x, here.y - 1),
        ):
            if to in left:
                left.remove(to)
                waiting.append(to)
    return not left
