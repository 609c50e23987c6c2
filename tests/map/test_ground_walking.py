"""Walking on a map: the fast answers are those of the rules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.map.generation.grid.model import Cell, GridMap, Wall, WallKind
from services.map.ground.building import ground_of
from services.map.ground.walking import cost_of, path, reach
from services.map.questions import Distance, Questions
from services.rules.engine.ground import walking
from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.squares import Square
from services.rules.engine.ground.steps import step_cost
from tests.map.ground_maps import SIDE, cells, map_of, maps, thorough, unhurried


@thorough
@given(maps(heights=True))
def test_every_step_costs_what_the_rules_say(plan: GridMap) -> None:
    ground = ground_of(plan)
    rules = ground.rules
    for y in range(SIDE):
        for x in range(SIDE):
            for to in ((x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy):
                if ground.holds(to):
                    assert cost_of(ground, (x, y), [to]) == step_cost(rules, Square(x, y), Square(*to))


@thorough
@given(maps(heights=True), cells, st.integers(0, 30), st.frozensets(cells, max_size=6))
def test_what_is_reached_and_its_cost_are_those_of_the_rules(
    plan: GridMap, at: Cell, paces: int, taken: frozenset[Cell]
) -> None:
    ground = ground_of(plan)
    costs = reach(ground, at, paces, taken)
    people = {Square(*cell) for cell in taken}
    expected = np.full((SIDE, SIDE), -1)
    for square, cost in walking.reach(ground.rules, Footprint(Square(*at)), paces, people).costs().items():
        expected[square.y, square.x] = cost
    assert costs.tolist() == expected.tolist()


@unhurried
@given(maps(heights=True), cells, cells, st.frozensets(cells, max_size=6))
def test_a_path_is_a_way_and_as_cheap_as_that_of_the_rules(
    plan: GridMap, start: Cell, goal: Cell, taken: frozenset[Cell]
) -> None:
    ground = ground_of(plan)
    rules, people = ground.rules, {Square(*cell) for cell in taken}
    found, true = (
        path(ground, start, goal, taken),
        walking.way(rules, Footprint(Square(*start)), Square(*goal), people),
    )
    assert (found is None) == (true is None)
    if found is not None and true is not None:
        assert walking.is_way(rules, Square(*start), [Square(*cell) for cell in found], people)
        assert (start, *found)[-1] == goal
        assert cost_of(ground, start, found) == cost_of(ground, start, [(to.x, to.y) for to in true])


def test_one_goes_round_a_thin_wall_and_over_a_low_one() -> None:
    high, low = (
        ground_of(map_of("...", "...", walls=(Wall(((1.0, 0.0), (1.0, 1.0)), kind),)))
        for kind in (WallKind.WALL, WallKind.LOW)
    )
    assert path(high, (0, 0), (1, 0)) == ((0, 1), (1, 1), (1, 0))
    assert path(low, (0, 0), (1, 0)) == ((1, 0),)
    assert cost_of(low, (0, 0), [(1, 0)]) == 2


def test_a_ledge_is_gone_round_by_the_ramp() -> None:
    levels = bytes([0, 0, 0, 2, 1, 0, 2, 2, 1])
    ground = ground_of(map_of("...", "...", "...", heights=levels))
    found = path(ground, (0, 0), (0, 1))
    assert found is not None
    assert cost_of(ground, (0, 0), [(0, 1)]) is None
    assert found[-2:] == ((1, 1), (0, 1))


def test_a_path_to_where_one_stands_is_no_step() -> None:
    ground = ground_of(map_of("..", ".."))
    assert path(ground, (1, 1), (1, 1)) == ()
    assert cost_of(ground, (1, 1), ()) == 0
    assert cost_of(ground, (0, 0), [(0, 0)]) is None


def test_a_long_way_is_found_to_its_end() -> None:
    rows = ["." * 60 if y % 2 == 0 else ("#" * 59 + "." if y % 4 == 1 else "." + "#" * 59) for y in range(59)]
    ground = ground_of(map_of(*rows))
    costs = reach(ground, (0, 0), 10_000)
    found = path(ground, (0, 0), (0, 58))
    assert found is not None
    assert cost_of(ground, (0, 0), found) == costs[58, 0] == 30 * 59 + 58


def test_cells_that_are_not_on_the_map_are_refused() -> None:
    ground = ground_of(map_of("..", ".."))
    for question in (
        lambda: reach(ground, (2, 0), 3),
        lambda: path(ground, (0, 0), (0, -1)),
        lambda: cost_of(ground, (0, 0), [(0, 1), (0, 2)]),
    ):
        with pytest.raises(ValueError, match="not on a map"):
            question()
    with pytest.raises(ValueError, match="not negative"):
        reach(ground, (0, 0), -1)


@pytest.mark.parametrize(("feet", "in_feet", "in_paces"), [(5, 20, 4), (10, 40, 8), (3, 12, 3)])
def test_distances_are_told_in_cells_feet_and_paces(feet: int, in_feet: int, in_paces: int) -> None:
    questions = Questions(map_of(*["......"] * 6, feet=feet))
    assert questions.distance(Square(1, 1), Square(4, 5)) == Distance(4, in_paces, in_feet)
