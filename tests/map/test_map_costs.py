"""What imported maps may hold, so that looking at them stays affordable."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from services.map.exports.uvtt_import import Imported, from_uvtt
from services.map.generation.grid.model import Light
from services.map.ground.at_hand import ground_at_hand
from services.map.ground.building import AS_DRAWN, ground_of
from services.map.ground.walking import reach
from services.map.weighing import covering, lighting, sighting, sizing, viewing, walking
from services.rules.engine.ground.measure import Diagonal
from services.rules.engine.problem import Problems
from tests.map.ground_maps import map_of


def file_of(lines: int, length: float, lights: int = 0) -> bytes:
    """A Universal VTT file with so many lines of a length, on the largest map."""
    line = [{"x": 0.25, "y": 0.5}, {"x": 0.25 + length, "y": 0.75}]
    lamp = {"position": {"x": 1, "y": 1}, "range": 5, "color": "ffffffff"}
    document: dict[str, Any] = {
        "resolution": {"map_size": {"x": 400, "y": 400}, "pixels_per_grid": 70},
        "line_of_sight": [line] * lines,
        "lights": [lamp] * lights,
    }
    return json.dumps(document).encode()


def test_a_large_map_that_people_draw_is_read() -> None:
    assert isinstance(from_uvtt(file_of(5_000, 10, lights=300)), Imported)


@pytest.mark.parametrize(
    ("file", "path"),
    [(file_of(300, 399), ("line_of_sight",)), (file_of(1, 1, lights=1_001), ("lights",))],
)
def test_walls_and_lights_beyond_all_measure_are_refused(file: bytes, path: tuple[str]) -> None:
    found = from_uvtt(file)
    assert isinstance(found, Problems)
    assert [(one.code, one.path) for one in found] == [("import_out_of_range", path)]


def test_a_view_that_walls_cut_short_costs_less_than_an_open_one() -> None:
    rows = ["." * 80] * 80
    corner = (
        ".#" + "." * 78,
        "#" + "." * 79,
    )  # walls that meet at a corner alone: sight is told line by line
    open_ground = ground_of(map_of(*corner, *rows[2:]))
    room = "." * 37 + "#####" + "." * 38
    sides = "." * 37 + "#...#" + "." * 38
    walled = ground_of(map_of(*corner, *rows[2:38], room, sides, sides, sides, room, *rows[43:]))
    assert open_ground.thin and walled.thin
    assert viewing(walled, 39, 40, 80) < viewing(open_ground, 39, 40, 80) / 3
    assert viewing(open_ground, 39, 40, 3) < viewing(open_ground, 39, 40, 80) / 3


def test_a_search_for_large_creatures_costs_more_until_their_steps_are_at_hand() -> None:
    plan = map_of(*["." * 60] * 60)
    costs = [sizing(plan, AS_DRAWN, size) for size in (1, 2, 4)]
    assert costs[0] == 0 < costs[1] < costs[2]
    ground = ground_at_hand(plan, AS_DRAWN).ground
    assert sizing(plan, AS_DRAWN, 2) == costs[1]
    reach(ground, (5, 5), 6, size=2)
    assert sizing(plan, AS_DRAWN, 2) == 0 < sizing(plan, AS_DRAWN, 4)


def test_searches_by_other_measures_and_lines_between_large_creatures_cost_more() -> None:
    plan = map_of(*["." * 60] * 60)
    assert walking(plan) < walking(plan, Diagonal.EUCLIDEAN) < walking(plan, Diagonal.ALTERNATING)
    assert sighting(1, 1) == 0 < sighting(2, 1) < sighting(4, 4) < sighting(10, 10) == sighting(99, 10)
    assert covering(1, 1) < covering(2, 2)


def test_a_lamp_costs_by_how_far_its_light_gets() -> None:
    rows = ["." * 80] * 80
    lamp = Light("light-1", (40.5, 40.5), 40.0, 80.0)
    open_ground = ground_of(map_of(*rows))
    room = "." * 37 + "#######" + "." * 36
    sides = "." * 37 + "#.....#" + "." * 36
    walled = ground_of(map_of(*rows[:37], room, *[sides] * 5, room, *rows[44:]))
    assert lighting(walled, (lamp,)) < lighting(open_ground, (lamp,)) / 2
    assert lighting(open_ground, (replace(lamp, bright=1.0, dim=3.0),)) < lighting(open_ground, (lamp,)) / 3
