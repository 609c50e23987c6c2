"""What players may know of a grid map's model under fog."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.map.generation.grid.canonical import from_data, to_bytes
from services.map.generation.grid.model import (
    Axis,
    Door,
    DoorState,
    GridMap,
    KeyNote,
    Light,
    Prop,
    Stairs,
    Trap,
    Wall,
    Zone,
)
from services.map.generation.grid.secrets import for_players
from services.map.generation.grid.terrain import Terrain
from services.map.play.edits import FindDoor, PutLight, PutToken, SetDoor
from services.map.play.masked import as_played, found_doors, masked
from services.map.play.sight import seen_now
from services.map.play.state import CarriedLight, FogMode, Layer, Spot
from services.map.play.view import view
from tests.map.test_play_stage import ANN, HEIGHT, MODEL, WIDTH, StageGround, done, looked, stage

FULL = replace(
    MODEL,
    traps=(Trap("trap-1", (2, 2), "pit"),),
    stairs=(Stairs("stairs-1", (2, 1), True, "n"), Stairs("stairs-2", (9, 1), False, "e")),
    lights=(Light("light-1", (2.5, 2.5), 2.0, 4.0), Light("light-2", (9.5, 2.5), 2.0, 4.0)),
    props=(Prop("prop-1", "table", 2.0, 2.0), Prop("prop-2", "bed", 7.0, 1.0, 2.0, 1.0)),
    zones=(
        Zone("start-heroes", "start", "Heroes", ((1, 1, 5), (2, 1, 5)), "heroes"),
        Zone("exit", "exit", "Exit", ((1, 6, 11),)),
    ),
    notes=(KeyNote("note-1", (3.0, 3.0), "Seen", False), KeyNote("note-2", (9.0, 3.0), "Far", False)),
    heights=bytes(3 for _ in range(WIDTH * HEIGHT)),
    walls=(Wall(((2.0, 1.0), (2.0, 3.0), (9.0, 3.0))),),
)


def explored(left: int, top: int, width: int, height: int) -> np.ndarray:
    """The cells of a box of the stage."""
    cells = np.zeros((HEIGHT, WIDTH), dtype=bool)
    cells[top : top + height, left : left + width] = True
    return cells


def test_what_is_explored_is_there_and_all_else_is_rock() -> None:
    cells = explored(0, 0, 6, 5)
    shown = masked(FULL, cells)
    for y in range(HEIGHT):
        for x in range(WIDTH):
            assert shown.terrain(x, y) == (FULL.terrain(x, y) if cells[y, x] else Terrain.ROCK)
            assert shown.elevation(x, y) == (3 if cells[y, x] else 0)
    assert [room.id for room in shown.rooms] == ["room-1"]
    assert [door.id for door in shown.doors] == ["door-1"]
    assert [one.id for one in shown.stairs] == ["stairs-1"]
    assert [one.id for one in shown.lights] == ["light-1"]
    assert [one.id for one in shown.props] == ["prop-1"]
    assert [one.id for one in shown.zones] == ["start-heroes"]
    assert [one.id for one in shown.notes] == ["note-1"]
    assert (shown.traps, shown.passages, shown.goal, shown.entrance) == ((), (), None, (1, 1))
    assert shown.walls == (Wall(((2.0, 1.0), (2.0, 3.0), (6.0, 3.0))),)


def test_rooms_and_zones_are_cut_to_what_was_explored_of_them() -> None:
    shown = masked(FULL, explored(3, 2, 1, 4) | explored(2, 3, 1, 1))
    (room,) = shown.rooms
    assert (room.x, room.y, room.width, room.height) == (2, 2, 2, 2)
    assert room.rows == ((2, 3, 4), (3, 2, 4))
    assert [(zone.id, zone.spans) for zone in shown.zones] == [("start-heroes", ((2, 3, 4),))]
    assert shown.entrance is None


def test_a_room_all_explored_stays_as_it_is() -> None:
    assert masked(FULL, explored(0, 0, 6, 5)).rooms == for_players(FULL).rooms[:1]


def test_a_passage_is_told_when_its_rooms_and_doors_are_known() -> None:
    both = explored(1, 1, 4, 3) | explored(6, 1, 5, 3)
    assert [way.doors for way in masked(FULL, both | explored(5, 2, 1, 1)).passages] == [("door-1",)]
    assert masked(FULL, both).passages == ()
    assert masked(FULL, explored(1, 1, 5, 3)).passages == ()


def test_secrets_stay_secret_where_the_whole_map_is_explored() -> None:
    everywhere = explored(0, 0, WIDTH, HEIGHT)
    assert masked(MODEL, everywhere) == for_players(MODEL)
    assert masked(MODEL, everywhere, {"door-3"}) == for_players(MODEL, {"door-3"})
    assert masked(MODEL, everywhere).terrain(5, 6) == Terrain.ROCK


def test_nothing_is_left_where_nothing_is_explored() -> None:
    shown = masked(FULL, bytes(WIDTH * HEIGHT))
    assert set(shown.cells) == {Terrain.ROCK}
    sections = ("rooms", "passages", "doors", "walls", "traps", "stairs", "lights", "props", "zones", "notes")
    assert all(getattr(shown, name) == () for name in sections)
    assert (shown.seed, shown.entrance, shown.goal) == (0, None, None)


@settings(max_examples=60)
@given(st.integers(0, 2 ** (WIDTH * HEIGHT) - 1), st.booleans())
def test_a_masked_map_depends_on_explored_cells_alone_and_is_a_map(bits: int, found: bool) -> None:
    cells = bytes((bits >> place) & 1 for place in range(WIDTH * HEIGHT))
    doors = {"door-3"} if found else set()
    shown = masked(FULL, cells, doors)
    # Whatever the terrain is elsewhere, and whatever height it has, the players' map is the same.
    others = bytes(old if seen else Terrain.LAVA for old, seen in zip(FULL.cells, cells, strict=True))
    heights = bytes(3 if seen else 9 for seen in cells)
    assert masked(replace(FULL, cells=others, heights=heights), cells, doors).cells == shown.cells
    assert masked(replace(FULL, cells=others, heights=heights), cells, doors).heights == shown.heights

    assert from_data(json.loads(to_bytes(shown))) == shown


Line = tuple[tuple[float, float], ...]

WALLS: tuple[tuple[Line, np.ndarray, list[Line]], ...] = (
    # A wall, what is explored, and the parts of it that are seen.
    (((3.0, 0.0), (3.0, 8.0)), explored(2, 2, 1, 2), [((3.0, 2.0), (3.0, 4.0))]),
    (((3.0, 0.0), (3.0, 8.0)), explored(3, 2, 1, 2), [((3.0, 2.0), (3.0, 4.0))]),
    (((3.0, 8.0), (3.0, 0.0)), explored(3, 2, 1, 2), [((3.0, 4.0), (3.0, 2.0))]),
    (((3.0, 0.0), (3.0, 8.0)), explored(5, 2, 1, 2), []),
    (
        ((3.0, 0.0), (3.0, 8.0)),
        explored(3, 1, 1, 1) | explored(2, 5, 1, 1),
        [((3.0, 1.0), (3.0, 2.0)), ((3.0, 5.0), (3.0, 6.0))],
    ),
    (((0.0, 0.0), (4.0, 4.0)), explored(1, 1, 2, 2), [((1.0, 1.0), (3.0, 3.0))]),
    (((0.5, 2.5), (4.5, 2.5)), explored(2, 2, 1, 1), [((2.0, 2.5), (3.0, 2.5))]),
    (((2.5, 2.25), (2.5, 2.25), (2.5, 2.75)), explored(2, 2, 1, 1), [((2.5, 2.25), (2.5, 2.75))]),
    (((12.0, 0.0), (12.0, 8.0)), explored(11, 0, 1, 8), [((12.0, 0.0), (12.0, 8.0))]),
    (
        ((1.0, 1.0), (4.0, 1.0), (4.0, 3.0), (1.0, 3.0)),
        explored(3, 1, 1, 2),
        [((3.0, 1.0), (4.0, 1.0), (4.0, 3.0), (3.0, 3.0))],
    ),
)


@pytest.mark.parametrize(("points", "cells", "seen"), WALLS)
def test_thin_walls_are_cut_to_where_a_cell_beside_them_is_explored(
    points: Line, cells: np.ndarray, seen: list[Line]
) -> None:
    shown = masked(replace(MODEL, walls=(Wall(points),)), cells)
    assert [wall.points for wall in shown.walls] == seen


@pytest.mark.parametrize(
    ("edge", "axis", "sides"),
    [
        ("n", Axis.NORTH_SOUTH, [(8, 1), (8, 2)]),
        ("s", Axis.NORTH_SOUTH, [(8, 2), (8, 3)]),
        ("w", Axis.EAST_WEST, [(7, 2), (8, 2)]),
        ("e", Axis.EAST_WEST, [(8, 2), (9, 2)]),
    ],
)
def test_a_door_in_an_edge_is_seen_from_both_sides(
    edge: str, axis: Axis, sides: list[tuple[int, int]]
) -> None:
    model: GridMap = replace(MODEL, doors=(Door("door-9", (8, 2), axis, edge=edge),))
    for x in range(WIDTH):
        for y in range(HEIGHT):
            shown = masked(model, explored(x, y, 1, 1)).doors
            assert bool(shown) == ((x, y) in sides)


def test_a_wide_door_is_seen_in_any_of_its_cells() -> None:
    wide = Door("door-9", (8, 2), Axis.NORTH_SOUTH, span=2)
    model = replace(MODEL, doors=(wide,))
    seen = {(x, y) for x in range(WIDTH) for y in range(HEIGHT) if masked(model, explored(x, y, 1, 1)).doors}
    assert seen == {(8, 2), (9, 2)}


def test_a_played_map_has_its_doors_and_lights_as_they_are_now() -> None:
    state = done(stage(), SetDoor("door-1", DoorState.OPEN))
    state = done(state, PutLight(Spot(2.5, 2.5), 2, 4), new_id="brazier")
    played = as_played(FULL, state)
    assert {door.id: door.state for door in played.doors} == {
        "door-1": DoorState.OPEN,
        "door-2": DoorState.LOCKED,
        "door-3": DoorState.CLOSED,
        "door-4": DoorState.OPEN,
    }
    assert [light.id for light in played.lights] == ["light-1", "light-2", "brazier"]
    assert as_played(FULL, stage()) == FULL


def test_a_hidden_tokens_torch_is_not_in_the_players_picture() -> None:
    torch = CarriedLight(2, 4)
    state = stage(FogMode.FOGGED)
    state = done(state, PutToken("Spy", Spot(8, 2), light=torch, layer=Layer.GM), new_id="spy")
    state = looked(done(state, PutToken("Bandit", Spot(8, 2), light=torch), new_id="bandit"))
    ground = StageGround(state)
    shown = view(state, ANN, ground, seen_now(state, ANN, ground.see))
    assert as_played(FULL, shown).lights == FULL.lights


def test_the_doors_that_were_found() -> None:
    state = done(done(stage(), FindDoor("door-3")), SetDoor("door-1", DoorState.OPEN))
    assert found_doors(state) == {"door-3"}
    assert found_doors(stage()) == frozenset()
