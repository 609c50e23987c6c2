"""The grid: distances, ways, sight and shapes, each against what it must be by its definition."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.engine.grid import (
    MAX_GROUND_SIDE,
    MAX_SIDE,
    Cover,
    Edge,
    Grid,
    Ground,
    Square,
    around,
    beside,
    block,
    cover_between,
    distance,
    edge,
    is_way,
    joined,
    line,
    sees,
    step_cost,
    steps,
    within_reach,
)
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
    for to in steps(grid, start):
        assert grid.open(to)
        assert distance(start, to) == 1
        assert start in set(steps(grid, to))
        assert grid.open(Square(start.x, to.y))
        assert grid.open(Square(to.x, start.y))


def test_corners_of_walls_are_walked_round_and_those_of_people_are_not() -> None:
    grid, at = picture("ab.", "#..")
    below = Square(1, 1)
    assert below not in set(steps(grid, at["a"]))
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


# Ground: difficult squares, thin walls, cover, height


def all_edges(side: int = SIDE) -> list[Edge]:
    across = [edge(Square(x, y), Square(x + 1, y)) for x in range(side - 1) for y in range(side)]
    return across + [edge(Square(x, y), Square(x, y + 1)) for x in range(side) for y in range(side - 1)]


edge_sets = st.frozensets(st.sampled_from(all_edges()), max_size=10)
square_sets = st.frozensets(squares, max_size=8)


@st.composite
def grounds(draw: st.DrawFn) -> Ground:
    levels = draw(st.one_of(st.just(b""), st.binary(min_size=SIDE**2, max_size=SIDE**2)))
    return Ground(
        SIDE,
        SIDE,
        impassable=draw(square_sets),
        opaque=draw(square_sets),
        difficult=draw(square_sets),
        cover=draw(square_sets),
        impassable_edges=draw(edge_sets),
        opaque_edges=draw(edge_sets),
        difficult_edges=draw(edge_sets),
        cover_edges=draw(edge_sets),
        heights=tuple(byte % 4 - 1 for byte in levels),
    )


def ground_squares(ground: Ground) -> Iterator[Square]:
    return (Square(x, y) for y in range(ground.height) for x in range(ground.width))


def between(one: tuple[int, int], other: tuple[int, int]) -> frozenset[Edge]:
    """The one edge between two squares, given as numbers."""
    return frozenset([edge(Square(*one), Square(*other))])


@given(rooms(), patches, st.integers(0, SIDE))
def test_the_ground_of_a_grid_is_walked_and_seen_over_as_the_grid_is(
    room: tuple[Grid, Square, Square], some: set[Square], paces: int
) -> None:
    grid, one, other = room
    ground, taken = Ground.of(grid), some - {one, other}
    assert set(steps(ground, one, taken)) == set(steps(grid, one, taken))
    assert within_reach(ground, one, paces, taken) == within_reach(grid, one, paces, taken)
    assert sees(ground, one, other) == sees(grid, one, other)
    assert around(ground, one, 2) == around(grid, one, 2)
    found, plain = way(ground, one, other, taken), way(grid, one, other, taken)
    assert (found is None) == (plain is None)
    if found is not None and plain is not None:
        assert len(found) == len(plain)
        assert is_way(grid, one, found, taken)


@given(grounds(), squares, square_sets)
def test_a_way_over_ground_costs_the_least_it_can(ground: Ground, start: Square, taken: set[Square]) -> None:
    # Bellman and Ford: every step is tried again until nothing gets cheaper.
    least = {start: 0}
    changed = True
    while changed:
        changed = False
        for here, so_far in list(least.items()):
            for to in steps(ground, here, taken):
                cost = step_cost(ground, here, to)
                assert cost is not None
                if so_far + cost < least.get(to, 999):
                    least[to], changed = so_far + cost, True
    assert within_reach(ground, start, 999, taken) == least
    for goal in (Square(0, 0), Square(SIDE - 1, 2)):
        found = way(ground, start, goal, taken)
        assert (found is None) == (goal not in least)
        if found is not None:
            assert is_way(ground, start, found, taken)
            paid = [step_cost(ground, here, to) for here, to in pairwise((start, *found))]
            assert sum(cost or 0 for cost in paid) == least[goal]


@given(grounds(), squares, st.integers(0, 4))
def test_with_fewer_paces_one_reaches_what_costs_no_more(ground: Ground, start: Square, paces: int) -> None:
    every = within_reach(ground, start, 999)
    near = within_reach(ground, start, paces)
    assert dict(near) == {square: cost for square, cost in every.items() if cost <= paces}


@given(grounds(), squares)
def test_a_step_over_ground_leads_back_and_slants_only_past_open_sides(ground: Ground, here: Square) -> None:
    for to in steps(ground, here):
        if ground.open(here):
            assert step_cost(ground, to, here) is not None
        if here.x != to.x and here.y != to.y:
            for corner in (Square(to.x, here.y), Square(here.x, to.y)):
                assert step_cost(ground, here, corner) is not None
                assert step_cost(ground, corner, to) is not None


@given(grounds(), squares, squares)
def test_sight_over_ground_is_the_same_both_ways(ground: Ground, one: Square, other: Square) -> None:
    assert sees(ground, one, other) == sees(ground, other, one)


@given(grounds(), squares)
def test_nobody_sees_out_of_what_is_shut_on_all_sides(ground: Ground, one: Square) -> None:
    joined_on = {one}
    waiting = [one]
    while waiting:
        here = waiting.pop()
        for to in (Square(here.x + dx, here.y + dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))):
            if ground.clear(to) and to not in joined_on and edge(here, to) not in ground.opaque_edges:
                joined_on.add(to)
                waiting.append(to)
    seen = {to for to in ground_squares(ground) if ground.clear(to) and sees(ground, one, to)}
    assert seen <= joined_on


def test_difficult_ground_and_low_walls_cost_a_pace_more_each() -> None:
    mud, low = frozenset([Square(1, 0)]), between((0, 0), (1, 0))
    a, b = Square(0, 0), Square(1, 0)
    assert step_cost(Ground(3, 1), a, b) == 1
    assert step_cost(Ground(3, 1, difficult=mud), a, b) == 2
    assert step_cost(Ground(3, 1, difficult=mud), b, a) == 1
    assert step_cost(Ground(3, 1, difficult_edges=low), a, b) == 2
    assert step_cost(Ground(3, 1, difficult=mud, difficult_edges=low), a, b) == 3
    assert step_cost(Ground(2, 2, difficult_edges=low), a, Square(1, 1)) == 2


def test_one_walks_round_difficult_ground_where_that_is_cheaper() -> None:
    swamp = frozenset(Square(x, 1) for x in (1, 2, 3))
    ground = Ground(5, 3, difficult=swamp)
    found = way(ground, Square(0, 1), Square(4, 1))
    assert found is not None
    assert swamp.isdisjoint(found)
    assert len(found) == 4
    assert within_reach(ground, Square(0, 1), 9)[Square(4, 1)] == 4


def test_of_ways_over_ground_as_cheap_the_one_around_danger_is_walked() -> None:
    ground, fire = Ground(3, 3), Square(1, 1)
    found = way(ground, Square(0, 1), Square(2, 1), avoid=[fire])
    assert found is not None
    assert fire not in found
    assert way(ground, Square(0, 1), Square(2, 1)) == (fire, Square(2, 1))


def test_a_thin_wall_is_walked_round_and_its_end_is_not_cut() -> None:
    a, b = Square(0, 0), Square(1, 0)
    ground = Ground(2, 2, impassable_edges=between((0, 0), (1, 0)))
    assert set(steps(ground, a)) == {Square(0, 1)}
    assert set(steps(ground, b)) == {Square(1, 1)}
    assert way(ground, a, b) == (Square(0, 1), Square(1, 1), b)


def test_walls_windows_and_curtains_stop_walking_and_sight_apart() -> None:
    a, b, side = Square(0, 0), Square(1, 0), between((0, 0), (1, 0))
    window, curtain = Ground(2, 1, impassable_edges=side), Ground(2, 1, opaque_edges=side)
    assert sees(window, a, b)
    assert way(window, a, b) is None
    assert not sees(curtain, a, b)
    assert way(curtain, a, b) == (b,)
    water = Ground(3, 1, impassable=frozenset([b]))
    assert sees(water, a, Square(2, 0))
    assert not water.open(b)
    fog = Ground(3, 1, opaque=frozenset([b]))
    assert not sees(fog, a, Square(2, 0))
    assert sees(fog, a, b)
    assert fog.open(b)


def test_a_ledge_is_not_walked_and_its_foot_is_not_cut() -> None:
    heights = (0, 2, 0, 1)
    ground = Ground(2, 2, heights=heights)
    assert set(steps(ground, Square(0, 0))) == {Square(0, 1)}
    assert set(steps(ground, Square(1, 1))) == {Square(0, 1), Square(1, 0)}
    assert ground.elevation(Square(1, 0)) == 2
    assert sees(ground, Square(0, 0), Square(1, 0))


def test_sight_passes_a_corner_where_thin_walls_leave_one_side_open() -> None:
    a, d = Square(0, 0), Square(1, 1)
    one_side = between((0, 0), (1, 0))
    assert sees(Ground(2, 2, opaque_edges=one_side), a, d)
    assert not sees(Ground(2, 2, opaque_edges=one_side | between((0, 1), (1, 1))), a, d)
    assert not sees(
        Ground(2, 2, opaque=frozenset([Square(1, 0)]), opaque_edges=between((0, 0), (0, 1))), a, d
    )


@pytest.mark.parametrize(
    ("ground", "cover"),
    [
        (Ground(4, 2), Cover.NONE),
        (Ground(4, 2, cover=frozenset([Square(2, 0)])), Cover.PARTIAL),
        (Ground(4, 2, cover=frozenset([Square(3, 0)])), Cover.PARTIAL),
        (Ground(4, 2, cover=frozenset([Square(0, 0)])), Cover.NONE),
        (Ground(4, 2, cover=frozenset([Square(2, 1)])), Cover.NONE),
        (Ground(4, 2, cover_edges=between((1, 0), (2, 0))), Cover.PARTIAL),
        (Ground(4, 2, cover_edges=between((1, 0), (1, 1))), Cover.NONE),
        (Ground(4, 2, opaque=frozenset([Square(1, 0)])), Cover.TOTAL),
        (Ground(4, 2, opaque_edges=between((0, 0), (1, 0)), cover=frozenset([Square(2, 0)])), Cover.TOTAL),
    ],
)
def test_cover_is_what_stands_between_attacker_and_target(ground: Ground, cover: Cover) -> None:
    assert cover_between(ground, Square(0, 0), Square(3, 0)) is cover


def test_a_corner_that_sight_brushes_gives_cover() -> None:
    a, d = Square(0, 0), Square(1, 1)
    pillar = frozenset([Square(1, 0)])
    assert cover_between(Ground(2, 2, opaque=pillar), a, d) is Cover.PARTIAL
    assert cover_between(Ground(2, 2, opaque_edges=between((0, 0), (1, 0))), a, d) is Cover.PARTIAL
    assert cover_between(Ground(2, 2, cover_edges=between((1, 0), (1, 1))), a, d) is Cover.PARTIAL
    assert cover_between(Ground(2, 2, cover=pillar), a, d) is Cover.NONE


@given(grounds(), squares, squares)
def test_cover_is_total_where_nothing_is_seen(ground: Ground, one: Square, other: Square) -> None:
    assert (cover_between(ground, one, other) is Cover.TOTAL) == (not sees(ground, one, other))


def test_an_edge_is_between_two_neighbours_and_has_one_name() -> None:
    assert edge(Square(1, 0), Square(0, 0)) == edge(Square(0, 0), Square(1, 0))
    for other in (Square(0, 0), Square(1, 1), Square(2, 0)):
        with pytest.raises(ValueError, match="share no side"):
            edge(Square(0, 0), other)


def test_a_ground_is_refused_that_makes_no_sense() -> None:
    for width, height in ((0, 3), (3, 0), (MAX_GROUND_SIDE + 1, 3), (3, MAX_GROUND_SIDE + 1)):
        with pytest.raises(ValueError, match="squares a side"):
            Ground(width, height)
    with pytest.raises(ValueError, match="one height a square"):
        Ground(2, 2, heights=(0, 0, 0))
    with pytest.raises(ValueError, match="smaller square first"):
        Ground(2, 2, opaque_edges=frozenset([(Square(1, 0), Square(0, 0))]))
