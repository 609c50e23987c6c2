"""Caves: what they are made from, the same bytes everywhere, and gates that find out spoilt ones."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.map.generation.grid.model import GridMap, Light, Prop, RoomRole
from services.map.generation.grid.terrain import TRAITS, Terrain
from services.map.generation.kind import MAX_SEED, Made, make
from services.map.kinds.cave.gates import inspect_cave
from services.map.kinds.cave.generator import GENERATOR
from services.map.kinds.cave.parameters import CaveParameters, CaveTheme
from services.rules.engine.problem import Problems


def made(seed: int, parameters: CaveParameters | None = None) -> Made[GridMap]:
    result = make(GENERATOR, parameters or CaveParameters(), seed)
    assert not isinstance(result, Problems), result
    return result


def failed(model: GridMap) -> set[str]:
    return {gate.name for gate in inspect_cave(model).gates if not gate.passed}


@pytest.fixture(scope="module")
def sound() -> GridMap:
    return made(3, CaveParameters(width=120, height=100)).model


def with_cell(model: GridMap, x: int, y: int, terrain: Terrain) -> GridMap:
    cells = bytearray(model.cells)
    cells[y * model.width + x] = terrain
    return replace(model, cells=bytes(cells))


def test_a_fresh_process_makes_the_same_bytes() -> None:
    program = (
        "import hashlib\n"
        "from services.map.kinds.cave.generator import GENERATOR\n"
        "from services.map.kinds.cave.parameters import CaveParameters\n"
        "print(hashlib.sha256(GENERATOR.to_bytes(GENERATOR.draw(CaveParameters(), 99, 1))).hexdigest())\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "78", "PYTHONPATH": os.pathsep.join(sys.path)}
    there = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    ).stdout.strip()
    assert there == hashlib.sha256(GENERATOR.to_bytes(GENERATOR.draw(CaveParameters(), 99, 1))).hexdigest()


@given(seed=st.integers(0, MAX_SEED), theme=st.sampled_from(CaveTheme))
@settings(max_examples=15)
def test_the_map_file_is_read_back_without_loss(seed: int, theme: CaveTheme) -> None:
    model = GENERATOR.draw(CaveParameters(theme=theme), seed, 0)
    assert GENERATOR.from_data(orjson.loads(GENERATOR.to_bytes(model))) == model


@pytest.mark.parametrize(
    "parameters",
    [
        CaveParameters(width=21, height=21),
        CaveParameters(width=21, height=21, openness=0.0, roughness=1.0, water=1.0, chasms=1.0),
        CaveParameters(width=400, height=21),
        CaveParameters(width=400, height=400),
        CaveParameters(openness=0.0, roughness=0.0),
        CaveParameters(openness=1.0, roughness=1.0),
        CaveParameters(water=1.0, chasms=1.0, growth=1.0, lights=1.0, entrances=3),
        CaveParameters(water=0.0, chasms=0.0, growth=0.0, lights=0.0),
        *(CaveParameters(theme=theme) for theme in CaveTheme),
    ],
)
def test_every_gate_is_passed_at_the_limits_of_the_parameters(parameters: CaveParameters) -> None:
    for seed in range(3):
        assert made(seed, parameters).report.passed


def test_a_batch_has_few_second_attempts() -> None:
    assert sum(made(seed).attempts for seed in range(60)) / 60 < 1.2


def test_seeds_make_different_caves() -> None:
    floors = np.array([np.frombuffer(made(seed).model.cells, np.uint8) > 0 for seed in range(80)])
    counts = floors.sum(1)
    both = floors.astype(np.float32) @ floors.T.astype(np.float32)
    distances = (1 - both / (counts[:, None] + counts[None, :] - both))[np.triu_indices(len(floors), 1)]
    assert distances.mean() >= 0.6 and distances.min() >= 0.4


def test_more_openness_is_more_floor() -> None:
    def mean(openness: float) -> float:
        parameters = CaveParameters(openness=openness)
        return sum(dict(made(seed, parameters).report.figures)["floor_share"] for seed in range(15)) / 15

    assert mean(0.0) + 0.05 < mean(0.5) < mean(1.0) - 0.05


def test_pools_do_not_disturb_walls_and_chambers() -> None:
    dry, wet = (
        GENERATOR.draw(CaveParameters(water=0.0), 8, 0),
        GENERATOR.draw(CaveParameters(water=1.0), 8, 0),
    )
    assert [byte > 0 for byte in dry.cells] == [byte > 0 for byte in wet.cells]
    assert [room.name for room in dry.rooms] == [room.name for room in wet.rooms]
    assert dry.cells.count(Terrain.WATER) == 0 < wet.cells.count(Terrain.WATER)


def test_what_fills_a_cave_is_of_its_theme() -> None:
    lava = GENERATOR.draw(CaveParameters(theme=CaveTheme.LAVA, water=1.0), 2, 0).cells
    ice = GENERATOR.draw(CaveParameters(theme=CaveTheme.ICE, growth=1.0), 2, 0).cells
    assert Terrain.LAVA in lava and Terrain.WATER not in lava
    assert Terrain.ICE in ice and Terrain.LAVA not in ice


def test_chambers_are_numbered_from_the_entrance(sound: GridMap) -> None:
    assert sound.rooms[0].role in (RoomRole.ENTRANCE, RoomRole.GOAL)
    assert [room.number for room in sound.rooms] == list(range(1, len(sound.rooms) + 1))
    assert len({room.name for room in sound.rooms}) == len(sound.rooms)
    for way in sound.passages:
        start = next(room for room in sound.rooms if room.id == way.start)
        end = next(room for room in sound.rooms if room.id == way.end)
        assert str(end.number) in start.notes[-1]


def test_every_entrance_has_stairs_and_daylight() -> None:
    model = made(5, CaveParameters(entrances=3)).model
    assert len(model.stairs) == 3 and all(stairs.up for stairs in model.stairs)
    assert model.entrance == model.stairs[0].at
    assert sum(light.kind == "daylight" for light in model.lights) == 3


def test_a_hollow_that_is_cut_off_is_seen(sound: GridMap) -> None:
    cells = np.frombuffer(sound.cells, np.uint8).reshape(sound.height, sound.width)
    x, y = next(
        (x, y)
        for y in range(2, sound.height - 2)
        for x in range(2, sound.width - 2)
        if not cells[y - 1 : y + 2, x - 1 : x + 2].any()
    )
    assert failed(with_cell(sound, x, y, Terrain.FLOOR)) == {"one cave"}


def test_a_goal_near_the_entrance_is_seen(sound: GridMap) -> None:
    assert "journey" in failed(replace(sound, goal=sound.entrance))


def test_a_goal_in_rock_or_an_open_rim_is_not_measured(sound: GridMap) -> None:
    assert failed(replace(sound, goal=(1, 1))) == {"frame"}
    assert failed(with_cell(sound, 0, 0, Terrain.FLOOR)) == {"frame"}


def test_things_in_rock_are_seen(sound: GridMap) -> None:
    assert failed(replace(sound, props=(*sound.props, Prop("prop-999", "rock", 0.0, 0.0)))) == {"features"}
    assert failed(replace(sound, lights=(Light("light-9", (0.5, 0.5), 1.0, 2.0),))) == {"features"}


def test_a_chamber_of_rock_is_seen(sound: GridMap) -> None:
    first = replace(sound.rooms[0], spans=((1, 1, 3),))
    assert {"chambers", "legend"} <= failed(replace(sound, rooms=(first, *sound.rooms[1:])))


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"width": 20}, "width"),
        ({"height": 401}, "height"),
        ({"openness": -0.1}, "openness"),
        ({"roughness": 1.1}, "roughness"),
        ({"water": float("nan")}, "water"),
        ({"chasms": 2.0}, "chasms"),
        ({"growth": -1.0}, "growth"),
        ({"lights": 1.5}, "lights"),
        ({"entrances": 0}, "entrances"),
        ({"title": "x" * 65}, "title"),
    ],
)
def test_a_wrong_parameter_is_a_problem_with_its_path(change: dict[str, object], path: str) -> None:
    problems = GENERATOR.check(replace(CaveParameters(), **change))  # type: ignore[arg-type]
    assert [problem.path for problem in problems] == [(path,)]


def test_one_can_step_off_the_stairs_of_a_cave() -> None:
    steps = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}
    for seed in range(20):
        model = made(seed, CaveParameters(entrances=3)).model
        for stairs in model.stairs:
            dx, dy = steps[stairs.facing]
            assert TRAITS[model.terrain(stairs.at[0] + dx, stairs.at[1] + dy)].pace
