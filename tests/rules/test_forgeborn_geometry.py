"""Exact geometry of the die-drop map."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, permutations
from math import hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.systems.forgeborn.geometry import (
    Point,
    crosses,
    length,
    segments_meet,
    shortest_open_path,
    shortest_tree,
    steps,
    units,
)

small = st.integers(-6, 6)
spots = st.builds(Point, small, small)


def test_a_float_means_the_decimal_it_prints_as() -> None:
    assert steps(0.1) == 100
    assert steps(54.1) - steps(50.1) == steps(4)
    assert steps(Decimal("2.0005")) == 2000
    assert steps(Fraction(1, 3)) == 333


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), True])
def test_a_position_must_be_a_finite_number(bad: float) -> None:
    with pytest.raises(ValueError, match="a position is"):
        steps(bad)


@given(st.integers(-(10**7), 10**7))
def test_units_and_steps_are_inverse(grid: int) -> None:
    assert steps(units(grid)) == grid


@pytest.mark.parametrize(
    ("segment", "meets"),
    [
        (((5, -5), (5, 5)), True),  # crosses
        (((5, 0), (5, 5)), True),  # touches with an end
        (((0, 0), (-5, 5)), True),  # shares an end
        (((4, 0), (6, 0)), True),  # lies inside
        (((-5, 0), (0, 0)), True),  # meets end to end on one line
        (((11, 0), (15, 0)), False),  # apart on one line
        (((0, 1), (10, 1)), False),  # parallel
        (((11, -5), (11, 5)), False),  # beside the end
    ],
)
def test_touching_counts_as_crossing(segment: tuple[tuple[int, int], tuple[int, int]], meets: bool) -> None:
    a, b = Point(0, 0), Point(10, 0)
    c, d = Point(*segment[0]), Point(*segment[1])
    assert segments_meet(a, b, c, d) is meets
    assert segments_meet(d, c, b, a) is meets


def _meet_by_solving(a: Point, b: Point, c: Point, d: Point) -> bool:
    """The definition: some point a + t (b - a) equals c + u (d - c), t and u from 0 to 1."""
    det = (b.x - a.x) * (d.y - c.y) - (b.y - a.y) * (d.x - c.x)
    if det:
        t = Fraction((c.x - a.x) * (d.y - c.y) - (c.y - a.y) * (d.x - c.x), det)
        u = Fraction((c.x - a.x) * (b.y - a.y) - (c.y - a.y) * (b.x - a.x), det)
        return 0 <= t <= 1 and 0 <= u <= 1

    def on(p: Point, q: Point, r: Point) -> bool:
        if (q.x - p.x) * (r.y - p.y) != (q.y - p.y) * (r.x - p.x):
            return False
        return min(p.x, q.x) <= r.x <= max(p.x, q.x) and min(p.y, q.y) <= r.y <= max(p.y, q.y)

    return on(a, b, c) or on(a, b, d) or on(c, d, a) or on(c, d, b)


@given(spots, spots, spots, spots)
def test_crossing_agrees_with_solving_for_the_meeting_point(a: Point, b: Point, c: Point, d: Point) -> None:
    assert segments_meet(a, b, c, d) is _meet_by_solving(a, b, c, d)


def test_a_near_miss_of_one_step_is_a_miss() -> None:
    a, b = Point.of(0, 0), Point.of(120, 90)
    on_line = Point.of(60, 45)
    above = Point(on_line.x + 1, on_line.y)
    line = ((a, b),)
    assert crosses(on_line, Point.of(120, 0), line)
    assert not crosses(above, Point.of(120, 0), line)


def test_a_single_peak_blocks_nothing() -> None:
    assert not crosses(Point.of(0, 0), Point.of(10, 0), ((Point.of(5, 0),),))


@given(st.lists(spots, min_size=1, max_size=5, unique=True))
def test_the_open_path_is_the_shortest(points: list[Point]) -> None:
    def walked(order: tuple[int, ...]) -> float:
        return sum(hypot(points[i].x - points[j].x, points[i].y - points[j].y) for i, j in pairwise(order))

    order = shortest_open_path(points)
    assert order is not None
    assert sorted(order) == list(range(len(points)))
    assert walked(order) <= min(map(walked, permutations(range(len(points))))) + 1e-9
    assert order[0] <= order[-1]


def test_equally_short_paths_name_earlier_points_first() -> None:
    square = [Point.of(0, 0), Point.of(10, 0), Point.of(10, 10), Point.of(0, 10)]
    assert shortest_open_path(square) == (0, 1, 2, 3)


def test_lengths_equal_in_truth_are_equal() -> None:
    whole = length([Point(0, 0), Point(3, 3)])
    assert whole == length([Point(0, 0), Point(1, 1), Point(3, 3)])


def test_a_path_keeps_to_allowed_pairs() -> None:
    points = [Point.of(0, 0), Point.of(10, 0), Point.of(20, 0)]
    assert shortest_open_path(points, lambda i, j: (i, j) != (0, 1)) == (0, 2, 1)
    assert shortest_open_path(points, lambda i, j: False) is None
    assert shortest_tree(points, lambda i, j: (i, j) != (0, 1)) == ((1, 2), (0, 2))
