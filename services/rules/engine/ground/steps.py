"""Single steps of footprints: which there are, and what they cost.

A step goes to one of the eight neighbours. It never goes through an edge that stops who walks, or over a
ledge; a slanting one is taken only where both ways round over the sides could be walked, so that it cuts no
corner of a wall, thick or thin, and no end of one (Forge Engine, Combat Movement: between figures yes, around
corners no). A creature of n by n squares takes a step only where all of it is on the ground, and fits where
it goes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache

from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.index import Index
from services.rules.engine.ground.kinds import DIFFICULT, IMPASSABLE
from services.rules.engine.ground.measure import Measure
from services.rules.engine.ground.model import LEDGE, Ground
from services.rules.engine.ground.squares import Square

_STRAIGHT = ((0, -1), (-1, 0), (1, 0), (0, 1))
_SLANTING = ((-1, -1), (1, -1), (-1, 1), (1, 1))

Step = tuple[int, int]
"""The number of the cell a step leads to, and its kind: four times how rough it is, and 2 if it slants."""

SLANTS, _ROUGH = 2, 4
_MOST_ROUGH = 10


def opened(ground: Ground, square: Square) -> bool:
    """Whether the square is on the ground and can be entered."""
    return ground.holds(square) and ground.index.costs[square.y * ground.width + square.x] > 0


def around(ground: Ground, middle: Square, steps: int) -> frozenset[Square]:
    """Every square that can be entered within so many steps of another, that one included."""
    index = ground.index
    return frozenset(
        Square(x, y)
        for y in range(max(0, middle.y - steps), min(ground.height, middle.y + steps + 1))
        for x in range(max(0, middle.x - steps), min(ground.width, middle.x + steps + 1))
        if index.costs[y * ground.width + x]
    )


def fits(ground: Ground, footprint: Footprint) -> bool:
    """Whether a creature can stand there: no square of it is shut, no barrier or ledge divides it."""
    return _fits(ground.index, footprint.size, footprint.at.x, footprint.at.y)


def _fits(index: Index, size: int, x: int, y: int) -> bool:
    if not (index.inside(x, y) and index.inside(x + size - 1, y + size - 1)):
        return False
    if size == 1:
        return index.costs[y * index.width + x] > 0
    key = ("fits", size, x, y)
    known: bool | None = index.memory.get(key)
    if known is not None:
        return known
    whole = all(
        index.costs[row * index.width + column]
        and (column == x or _passes(index, column, row, -1, 0) is not None)
        and (row == y or _passes(index, column, row, 0, -1) is not None)
        for row in range(y, y + size)
        for column in range(x, x + size)
    )
    return bool(index.keep(key, whole))


def _passes(index: Index, x: int, y: int, dx: int, dy: int) -> int | None:
    """Whether the edge a straight step crosses is rough, 0 or 1; None where it or a ledge stops the step."""
    flags = index.edge(x, y, dx, dy)
    if flags & IMPASSABLE:
        return None
    heights = index.heights
    if heights is not None:
        at = y * index.width + x
        if abs(heights[at] - heights[at + dy * index.width + dx]) >= LEDGE:
            return None
    return int(bool(flags & DIFFICULT))


def _straight(index: Index, size: int, x: int, y: int, dx: int, dy: int) -> int | None:
    """Whether a straight step of a footprint crosses a rough edge, 0 or 1; None where it cannot be taken."""
    if not _fits(index, size, x + dx, y + dy):
        return None
    rough = 0
    for side in range(size):
        if dx:
            passed = _passes(index, x + (size - 1 if dx > 0 else 0), y + side, dx, dy)
        else:
            passed = _passes(index, x + side, y + (size - 1 if dy > 0 else 0), dx, dy)
        if passed is None:
            return None
        rough |= passed
    return rough


def _slanted(index: Index, size: int, x: int, y: int, dx: int, dy: int) -> int | None:
    """The same of a slanting step: both ways round can be walked, and it goes over no ledge itself."""
    if _ledge(index, size, x, y, dx, dy):
        return None
    rough = 0
    for first, then in (((dx, 0), (0, dy)), ((0, dy), (dx, 0))):
        one = _straight(index, size, x, y, *first)
        if one is None:
            return None
        other = _straight(index, size, x + first[0], y + first[1], *then)
        if other is None:
            return None
        rough |= one | other
    return rough


def _ledge(index: Index, size: int, x: int, y: int, dx: int, dy: int) -> bool:
    """Whether a square of a footprint would go over a ledge by a slanting step."""
    heights, width = index.heights, index.width
    if heights is None or not _fits(index, size, x + dx, y + dy):
        return False
    return any(
        abs(heights[row * width + column] - heights[(row + dy) * width + column + dx]) >= LEDGE
        for row in range(y, y + size)
        for column in range(x, x + size)
    )


def _entered(index: Index, size: int, x: int, y: int, dx: int, dy: int) -> int:
    """How rough the roughest cell is that a footprint enters by a step."""
    if size == 1:
        return index.costs[(y + dy) * index.width + x + dx] - 1
    return max(
        index.costs[row * index.width + column] - 1
        for row in range(y + dy, y + dy + size)
        for column in range(x + dx, x + dx + size)
        if not (0 <= row - y < size and 0 <= column - x < size)
    )


def moves(index: Index, size: int, number: int) -> tuple[Step, ...]:
    """The steps from a cell, the straight ones first."""
    table = index.steps.setdefault(size, {})
    known: tuple[Step, ...] | None = table.get(number)
    if known is None:
        known = table[number] = tuple(
            _past_cells(index, number) if index.plain and size == 1 else _past_all(index, size, number)
        )
    return known


def _past_all(index: Index, size: int, number: int) -> Iterator[Step]:
    y, x = divmod(number, index.width)
    if not index.inside(x + size - 1, y + size - 1):
        return
    for slants, ways, allowed in ((0, _STRAIGHT, _straight), (SLANTS, _SLANTING, _slanted)):
        for dx, dy in ways:
            edge = allowed(index, size, x, y, dx, dy)
            if edge is not None:
                rough = _entered(index, size, x, y, dx, dy) + edge
                yield number + dy * index.width + dx, _ROUGH * rough + slants


def _past_cells(index: Index, number: int) -> Iterator[Step]:
    """The same for one square where only cells stop steps: most grounds, and several times as fast."""
    width, costs = index.width, index.costs
    y, x = divmod(number, width)
    up = costs[number - width] if y else 0
    left = costs[number - 1] if x else 0
    right = costs[number + 1] if x + 1 < width else 0
    down = costs[number + width] if y + 1 < index.height else 0
    for cost, to in ((up, number - width), (left, number - 1), (right, number + 1), (down, number + width)):
        if cost:
            yield to, _ROUGH * (cost - 1)
    for one, other, to in (
        (up, left, number - width - 1),
        (up, right, number - width + 1),
        (down, left, number + width - 1),
        (down, right, number + width + 1),
    ):
        if one and other and costs[to]:
            yield to, _ROUGH * (costs[to] - 1) + SLANTS


def steps(ground: Ground, at: Square, taken: Collection[Square] = (), size: int = 1) -> Iterator[Square]:
    """The squares one step away, row by row.

    Args:
        ground: The ground.
        at: From where; for a larger footprint its top left square, as are the squares returned.
        taken: Squares others stand in; they are not entered, but their corners may be cut.
        size: Squares along one side of the footprint.
    """
    if not ground.holds(at):
        return
    blocked = origins(taken, size)
    for number, _ in sorted(moves(ground.index, size, at.y * ground.width + at.x)):
        to = Square(number % ground.width, number // ground.width)
        if to not in blocked:
            yield to


def step_cost(ground: Ground, here: Square, to: Square, size: int = 1, *, odd: bool = False) -> int | None:
    """Units that a step to one of the eight neighbours costs; None when it cannot be walked.

    Args:
        ground: The ground.
        here: From where.
        to: Where to.
        size: Squares along one side of the footprint.
        odd: Whether an odd number of slanting steps was taken before.
    """
    if not (ground.holds(here) and ground.holds(to)):
        return None
    number = to.y * ground.width + to.x
    for found, kind in moves(ground.index, size, here.y * ground.width + here.x):
        if found == number:
            return ground.measure.spent(prices_of(ground.measure)[kind + odd])
    return None


def origins(taken: Collection[Square], size: int) -> Collection[Square]:
    """The squares where the top left one of a footprint may not be, lest it enter a taken square."""
    if size == 1:
        return taken
    back = range(size)
    return frozenset(Square(one.x - dx, one.y - dy) for one in taken for dx in back for dy in back)


@lru_cache(maxsize=64)
def prices_of(measure: Measure) -> tuple[int, ...]:
    """Points by the kind of a step, and one more after an odd number of slanting steps."""
    return tuple(
        measure.step(slanting, odd, rough)
        for rough in range(_MOST_ROUGH)
        for slanting in (False, True)
        for odd in (False, True)
    )
