"""From a map to its ground: terrain, thin walls drawn anywhere, doors as they stand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.map.generation.grid.model import (
    Axis,
    Cell,
    Door,
    DoorKind,
    DoorState,
    GridMap,
    Spot,
    Wall,
    WallKind,
)
from services.map.generation.grid.terrain import TRAITS, Terrain
from services.map.ground.building import ground_of, rules_ground
from services.map.ground.walking import path
from services.map.ground.walls import UNIT, mark_walls
from services.rules.engine.codec import Codec
from services.rules.engine.ground.kinds import (
    COVER,
    FENCE,
    IMPASSABLE,
    LOW_WALL,
    OPAQUE,
    WALL,
    WINDOW,
    Barrier,
)
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.squares import Square, edge
from tests.map.ground_maps import SIDE, cells_where, map_of, maps, unhurried

CODEC = Codec(Ground, "ground")
quarters = st.integers(-2, 4 * SIDE + 2).map(lambda quarter: quarter / 4)
# Corners are read to a fixed part of a cell; between two of these a wall is as exact as fractions.
anywhere = st.integers(-UNIT, (SIDE + 1) * UNIT).map(lambda part: part / UNIT)
spots = st.one_of(st.tuples(quarters, quarters), st.tuples(anywhere, anywhere))


def meet(a: Spot, b: Spot, c: Spot, d: Spot) -> bool:
    """Whether two segments meet, ends included: by the sides their ends lie on, in fractions."""

    def turn(p: Spot, q: Spot, r: Spot) -> int:
        (px, py), (qx, qy), (rx, ry) = ((Fraction(x), Fraction(y)) for x, y in (p, q, r))
        area = (qx - px) * (ry - py) - (qy - py) * (rx - px)
        return (area > 0) - (area < 0)

    def overlap(axis: int) -> bool:
        low, high = (
            max(min(a[axis], b[axis]), min(c[axis], d[axis])),
            min(max(a[axis], b[axis]), max(c[axis], d[axis])),
        )
        return low <= high

    return (
        turn(a, b, c) * turn(a, b, d) <= 0
        and turn(c, d, a) * turn(c, d, b) <= 0
        and overlap(0)
        and overlap(1)
    )


@unhurried
@given(st.lists(spots, min_size=2, max_size=4))
def test_an_edge_is_crossed_when_the_wall_meets_the_segment_between_two_middles(points: list[Spot]) -> None:
    east, south = np.zeros((SIDE, SIDE), np.uint8), np.zeros((SIDE, SIDE), np.uint8)
    mark_walls((Wall(tuple(points)),), east, south)

    def crossed(x: int, y: int, dx: int, dy: int) -> bool:
        one, other = (x + 0.5, y + 0.5), (x + dx + 0.5, y + dy + 0.5)
        return any(meet(start, end, one, other) for start, end in pairwise(points))

    assert cells_where(east > 0) == {
        (x, y) for x in range(SIDE - 1) for y in range(SIDE) if crossed(x, y, 1, 0)
    }
    assert cells_where(south > 0) == {
        (x, y) for x in range(SIDE) for y in range(SIDE - 1) if crossed(x, y, 0, 1)
    }


@unhurried
@given(st.floats(-0.4 / UNIT, 0.4 / UNIT), st.floats(-0.4 / UNIT, 0.4 / UNIT))
def test_a_wall_that_was_meant_to_touch_touches_whatever_a_program_rounded(a: float, b: float) -> None:
    east, south = np.zeros((3, 3), np.uint8), np.zeros((3, 3), np.uint8)
    mark_walls((Wall(((1.0, 0.5 + a), (1.0 + b, 2.9))),), east, south)
    assert cells_where(east > 0) == {(0, 0), (0, 1), (0, 2)}


@unhurried
@given(st.floats(0.1, 7.9), st.floats(0.1, 7.9), st.floats(0.1, 7.9))
def test_a_wall_from_rim_to_rim_parts_the_map_however_it_runs(top: float, middle: float, low: float) -> None:
    points = ((top, 0.0), (middle, 3.3), (low, float(SIDE)))
    ground = ground_of(map_of(*["." * SIDE] * SIDE, walls=(Wall(points),)))
    # Where the wall meets the middle line of a row, between the row's two ends, it lies between them.
    for y in range(SIDE):
        (x0, y0), (x1, y1) = points[:2] if y + 0.5 <= 3.3 else points[1:]
        at = x0 + (y + 0.5 - y0) / (y1 - y0) * (x1 - x0)
        if 0.6 < at < SIDE - 0.6:
            assert path(ground, (0, y), (SIDE - 1, y)) is None


@pytest.mark.parametrize(
    ("kind", "barrier"),
    [
        (WallKind.WALL, WALL),
        (WallKind.WINDOW, WINDOW),
        (WallKind.FENCE, FENCE),
        (WallKind.LOW, LOW_WALL),
    ],
)
def test_a_thin_wall_is_the_barrier_of_its_kind(kind: WallKind, barrier: Barrier) -> None:
    ground = ground_of(map_of("...", "...", walls=(Wall(((1.0, 0.0), (1.0, 1.0), (2.0, 1.0)), kind),)))
    assert ground.east.tolist() == [[barrier.flags, 0, 0], [0, 0, 0]]
    assert ground.south.tolist() == [[0, barrier.flags, 0], [0, 0, 0]]


def test_terrain_decides_what_is_walked_and_seen_through() -> None:
    ground = ground_of(map_of(".m~T", "nb#,"))
    assert ground.paces.tolist() == [[1, 2, 0, 0], [2, 2, 0, 1]]
    assert cells_where(ground.opaque) == {(3, 0), (2, 1)}
    assert cells_where(ground.cover) == {(3, 0), (0, 1), (1, 1)}


# Doors


def door(kind: DoorKind = DoorKind.WOODEN, state: DoorState = DoorState.CLOSED, **more: Any) -> Door:
    return replace(Door("door-1", (1, 1), Axis.EAST_WEST, kind, state), **more)


@pytest.mark.parametrize(
    ("kind", "state", "walked", "seen"),
    [
        (DoorKind.WOODEN, DoorState.OPEN, True, True),
        (DoorKind.WOODEN, DoorState.CLOSED, False, False),
        (DoorKind.IRON, DoorState.LOCKED, False, False),
        (DoorKind.SECRET, DoorState.CLOSED, False, False),
        (DoorKind.PORTCULLIS, DoorState.CLOSED, False, True),
        (DoorKind.CURTAIN, DoorState.CLOSED, True, False),
        (DoorKind.ARCH, DoorState.LOCKED, True, True),
    ],
)
def test_a_door_stops_what_its_kind_stops_as_it_stands(
    kind: DoorKind, state: DoorState, walked: bool, seen: bool
) -> None:
    filling = ground_of(map_of("###", "...", "###", doors=(door(kind, state),)))
    assert (filling.paces[1, 1] > 0) == walked
    assert bool(filling.opaque[1, 1]) != seen
    hanging = ground_of(map_of("###", "...", "###", doors=(door(kind, state, edge="e"),)))
    assert (not hanging.east[1, 1] & IMPASSABLE) == walked
    assert (not hanging.east[1, 1] & OPAQUE) == seen
    assert hanging.paces[1, 1] == 1
    # What stops people and not sight stands in the way of arrows: a portcullis.
    assert bool(filling.cover[1, 1]) == bool(hanging.east[1, 1] & COVER) == (seen and not walked)


def test_a_door_stands_as_it_was_set_and_others_as_they_were_drawn() -> None:
    plan = map_of("###", "...", "###", doors=(door(),))
    assert path(ground_of(plan), (0, 1), (2, 1)) is None
    opened = ground_of(plan, {"door-1": DoorState.OPEN, "door-of-another-map": DoorState.LOCKED})
    assert path(opened, (0, 1), (2, 1)) == ((1, 1), (2, 1))
    unlocked = map_of("###", "...", "###", doors=(door(state=DoorState.OPEN),))
    assert path(ground_of(unlocked), (0, 1), (2, 1)) is not None
    assert path(ground_of(unlocked, {"door-1": DoorState.LOCKED}), (0, 1), (2, 1)) is None


def test_an_open_door_is_a_way_even_where_the_wall_runs_on() -> None:
    through = Wall(((2.0, 0.0), (2.0, 3.0)))
    plan = map_of("...", "...", "...", walls=(through,), doors=(door(edge="e"),))
    assert path(ground_of(plan), (0, 1), (2, 1)) is None
    assert path(ground_of(plan, {"door-1": DoorState.OPEN}), (0, 1), (2, 1)) == ((1, 1), (2, 1))
    filled = map_of("###", ".#.", "###", doors=(door(),))
    assert path(ground_of(filled, {"door-1": DoorState.OPEN}), (0, 1), (2, 1)) == ((1, 1), (2, 1))


@pytest.mark.parametrize(
    ("side", "axis", "edges"),
    [
        ("e", Axis.EAST_WEST, {((1, 1), (2, 1)), ((1, 2), (2, 2))}),
        ("w", Axis.EAST_WEST, {((0, 1), (1, 1)), ((0, 2), (1, 2))}),
        ("n", Axis.NORTH_SOUTH, {((1, 0), (1, 1)), ((2, 0), (2, 1))}),
        ("s", Axis.NORTH_SOUTH, {((1, 1), (1, 2)), ((2, 1), (2, 2))}),
    ],
)
def test_a_wide_door_hangs_on_every_edge_of_its_span(
    side: str, axis: Axis, edges: set[tuple[Cell, Cell]]
) -> None:
    plan = map_of("....", "....", "....", "....", doors=(door(axis=axis, edge=side, span=2),))
    expected = {edge(Square(*one), Square(*other)) for one, other in edges}
    assert {side for one in ground_of(plan).rules.doors for side in one.edges} == expected
    ground = ground_of(plan)
    assert int((ground.east & OPAQUE > 0).sum() + (ground.south & OPAQUE > 0).sum()) == len(expected)


def test_a_wide_door_fills_every_cell_of_its_span_that_is_on_the_map() -> None:
    gate = door(DoorKind.GATE, axis=Axis.NORTH_SOUTH, at=(1, 0), span=3)
    assert cells_where(ground_of(map_of("...", "...", doors=(gate,))).paces == 0) == {(1, 0), (2, 0)}


@unhurried
@given(maps(heights=True))
def test_the_ground_of_a_map_is_the_same_for_the_rules(plan: GridMap) -> None:
    ground = ground_of(plan)
    rules = ground.rules
    assert (rules.width, rules.height) == (ground.width, ground.height)
    assert rules.cells == "".join(TRAITS[Terrain(code)].letter for code in plan.cells)
    assert ground.heights.ravel().tolist() == list(rules.heights or [0] * SIDE**2)
    tops = rules.index.tops
    if tops is not None:
        assert ground.tops.ravel().tolist() == list(tops)
    assert cells_where(ground.tops > 100) == cells_where(ground.opaque)
    again = rules_ground(plan)
    assert again == rules
    assert CODEC.load(CODEC.dump(rules)) == rules
