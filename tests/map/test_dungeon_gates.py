"""A dungeon that is spoilt by hand is found out, by the gate that should."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from services.map.generation.grid.model import Door, DoorKind, GridMap, Light, Prop, RoomRole, Trap
from services.map.generation.grid.terrain import Terrain
from services.map.generation.kind import make
from services.map.kinds.dungeon.gates import inspect_dungeon
from services.map.kinds.dungeon.generator import GENERATOR
from services.map.kinds.dungeon.parameters import DungeonParameters
from services.map.kinds.dungeon.routes import disjoint_routes, hops_between
from services.rules.engine.problem import Problems


@pytest.fixture(scope="module")
def sound() -> GridMap:
    result = make(GENERATOR, DungeonParameters(secrets=1.0), 4)
    assert not isinstance(result, Problems)
    return result.model


def failed(model: GridMap) -> set[str]:
    return {gate.name for gate in inspect_dungeon(model).gates if not gate.passed}


def with_cell(model: GridMap, x: int, y: int, terrain: Terrain) -> GridMap:
    cells = bytearray(model.cells)
    cells[y * model.width + x] = terrain
    return replace(model, cells=bytes(cells))


def plain_door(model: GridMap) -> Door:
    return next(door for door in model.doors if not door.secret)


def test_a_sound_dungeon_fails_nothing(sound: GridMap) -> None:
    assert not failed(sound)


def test_a_walled_up_door_cuts_rooms_off(sound: GridMap) -> None:
    leaf = next(room for room in sound.rooms if room.role in (RoomRole.TREASURE, RoomRole.DEAD_END))
    way = next(way for way in sound.passages if leaf.id in (way.start, way.end))
    doors = {door.id: door for door in sound.doors}
    x, y = doors[way.doors[0]].at
    assert {"reachable", "doors"} <= failed(with_cell(sound, x, y, Terrain.ROCK))


def test_a_secret_room_with_a_plain_door_is_open_to_everyone(sound: GridMap) -> None:
    assert any(room.secret for room in sound.rooms)
    doors = tuple(replace(door, kind=DoorKind.WOODEN) for door in sound.doors)
    assert "reachable" in failed(replace(sound, doors=doors))


def test_a_plain_room_behind_a_secret_door_is_out_of_reach(sound: GridMap) -> None:
    doors = tuple(replace(door, kind=DoorKind.SECRET) for door in sound.doors)
    assert "reachable" in failed(replace(sound, doors=doors))


def test_a_breach_beside_a_door_is_seen(sound: GridMap) -> None:
    door = plain_door(sound)
    x, y = door.at
    beside = (x, y - 1) if door.axis.value == "east-west" else (x - 1, y)
    assert "doors" in failed(with_cell(sound, *beside, Terrain.CORRIDOR))


def test_a_blind_corridor_is_a_dead_end(sound: GridMap) -> None:
    cells = np.frombuffer(sound.cells, np.uint8).reshape(sound.height, sound.width)
    x, y = next(
        (x, y)
        for y in range(2, sound.height - 2)
        for x in range(2, sound.width - 2)
        if cells[y, x] == Terrain.CORRIDOR
        and not cells[y - 1, x]
        and not cells[y - 2, x - 1 : x + 2].any()
        and (x, y) not in {door.at for door in sound.doors}
    )
    assert failed(with_cell(sound, x, y - 1, Terrain.CORRIDOR)) == {"dead ends"}


def test_deep_water_before_a_door_is_seen(sound: GridMap) -> None:
    door = plain_door(sound)
    x, y = door.at
    before = (x + 1, y) if door.axis.value == "east-west" else (x, y + 1)
    assert "doors" in failed(with_cell(sound, *before, Terrain.WATER))


def test_furniture_before_a_door_stands_in_the_way(sound: GridMap) -> None:
    door = plain_door(sound)
    x, y = door.at
    dx, dy = (1, 0) if door.axis.value == "east-west" else (0, 1)
    prop = Prop("prop-999", "barrel", float(x + dx), float(y + dy))
    assert failed(replace(sound, props=(*sound.props, prop))) == {"features"}


def test_a_trap_or_light_in_rock_is_seen(sound: GridMap) -> None:
    assert failed(replace(sound, traps=(*sound.traps, Trap("trap-99", (0, 0), "pit")))) == {"features"}
    assert failed(replace(sound, lights=(Light("light-99", (0.5, 0.5), 1.0, 2.0),))) == {"features"}


def test_a_goal_next_to_the_entrance_is_too_near(sound: GridMap) -> None:
    first = sound.rooms[0]
    y, start, end = first.rows[0]
    at = next((x, y) for x in range(start, end) if sound.terrain(x, y) is Terrain.FLOOR)
    assert "journey" in failed(replace(sound, goal=at))


def test_a_passage_that_is_not_dug_is_seen(sound: GridMap) -> None:
    joined = {frozenset((way.start, way.end)) for way in sound.passages}
    way = next(way for way in sound.passages if not way.secret)
    other = next(
        room.id
        for room in sound.rooms
        if not room.secret and room.id != way.start and frozenset((way.start, room.id)) not in joined
    )
    passages = tuple(replace(one, end=other) if one is way else one for one in sound.passages)
    assert failed(replace(sound, passages=passages)) == {"legend"}


def test_rooms_of_one_size_are_dull(sound: GridMap) -> None:
    rooms = tuple(replace(room, spans=((room.y, room.x, room.x + 1),)) for room in sound.rooms)
    assert "room sizes" in failed(replace(sound, rooms=rooms))


def test_a_map_without_entrance_or_with_an_open_rim_is_not_measured(sound: GridMap) -> None:
    assert failed(replace(sound, entrance=None)) == {"frame"}
    assert failed(with_cell(sound, 0, 5, Terrain.FLOOR)) == {"frame"}


def test_routes_that_share_an_edge_count_once() -> None:
    bridge = np.array([[0, 1], [1, 2], [2, 0], [2, 3], [3, 4], [4, 5], [5, 3]], np.int32)
    assert disjoint_routes(bridge, 6, 0, 1) == 2
    assert disjoint_routes(bridge, 6, 0, 4) == 1
    assert disjoint_routes(bridge[:3], 6, 0, 4) == 0
    # The first route found must be taken back in part: 0-1-4-5 bars both 0-1-3-5 and 0-2-4-5.
    crossed = np.array([[0, 1], [1, 4], [4, 5], [1, 3], [3, 6], [6, 5], [0, 2], [2, 7], [7, 4]], np.int32)
    assert disjoint_routes(crossed, 8, 0, 5) == 2


def test_the_widest_distance_is_exact() -> None:
    random = np.random.Generator(np.random.PCG64(5))
    for _ in range(60):
        rooms = int(random.integers(3, 14))
        pairs = [(room, int(random.integers(0, room))) for room in range(1, rooms)]
        pairs += [
            tuple(random.choice(rooms, 2, replace=False).tolist()) for _ in range(int(random.integers(0, 4)))
        ]
        touching = np.array([(end, row) for row, pair in enumerate(pairs) for end in pair], np.int32)
        far = np.full((rooms, rooms), 99)
        np.fill_diagonal(far, 0)
        for a, b in pairs:
            far[a, b] = far[b, a] = 1
        for middle in range(rooms):
            far = np.minimum(far, far[:, middle, None] + far[None, middle])
        assert hops_between(touching, rooms, 0, rooms - 1) == (far[0, rooms - 1], far.max())
