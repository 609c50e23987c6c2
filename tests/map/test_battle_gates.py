"""The gates of battle maps: each one finds what is wrong, and their proofs are right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_flow

from services.map.generation.grid.model import (
    Axis,
    Door,
    DoorKind,
    GridKind,
    GridMap,
    Light,
    Prop,
    Wall,
)
from services.map.generation.grid.terrain import Terrain
from services.map.generation.kind import Made, make
from services.map.kinds.battle import kernels, proofs
from services.map.kinds.battle.draft import KINDS
from services.map.kinds.battle.generator import GENERATOR
from services.map.kinds.battle.parameters import BattleParameters, Site
from services.map.kinds.battle.village import village as draw_village
from services.rules.engine import grid

STEPS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))


@cache
def village() -> GridMap:
    result = make(GENERATOR, BattleParameters(site=Site.VILLAGE), 11)
    assert isinstance(result, Made)
    return result.model


def failing(model: GridMap) -> set[str]:
    return {gate.name for gate in GENERATOR.inspect(model).gates if not gate.passed}


def with_cells(model: GridMap, change: Callable[[Any], None]) -> GridMap:
    cells = np.frombuffer(model.cells, np.uint8).reshape(model.height, model.width).copy()
    change(cells)
    return replace(model, cells=cells.tobytes())


def without(model: GridMap, kind: str) -> GridMap:
    return replace(model, zones=tuple(zone for zone in model.zones if zone.kind != kind))


def test_an_untouched_map_passes() -> None:
    assert failing(village()) == set()
    assert {name for name, _ in GENERATOR.inspect(village()).figures} == {
        "cover_share", "open_share", "connected_share", "approaches", "los_mean", "start_distance", "ledges",
    }  # fmt: skip


def test_another_kind_of_map_is_refused() -> None:
    assert failing(replace(village(), kind=GridKind.CAVE)) == {"frame"}
    assert failing(replace(village(), cells=b"\x02")) == {"frame"}


@pytest.mark.parametrize("kind", ["start", "approach", "exit", "hazard", "ambush"])
def test_a_missing_zone_is_found(kind: str) -> None:
    wanted = {"start": "starts", "approach": "approaches"}.get(kind, "zones")
    assert wanted in failing(without(village(), kind))


def test_a_door_in_no_wall_is_found() -> None:
    door = Door("door-99", (1, 1), Axis.NORTH_SOUTH, DoorKind.WOODEN, edge="s")
    assert "walls and doors" in failing(replace(village(), doors=(*village().doors, door)))


def test_a_wall_off_the_grid_is_found() -> None:
    for points in (((1.5, 1.0), (3.0, 1.0)), ((1.0, 1.0), (2.0, 2.0)), ((-1.0, 0.0), (2.0, 0.0))):
        assert "walls and doors" in failing(replace(village(), walls=(*village().walls, Wall(points))))


def test_a_house_walled_up_is_found() -> None:
    model = village()
    assert "connected" in failing(replace(model, doors=()))


def test_a_wall_between_the_starts_is_found() -> None:
    model = village()
    starts = {zone.side: zone for zone in model.zones if zone.kind == "start"}
    (row, first, last), *_ = starts["heroes"].spans
    top, bottom = row, max(y for y, _, _ in starts["heroes"].spans) + 1
    left = min(start for _, start, _ in starts["heroes"].spans)
    right = max(end for _, _, end in starts["heroes"].spans)
    assert first < last
    corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
    ring = Wall(tuple((float(x), float(y)) for x, y in corners))
    assert {"approaches"} <= failing(replace(model, walls=(*model.walls, ring)))


def test_a_start_in_the_water_is_found() -> None:
    zone = next(zone for zone in village().zones if zone.side == "foes")
    row, first, _ = zone.spans[0]

    def drown(cells: Any) -> None:
        cells[row, first] = Terrain.WATER

    assert "starts" in failing(with_cells(village(), drown))


def test_starts_too_near_are_found() -> None:
    heroes = next(zone for zone in village().zones if zone.side == "heroes")
    zones = tuple(
        replace(zone, spans=heroes.spans) if zone.side == "foes" else zone for zone in village().zones
    )
    assert "starts" in failing(replace(village(), zones=zones))


def test_open_ground_without_cover_is_found() -> None:
    def flatten(cells: Any) -> None:
        cells[:] = Terrain.GRASS

    assert "shares" in failing(with_cells(village(), flatten))


def test_a_tower_of_earth_is_found() -> None:
    heights = bytearray(village().width * village().height)
    heights[40] = 8
    assert "elevation" in failing(replace(village(), heights=bytes(heights)))


@pytest.mark.parametrize(
    "change",
    [
        {"props": (Prop("prop-1", "table", -5.0, 0.0),)},
        {"props": (Prop("prop-1", "table", 1.0, 1.0), Prop("prop-1", "table", 4.0, 4.0))},
        {"lights": (Light("light-1", (99.0, 1.0), 1.0, 2.0),)},
        {"lights": (Light("light-1", (1.0, 1.0), 3.0, 2.0),)},
    ],
)
def test_misplaced_things_are_found(change: dict[str, Any]) -> None:
    assert failing(replace(village(), **change)) == {"things"}


def test_the_rule_of_corners_over_every_block_of_two_by_two() -> None:
    flat = np.zeros((2, 2), np.int8)
    for bits in product((0, 1), repeat=8):
        pace = np.array(bits[:4], np.uint8).reshape(2, 2)
        across, down = np.zeros((3, 2), np.bool_), np.zeros((2, 3), np.bool_)
        across[1] = bits[4:6]
        down[:, 1] = bits[6:8]
        used = kernels.steps(pace, flat, across, down)
        proved = proofs.moves(pace > 0, ~down[:, 1:-1], ~across[1:-1])
        for direction, (dx, dy) in enumerate(STEPS):
            assert (((used >> direction) & 1) == proved[direction]).all()
            for y, x in product(range(2), repeat=2):
                if dx and dy and 0 <= x + dx < 2 and 0 <= y + dy < 2:
                    # A slanting step needs all four cells and none of the four edges barred.
                    assert proved[direction, y, x] == (all(bits[:4]) and not any(bits[4:]))
        straight = pace[0, 0] and pace[0, 1] and not down[0, 1]
        assert proved[2, 0, 0] == bool(straight)


def test_a_ledge_of_two_steps_is_not_climbed() -> None:
    pace, bars = np.ones((1, 4), np.uint8), (np.zeros((2, 4), np.bool_), np.zeros((1, 5), np.bool_))
    used = kernels.steps(pace, np.array([[0, 1, 3, 2]], np.int8), *bars)
    assert [int(bits) & 4 for bits in used[0]] == [4, 0, 4, 0]


@st.composite
def boards(draw: st.DrawFn) -> Any:
    width, height = draw(st.integers(2, 7)), draw(st.integers(2, 7))
    solid = draw(st.lists(st.booleans(), min_size=width * height, max_size=width * height))
    return ~np.array(solid, np.bool_).reshape(height, width)


@settings(max_examples=60)
@given(boards())
def test_sight_is_that_of_the_rules(clear: Any) -> None:
    height, width = clear.shape
    solid = tuple(grid.Square(int(x), int(y)) for y, x in np.argwhere(~clear))
    ground = grid.Grid(width, height, solid)
    east, south = np.ones((height, width - 1), np.bool_), np.ones((height - 1, width), np.bool_)
    every = [(x, y) for y in range(height) for x in range(width)]
    pairs = np.array([(*a, *b) for a in every for b in every], np.int64)
    seen = proofs.sight(clear, east, south, pairs)
    assert (seen[:, 0] == seen[:, 1]).all()
    for (a, b, c, d), (there, _) in zip(pairs.tolist(), seen.tolist(), strict=True):
        if clear[d, c] and clear[b, a]:
            assert there == grid.sees(ground, grid.Square(a, b), grid.Square(c, d))


def test_a_thin_wall_stops_sight_and_a_gap_lets_it_through() -> None:
    clear = np.ones((3, 4), np.bool_)
    east, south = np.ones((3, 3), np.bool_), np.ones((2, 4), np.bool_)
    east[:2, 1] = False
    pairs = np.array([(0, 0, 3, 0), (0, 2, 3, 2), (1, 1, 2, 2), (1, 0, 2, 1)], np.int64)
    assert proofs.sight(clear, east, south, pairs).tolist() == [
        [False, False], [True, True], [True, True], [False, False],
    ]  # fmt: skip


@settings(max_examples=80)
@given(boards())
def test_separate_ways_are_the_maximum_flow_of_the_split_graph(clear: Any) -> None:
    height, width = clear.shape
    clear = clear.copy()
    clear[:, 0] = clear[:, -1] = True
    start, goal = np.zeros_like(clear), np.zeros_like(clear)
    start[:, 0] = True
    goal[:, -1] = True
    if width < 3:
        return
    allowed = proofs.moves(
        clear, np.ones((height, width - 1), np.bool_), np.ones((height - 1, width), np.bool_)
    )
    found = proofs.separate_ways(allowed, start, goal, 99)
    count = width * height
    capacity = np.zeros((2 * count + 2, 2 * count + 2), np.int32)
    for y, x in product(range(height), range(width)):
        cell = y * width + x
        free = bool(start[y, x] or goal[y, x])
        capacity[2 * cell, 2 * cell + 1] = 99 if free else 1
        if start[y, x]:
            capacity[2 * count, 2 * cell] = 99
        if goal[y, x]:
            capacity[2 * cell + 1, 2 * count + 1] = 99
        for direction, (dx, dy) in enumerate(STEPS):
            if allowed[direction, y, x]:
                capacity[2 * cell + 1, 2 * ((y + dy) * width + x + dx)] = 1
    wanted = maximum_flow(csr_matrix(capacity), 2 * count, 2 * count + 1).flow_value
    assert found == wanted


def test_the_model_tells_the_thin_walls_that_were_drawn() -> None:
    draft = draw_village(BattleParameters(site=Site.VILLAGE), 11, 0)
    across, down = np.zeros_like(draft.across), np.zeros_like(draft.down)
    for wall in draft.walls():
        (ax, ay), (bx, by) = wall.points
        code = KINDS.index(wall.kind)
        if ay == by:
            across[int(ay), int(ax) : int(bx)] = code
        else:
            down[int(ay) : int(by), int(ax)] = code
    assert across.any() and down.any()
    assert (across == draft.across).all() and (down == draft.down).all()
