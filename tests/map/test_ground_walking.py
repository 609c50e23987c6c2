"""Walking on a map: the fast answers are those of the rules."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.map.board import Footing
from services.map.generation.grid.model import Cell, GridMap, Wall, WallKind
from services.map.generation.grid.terrain import TRAITS, Terrain
from services.map.ground.building import ground_of
from services.map.ground.model import MapGround
from services.map.ground.walking import SIZES_AT_HAND, cost_of, path, reach, walk
from services.map.questions import Distance, Questions
from services.rules.engine.ground import walking
from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.measure import Diagonal, Measure, Rough
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.squares import Square
from services.rules.engine.ground.steps import step_cost
from tests.map.ground_maps import SIDE, cells, map_of, maps, thorough, walkers

measures = st.builds(
    Measure, st.sampled_from((1, 5)), st.just("unit"), st.sampled_from(Diagonal), st.sampled_from(Rough)
)
people = st.frozensets(cells, max_size=6)


def rules_of(ground: MapGround, measure: Measure) -> Ground:
    """The rules' own ground by another measure."""
    return replace(ground.rules, measure=measure)


def walkable(plan: GridMap) -> GridMap:
    """A map on which large creatures find room: with half of its walls and water taken away."""
    codes = bytearray(plan.cells)
    codes[::2] = bytes(code if TRAITS[Terrain(code)].pace else Terrain.FLOOR for code in codes[::2])
    return replace(plan, cells=bytes(codes))


plans = st.one_of(maps(heights=True), maps(heights=True).map(walkable), maps().map(walkable))


@thorough
@given(plans, st.sampled_from((1, 2, 3)), measures)
def test_every_step_costs_what_the_rules_say(plan: GridMap, size: int, measure: Measure) -> None:
    ground = ground_of(plan)
    rules = rules_of(ground, measure)
    for y in range(SIDE - size + 1):
        for x in range(SIDE - size + 1):
            for to in ((x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy):
                if ground.holds(to):
                    expected = step_cost(rules, Square(x, y), Square(*to), size)
                    assert cost_of(ground, (x, y), [to], size, measure) == expected


@thorough
@given(plans, walkers(), st.integers(0, 60), people, measures)
def test_what_is_reached_and_its_cost_are_those_of_the_rules(
    plan: GridMap, who: tuple[Cell, int], units: int, taken: frozenset[Cell], measure: Measure
) -> None:
    ground, (at, size) = ground_of(plan), who
    costs = reach(ground, at, units, taken, size, measure)
    others = {Square(*cell) for cell in taken}
    expected = np.full((SIDE, SIDE), -1)
    found = walking.reach(rules_of(ground, measure), Footprint(Square(*at), size), units, others)
    for square, cost in found.costs().items():
        expected[square.y, square.x] = cost
    assert costs.tolist() == expected.tolist()


@thorough
@given(plans, walkers(), cells, people, measures)
def test_a_path_is_a_way_and_as_cheap_as_that_of_the_rules(
    plan: GridMap, who: tuple[Cell, int], goal: Cell, taken: frozenset[Cell], measure: Measure
) -> None:
    ground, (start, size) = ground_of(plan), who
    rules, others, walker = (
        rules_of(ground, measure),
        {Square(*one) for one in taken},
        Footprint(Square(*start), size),
    )
    found = walk(ground, start, goal, taken, size, measure)
    true = walking.reach(rules, walker, None, others).cost(Square(*goal))
    assert (None if found is None else measure.spent(found.points)) == true
    if found is not None:
        assert (start, *found.cells)[-1] == goal
        assert walking.way_cost(rules, walker, [Square(*cell) for cell in found.cells], others) == true
        assert cost_of(ground, start, found.cells, size, measure) == true


def test_a_creature_of_four_cells_goes_round_by_the_wide_gap() -> None:
    rows = ["......", "......", "##.###", "......", "......"]
    narrow, wide = ground_of(map_of(*rows)), ground_of(map_of(*rows[:2], "##..##", *rows[3:]))
    assert walk(narrow, (0, 0), (0, 3), size=2) is None
    assert walk(narrow, (0, 0), (0, 3)) is not None
    assert path(wide, (0, 0), (2, 3), size=2) is not None
    split = map_of(*rows[:2], "......", *rows[3:], walls=(Wall(((3.0, 2.0), (3.0, 3.0))),))
    assert path(ground_of(split), (2, 0), (2, 3), size=2) is not None
    assert cost_of(ground_of(split), (2, 0), [(2, 1)], size=2) is None


def test_a_token_of_two_cells_does_not_stand_across_a_thin_wall() -> None:
    plan = map_of("....", "....", walls=(Wall(((2.0, 0.0), (2.0, 1.0))),))
    footing = Footing(plan, ground_of(plan))
    assert footing.can_step((0, 0), (1, 0), 1) and not footing.can_step((0, 0), (1, 0), 2)
    assert footing.way((0, 1), (2, 1), 1) and footing.way((0, 0), (2, 0), 2) is None
    assert footing.way((3, 0), (0, 0), 2) is None


def test_slanting_steps_are_counted_as_the_measure_has_them() -> None:
    ground = ground_of(map_of(*["....."] * 5))
    spent = {one: int(reach(ground, (0, 0), 9, measure=Measure(diagonal=one))[4, 4]) for one in Diagonal}
    assert spent == {
        Diagonal.EQUAL: 4,
        Diagonal.ALTERNATING: 6,
        Diagonal.ORTHOGONAL: 8,
        Diagonal.EUCLIDEAN: 6,
    }
    assert int(reach(ground, (0, 0), 30, measure=Measure(5, "foot", Diagonal.EUCLIDEAN))[4, 4]) == 29
    muddy = ground_of(map_of(".m", "mm"))
    for rough, cost in ((Rough.ADDS, 3), (Rough.MULTIPLIES, 4)):
        measure = Measure(diagonal=Diagonal.ORTHOGONAL, rough=rough)
        assert cost_of(muddy, (0, 0), [(1, 1)], measure=measure) == cost


def test_steps_of_few_sizes_are_kept() -> None:
    ground = ground_of(map_of(*["....."] * 5))
    for size in (2, 3, 2, 4, 5):
        reach(ground, (0, 0), 3, size=size)
        assert size in ground.sized and len(ground.sized) <= SIZES_AT_HAND


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
        lambda: reach(ground, (1, 0), 3, size=2),
        lambda: cost_of(ground, (0, 1), [], size=2),
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
