"""What a scene begins with on a stored map."""

from __future__ import annotations

import dataclasses

from hypothesis import given

from services.map.generation.grid.model import Axis, Door, DoorKind, DoorState, GridMap, Light, Wall, Zone
from services.map.generation.grid.secrets import for_players
from services.map.ground.building import ground_of
from services.map.ground.scene import SceneDoor, SceneGround, SceneLight, SceneStart, scene_ground
from services.map.ground.walking import reach
from services.rules.engine.grid import Grid, Square, within_reach
from tests.map.ground_maps import SIDE, cells_where, map_of, maps, unhurried

PLAN = map_of(
    "#######",
    "#..#.m#",
    "#.~...#",
    "#######",
    ambient="dim",
    doors=(
        Door("door-1", (3, 2), Axis.EAST_WEST),
        Door("door-2", (2, 1), Axis.NORTH_SOUTH, DoorKind.CURTAIN, edge="s"),
        Door("door-3", (4, 1), Axis.NORTH_SOUTH, DoorKind.ARCH, DoorState.OPEN, edge="s"),
        Door("door-4", (3, 1), Axis.EAST_WEST, DoorKind.SECRET, DoorState.LOCKED),
    ),
    walls=(Wall(((5.0, 1.0), (5.0, 2.0))),),
    lights=(
        Light("light-1", (1.5, 1.5), 2.5, 4.0),
        Light("light-2", (99.0, 1.0), 2.0, 4.0),
        Light("light-3", (2.5, 1.5), 0.0, 0.0),
    ),
    zones=(
        Zone("start-heroes", "start", "West", ((1, 1, 3), (2, 1, 3)), "heroes"),
        Zone("start-foes", "start", "East", ((1, 4, 6),), "foes"),
        Zone("start-foes-2", "start", "South-east", ((2, 4, 5),), "foes"),
        Zone("exit", "exit", "Out", ((2, 5, 6),)),
    ),
)


def test_a_scene_begins_with_squares_doors_lights_and_starts() -> None:
    rim = {(x, y) for x in range(7) for y in range(4) if x in (0, 6) or y in (0, 3)}
    assert scene_ground(PLAN) == SceneGround(
        width=7,
        height=4,
        feet=5,
        solid=tuple(sorted(rim | {(2, 2)}, key=lambda cell: (cell[1], cell[0]))),
        difficult=((5, 1),),
        doors=(
            SceneDoor("door-1", ((3, 2),), DoorKind.WOODEN, DoorState.CLOSED, None, False),
            SceneDoor("door-2", ((2, 1),), DoorKind.CURTAIN, DoorState.CLOSED, "s", False),
            SceneDoor("door-4", ((3, 1),), DoorKind.SECRET, DoorState.LOCKED, None, True),
        ),
        light="dim",
        lights=(SceneLight("light-1", (1, 1), 2, 4),),
        starts=(
            SceneStart("foes", ((4, 1), (5, 1), (4, 2))),
            SceneStart("heroes", ((1, 1), (2, 1), (1, 2))),
        ),
    )


def test_doors_stand_in_a_scene_as_they_stand_on_the_map_now() -> None:
    now = scene_ground(PLAN, {"door-1": DoorState.OPEN, "door-4": DoorState.CLOSED})
    assert [door.state for door in now.doors] == [DoorState.OPEN, DoorState.CLOSED, DoorState.CLOSED]
    assert now.solid == scene_ground(PLAN).solid


def test_a_scene_from_the_players_map_has_wall_where_the_secret_door_is() -> None:
    known = scene_ground(for_players(dataclasses.replace(PLAN, lights=())))
    assert (3, 1) in known.solid
    assert not any(door.secret for door in known.doors)
    assert [start.side for start in known.starts] == ["heroes"]


@unhurried
@given(maps(walls=False))
def test_a_scene_on_a_map_of_thick_walls_reaches_the_squares_the_map_does(plan: GridMap) -> None:
    begun, ground = scene_ground(plan), ground_of(plan)
    free = {(x, y) for x in range(SIDE) for y in range(SIDE)} - set(begun.solid)
    grid = Grid(begun.width, begun.height, tuple(Square(*cell) for cell in begun.solid))
    assert set(begun.difficult) <= free
    for cell in sorted(free)[:1]:
        from_there = {(square.x, square.y) for square in within_reach(grid, Square(*cell), SIDE * SIDE)}
        assert from_there == cells_where(reach(ground, cell, 2 * SIDE * SIDE) >= 0)


def test_what_a_scene_begins_with_is_plain_data() -> None:
    plain = dataclasses.asdict(scene_ground(PLAN))
    assert plain["solid"][0] == (0, 0)
    assert all(type(number) is int for square in plain["solid"] for number in square)
