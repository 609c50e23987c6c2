"""The geometry of the die-drop map, in whole numbers only.

A position is a pair of integers on a grid of `STEPS` steps a unit, so that "closer", "crosses" and
"touches" are decided exactly: no answer hangs on how a float was rounded. Lengths, which need a square
root, are fixed-point integers with far more digits than six dice can confuse.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from itertools import pairwise, permutations
from math import isqrt

STEPS = 1000
"""Grid steps in one unit of the sheet: a position keeps three decimals."""

_ROOT_BITS = 64
_GUARD_BITS = 24

Number = int | float | Decimal | Fraction


def steps(units: Number) -> int:
    """Turns units into grid steps, to the nearest step (half to even).

    A float means the decimal number it prints as: 0.1 is a tenth, not the binary fraction beside it.

    Raises:
        ValueError: Not a finite number.
    """
    if isinstance(units, bool):
        raise ValueError("a position is a number, not true or false")
    if isinstance(units, int):
        return units * STEPS
    if isinstance(units, Fraction):
        return round(units * STEPS)
    exact = Decimal(repr(units)) if isinstance(units, float) else units
    if not exact.is_finite():
        raise ValueError("a position is a finite number")
    return int((exact * STEPS).to_integral_value(rounding=ROUND_HALF_EVEN))


def units(grid_steps: int) -> int | float:
    """Turns grid steps back into units: a whole number where it is one, else at most three decimals."""
    whole, rest = divmod(grid_steps, STEPS)
    return whole if rest == 0 else grid_steps / STEPS


@dataclass(frozen=True, slots=True, order=True)
class Point:
    """A position on the sheet in grid steps; x grows to the east, y to the south.

    Attributes:
        x: Grid steps to the east.
        y: Grid steps to the south.
    """

    x: int
    y: int

    @classmethod
    def of(cls, x: Number, y: Number) -> Point:
        """The point at a position given in units."""
        return cls(steps(x), steps(y))


Polyline = tuple[Point, ...]
"""Points joined in order by straight segments."""


def squared_distance(a: Point, b: Point) -> int:
    """Exact square of the straight-line distance, in square grid steps."""
    return (a.x - b.x) ** 2 + (a.y - b.y) ** 2


def _fixed_point_length(a: Point, b: Point) -> int:
    return isqrt(squared_distance(a, b) << (2 * _ROOT_BITS))


def _without_guard_digits(total: int) -> int:
    # Each rounded-down root is off by less than one in its last bit. Rounding the sum to fewer bits makes
    # lengths that are equal in truth (sqrt 2 + sqrt 8 = sqrt 18) equal here too, so ties stay ties.
    return (total + (1 << (_GUARD_BITS - 1))) >> _GUARD_BITS


def length(line: Sequence[Point]) -> int:
    """Length of a polyline as a fixed-point integer: for comparing, not for reading."""
    return _without_guard_digits(sum(_fixed_point_length(a, b) for a, b in pairwise(line)))


def _turn(a: Point, b: Point, c: Point) -> int:
    """Sign of the turn a -> b -> c: 0 when the three lie on one line."""
    cross = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    return (cross > 0) - (cross < 0)


def _in_box(a: Point, b: Point, c: Point) -> bool:
    """Whether c, known to be on the line through a and b, lies between them (ends included)."""
    return min(a.x, b.x) <= c.x <= max(a.x, b.x) and min(a.y, b.y) <= c.y <= max(a.y, b.y)


def segments_meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether segment ab and segment cd share at least one point; touching counts (P2)."""
    abc, abd, cda, cdb = _turn(a, b, c), _turn(a, b, d), _turn(c, d, a), _turn(c, d, b)
    if abc != abd and cda != cdb:
        return True
    return (
        (abc == 0 and _in_box(a, b, c))
        or (abd == 0 and _in_box(a, b, d))
        or (cda == 0 and _in_box(c, d, a))
        or (cdb == 0 and _in_box(c, d, b))
    )


def crosses(a: Point, b: Point, ranges: Sequence[Polyline]) -> bool:
    """Whether the straight line from a to b meets any range.

    Ruling P2: touching counts as crossing, and a range of one point (a single peak) blocks nothing.
    """
    return any(segments_meet(a, b, c, d) for line in ranges for c, d in pairwise(line))


def shortest_open_path(
    points: Sequence[Point], joinable: Callable[[int, int], bool] | None = None
) -> tuple[int, ...] | None:
    """Order of the shortest open path through all points, found exactly by trying every order.

    Made for the at most six dice of one size: 360 orders once mirrored ones are left out.

    Args:
        points: The points; their indices name them in the answer.
        joinable: Which pairs of indices may be neighbours on the path; every pair when absent.

    Returns:
        The indices in path order, or None when no order is allowed. Of equally short paths the one whose
        indices come first wins, so a path starts at the earlier dropped of its two ends.
    """
    count = len(points)
    span = [[_fixed_point_length(a, b) for b in points] for a in points]
    allowed = [
        [joinable is None or i == j or joinable(min(i, j), max(i, j)) for j in range(count)]
        for i in range(count)
    ]
    best: tuple[int, ...] | None = None
    best_length = 0
    for order in permutations(range(count)):
        if count > 1 and order[0] > order[-1]:
            continue
        if not all(allowed[i][j] for i, j in pairwise(order)):
            continue
        total = _without_guard_digits(sum(span[i][j] for i, j in pairwise(order)))
        if best is None or total < best_length:
            best, best_length = order, total
    return best


def shortest_tree(
    points: Sequence[Point], joinable: Callable[[int, int], bool]
) -> tuple[tuple[int, int], ...]:
    """Edges of the shortest tree over the points that can be joined (earlier indices win ties)."""
    edges = sorted(
        (squared_distance(points[i], points[j]), i, j)
        for i in range(len(points))
        for j in range(i + 1, len(points))
        if joinable(i, j)
    )
    group = list(range(len(points)))
    tree: list[tuple[int, int]] = []
    for _, i, j in edges:
        if group[i] != group[j]:
            tree.append((i, j))
            group = [group[i] if g == group[j] else g for g in group]
    return tuple(tree)
