"""Walking over a ground: steps, ways and budgets, for footprints of any size and by every measure."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.engine.ground.even import even, even_way
from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.kinds import (
    CURTAIN,
    FENCE,
    LOW_WALL,
    PORTCULLIS,
    WALL,
    WINDOW,
    Barrier,
    Door,
    DoorState,
)
from services.rules.engine.ground.measure import FEET, Diagonal, Measure
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.squares import Edge, Square, distance, edge
from services.rules.engine.ground.steps import fits, opened, step_cost, steps
from services.rules.engine.ground.walking import (
    is_way,
    reach,
    searched_walks,
    searched_way,
    walks,
    way,
    way_cost,
)
from tests.rules.ground_values import footprints, grounds, square_sets, squares

FAR = 10_000
A, B, C, D = Square(0, 0), Square(1, 0), Square(0, 1), Square(1, 1)


def wall(one: Square, other: Square, barrier: Barrier = WALL) -> tuple[Edge, Barrier]:
    return edge(one, other), barrier


def block(at: Square, size: int) -> set[Square]:
    return set(Footprint(at, size).squares())


@given(grounds(), footprints(), square_sets)
def test_what_is_reached_costs_the_least_it_can(
    ground: Ground, start: Footprint, taken: frozenset[Square]
) -> None:
    # Bellman and Ford: every step is tried again until nothing gets cheaper; slanting steps are counted.
    measure, size = ground.measure, start.size
    alternating = measure.diagonal is Diagonal.ALTERNATING
    least, changed = {(start.at, False): 0}, True
    while changed:
        changed = False
        for (here, odd), so_far in list(least.items()):
            for to in steps(ground, here, taken, size):
                slanting = here.x != to.x and here.y != to.y
                cost = step_cost(ground, here, to, size, odd=odd)
                assert cost is not None
                if measure.diagonal is Diagonal.EUCLIDEAN:
                    cost = cost_in_points(ground, here, to, size)
                state = (to, alternating and odd ^ slanting)
                if so_far + cost < least.get(state, FAR):
                    least[state], changed = so_far + cost, True
    expected: dict[Square, int] = {}
    for (square, _), cost in least.items():
        expected[square] = min(cost, expected.get(square, FAR))
    if measure.diagonal is Diagonal.EUCLIDEAN:
        expected = {square: measure.spent(points) for square, points in expected.items()}
    assert reach(ground, start, None, taken).costs() == expected


def cost_in_points(ground: Ground, here: Square, to: Square, size: int) -> int:
    """What a step costs by euclidean measure, of which units are rounded."""
    slanting = here.x != to.x and here.y != to.y
    exact = [ground.measure.step(slanting, False, rough) for rough in range(10)]
    rounded = step_cost(ground, here, to, size)
    return next(points for points in exact if ground.measure.spent(points) == rounded)


@given(grounds(), footprints(), square_sets)
def test_a_way_costs_what_its_goal_is_said_to(
    ground: Ground, start: Footprint, taken: frozenset[Square]
) -> None:
    reached = reach(ground, start, None, taken)
    for goal, cost in reached.costs().items():
        found = reached.way(goal)
        assert found is not None
        assert (start.at, *found)[-1] == goal
        assert way_cost(ground, start, found, taken) == cost == reached.cost(goal)
        alone = way(ground, start, goal, taken)
        assert alone is not None
        assert way_cost(ground, start, alone, taken) == cost


@given(grounds(), footprints(), st.integers(0, 30))
def test_with_a_smaller_budget_one_reaches_what_costs_no_more(
    ground: Ground, start: Footprint, units: int
) -> None:
    every = reach(ground, start).costs()
    near = reach(ground, start, units).costs()
    assert near == {square: cost for square, cost in every.items() if cost <= units}
    assert near.get(start.at) == 0


@given(grounds(), footprints())
def test_a_step_fits_leads_back_and_cuts_no_corner(ground: Ground, start: Footprint) -> None:
    here, size = start.at, start.size
    for to in steps(ground, here, size=size):
        assert distance(here, to) == 1
        assert fits(ground, Footprint(to, size))
        assert all(opened(ground, square) for square in block(to, size))
        if fits(ground, start):
            assert here in set(steps(ground, to, size=size))
        if here.x != to.x and here.y != to.y:
            for corner in (Square(to.x, here.y), Square(here.x, to.y)):
                assert corner in set(steps(ground, here, size=size))
                assert to in set(steps(ground, corner, size=size))


@given(grounds(), footprints(), square_sets)
def test_nothing_taken_is_entered(ground: Ground, start: Footprint, taken: frozenset[Square]) -> None:
    for to in reach(ground, start, None, taken).costs():
        assert to == start.at or taken.isdisjoint(block(to, start.size))


@given(grounds(), footprints(size=2))
def test_where_a_large_creature_goes_each_of_its_squares_may_go(ground: Ground, start: Footprint) -> None:
    # One that is divided by a wall already may leave it.
    for to in steps(ground, start.at, size=2) if fits(ground, start) else ():
        dx, dy = to.x - start.at.x, to.y - start.at.y
        for square in start.squares():
            assert Square(square.x + dx, square.y + dy) in set(steps(ground, square))


@pytest.mark.parametrize("barrier", [WALL, WINDOW, FENCE, PORTCULLIS])
def test_a_wall_on_an_edge_stops_both_ways(barrier: Barrier) -> None:
    ground = Ground.drawn("..", walls=[wall(A, B, barrier)])
    assert list(steps(ground, A)) == list(steps(ground, B)) == []
    assert not is_way(ground, A, [B])


def test_a_curtain_is_walked_through_and_a_low_wall_costs_a_square_more() -> None:
    assert step_cost(Ground.drawn("..", walls=[wall(A, B, CURTAIN)]), A, B) == 1
    low = Ground.drawn("..", "..", walls=[wall(A, B, LOW_WALL)])
    assert step_cost(low, A, B) == step_cost(low, B, A) == 2
    assert step_cost(low, A, D) == 2
    assert step_cost(low, A, C) == 1


def test_a_thin_wall_is_walked_round_and_its_end_is_not_cut() -> None:
    ground = Ground.drawn("..", "..", walls=[wall(A, B)])
    assert set(steps(ground, A)) == {C}
    assert set(steps(ground, B)) == {D}
    assert way(ground, Footprint(A), B) == (C, D, B)


def test_a_door_is_passed_while_it_is_open() -> None:
    hung = Ground.drawn("..", doors=(Door("door-1", edges=(edge(A, B),)),))
    filled = Ground.drawn(".#.", doors=(Door("door-1", squares=(B,)),))
    for ground, beyond in ((hung, B), (filled, Square(2, 0))):
        for state in DoorState:
            reached = reach(ground.with_door("door-1", state), Footprint(A)).costs()
            assert (beyond in reached) == (state is DoorState.OPEN)


def test_a_door_alone_decides_where_a_wall_was_drawn_through_its_doorway() -> None:
    door = Door("door-1", edges=(edge(A, B),), state=DoorState.OPEN)
    ground = Ground.drawn("..", walls=[wall(A, B)], doors=(door,))
    assert list(steps(ground, A)) == [B]


def test_large_creatures_never_pass_a_gap_of_one() -> None:
    gap = Ground.drawn("..#...", "......", "..#...", "..#...")
    start, beyond = Footprint(A, 2), Square(4, 0)
    assert beyond in reach(gap, Footprint(A)).costs()
    assert reach(gap, start).costs().keys() == {A, C, Square(0, 2)}
    wide = Ground.drawn("..#...", "......", "......", "..#...")
    assert way(wide, start, beyond) == (C, D, Square(2, 1), Square(3, 1), beyond)
    # Thin walls leave a gap of one in a row of edges.
    thin = [wall(Square(1, y), Square(2, y)) for y in (0, 2, 3)]
    door = Ground.drawn(*["......"] * 4, walls=thin)
    assert beyond in reach(door, Footprint(A)).costs()
    assert not any(to.x > 0 for to in reach(door, start).costs())


def test_no_wall_and_no_ledge_divides_a_large_creature() -> None:
    assert not fits(Ground.drawn("..", "..", walls=[wall(A, B)]), Footprint(A, 2))
    assert not fits(Ground.drawn("..", "..", heights=(0, 2, 0, 0)), Footprint(A, 2))
    assert fits(Ground.drawn("..", "..", heights=(0, 1, 0, 0)), Footprint(A, 2))
    assert not fits(Ground.drawn("..", ".."), Footprint(B, 2))


def test_a_large_creature_pays_for_the_roughest_square_it_enters() -> None:
    ground = Ground.drawn("...", "..,")
    assert step_cost(ground, A, B, 2) == 2
    assert step_cost(ground, B, A, 2) == 1


def test_rough_ground_is_walked_round_where_that_is_cheaper() -> None:
    ground = Ground.drawn(".....", ".,,,.", ".....")
    found = way(ground, Footprint(Square(0, 1)), Square(4, 1))
    assert found is not None
    assert len(found) == 4
    assert all(ground.cells[to.y * 5 + to.x] == "." for to in found)


def test_of_ways_as_cheap_the_one_around_danger_is_walked() -> None:
    ground, fire, start = Ground.drawn("...", "...", "..."), D, Footprint(C)
    found = way(ground, start, Square(2, 1), avoid=[fire])
    assert found is not None
    assert fire not in found
    assert way(ground, start, Square(2, 1)) == (fire, Square(2, 1))


def test_a_ledge_is_not_walked_and_its_foot_is_not_cut() -> None:
    ground = Ground.drawn("..", "..", heights=(0, 2, 0, 1))
    assert set(steps(ground, A)) == {C}
    assert set(steps(ground, D)) == {C, B}
    # Each way round goes up by one and one; the step itself would go up by two.
    slope = Ground.drawn("..", "..", heights=(0, 1, 1, 2))
    assert set(steps(slope, A)) == {B, C}


def test_slanting_steps_cost_five_and_ten_feet_by_turns() -> None:
    ground = Ground.drawn(*["....."] * 5, measure=Measure(5, "foot", Diagonal.ALTERNATING))
    costs = reach(ground, Footprint(A)).costs()
    assert [costs[Square(n, n)] for n in range(5)] == [0, 5, 15, 20, 30]
    # With one slanting step too many, the last one goes straight.
    assert way_cost(ground, Footprint(A), [D, Square(2, 2), Square(3, 2)]) == 20


@given(grounds(walls=False, heights=False), squares, squares)
def test_no_way_is_shorter_than_the_distance(ground: Ground, one: Square, other: Square) -> None:
    cost = reach(ground, Footprint(one)).cost(other)
    apart = ground.measure.distance(other.x - one.x, other.y - one.y)
    assert cost is None or cost >= apart
    empty = Ground.drawn(*["." * 6] * 6, measure=ground.measure)
    straight = reach(empty, Footprint(one)).cost(other)
    assert straight is not None
    if ground.measure.diagonal is not Diagonal.EUCLIDEAN:
        assert straight == apart


def test_between_figures_one_walks_diagonally_and_around_corners_not() -> None:
    # Forge Engine, Combat Movement: diagonally between allies or enemies, not around corners.
    free = Ground.drawn("..", "..", measure=FEET)
    assert way(free, Footprint(A), D, taken=[B, C]) == (D,)
    corner = Ground.drawn(".#", "..", measure=FEET)
    assert way(corner, Footprint(A), D) == (C, D)
    # Move: 1 energy for each 5 feet; obstacles and rough terrain cost 1 more.
    assert reach(Ground.drawn(".,.", measure=FEET), Footprint(A)).costs() == {A: 0, B: 10, Square(2, 0): 15}


def test_a_warrior_walks_five_paces_and_ten() -> None:
    # DungeonTeller, Moving: up to 5 paces, doubled up to 10; a pace is a square.
    ground = Ground.drawn("." * 21)
    start = Footprint(Square(10, 0))
    assert len(reach(ground, start, 5).costs()) == 11
    assert len(reach(ground, start, 10).costs()) == 21


@given(grounds(), squares)
def test_a_way_neither_jumps_nor_stands(ground: Ground, start: Square) -> None:
    assert is_way(ground, start, [])
    assert not is_way(ground, start, [start])
    assert not is_way(ground, start, [Square(start.x + 2, start.y)])
    assert not is_way(ground, Square(-1, 0), [])


@given(grounds(), footprints(), squares)
def test_a_way_is_made_of_steps(ground: Ground, start: Footprint, goal: Square) -> None:
    found = way(ground, start, goal)
    assert (found is None) == (goal not in reach(ground, start).costs())
    for here, to in pairwise((start.at, *(found or ()))):
        assert to in set(steps(ground, here, size=start.size))


def test_a_creature_that_is_not_on_the_ground_whole_takes_no_step() -> None:
    ground = Ground.drawn("...", "...", "...", heights=(0, 0, 0, 0, 1, 0, 0, 0, 0))
    for at in (Square(2, 2), Square(2, 0), Square(0, 2)):
        assert set(steps(ground, at, size=2)) == set()
    assert set(steps(ground, A, size=2)) == {B, C, D}


@st.composite
def even_grounds(draw: st.DrawFn) -> Ground:
    """Walls and floor, a square a step."""
    across, down = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    cells = draw(st.lists(st.sampled_from("....#"), min_size=across * down, max_size=across * down))
    return Ground(across, down, "".join(cells))


@given(even_grounds(), square_sets, square_sets, squares, squares)
def test_over_even_ground_the_way_is_the_one_that_a_search_finds(
    ground: Ground, taken: frozenset[Square], avoid: frozenset[Square], start: Square, goal: Square
) -> None:
    assert even(ground)
    found = even_way(ground, start, goal, taken, avoid)
    assert found == searched_way(ground, Footprint(start), goal, taken, avoid)
    if found:
        assert is_way(ground, start, found, taken)


@given(even_grounds(), square_sets, square_sets, squares, st.integers(0, 12))
def test_over_even_ground_walks_end_where_a_search_finds(
    ground: Ground, taken: frozenset[Square], filled: frozenset[Square], start: Square, paces: int
) -> None:
    found = walks(ground, Footprint(start), paces, taken, filled)
    searched = searched_walks(ground, Footprint(start), paces, taken, filled)
    assert list(found) == list(searched)
    for far, ring in found.items():
        assert sorted(ring) == sorted(searched[far])


@given(grounds(), footprints(), square_sets, square_sets, st.integers(0, 60))
def test_walks_end_in_free_squares_within_reach_by_a_cheapest_way(
    ground: Ground, start: Footprint, taken: frozenset[Square], filled: frozenset[Square], units: int
) -> None:
    reached = reach(ground, start, units, taken)
    found = walks(ground, start, units, taken, filled)
    ends = {square: far for far, ring in found.items() for square in ring}
    assert sum(len(ring) for ring in found.values()) == len(ends)
    assert list(found) == sorted(found, key=lambda far: far[1])
    for square, cost in reached.costs().items():
        clear = filled.isdisjoint(Footprint(square, start.size).squares())
        assert (square in ends) == (clear and square != start.at)
        if square in ends:
            way_there = reached.way(square)
            assert way_there is not None
            assert ends[square] == (len(way_there), cost)
    assert ends.keys() <= reached.costs().keys()


@given(grounds())
def test_ground_is_even_where_no_step_costs_more_than_another(ground: Ground) -> None:
    walked = {
        step_cost(ground, here, to)
        for y in range(ground.height)
        for x in range(ground.width)
        for here in (Square(x, y),)
        for to in steps(ground, here)
    }
    if even(ground):
        assert walked <= {ground.measure.units}
