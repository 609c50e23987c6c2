"""What a scene begins with on a stored map."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.map.board import Board
from services.map.generation.grid.model import Axis, Door, DoorKind, DoorState, GridMap, Light, Wall, Zone
from services.map.generation.grid.secrets import for_players
from services.map.ground.building import ground_of
from services.map.ground.sight import cover as map_cover
from services.map.ground.sight import sees as map_sees
from services.map.ground.walking import reach
from services.map.play.apply import with_explored
from services.map.play.state import (
    PARTY,
    CarriedLight,
    Fog,
    FogMode,
    Layer,
    LightSource,
    Spot,
    Token,
    begin,
)
from services.map.scene_site import site_document, site_of
from services.rules.engine.ground import fog, kinds, walking
from services.rules.engine.ground.cover import cover as rules_cover
from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.light import light_at
from services.rules.engine.ground.measure import FEET
from services.rules.engine.ground.sight import in_sight
from services.rules.engine.ground.squares import Square, edge
from services.rules.engine.site import SITE_CODEC, SiteDoor, SiteToken
from tests.map.ground_maps import SIDE, cells, cells_where, map_of, maps, thorough, unhurried, walkers

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


def squares(*cells: tuple[int, int]) -> tuple[Square, ...]:
    return tuple(Square(*cell) for cell in cells)


def test_a_scene_begins_with_the_ground_doors_lights_and_starts() -> None:
    site = site_of(PLAN, {})
    rim = {Square(x, y) for x in range(7) for y in range(4) if x in (0, 6) or y in (0, 3)}
    assert set(site.solid) == rim | {Square(2, 2)}
    assert site.ground.cells[7 * 1 + 5] == "m"
    assert site.ground.measure == FEET
    assert site.ground.ambient is kinds.Ambient.DIM
    assert site.ground.lamps == (kinds.Lamp("light-1", Square(1, 1), 2, 4),)
    assert site.ground.doors == (
        kinds.Door("door-1", squares((3, 2))),
        kinds.Door("door-2", edges=(edge(Square(2, 1), Square(2, 2)),), shut=kinds.CURTAIN),
        kinds.Door(
            "door-3",
            edges=(edge(Square(4, 1), Square(4, 2)),),
            shut=kinds.NOTHING,
            state=kinds.DoorState.OPEN,
        ),
        kinds.Door("door-4", squares((3, 1)), state=kinds.DoorState.LOCKED),
    )
    assert site.doors == (
        SiteDoor(id="door-1", name="a wooden door"),
        SiteDoor(id="door-2", name="a curtain"),
        SiteDoor(id="door-4", name="a secret door", secret=True),
    )
    assert site.foes == squares((4, 1), (5, 1), (4, 2))
    assert site.heroes == squares((1, 1), (2, 1), (1, 2))


def test_doors_stand_in_a_scene_as_they_stand_on_the_map_now() -> None:
    now = site_of(PLAN, {"door-1": DoorState.OPEN, "door-4": DoorState.CLOSED})
    states = [door.state.value for door in now.ground.doors]
    assert states == ["open", "closed", "open", "closed"]
    assert now.solid == site_of(PLAN, {}).solid


def test_a_scene_from_the_players_map_has_wall_where_the_secret_door_is() -> None:
    known = site_of(for_players(dataclasses.replace(PLAN, lights=())), {})
    assert Square(3, 1) in known.solid
    assert not any(door.secret for door in known.doors)


def test_tokens_stand_where_they_stand_and_fill_what_they_fill() -> None:
    troll = Token("token-1", "Troll", Spot(4.0, 1.0), 2, layer=Layer.GM)
    hero = Token("token-2", "Brunna", Spot(1.0, 1.0), character="chr_1")
    site = site_of(PLAN, {}, (troll, hero))
    assert site.tokens == (
        SiteToken(id="token-1", name="Troll", at=Footprint(Square(4, 1), 2), hidden=True),
        SiteToken(id="token-2", name="Brunna", at=Footprint(Square(1, 1)), character="chr_1"),
    )


@unhurried
@given(maps(heights=True))
def test_a_scene_walks_where_the_map_is_walked_and_keeps_it(plan: GridMap) -> None:
    site = SITE_CODEC.load(SITE_CODEC.dump(site_of(plan, {})))
    ground = ground_of(plan)
    solid = {(square.x, square.y) for square in site.solid}
    assert solid == cells_where(ground.paces == 0)
    free = {(x, y) for x in range(SIDE) for y in range(SIDE)} - solid
    for cell in sorted(free)[:1]:
        costs = reach(ground, cell, 2 * SIDE * SIDE)
        reached = walking.reach(site.ground, Footprint(Square(*cell))).costs()
        assert {(square.x, square.y): cost for square, cost in reached.items()} == {
            (x, y): 5 * int(costs[y, x]) for x, y in cells_where(costs >= 0)
        }


ROW = range(SIDE)
Torch = tuple[Spot, int, int]
"""Where a light is, how far it shines brightly, and how far at all."""
hung = st.builds(
    lambda at, kind, state, side: Door("door-1", at, Axis.EAST_WEST, kind, state, side),
    cells,
    st.sampled_from(DoorKind),
    st.sampled_from(DoorState),
    st.sampled_from([None, "e", "w"]),
)
torches = st.builds(
    lambda at, bright, dim: (Spot(float(at[0]), float(at[1])), bright, dim),
    cells,
    st.integers(0, 3),
    st.integers(1, 6),
)


@thorough
@given(maps(heights=True), hung, torches, torches, torches, walkers())
def test_a_scene_begins_on_a_ground_that_says_what_the_map_says(
    plan: GridMap, door: Door, own: Torch, put: Torch, borne: Torch, who: tuple[tuple[int, int], int]
) -> None:
    model = dataclasses.replace(
        plan, doors=(door,), ambient="dark", lights=(Light("light-1", (own[0].x, own[0].y), own[1], own[2]),)
    )
    (x, y), size = who
    bearer = Token("token-1", "Troll", Spot(float(x), float(y)), size, light=CarriedLight(borne[1], borne[2]))
    lamp = LightSource("light-2", put[0], put[1], put[2], "#ffffff", Layer.PLAYERS)
    state = dataclasses.replace(begin(SIDE, SIDE, cells=True), tokens=(bearer,), lights=(lamp,))
    board = Board(model, state)
    document = site_document("battle", board)
    assert document is not None
    site = SITE_CODEC.load(document)
    ground, footing = site.ground, board.footing
    assert footing is not None
    (token,) = site.tokens
    assert token.at == Footprint(Square(x, y), size) and token.lamp is not None
    # Walked as the map is walked, in feet.
    costs = reach(footing.ground, (x, y), 40, size=size)
    reached = walking.reach(ground, token.at, 200).costs()
    assert {(at.x, at.y): cost for at, cost in reached.items()} == {
        (column, row): 5 * int(costs[row, column]) for column, row in cells_where(costs >= 0)
    }
    # Lit as the map is lit, once the torch that is carried is lit too.
    lit = dataclasses.replace(ground, lamps=(*ground.lamps, token.lamp))
    assert [[light_at(lit, Square(column, row)) for column in ROW] for row in ROW] == board.levels.tolist()
    for column in ROW:
        there = Footprint(Square(column, SIDE - 1))
        assert in_sight(ground, token.at, there) == map_sees(footing.ground, token.at, there)
        assert rules_cover(ground, token.at, there) == map_cover(footing.ground, token.at, there)


@pytest.mark.parametrize("mode", FogMode)
def test_a_site_takes_the_fog_of_the_map_with_it(mode: FogMode) -> None:
    """Under fog, what the party has explored; nothing of a hidden map; on an open one there is no fog."""
    seen = np.zeros((PLAN.height, PLAN.width), bool)
    seen[1, 2] = seen[2, 1] = True
    state = dataclasses.replace(begin(PLAN.width, PLAN.height, cells=True), fog=Fog(mode))
    document = site_document("dungeon", Board(PLAN, with_explored(state, PARTY, seen)))
    assert document is not None
    site = SITE_CODEC.load(document)
    assert site.fog is (mode is not FogMode.OPEN)
    known = {
        Square(x, y)
        for y in range(PLAN.height)
        for x in range(PLAN.width)
        if fog.read(site.explored) & fog.bit_of(site.ground, Square(x, y))
    }
    assert known == (set(squares((2, 1), (1, 2))) if mode is FogMode.FOGGED else set())
