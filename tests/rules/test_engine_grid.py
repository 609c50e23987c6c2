"""The plain grid: distances, ways, sight and shapes, each against what it must be by its definition."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.engine.grid import (
    MAX_SIDE,
    Grid,
    Square,
    around,
    block,
    distance,
    is_way,
    joined,
    line,
    sees,
    within_reach,
)
from services.rules.engine.ground.squares import beside
from services.rules.engine.ground.steps import steps
from services.rules.engine.ways import reach, way

SIDE = 6
squares = st.builds(Square, st.integers(0, SIDE - 1), st.integers(0, SIDE - 1))
far = st.builds(Square, st.integers(-20, 20), st.integers(-20, 20))
patches = st.sets(squares, max_size=14)


@st.composite
def rooms(draw: st.DrawFn) -> tuple[Grid, Square, Square]:
    """A grid with walls, and two open squares on it."""
    one, other = draw(squares), draw(squares)
    solid = draw(patches) - {one, other}
    return Grid(SIDE, SIDE, tuple(sorted(solid))), one, other


def picture(*rows: str) -> tuple[Grid, dict[str, Square]]:
    """A grid drawn with `#` for what is solid, and the squares that bear letters."""
    marks = {sign: Square(x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign.isalpha()}
    solid = tuple(Square(x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "#")
    return Grid(len(rows[0]), len(rows), solid), marks


@pytest.mark.parametrize(("width", "height"), [(0, 5), (5, 0), (MAX_SIDE + 1, 5), (5, MAX_SIDE + 1)])
def test_a_grid_has_squares_and_not_too_many(width: int, height: int) -> None:
    with pytest.raises(ValueError, match="squares a side"):
        Grid(width, height)


def test_what_is_solid_or_off_the_grid_is_not_open() -> None:
    grid = Grid(3, 2, (Square(1, 1),))
    opened = {Square(x, y) for x in range(-1, 5) for y in range(-1, 5) if grid.open(Square(x, y))}
    assert opened == {Square(0, 0), Square(1, 0), Square(2, 0), Square(0, 1), Square(2, 1)}
    assert grid.holds(Square(1, 1))
    assert not grid.holds(Square(3, 0))


# Distances


@given(far, far, far)
def test_distance_is_a_measure(one: Square, other: Square, third: Square) -> None:
    assert distance(one, other) == distance(other, one)
    assert (distance(one, other) == 0) == (one == other)
    assert distance(one, other) <= distance(one, third) + distance(third, other)
    assert beside(one, other) == (distance(one, other) <= 1)


@given(squares, squares)
def test_on_an_empty_grid_the_distance_is_what_one_walks(one: Square, other: Square) -> None:
    assert within_reach(Grid(SIDE, SIDE), one, SIDE)[other] == distance(one, other)


# Ways


@given(rooms(), patches)
def test_a_way_is_a_way_and_no_longer_than_it_must_be(
    room: tuple[Grid, Square, Square], some: set[Square]
) -> None:
    grid, start, goal = room
    taken = some - {start, goal}
    found = way(grid, start, goal, taken)
    reached = within_reach(grid, start, SIDE * SIDE, taken)
    if found is None:
        assert goal not in reached
        return
    assert is_way(grid, start, found, taken)
    assert (start, *found)[-1] == goal
    assert len(found) == reached[goal]


@given(rooms(), st.integers(0, 8))
def test_one_search_finds_the_way_to_every_goal_that_is_near_enough(
    room: tuple[Grid, Square, Square], paces: int
) -> None:
    grid, start, goal = room
    alone = way(grid, start, goal)
    near = alone is not None and len(alone) <= paces
    assert reach(grid, start, paces).way(goal) == (alone if near else None)


@given(rooms(), patches)
def test_going_round_makes_no_way_longer(room: tuple[Grid, Square, Square], avoid: set[Square]) -> None:
    grid, start, goal = room
    plain, wary = way(grid, start, goal), way(grid, start, goal, avoid=avoid)
    assert (plain is None) == (wary is None)
    if plain is not None and wary is not None:
        assert len(plain) == len(wary)
        assert is_way(grid, start, wary)


@given(rooms(), st.integers(0, SIDE))
def test_who_may_walk_further_reaches_at_least_as_much(room: tuple[Grid, Square, Square], paces: int) -> None:
    grid, start, _ = room
    near, all_of_it = within_reach(grid, start, paces), within_reach(grid, start, SIDE * SIDE)
    assert dict(near) == {square: count for square, count in all_of_it.items() if count <= paces}
    assert near[start] == 0


@given(rooms())
def test_a_step_leads_both_ways_and_cuts_no_corner(room: tuple[Grid, Square, Square]) -> None:
    grid, start, _ = room
    for to in steps(grid.ground, start):
        assert grid.open(to)
        assert distance(start, to) == 1
        assert start in set(steps(grid.ground, to))
        assert grid.open(Square(start.x, to.y))
        assert grid.open(Square(to.x, start.y))


def test_corners_of_walls_are_walked_round_and_those_of_people_are_not() -> None:
    grid, at = picture("ab.", "#..")
    below = Square(1, 1)
    assert below not in set(steps(grid.ground, at["a"]))
    assert way(grid, at["a"], below) == (at["b"], below)
    free, at = picture("ab.", "c..")
    assert way(free, at["a"], below, taken=[at["b"], at["c"]]) == (below,)


def test_a_way_neither_jumps_nor_stands_nor_enters_a_taken_square() -> None:
    grid, at = picture("abcd")
    a, b, c, d = at["a"], at["b"], at["c"], at["d"]
    assert is_way(grid, a, [b, c, d])
    assert is_way(grid, a, [])
    assert not is_way(grid, a, [c, d])
    assert not is_way(grid, a, [a, b])
    assert not is_way(grid, a, [b, c], taken=[c])
    assert not is_way(grid, a, [Square(0, 1)])


def test_there_is_no_way_out_of_a_closed_room() -> None:
    grid, at = picture("a#b", "###", "...")
    assert way(grid, at["a"], at["b"]) is None
    assert way(grid, at["a"], at["a"]) == ()
    assert dict(within_reach(grid, at["a"], 9)) == {at["a"]: 0}


def test_of_ways_as_short_the_one_around_danger_is_walked() -> None:
    grid, at = picture("...", "afb", "...")
    found = way(grid, at["a"], at["b"], avoid=[at["f"]])
    assert found is not None
    assert at["f"] not in found
    assert len(found) == 2


# Sight


@given(rooms())
def test_sight_is_the_same_both_ways(room: tuple[Grid, Square, Square]) -> None:
    grid, one, other = room
    assert sees(grid, one, other) == sees(grid, other, one)


@given(rooms())
def test_who_stands_beside_is_seen_unless_both_corners_are_solid(room: tuple[Grid, Square, Square]) -> None:
    grid, one, _ = room
    assert sees(grid, one, one)
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        to = Square(one.x + dx, one.y + dy)
        if grid.open(to):
            corners = (Square(to.x, one.y), Square(one.x, to.y))
            assert sees(grid, one, to) == (not (dx and dy) or any(grid.open(corner) for corner in corners))


@given(squares, squares, patches)
def test_a_wall_less_never_hides(one: Square, other: Square, solid: set[Square]) -> None:
    walls = tuple(sorted(solid - {one, other}))
    if sees(Grid(SIDE, SIDE, walls), one, other):
        assert sees(Grid(SIDE, SIDE, walls[1:]), one, other)


def test_sight_stops_at_walls_and_not_at_a_single_corner() -> None:
    grid, at = picture("a..#b", "c#..d", ".....")
    assert not sees(grid, at["a"], at["b"])
    assert not sees(grid, at["c"], at["d"])
    assert sees(grid, at["a"], Square(2, 2)) is False
    one_corner, at = picture("a#", ".b")
    assert sees(one_corner, at["a"], at["b"])
    two_corners, at = picture("a#", "#b")
    assert not sees(two_corners, at["a"], at["b"])


@given(far, far)
def test_a_line_goes_from_end_to_end_and_back_over_the_same_squares(one: Square, other: Square) -> None:
    passed = line(one, other)
    assert (passed[0], passed[-1]) == (one, other)
    assert all(distance(here, to) == 1 for here, to in pairwise(passed))
    assert line(other, one) == tuple(reversed(passed))


# Shapes


@given(rooms(), st.integers(0, 3))
def test_what_is_around_is_open_and_near(room: tuple[Grid, Square, Square], paces: int) -> None:
    grid, middle, _ = room
    every = {Square(x, y) for x in range(SIDE) for y in range(SIDE)}
    expected = {square for square in every if grid.open(square) and distance(middle, square) <= paces}
    assert around(grid, middle, paces) == expected


@given(far, st.integers(1, 5))
def test_a_block_is_square_and_joined(corner: Square, across: int) -> None:
    found = block(corner, across)
    assert len(found) == across * across
    assert min(found) == corner
    assert joined(found)


@given(patches, squares)
def test_a_shape_stays_joined_when_a_square_is_set_at_its_side(patch: set[Square], near: Square) -> None:
    sides = {Square(near.x + dx, near.y + dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))}
    if joined(patch) and near not in patch:
        assert joined(patch | {near}) == bool(sides & patch)


def test_corners_do_not_join_and_nothing_is_no_shape() -> None:
    assert not joined([])
    assert joined([Square(1, 1)])
    assert not joined([Square(0, 0), Square(1, 1)])
    assert joined([Square(0, 0), Square(1, 1), Square(0, 1)])
