"""What dungeons are made from, that equal input gives equal bytes, and what batches of them are like."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from dataclasses import replace
from functools import cache

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.map.generation.grid.model import DoorKind, DoorState, GridMap, RoomRole
from services.map.generation.grid.terrain import PACES
from services.map.generation.kind import MAX_SEED, Made, make
from services.map.kinds.dungeon.generator import GENERATOR
from services.map.kinds.dungeon.parameters import DungeonDensity, DungeonParameters, DungeonTheme
from services.rules.engine.problem import Problems

BATCH = 150


def made(seed: int, parameters: DungeonParameters | None = None) -> Made[GridMap]:
    result = make(GENERATOR, parameters or DungeonParameters(), seed)
    assert not isinstance(result, Problems), result
    return result


@cache
def batch() -> tuple[Made[GridMap], ...]:
    themes = tuple(DungeonTheme)
    return tuple(made(seed, DungeonParameters(theme=themes[seed % len(themes)])) for seed in range(BATCH))


def figure(one: Made[GridMap], name: str) -> float:
    return dict(one.report.figures)[name]


def floor(model: GridMap) -> np.ndarray:
    return np.frombuffer(model.cells, np.uint8) > 0


def test_a_fresh_process_makes_the_same_bytes() -> None:
    parameters = DungeonParameters(width=41, height=31, theme=DungeonTheme.MINE)
    program = (
        "import hashlib\n"
        "from services.map.kinds.dungeon.generator import GENERATOR\n"
        "from services.map.kinds.dungeon.parameters import DungeonParameters, DungeonTheme\n"
        "parameters = DungeonParameters(width=41, height=31, theme=DungeonTheme.MINE)\n"
        "print(hashlib.sha256(GENERATOR.to_bytes(GENERATOR.draw(parameters, 12345, 2))).hexdigest())\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "77", "PYTHONPATH": os.pathsep.join(sys.path)}
    there = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    ).stdout.strip()
    assert there == hashlib.sha256(GENERATOR.to_bytes(GENERATOR.draw(parameters, 12345, 2))).hexdigest()


@given(seed=st.integers(0, MAX_SEED), theme=st.sampled_from(DungeonTheme))
@settings(max_examples=15)
def test_the_map_file_is_read_back_without_loss(seed: int, theme: DungeonTheme) -> None:
    model = GENERATOR.draw(DungeonParameters(width=41, height=35, theme=theme), seed, 0)
    assert GENERATOR.from_data(orjson.loads(GENERATOR.to_bytes(model))) == model


@pytest.mark.parametrize(
    "parameters",
    [
        DungeonParameters(width=21, height=21),
        DungeonParameters(width=22, height=24, secrets=1.0, stairs_up=3, stairs_down=4),
        DungeonParameters(width=301, height=21),
        DungeonParameters(width=301, height=301, density=DungeonDensity.DENSE),
        DungeonParameters(rooms=3),
        DungeonParameters(rooms=9),
        DungeonParameters(rooms=43),
        DungeonParameters(loops=0.0, density=DungeonDensity.SPARSE),
        DungeonParameters(loops=1.0, secrets=1.0, traps=1.0, flooded=1.0, furniture=1.0, lights=1.0),
        DungeonParameters(secrets=0.0, traps=0.0, flooded=0.0, furniture=0.0, lights=0.0, stairs_down=0),
    ],
)
def test_every_gate_is_passed_at_the_limits_of_the_parameters(parameters: DungeonParameters) -> None:
    for seed in range(4):
        one = made(seed, parameters)
        assert one.report.passed
        assert (one.model.width, one.model.height) == (parameters.width, parameters.height)


def test_a_batch_has_few_second_attempts() -> None:
    assert sum(one.attempts for one in batch()) / BATCH < 1.3


def test_a_batch_has_loops_but_not_everywhere() -> None:
    assert 0.2 <= sum(figure(one, "loops_per_room") for one in batch()) / BATCH <= 0.45


def test_most_dungeons_have_two_routes_to_the_goal() -> None:
    assert sum(figure(one, "two_disjoint_routes") for one in batch()) / BATCH >= 0.6


def test_seeds_make_dungeons_that_share_little_floor() -> None:
    floors = np.array([floor(GENERATOR.draw(DungeonParameters(), seed, 0)) for seed in range(200)])
    counts = floors.sum(1)
    both = floors.astype(np.float32) @ floors.T.astype(np.float32)
    distances = (1 - both / (counts[:, None] + counts[None, :] - both))[np.triu_indices(len(floors), 1)]
    assert distances.mean() >= 0.6
    assert distances.min() >= 0.4


def test_furniture_and_lights_do_not_disturb_rooms_and_ways() -> None:
    bare = GENERATOR.draw(DungeonParameters(furniture=0.0, lights=0.0, traps=0.0), 5, 0)
    full = GENERATOR.draw(DungeonParameters(furniture=1.0, lights=1.0, traps=1.0), 5, 0)
    assert (floor(bare) == floor(full)).all()
    assert [door.at for door in bare.doors] == [door.at for door in full.doors]
    assert bare.title == full.title
    assert not bare.props and len(full.props) > 20
    assert not bare.lights and not bare.traps and full.lights and full.traps


def test_more_loops_asked_for_are_more_loops_made() -> None:
    def mean(loops: float) -> float:
        made_loops = [
            figure(made(seed, DungeonParameters(loops=loops)), "loops_per_room") for seed in range(20)
        ]
        return sum(made_loops) / len(made_loops)

    assert mean(0.0) < 0.12 < 0.2 < mean(0.3) < 0.45 < mean(1.0)


def test_rooms_asked_for_are_made_where_they_fit() -> None:
    assert len(made(1, DungeonParameters(rooms=7)).model.rooms) == 7


def test_stairs_asked_for_are_there() -> None:
    model = made(2, DungeonParameters(stairs_up=2, stairs_down=3)).model
    assert [stairs.up for stairs in model.stairs].count(True) == 2
    assert [stairs.up for stairs in model.stairs].count(False) == 3
    assert model.entrance in [stairs.at for stairs in model.stairs if stairs.up]


def test_one_steps_off_stairs_away_from_the_wall() -> None:
    steps = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}
    for one in batch()[:40]:
        for stairs in one.model.stairs:
            dx, dy = steps[stairs.facing]
            x, y = stairs.at
            assert PACES[one.model.terrain(x + dx, y + dy)]
            assert one.model.terrain(x - dx, y - dy) == 0


def test_room_one_is_the_entrance_and_rooms_are_numbered_as_one_comes_to_them() -> None:
    for one in batch()[:40]:
        rooms = one.model.rooms
        assert rooms[0].role is RoomRole.ENTRANCE
        assert [room.role for room in rooms].count(RoomRole.GOAL) == 1
        hidden = [room.secret for room in rooms]
        assert hidden == sorted(hidden), "hidden rooms come last, or players would miss a number"


def test_the_legend_tells_every_way_out() -> None:
    for one in batch()[:40]:
        names = {room.id: room for room in one.model.rooms}
        for way in one.model.passages:
            start, end = names[way.start], names[way.end]
            assert f" to {end.number}" in start.notes[-1] and f" to {start.number}" in end.notes[-1]


def test_names_differ_within_a_dungeon() -> None:
    for one in batch():
        names = [room.name for room in one.model.rooms]
        assert len(set(names)) == len(names)


def test_a_locked_door_leads_to_a_room_with_one_way_in_and_its_key_is_elsewhere() -> None:
    locked = 0
    for one in batch():
        model = one.model
        barred = {door.id: door for door in model.doors if door.state is DoorState.LOCKED}
        rooms = {room.id: room for room in model.rooms}
        for identifier, door in barred.items():
            locked += 1
            ways = [way for way in model.passages if identifier in way.doors]
            inside = [
                rooms[end]
                for way in ways
                for end in (way.start, way.end)
                if rooms[end].role is RoomRole.TREASURE
            ]
            assert len(ways) == 1 and inside
            keeper = int(door.note.split("is in ")[1].split(".")[0])
            assert rooms[f"room-{keeper}"].role is not RoomRole.TREASURE
    assert locked > 10


def test_an_arch_is_open_and_a_secret_door_is_not() -> None:
    for one in batch()[:40]:
        for door in one.model.doors:
            assert (door.state is DoorState.OPEN) or door.kind is not DoorKind.ARCH
            assert (door.state is DoorState.CLOSED) or door.kind is not DoorKind.SECRET


def test_themes_have_doors_and_furniture_of_their_own() -> None:
    def kinds(theme: DungeonTheme) -> tuple[set[str], set[str]]:
        models = [GENERATOR.draw(DungeonParameters(theme=theme), seed, 0) for seed in range(6)]
        doors = {door.kind.value for model in models for door in model.doors}
        return doors, {prop.kind for model in models for prop in model.props}

    crypt_doors, crypt_props = kinds(DungeonTheme.CRYPT)
    mine_doors, mine_props = kinds(DungeonTheme.MINE)
    assert "stone" in crypt_doors and "stone" not in mine_doors
    assert "sarcophagus" in crypt_props and "sarcophagus" not in mine_props
    assert "cart" in mine_props


def test_a_given_title_is_kept() -> None:
    assert made(3, DungeonParameters(title="Under the Hill")).model.title == "Under the Hill"


def test_players_see_no_secrets() -> None:
    hidden_doors = hidden_rooms = 0
    for one in batch():
        model, shown = one.model, GENERATOR.for_players(one.model)
        secret = {door.id for door in model.doors if door.secret}
        rooms = {room.id for room in model.rooms if room.secret}
        hidden_doors += len(secret)
        hidden_rooms += len(rooms)
        assert secret.isdisjoint(door.id for door in shown.doors)
        assert rooms.isdisjoint(room.id for room in shown.rooms)
        assert not shown.traps and shown.goal is None and shown.seed == 0
        assert [room.number for room in shown.rooms] == list(range(1, len(shown.rooms) + 1))
    assert hidden_doors > 50 and hidden_rooms > 30


def test_players_walk_into_no_corridor_that_just_ends() -> None:
    for one in batch():
        shown = GENERATOR.for_players(one.model)
        rooms = {(x, y) for room in shown.rooms for y, first, last in room.rows for x in range(first, last)}
        seen, waiting = {shown.entrance}, [shown.entrance]
        while waiting:
            at = waiting.pop()
            assert at is not None
            x, y = at
            around = [
                near
                for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
                if PACES[shown.terrain(*near)]
            ]
            assert at in rooms or len(around) > 1, (one.model.seed, at)
            waiting.extend(near for near in around if near not in seen)
            seen.update(around)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"width": 20}, "width"),
        ({"height": 302}, "height"),
        ({"rooms": 2}, "rooms"),
        ({"rooms": 44}, "rooms"),
        ({"loops": 1.5}, "loops"),
        ({"secrets": -0.1}, "secrets"),
        ({"traps": 2.0}, "traps"),
        ({"lights": -1.0}, "lights"),
        ({"flooded": 1.01}, "flooded"),
        ({"furniture": float("nan")}, "furniture"),
        ({"stairs_up": 0}, "stairs_up"),
        ({"stairs_down": 5}, "stairs_down"),
        ({"title": "x" * 65}, "title"),
        ({"title": "two\nlines"}, "title"),
        ({"title": " spaced"}, "title"),
    ],
)
def test_a_wrong_parameter_is_a_problem_with_its_path(change: dict[str, object], path: str) -> None:
    problems = GENERATOR.check(replace(DungeonParameters(), **change))  # type: ignore[arg-type]
    assert [problem.path for problem in problems] == [(path,)]


def test_parameters_are_read_from_json_and_written_to_it() -> None:
    parameters = DungeonParameters(
        width=33, theme=DungeonTheme.SEWER, density=DungeonDensity.DENSE, loops=0.5
    )
    assert GENERATOR.codec.load(orjson.loads(orjson.dumps(GENERATOR.codec.dump(parameters)))) == parameters
    assert GENERATOR.codec.read({}) == DungeonParameters()
