"""Sight, cover and light on a map, against what each must be by its definition."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from services.map.generation.grid.model import Cell, GridMap, Light, Wall
from services.map.ground import areas
from services.map.ground.building import ground_of
from services.map.ground.light import light_levels
from services.map.ground.model import MapGround
from services.map.ground.sight import cover, seen_by, sees, visible
from services.map.questions import Protection, Questions
from services.rules.engine.ground import cover as rules_of_cover
from services.rules.engine.ground.areas import arc, circle, cone, line, rectangle
from services.rules.engine.ground.cover import Grade
from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.kinds import OPAQUE, Ambient
from services.rules.engine.ground.light import light_at
from services.rules.engine.ground.measure import Diagonal, Measure
from services.rules.engine.ground.sight import in_sight
from services.rules.engine.ground.sight import sees as sees_over
from services.rules.engine.ground.squares import Corner, Direction, Square
from tests.map.ground_maps import (
    SIDE,
    cells,
    cells_where,
    clear_cells,
    map_of,
    maps,
    thorough,
    unhurried,
    walkers,
)


def joined_to(ground: MapGround, at: Cell) -> set[Cell]:
    """The cells one comes to through open sides of cells that can be seen through."""
    found, waiting = {at}, [at]
    while waiting:
        x, y = waiting.pop()
        for to, side in (
            ((x + 1, y), ground.east[y, x]),
            ((x - 1, y), ground.east[y, x - 1]),
            ((x, y + 1), ground.south[y, x]),
            ((x, y - 1), ground.south[y - 1, x]),
        ):
            if ground.holds(to) and to not in found and not side & OPAQUE and not ground.opaque[to[1], to[0]]:
                found.add(to)
                waiting.append(to)
    return found


@unhurried
@given(maps())
def test_who_sees_is_seen(plan: GridMap) -> None:
    ground = ground_of(plan)
    clear = clear_cells(ground)
    seen = {cell: cells_where(visible(ground, cell)) for cell in clear}
    for one in clear:
        for other in seen[one] & clear:
            assert one in seen[other]


@unhurried
@given(maps(), cells)
def test_nothing_is_seen_through_shut_walls_and_corners(plan: GridMap, at: Cell) -> None:
    ground = ground_of(plan)
    assert cells_where(visible(ground, at)) & clear_cells(ground) - {at} <= joined_to(ground, at)


@unhurried
@given(maps(heights=True), cells)
def test_what_is_in_line_of_sight_is_visible(plan: GridMap, at: Cell) -> None:
    ground = ground_of(plan)
    rules, seen = ground.rules, visible(ground, at)
    for x, y in clear_cells(ground):
        if sees_over(rules, Square(*at), Square(x, y)):
            assert seen[y, x]


@unhurried
@given(maps(), cells, st.integers(0, SIDE))
def test_a_radius_is_counted_in_paces_and_changes_nothing_within(
    plan: GridMap, at: Cell, radius: int
) -> None:
    ground = ground_of(plan)
    clear, far = clear_cells(ground), cells_where(visible(ground, at))
    near = cells_where(visible(ground, at, radius))
    assert near <= {(x, y) for x, y in far if max(abs(x - at[0]), abs(y - at[1])) <= radius}
    assert near & clear == {(x, y) for x, y in far & clear if max(abs(x - at[0]), abs(y - at[1])) <= radius}


@unhurried
@given(maps(walls=False), cells)
def test_without_thin_walls_and_touching_corners_the_field_of_view_stands_as_it_is(
    plan: GridMap, at: Cell
) -> None:
    codes = np.frombuffer(plan.cells, np.uint8).reshape(SIDE, SIDE).copy()
    # Blocks of four equal cells: then there often are no walls that meet at a corner alone.
    blocks = np.kron(codes[::2, ::2], np.ones((2, 2), np.uint8)).astype(np.uint8)
    ground = ground_of(replace(plan, cells=blocks.tobytes()))
    if not ground.thin:
        anyway = visible(replace(ground, thin=True), at)
        assert cells_where(anyway) == cells_where(visible(ground, at))


def test_a_room_is_seen_whole_with_all_its_walls_and_nothing_beyond() -> None:
    ground = ground_of(map_of("########", "#....#.#", "#....#.#", "#....#.#", "########"))
    room = {(x, y) for x in range(6) for y in range(5)}
    for at in ((1, 1), (2, 2), (4, 3)):
        assert cells_where(visible(ground, at)) == room


def test_a_room_of_thin_walls_is_seen_whole_and_nothing_beyond() -> None:
    box = Wall(((1.0, 1.0), (4.0, 1.0), (4.0, 3.0), (1.0, 3.0), (1.0, 1.0)))
    ground = ground_of(map_of(*["......"] * 5, walls=(box,)))
    inside = {(x, y) for x in (1, 2, 3) for y in (1, 2)}
    for at in inside:
        assert cells_where(visible(ground, at)) == inside
    assert cells_where(visible(ground, (0, 0))) & inside == set()
    assert (5, 0) in cells_where(visible(ground, (0, 0)))


def test_behind_a_thin_wall_not_even_the_thick_one_shows() -> None:
    ground = ground_of(map_of("..#", "..#", "..#", walls=(Wall(((1.0, 0.0), (1.0, 3.0))),)))
    assert cells_where(visible(ground, (0, 1))) == {(0, 0), (0, 1), (0, 2)}
    open_side = ground_of(map_of("..#", "..#", "..#"))
    assert (2, 1) in cells_where(visible(open_side, (0, 1)))


def test_one_does_not_peep_between_walls_that_meet_at_a_corner() -> None:
    ground = ground_of(map_of("..#..", "..#..", "##...", "....."))
    assert cells_where(visible(ground, (1, 1))) & {(3, 3), (2, 2), (3, 2), (2, 3)} == set()
    one_corner = ground_of(map_of("..#..", "..#..", ".....", "....."))
    assert (3, 3) in cells_where(visible(one_corner, (1, 1)))


@thorough
@given(maps(heights=True), cells)
def test_a_line_of_sight_is_that_of_the_rules(plan: GridMap, one: Cell) -> None:
    ground, here = ground_of(plan), Footprint(Square(*one))
    for x in range(SIDE):
        for y in range(SIDE):
            assert sees(ground, here, Footprint(Square(x, y))) == sees_over(
                ground.rules, here.at, Square(x, y)
            )


@thorough
@given(maps(heights=True), walkers(), walkers(), st.integers(0, 3))
def test_footprints_see_and_cover_each_other_as_the_rules_say(
    plan: GridMap, attacker: tuple[Cell, int], target: tuple[Cell, int], altitude: int
) -> None:
    ground = ground_of(plan)
    one = Footprint(Square(*attacker[0]), attacker[1], altitude)
    other = Footprint(Square(*target[0]), target[1])
    assert sees(ground, one, other) == in_sight(ground.rules, one, other)
    assert cover(ground, one, other) == rules_of_cover.cover(ground.rules, one, other)


@unhurried
@given(maps(heights=True), cells, cells)
def test_the_coarse_cover_is_whole_where_nothing_is_seen_and_none_where_nothing_is_taken(
    plan: GridMap, one: Cell, other: Cell
) -> None:
    here, there, questions = Square(*one), Square(*other), Questions(plan)
    found, coarse = questions.graded_cover(here, there), questions.cover(here, there)
    assert (coarse is Protection.TOTAL) == (found.grade is Grade.TOTAL) == (not questions.sees(here, there))
    assert (coarse is Protection.NONE) == (found.grade is Grade.NONE)


@thorough
@given(maps(heights=True), cells, st.integers(1, 3), st.booleans())
def test_an_area_stops_where_the_rules_stop_it(plan: GridMap, at: Cell, radius: int, corner: bool) -> None:
    ground = ground_of(plan)
    rules = circle(Corner(*at) if corner else Square(*at), radius, ground.rules)
    area = areas.circle(ground, at, radius, corner=corner)
    assert on_map(ground, rules) == cells_where(areas.stopped(ground, area, at, corner=corner))


@thorough
@given(maps(heights=True), cells, cells, st.integers(1, 6), st.sampled_from((1, 3)))
def test_pointed_areas_stop_where_the_rules_stop_them(
    plan: GridMap, at: Cell, to: Cell, length: int, width: int
) -> None:
    assume(at != to)
    ground, one, other = ground_of(plan), Square(*at), Square(*to)
    facing = list(Direction)[length % 8]
    for rules, area in (
        (arc(one, facing, 180, length, ground.rules), areas.arc(ground, at, facing.value, 180, length)),
        (cone(one, other, length, ground.rules), areas.cone(ground, at, to, length)),
        (line(one, other, length, width, ground.rules), areas.band(ground, at, to, length, width)),
        (rectangle(one, other, ground.rules), areas.rectangle(ground, at, to)),
    ):
        assert on_map(ground, rules) == cells_where(areas.stopped(ground, area, at))


def on_map(ground: MapGround, squares: Collection[Square]) -> set[Cell]:
    """What there is of some squares on a map."""
    return {(one.x, one.y) for one in squares if ground.holds((one.x, one.y))}


_FLAT = ground_of(map_of(*["." * 30] * 20))
_here = st.tuples(st.integers(0, 29), st.integers(0, 19))
_there = st.tuples(st.integers(-40, 60), st.integers(-40, 60))
_lengths = st.integers(1, 25)


@unhurried
@given(_here, _lengths, st.booleans())
def test_a_circle_is_that_of_the_rules(at: Cell, radius: int, corner: bool) -> None:
    rules = circle(Corner(*at) if corner else Square(*at), radius)
    assert cells_where(areas.circle(_FLAT, at, radius, corner=corner)) == on_map(_FLAT, rules)


@unhurried
@given(_here, st.sampled_from(Direction), st.sampled_from((90, 180)), _lengths)
def test_an_arc_is_that_of_the_rules(at: Cell, facing: Direction, degrees: int, radius: int) -> None:
    rules = arc(Square(*at), facing, degrees, radius)
    assert cells_where(areas.arc(_FLAT, at, facing.value, degrees, radius)) == on_map(_FLAT, rules)


@unhurried
@given(_here, _there, _lengths, st.sampled_from((1, 3, 5, 9, 241)))
def test_cones_and_lines_are_those_of_the_rules(at: Cell, to: Cell, length: int, width: int) -> None:
    assume(at != to)
    one, other = Square(*at), Square(*to)
    assert cells_where(areas.cone(_FLAT, at, to, length)) == on_map(_FLAT, cone(one, other, length))
    band = areas.band(_FLAT, at, to, length, width)
    assert cells_where(band) == on_map(_FLAT, line(one, other, length, width))


@unhurried
@given(_here, _there)
def test_a_rectangle_is_that_of_the_rules(at: Cell, to: Cell) -> None:
    rules = rectangle(Square(*at), Square(*to))
    assert cells_where(areas.rectangle(_FLAT, at, to)) == on_map(_FLAT, rules)


def test_undergrowth_covers_and_walls_hide() -> None:
    ground = ground_of(map_of(".b.#."))
    at = [Footprint(Square(x, 0)) for x in range(5)]
    assert cover(ground, at[0], at[2]).grade is Grade.PARTIAL
    assert cover(ground, at[0], at[4]).grade is Grade.TOTAL
    assert cover(ground, at[1], at[2]).grade is Grade.NONE


def test_large_creatures_are_asked_for_by_their_top_left_cells() -> None:
    questions = Questions(map_of("...#..", "......"))
    assert questions.graded_cover(Square(0, 0), Square(4, 0)).grade is Grade.TOTAL
    assert questions.graded_cover(Square(0, 0), Square(4, 0), 1, 2).seen
    for sizes in ((0, 1), (1, 11)):
        with pytest.raises(ValueError, match="Size` goes from 1 to 10"):
            questions.graded_cover(Square(0, 0), Square(4, 0), *sizes)
    with pytest.raises(ValueError, match="not on a map"):
        questions.graded_cover(Square(0, 0), Square(5, 0), 1, 2)


# Light


def torch(x: float, y: float, bright: float = 1.0, dim: float = 2.0) -> Light:
    return Light("light-1", (x, y), bright, dim)


lights = st.lists(
    st.builds(
        torch,
        st.floats(-1, SIDE + 1),
        st.floats(-1, SIDE + 1),
        st.sampled_from([0.0, 1.0, 2.5]),
        st.sampled_from([0.0, 1.5, 4.0]),
    ),
    max_size=4,
)


@thorough
@given(maps(heights=True), lights, st.sampled_from(Ambient), st.sampled_from(Diagonal))
def test_light_is_that_of_the_rules(
    plan: GridMap, shining: list[Light], ambient: Ambient, diagonal: Diagonal
) -> None:
    ground = ground_of(replace(plan, lights=tuple(shining), ambient=ambient.value))
    measure = Measure(diagonal=diagonal)
    rules = replace(ground.rules, measure=measure)
    levels = light_levels(ground, shining, ambient.value, measure=measure)
    expected = [[light_at(rules, Square(x, y)) for x in range(SIDE)] for y in range(SIDE)]
    assert levels.tolist() == expected
    some = light_levels(ground, shining[:1], ambient.value, measure=measure)
    assert light_levels(ground, shining[1:], ambient.value, some, measure).tolist() == expected


def test_a_torch_lights_its_own_room_alone() -> None:
    ground = ground_of(map_of("#######", "#..#..#", "#######"))
    levels = light_levels(ground, [torch(1.5, 1.5)])
    assert levels[1].tolist() == [2, 2, 2, 1, 0, 0, 0]
    assert light_levels(ground, [torch(1.5, 1.5)], "dim")[1].tolist() == [2, 2, 2, 1, 1, 1, 1]
    with pytest.raises(ValueError, match="one of dark, dim, bright"):
        light_levels(ground, [], "murky")


def test_in_the_dark_one_sees_what_is_lit_and_what_is_near() -> None:
    ground = ground_of(map_of("........"))
    levels = light_levels(ground, [torch(6.5, 0.5)])
    assert cells_where(seen_by(ground, (0, 0), levels)) == {(0, 0), *((x, 0) for x in (4, 5, 6, 7))}
    assert cells_where(seen_by(ground, (0, 0), levels, darkvision=2)) == {
        (x, 0) for x in (0, 1, 2, 4, 5, 6, 7)
    }
    assert cells_where(seen_by(ground, (0, 0), levels, radius=4, darkvision=1)) == {(0, 0), (1, 0), (4, 0)}


def test_the_dark_hides_nobody_from_a_light_of_their_own() -> None:
    ground = ground_of(map_of("..#.."))
    levels = light_levels(ground, [torch(0.5, 0.5), torch(4.5, 0.5)])
    assert cells_where(seen_by(ground, (0, 0), levels)) == {(0, 0), (1, 0), (2, 0)}


def test_sight_from_nowhere_or_backwards_is_refused() -> None:
    ground = ground_of(map_of(".."))
    with pytest.raises(ValueError, match="not on a map"):
        visible(ground, (0, 1))
    with pytest.raises(ValueError, match="not on a map"):
        sees(ground, Footprint(Square(0, 0)), Footprint(Square(2, 0)))
    with pytest.raises(ValueError, match="not negative"):
        visible(ground, (0, 0), -1)
    with pytest.raises(ValueError, match="not negative"):
        seen_by(ground, (0, 0), light_levels(ground, []), darkvision=-1)
