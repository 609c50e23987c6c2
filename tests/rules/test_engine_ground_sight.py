"""Sight, graded cover and light over a ground."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.engine.ground.cover import LINES, Cover, Grade, cover, cover_between
from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.index import STOPPED
from services.rules.engine.ground.kinds import (
    CURTAIN,
    FENCE,
    LOW_WALL,
    OPAQUE,
    WALL,
    WINDOW,
    Ambient,
    Barrier,
    Door,
    DoorState,
    Lamp,
    Level,
)
from services.rules.engine.ground.light import light_at, light_on
from services.rules.engine.ground.measure import Diagonal, Measure
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.sight import clear, in_sight, sees
from services.rules.engine.ground.squares import Edge, Square, edge
from tests.rules.ground_values import SIDE, footprints, grounds, squares

SLIT = Barrier("s", walls=True, cover=3)
A, B, C, D = Square(0, 0), Square(1, 0), Square(0, 1), Square(1, 1)
edges = squares.filter(lambda at: at.x < SIDE - 1).map(lambda at: edge(at, Square(at.x + 1, at.y)))
EVERY = [Square(x, y) for y in range(SIDE) for x in range(SIDE)]


def wall(one: Square, other: Square, barrier: Barrier = WALL) -> tuple[Edge, Barrier]:
    return edge(one, other), barrier


def at(ground: Ground, square: Square) -> int:
    return square.y * ground.width + square.x


# Sight


@given(grounds(), squares, squares)
def test_sight_is_the_same_both_ways(ground: Ground, one: Square, other: Square) -> None:
    # The answer is remembered by the pair; a second ground that is equal but for its measure computes anew.
    assert sees(ground, one, other) == sees(ground, other, one)
    assert in_sight(ground, Footprint(one), Footprint(other)) == in_sight(
        ground, Footprint(other), Footprint(one)
    )
    assert sees(ground, one, other) == in_sight(ground, Footprint(one), Footprint(other))


@given(grounds(), st.integers(1, 3).flatmap(lambda size: st.tuples(footprints(size), footprints(size))))
def test_equal_footprints_see_each_other(ground: Ground, pair: tuple[Footprint, Footprint]) -> None:
    one, other = pair
    assert in_sight(ground, one, other) == in_sight(ground, other, one)


@given(grounds(heights=False), squares)
def test_nothing_is_seen_out_of_what_is_shut_on_all_sides(ground: Ground, one: Square) -> None:
    joined, waiting = {one}, [one]
    while waiting:
        here = waiting.pop()
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            to = Square(here.x + dx, here.y + dy)
            if not ground.holds(to) or to in joined:
                continue
            low = ground.cells[at(ground, to)] == "n"
            if (clear(ground, to) or low) and not ground.index.edge(here.x, here.y, dx, dy) & 2:
                joined.add(to)
                waiting.append(to)
    assert {to for to in EVERY if clear(ground, to) and sees(ground, one, to)} <= joined


def test_windows_curtains_water_and_fog() -> None:
    assert sees(Ground.drawn("..", walls=[wall(A, B, WINDOW)]), A, B)
    assert not sees(Ground.drawn("..", walls=[wall(A, B, CURTAIN)]), A, B)
    assert sees(Ground.drawn(".~."), A, Square(2, 0))
    assert not sees(Ground.drawn(".#."), A, Square(2, 0))
    assert sees(Ground.drawn(".#."), A, B)


def test_a_wall_on_an_edge_stops_sight_both_ways_and_a_door_until_it_is_opened() -> None:
    walled = Ground.drawn("..", walls=[wall(A, B)])
    assert not sees(walled, A, B)
    assert not sees(walled, B, A)
    door = Ground.drawn("..", doors=(Door("door-1", edges=(edge(A, B),)),))
    seen = {state: sees(door.with_door("door-1", state), A, B) for state in DoorState}
    assert seen == {DoorState.OPEN: True, DoorState.CLOSED: False, DoorState.LOCKED: False}


def test_sight_passes_a_corner_where_thin_walls_leave_one_side_open() -> None:
    assert sees(Ground.drawn("..", "..", walls=[wall(A, B)]), A, D)
    assert not sees(Ground.drawn("..", "..", walls=[wall(A, B), wall(C, D)]), A, D)
    assert not sees(Ground.drawn(".#", "..", walls=[wall(A, C)]), A, D)
    assert not sees(Ground.drawn(".#", "#."), A, D)


def test_a_hill_hides_what_is_behind_it_and_is_looked_over_from_above() -> None:
    low, high = (Ground.drawn(".....", heights=(0, 0, top, 0, 0)) for top in (1, 2))
    end = Square(4, 0)
    assert sees(low, A, end)
    assert not sees(high, A, end)
    assert sees(high, A, Square(2, 0))
    flying, standing = Footprint(A, altitude=4), Footprint(end)
    assert in_sight(high, flying, standing)
    assert not in_sight(high, Footprint(A, altitude=1), standing)
    giant = Ground.drawn(*["......"] * 3, heights=(0, 0, 0, 2, 0, 0) * 3)
    assert in_sight(giant, Footprint(A, 3), Footprint(Square(5, 0)))


def test_an_obstacle_is_looked_over_and_covers() -> None:
    ground = Ground.drawn("..n..")
    assert sees(ground, A, Square(4, 0))
    assert cover_between(ground, A, Square(4, 0)) is Grade.HALF
    assert not sees(Ground.drawn("..n..", heights=(0, 0, 1, 0, 0)), A, Square(4, 0))


def test_any_square_of_a_large_creature_is_seen() -> None:
    ground = Ground.drawn("...#..", "......")
    assert not sees(ground, A, Square(4, 0))
    assert in_sight(ground, Footprint(A), Footprint(Square(4, 0), 2))


# Cover


@given(grounds(), st.integers(1, 3).flatmap(lambda size: st.tuples(footprints(size), footprints(size))))
def test_cover_is_the_same_both_ways_where_neither_stands_in_cover(
    ground: Ground, pair: tuple[Footprint, Footprint]
) -> None:
    one, other = pair
    if not any(ground.index.cover[at(ground, square)] for both in pair for square in both.squares()):
        assert cover(ground, one, other) == cover(ground, other, one)


@given(grounds(), footprints(), footprints())
def test_the_grades_follow_the_share_and_total_is_out_of_sight(
    ground: Ground, attacker: Footprint, target: Footprint
) -> None:
    found = cover(ground, attacker, target)
    assert (found.grade is Grade.TOTAL) == (not in_sight(ground, attacker, target))
    assert 0 <= found.share <= 1
    assert found.stopped * STOPPED <= found.taken
    assert found.stopped + found.screened <= LINES
    if found.seen:
        bounds = {Grade.NONE: (0, 0), Grade.PARTIAL: (0, 0.5), Grade.HALF: (0.5, 0.75)}
        low, high = bounds.get(found.grade, (0.75, 2))
        assert low <= found.share < high or found.share == high == 0


@given(grounds(), squares, squares, edges)
def test_another_wall_never_takes_cover_away(ground: Ground, one: Square, other: Square, side: Edge) -> None:
    before = cover(ground, Footprint(one), Footprint(other))
    after = cover(ground.with_barrier(side, WALL), Footprint(one), Footprint(other))
    assert after.taken >= before.taken
    assert before.seen or not after.seen


@pytest.mark.parametrize(
    ("ground", "grade"),
    [
        (Ground.drawn("....", "...."), Grade.NONE),
        (Ground.drawn("..b.", "...."), Grade.PARTIAL),
        (Ground.drawn("...b", "...."), Grade.PARTIAL),
        (Ground.drawn("b...", "...."), Grade.NONE),
        (Ground.drawn("....", "..b."), Grade.NONE),
        (Ground.drawn("....", walls=[wall(B, Square(2, 0), LOW_WALL)]), Grade.PARTIAL),
        (Ground.drawn("....", walls=[wall(B, Square(2, 0), FENCE)]), Grade.PARTIAL),
        (Ground.drawn("....", walls=[wall(B, Square(2, 0), WINDOW)]), Grade.HALF),
        (
            Ground.drawn("....", walls=[wall(B, Square(2, 0), Barrier("s", walls=True, cover=3))]),
            Grade.THREE_QUARTERS,
        ),
        (Ground.drawn("....", "....", walls=[wall(B, D, FENCE)]), Grade.NONE),
        (Ground.drawn(".#..", "...."), Grade.TOTAL),
        (Ground.drawn("..b.", "....", walls=[wall(A, B, CURTAIN)]), Grade.TOTAL),
    ],
)
def test_cover_is_what_stands_between_attacker_and_target(ground: Ground, grade: Grade) -> None:
    assert cover_between(ground, A, Square(3, 0)) is grade


def test_corners_in_the_way_cover_a_part() -> None:
    for ground in (Ground.drawn(".#", ".."), Ground.drawn("..", "..", walls=[wall(A, B)])):
        found = cover(ground, Footprint(A), Footprint(D))
        assert found.grade is Grade.PARTIAL
        assert 0 < found.stopped < LINES / 2
    # A wall between the upper halves stops the four lines over it, and two of those that slant.
    ground = Ground.drawn("....", "....", walls=[wall(B, Square(2, 0))])
    large = cover(ground, Footprint(A, 2), Footprint(Square(2, 0), 2))
    assert large.seen
    assert large.share == Fraction(6, 16)


def test_of_five_grades_forge_engine_makes_dice() -> None:
    # Externalities: partial, half and three-quarters cover add 1, 2 and 3 dice; total cannot be targeted.
    dice = {Grade.NONE: 0, Grade.PARTIAL: 1, Grade.HALF: 2, Grade.THREE_QUARTERS: 3}
    barriers = [Barrier(str(quarters), walls=True, cover=quarters) for quarters in range(4)]
    found = [cover_between(Ground.drawn("..", walls=[wall(A, B, one)]), A, B) for one in barriers]
    assert [dice[grade] for grade in found] == [0, 1, 2, 3]


def test_what_is_not_on_the_ground_is_covered_whole() -> None:
    ground = Ground.drawn(".#")
    assert cover(ground, Footprint(A), Footprint(Square(5, 5))) == Cover(False, 16, 0, 64)


# Light


def shows_a_face(ground: Ground, wall: Square, near: Square) -> bool:
    """Whether one way at least leads from a square to one beside it without crossing an opaque edge."""
    dx, dy = near.x - wall.x, near.y - wall.y
    across, down = Square(wall.x + dx, wall.y), Square(wall.x, wall.y + dy)
    ways = [(wall, across, near), (wall, down, near)] if dx and dy else [(wall, near)]
    return any(
        not any(ground.index.edge(a.x, a.y, b.x - a.x, b.y - a.y) & OPAQUE for a, b in pairwise(way))
        for way in ways
    )


@given(grounds(), squares)
def test_a_square_is_as_bright_as_the_brightest_lamp_it_sees_and_a_wall_as_its_faces(
    ground: Ground, here: Square
) -> None:
    expected = Level[ground.ambient.name]
    for lamp in ground.lamps:

        def shone(to: Square, lamp: Lamp = lamp) -> Level:
            far = ground.measure.distance(to.x - lamp.at.x, to.y - lamp.at.y) / ground.measure.units
            return Level.BRIGHT if far <= lamp.bright else Level.DIM if far <= lamp.dim else Level.DARK

        around = [one for one in EVERY if max(abs(one.x - here.x), abs(one.y - here.y)) == 1]
        faced = not clear(ground, here) and any(
            clear(ground, near)
            and shows_a_face(ground, here, near)
            and shone(near)
            and sees(ground, lamp.at, near)
            for near in around
        )
        if faced or sees(ground, lamp.at, here):
            expected = max(expected, shone(here))
    assert light_at(ground, here) is expected


def test_a_wall_along_a_lit_passage_is_lit_on_its_face_and_not_behind_it() -> None:
    rows = ("######", "......", "######", "......")
    ground = Ground.drawn(*rows, ambient=Ambient.DARK, lamps=(Lamp("lamp", Square(0, 1), 0, 4),))
    lit = [[light_at(ground, Square(x, y)) for x in range(6)] for y in range(4)]
    assert lit == [[1, 1, 1, 1, 1, 0]] * 3 + [[0] * 6]
    assert not sees(ground, Square(0, 1), Square(4, 0))


def test_light_is_counted_in_the_grounds_own_measure() -> None:
    lamp = Lamp("lamp", A, 1, 3)
    lit = {}
    for diagonal in Diagonal:
        measure = Measure(5, "foot", diagonal)
        ground = Ground.drawn("....", "....", "....", ambient=Ambient.DARK, lamps=(lamp,), measure=measure)
        lit[diagonal] = [int(light_at(ground, Square(x, x))) for x in range(3)]
    assert lit == {
        Diagonal.EQUAL: [2, 2, 1],
        Diagonal.ALTERNATING: [2, 2, 1],
        Diagonal.ORTHOGONAL: [2, 1, 0],
        Diagonal.EUCLIDEAN: [2, 1, 1],
    }


def test_a_ridge_and_a_curtain_stop_light_as_they_stop_sight() -> None:
    lamp = Lamp("lamp", A, 1, 5)
    ridge = Ground.drawn(".....", heights=(0, 0, 3, 0, 0), ambient=Ambient.DARK, lamps=(lamp,))
    assert [light_at(ridge, Square(x, 0)) for x in range(5)] == [2, 2, 1, 0, 0]
    door = Door("door-1", edges=(edge(B, Square(2, 0)),), shut=CURTAIN)
    hung = Ground.drawn(".....", doors=(door,), ambient=Ambient.DARK, lamps=(lamp,))
    assert [light_at(hung, Square(x, 0)) for x in range(4)] == [2, 2, 0, 0]
    drawn = hung.with_door("door-1", DoorState.OPEN)
    assert [light_at(drawn, Square(x, 0)) for x in range(4)] == [2, 2, 1, 1]


def test_a_lamp_lights_its_own_room_alone() -> None:
    lamp = Lamp("lamp-1", Square(1, 0), 1, 2)
    ground = Ground.drawn("....#.", ambient=Ambient.DARK, lamps=(lamp,))
    assert [light_at(ground, Square(x, 0)) for x in range(6)] == [2, 2, 2, 1, 0, 0]
    assert light_on(ground, Footprint(Square(3, 0))) is Level.DIM
    walled = Ground.drawn("....", walls=[wall(B, Square(2, 0))], ambient=Ambient.DARK, lamps=(lamp,))
    assert [light_at(walled, Square(x, 0)) for x in range(4)] == [2, 2, 0, 0]


def test_starlight_is_dim_for_six_paces() -> None:
    # DungeonTeller, Starlight: dim light for 6 paces around; Ember Rune: bright light for ten.
    for bright, dim, level in ((0, 6, Level.DIM), (10, 10, Level.BRIGHT)):
        ground = Ground.drawn("." * 12, ambient=Ambient.DARK, lamps=(Lamp("glow", A, bright, dim),))
        lit = [light_at(ground, Square(x, 0)) for x in range(12)]
        assert lit == [level] * (dim + 1) + [Level.DARK] * (11 - dim)
