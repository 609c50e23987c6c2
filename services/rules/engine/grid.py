"""The square grid of a scene: distances, ways, sight, cover and shapes. One square is one pace of five feet.

A step goes to any of the eight neighbours and counts one; a slanting step never cuts the corner of something
solid (Forge Engine, Combat Movement: between figures yes, around corners no). Sight is a straight line
between the middles of two squares; what it only brushes at a corner does not stop it unless both squares at
that corner are solid.

`Grid` knows solid squares alone; `Ground` knows difficult ground, thin walls, cover and height besides. The
same functions are asked of both; `ways` finds ways, `areas` has the shapes of spells and blasts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from heapq import heappop, heappush
from itertools import pairwise

MAX_SIDE = 200
"""Squares along one side of the largest grid."""

MAX_GROUND_SIDE = 400
"""Squares along one side of the largest ground."""

LEDGE = 2
"""Steps of five feet between two squares that make a ledge: it is climbed, not walked."""


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


Edge = tuple[Square, Square]
"""The side two neighbouring squares share: the smaller square first, as `edge` gives it."""


def edge(one: Square, other: Square) -> Edge:
    """The side two squares share.

    Raises:
        ValueError: They do not touch along a side.
    """
    if abs(one.x - other.x) + abs(one.y - other.y) != 1:
        raise ValueError(f"{one} and {other} share no side")
    return (one, other) if one < other else (other, one)


@dataclass(frozen=True, slots=True)
class Ground:
    """A grid and everything on it that walking, sight and cover ask for.

    Attributes:
        width: Columns.
        height: Rows.
        impassable: Squares nobody can stand in: walls and pillars, deep water and chasms too.
        opaque: Squares nobody can see through: walls and pillars, a drawn curtain too.
        difficult: Squares that cost one pace more to enter (Forge Engine, Move Action: obstacles and rough
            terrain).
        cover: Squares that grant partial cover to whoever is in or behind them.
        impassable_edges: Sides of squares nobody can walk through: thin walls, windows, fences.
        opaque_edges: Sides nobody can see through: thin walls.
        difficult_edges: Sides that cost one pace more to cross: low walls.
        cover_edges: Sides that grant partial cover to whoever is behind them.
        heights: How high each square lies in steps of five feet, row by row; empty when all is flat. Heights
            matter to walking alone: sight goes over flat ground.

    Raises:
        ValueError: The ground has no squares or too many, an edge is not as `edge` gives it, or the heights
            are not one a square.
    """

    width: int
    height: int
    impassable: frozenset[Square] = frozenset()
    opaque: frozenset[Square] = frozenset()
    difficult: frozenset[Square] = frozenset()
    cover: frozenset[Square] = frozenset()
    impassable_edges: frozenset[Edge] = frozenset()
    opaque_edges: frozenset[Edge] = frozenset()
    difficult_edges: frozenset[Edge] = frozenset()
    cover_edges: frozenset[Edge] = frozenset()
    heights: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not (1 <= self.width <= MAX_GROUND_SIDE and 1 <= self.height <= MAX_GROUND_SIDE):
            raise ValueError(f"a ground has 1 to {MAX_GROUND_SIDE} squares a side")
        if self.heights and len(self.heights) != self.width * self.height:
            raise ValueError("a ground has one height a square, or none")
        for edges in (self.impassable_edges, self.opaque_edges, self.difficult_edges, self.cover_edges):
            if any(edge(one, other) != (one, other) for one, other in edges):
                raise ValueError("an edge names its smaller square first")

    @classmethod
    def of(cls, grid: Grid) -> Ground:
        """The ground of a plain grid: what is solid is neither entered nor seen through."""
        solid = _as_set(grid.solid)
        return cls(grid.width, grid.height, impassable=solid, opaque=solid)

    def holds(self, square: Square) -> bool:
        """Whether the square is on the ground."""
        return 0 <= square.x < self.width and 0 <= square.y < self.height

    def open(self, square: Square) -> bool:
        """Whether the square is on the ground and somebody can stand in it."""
        return self.holds(square) and square not in self.impassable

    def clear(self, square: Square) -> bool:
        """Whether the square is on the ground and can be seen through."""
        return self.holds(square) and square not in self.opaque

    def elevation(self, square: Square) -> int:
        """How high a square lies, in steps of five feet."""
        return self.heights[square.y * self.width + square.x] if self.heights else 0


class Cover(StrEnum):
    """What is between an attacker and a target (Forge Engine, Externalities)."""

    NONE = "none"
    PARTIAL = "partial"
    TOTAL = "total"


def distance(one: Square, other: Square) -> int:
    """Paces between two squares, as nobody stood in the way."""
    return max(abs(one.x - other.x), abs(one.y - other.y))


def beside(one: Square, other: Square) -> bool:
    """Whether two squares touch, at a corner too; a square touches itself."""
    return distance(one, other) <= 1


def steps(grid: Grid | Ground, square: Square, taken: Collection[Square] = ()) -> Iterator[Square]:
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


def _may_step(grid: Grid | Ground, square: Square, to: Square) -> bool:
    if isinstance(grid, Ground):
        return step_cost(grid, square, to) is not None
    if not grid.open(to):
        return False
    if to.x == square.x or to.y == square.y:
        return True
    return grid.open(Square(to.x, square.y)) and grid.open(Square(square.x, to.y))


def step_cost(ground: Ground, here: Square, to: Square) -> int | None:
    """Paces that a step to one of the eight neighbours costs; None when it cannot be walked.

    A step costs one, and one more each for difficult ground it enters and for a difficult edge it crosses. It
    never goes through an impassable edge or over a ledge. A slanting step is taken only where both ways round
    over the sides could be walked, so that it cuts no corner of a wall, thick or thin, and no end of one.
    """
    if not ground.open(to) or abs(ground.elevation(to) - ground.elevation(here)) >= LEDGE:
        return None
    crossed: tuple[Edge, ...]
    if here.x == to.x or here.y == to.y:
        crossed = (edge(here, to),)
    else:
        for corner in (Square(to.x, here.y), Square(here.x, to.y)):
            if step_cost(ground, here, corner) is None or step_cost(ground, corner, to) is None:
                return None
        crossed = _edges_at_corner(here, to)
    if not ground.impassable_edges.isdisjoint(crossed):
        return None
    return 1 + (to in ground.difficult) + (not ground.difficult_edges.isdisjoint(crossed))


def _edges_at_corner(here: Square, to: Square) -> tuple[Edge, ...]:
    """The four edges that meet where a slanting step crosses a corner."""
    one, other = Square(to.x, here.y), Square(here.x, to.y)
    return edge(here, one), edge(one, to), edge(here, other), edge(other, to)


def is_way(grid: Grid | Ground, start: Square, way: Iterable[Square], taken: Collection[Square] = ()) -> bool:
    """Whether somebody can walk this way, one step after the other, without entering a taken square."""
    here = start
    for to in way:
        if not beside(here, to) or here == to or to in taken or not _may_step(grid, here, to):
            return False
        here = to
    return True


def within_reach(
    grid: Grid | Ground, start: Square, paces: int, taken: Collection[Square] = ()
) -> Mapping[Square, int]:
    """Every square that can be walked to with at most this many paces, and how many it takes.

    The start is among them, with 0.
    """
    if isinstance(grid, Ground):
        return {square: cost[0] for square, (cost, _) in search(grid, start, paces, taken).items()}
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


_Cost = tuple[int, int, int]
"""Paces, squares to avoid, slanting steps: what comes first weighs more than all that follows."""


def search(
    ground: Ground,
    start: Square,
    paces: int | None,
    taken: Collection[Square],
    avoid: Collection[Square] = (),
    goal: Square | None = None,
) -> Mapping[Square, tuple[_Cost, Square]]:
    """Uniform-cost search: each square reached, with its least cost and the square one comes from."""
    found: dict[Square, tuple[_Cost, Square]] = {}
    waiting = [((0, 0, 0), start, start)]
    while waiting:
        cost, here, before = heappop(waiting)
        if here in found:
            continue
        found[here] = cost, before
        if here == goal:
            break
        for to in steps(ground, here, taken):
            step = step_cost(ground, here, to)
            if step is not None and to not in found and (paces is None or cost[0] + step <= paces):
                more = cost[0] + step, cost[1] + (to in avoid), cost[2] + _slanting(here, to)
                heappush(waiting, (more, to, here))
    return found


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


def sees(grid: Grid | Ground, one: Square, other: Square) -> bool:
    """Whether a straight line between two squares meets nothing solid. It is the same both ways.

    On a ground that is what cannot be seen through: squares, and edges the line crosses. A line through a
    corner passes if it could go round that corner on one side at least.
    """
    if isinstance(grid, Ground):
        return _sees_over(grid, one, other)
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


def _sees_over(ground: Ground, one: Square, other: Square) -> bool:
    for here, to in pairwise(line(one, other)):
        if to != other and not ground.clear(to):
            return False
        if here.x == to.x or here.y == to.y:
            if edge(here, to) in ground.opaque_edges:
                return False
        elif not any(_round(ground, here, to)):
            return False
    return True


def _round(ground: Ground, here: Square, to: Square) -> tuple[bool, bool]:
    """Whether one can look round the corner between slanting neighbours, on its one and its other side."""
    one, other = Square(to.x, here.y), Square(here.x, to.y)
    edges = _edges_at_corner(here, to)
    return (
        ground.clear(one) and ground.opaque_edges.isdisjoint(edges[:2]),
        ground.clear(other) and ground.opaque_edges.isdisjoint(edges[2:]),
    )


def cover_between(ground: Ground, attacker: Square, target: Square) -> Cover:
    """What protects a target from an attacker.

    Total: the attacker does not see the target. Partial: there is an obstacle between the two but sight is
    not cut off (Forge Engine, Glossary: Cover): the line between their middles passes a square or an edge
    that grants cover, or brushes the corner of something that cannot be seen through. The target's own square
    counts, so that undergrowth covers who is in it; the attacker's own does not.
    """
    if not sees(ground, attacker, target):
        return Cover.TOTAL
    for here, to in pairwise(line(attacker, target)):
        if to in ground.cover:
            return Cover.PARTIAL
        if here.x == to.x or here.y == to.y:
            if edge(here, to) in ground.cover_edges:
                return Cover.PARTIAL
        elif not (
            all(_round(ground, here, to)) and ground.cover_edges.isdisjoint(_edges_at_corner(here, to))
        ):
            return Cover.PARTIAL
    return Cover.NONE


def around(grid: Grid | Ground, middle: Square, paces: int) -> frozenset[Square]:
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
