"""The stage that the tests of play share, and how tokens walk on it.

Four rooms: a wooden door from west to east in the north, a locked one from north to south in the east, and a
secret one that leads to the room in the south-west.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from services.map.generation.grid.model import (
    Axis,
    Door,
    DoorKind,
    DoorState,
    GridKind,
    GridMap,
    Passage,
    Room,
    RoomRole,
)
from services.map.generation.grid.terrain import Terrain
from services.map.play.apply import apply
from services.map.play.changes import Applied
from services.map.play.edits import (
    CellArea,
    CellRectangle,
    Edit,
    MoveToken,
    PutToken,
    Reveal,
    SetDoor,
    SetFog,
)
from services.map.play.rights import Editor, Role
from services.map.play.sight import explore, look_around, seen_along
from services.map.play.state import DoorPlay, FogMode, MapState, Sight, Spot, Token, begin, find
from services.rules.engine.grid import Grid, Square, distance, sees
from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.steps import step_cost
from services.rules.engine.ground.walking import way
from services.rules.engine.problem import Problems

PLAN = (
    "############",
    "#....#.....#",
    "#....+.....#",
    "#....#.....#",
    "######L#####",
    "#....#.....#",
    "#....s.....#",
    "############",
)
WIDTH, HEIGHT = len(PLAN[0]), len(PLAN)

GM = Editor("account-gm", Role.GM)
ANN = Editor("account-ann", Role.PLAYER)
BOB = Editor("account-bob", Role.PLAYER)
EVE = Editor("account-eve", Role.SPECTATOR)
EVERYONE = (GM, ANN, BOB, EVE)

MODEL = GridMap(
    kind=GridKind.DUNGEON,
    generator_version=1,
    seed=7,
    attempt=0,
    title="Four Rooms",
    theme="crypt",
    width=WIDTH,
    height=HEIGHT,
    cells=bytes(Terrain.WALL if sign == "#" else Terrain.FLOOR for row in PLAN for sign in row),
    rooms=(
        Room("room-1", 1, 1, 1, 4, 3, "Hall", RoomRole.ENTRANCE),
        Room("room-2", 2, 6, 1, 5, 3, "Kitchen"),
        Room("room-3", 3, 6, 5, 5, 2, "Cellar"),
        Room("room-4", 4, 1, 5, 4, 2, "Vault", RoomRole.SECRET),
    ),
    passages=(
        Passage("room-1", "room-2", ("door-1",)),
        Passage("room-2", "room-3", ("door-2",)),
        Passage("room-3", "room-4", ("door-3",), secret=True),
    ),
    doors=(
        Door("door-1", (5, 2), Axis.EAST_WEST),
        Door("door-2", (6, 4), Axis.NORTH_SOUTH, DoorKind.IRON, DoorState.LOCKED),
        Door("door-3", (5, 6), Axis.EAST_WEST, DoorKind.SECRET),
        Door("door-4", (8, 3), Axis.EAST_WEST, DoorKind.ARCH, DoorState.OPEN),
    ),
    entrance=(1, 1),
    goal=(1, 6),
)


class StageGround:
    """The ground of the stage, with its doors as a state has them."""

    def __init__(self, state: MapState) -> None:
        self._doors = {door.id: door for door in MODEL.doors}
        shut = set()
        for door in MODEL.doors:
            play = find(state, "doors", door.id)
            stands = (isinstance(play, DoorPlay) and play.state) or door.state
            if stands is not DoorState.OPEN:
                shut.add(Square(*door.at))
        walls = {Square(x, y) for y, row in enumerate(PLAN) for x, sign in enumerate(row) if sign == "#"}
        self.grid = Grid(WIDTH, HEIGHT, tuple(sorted(walls | shut)))

    def can_step(self, start: tuple[int, int], to: tuple[int, int], size: int) -> bool:
        """Whether a footprint can go to a neighbouring cell."""
        return step_cost(self.grid.ground, Square(*start), Square(*to), size) is not None

    def way(
        self, start: tuple[int, int], goal: tuple[int, int], size: int
    ) -> tuple[tuple[int, int], ...] | None:
        """A shortest way of a footprint without its start."""
        found = way(self.grid.ground, Footprint(Square(*start), size), Square(*goal))
        return None if found is None else tuple((square.x, square.y) for square in found)

    def door(self, id: str) -> Door | None:
        """A door of the map."""
        return self._doors.get(id)

    def see(self, x: int, y: int, radius: float) -> np.ndarray:
        """What can be seen from a cell, walls that one looks at included."""
        eye = Square(x, y)
        return np.array(
            [
                [
                    distance(eye, to := Square(column, row)) <= radius and sees(self.grid, eye, to)
                    for column in range(WIDTH)
                ]
                for row in range(HEIGHT)
            ]
        )


def tried(state: MapState, edit: Edit, editor: Editor = GM, new_id: str = "new") -> Applied | Problems:
    """Makes an edit on the stage, or says why not."""
    return apply(state, edit, editor, StageGround(state), new_id)


def done(state: MapState, edit: Edit, editor: Editor = GM, new_id: str = "new") -> MapState:
    """The state after an edit that must be allowed."""
    applied = tried(state, edit, editor, new_id)
    assert isinstance(applied, Applied), str(applied)
    return applied.state


def codes(state: MapState, edit: Edit, editor: Editor = GM) -> tuple[str, ...]:
    """The codes of all that is wrong with an edit; none when it is allowed."""
    applied = tried(state, edit, editor)
    return applied.codes if isinstance(applied, Problems) else ()


def paths(state: MapState, edit: Edit, editor: Editor = GM) -> set[tuple[str | int, ...]]:
    """Where something is wrong with an edit."""
    applied = tried(state, edit, editor)
    assert isinstance(applied, Problems)
    return {problem.path for problem in applied}


def stage(mode: FogMode = FogMode.OPEN, shared: bool = True) -> MapState:
    """Ann's token in the north-west, Bob's in the south-east, an ogre of nobody's in the kitchen."""
    state = begin(WIDTH, HEIGHT, cells=True)
    state = done(state, SetFog(mode, shared))
    ann = PutToken("Ann's elf", Spot(1, 1), owners=(ANN.account,), sight=Sight())
    bob = PutToken("Bob's dwarf", Spot(8, 5), owners=(BOB.account,), sight=Sight())
    state = done(state, ann, new_id="elf")
    state = done(state, bob, new_id="dwarf")
    return done(state, PutToken("Ogre", Spot(9, 1)), new_id="ogre")


def looked(state: MapState) -> MapState:
    """The state after all have looked around."""
    return look_around(state, StageGround(state).see).state


def at(state: MapState, id: str) -> tuple[float, float]:
    """Where a token stands."""
    token = find(state, "tokens", id)
    assert isinstance(token, Token)
    return token.at.x, token.at.y


def test_a_player_walks_a_shortest_way_that_is_found_for_them() -> None:
    applied = tried(stage(), MoveToken("elf", Spot(4, 3)), ANN)
    assert isinstance(applied, Applied)
    assert at(applied.state, "elf") == (4, 3)
    assert len(applied.way) == 3 and applied.way[-1] == (4, 3)
    assert applied.id == "elf"


def test_a_player_walks_the_way_they_name() -> None:
    way_round = (Square(1, 2), Square(1, 3), Square(2, 3), Square(3, 3))
    applied = tried(stage(), MoveToken("elf", Spot(3, 3), way_round), ANN)
    assert isinstance(applied, Applied)
    assert applied.way == ((1, 2), (1, 3), (2, 3), (3, 3))


@pytest.mark.parametrize(
    ("way_there", "wrong"),
    [
        (((2, 1), (2, 0)), 1),
        (((3, 1),), 0),
        (((1, 1),), 0),
        (((2, 2), (3, 2), (4, 2), (5, 2), (6, 2)), 3),
    ],
)
def test_no_player_walks_through_walls_shut_doors_or_leaps(
    way_there: tuple[tuple[int, int], ...], wrong: int
) -> None:
    squares = tuple(Square(*cell) for cell in way_there)
    move = MoveToken("elf", Spot(*way_there[-1]), squares)
    assert codes(stage(), move, ANN) == ("map_way_blocked",)
    assert paths(stage(), move, ANN) == {("way", wrong)}


def test_a_shut_door_is_a_wall_until_it_is_opened() -> None:
    state = stage()
    assert codes(state, MoveToken("elf", Spot(7, 2)), ANN) == ("map_way_blocked",)
    state = done(state, MoveToken("elf", Spot(4, 2)), ANN)
    state = done(state, SetDoor("door-1", DoorState.OPEN), ANN)
    assert at(done(state, MoveToken("elf", Spot(7, 2)), ANN), "elf") == (7, 2)


def test_the_game_master_puts_a_token_anywhere() -> None:
    applied = tried(stage(), MoveToken("elf", Spot(0, 0)), GM)
    assert isinstance(applied, Applied)
    assert at(applied.state, "elf") == (0, 0)
    assert applied.way == ((0, 0),)


def test_a_large_token_walks_with_all_of_its_cells() -> None:
    state = done(stage(), PutToken("Troll", Spot(1, 1), size=2, owners=(ANN.account,)), new_id="troll")
    state = done(state, SetDoor("door-1", DoorState.OPEN))
    assert at(done(state, MoveToken("troll", Spot(3, 2)), ANN), "troll") == (3, 2)
    assert codes(state, MoveToken("troll", Spot(4, 2)), ANN) == ("map_way_blocked",)
    assert codes(state, MoveToken("troll", Spot(7, 2)), ANN) == ("map_way_blocked",)


def test_a_large_token_takes_a_wider_way_round_when_the_shortest_is_too_narrow() -> None:
    class Hall(StageGround):
        """One hall with a pillar in the straight way of something large."""

        def __init__(self, state: MapState) -> None:
            super().__init__(state)
            self.grid = Grid(12, 8, (Square(5, 3),))

    state = done(stage(), PutToken("Troll", Spot(1, 2), size=2, owners=(ANN.account,)), new_id="troll")
    applied = apply(state, MoveToken("troll", Spot(9, 2)), ANN, Hall(state))
    assert isinstance(applied, Applied)
    assert applied.way[-1] == (9, 2) and len(applied.way) == 8
    entered = {(x + dx, y + dy) for x, y in applied.way for dx in (0, 1) for dy in (0, 1)}
    assert (5, 3) not in entered


def test_to_stay_is_allowed_and_changes_nothing() -> None:
    state = stage()
    applied = tried(state, MoveToken("elf", Spot(1, 1)), ANN)
    assert isinstance(applied, Applied)
    assert (applied.state, applied.changes, applied.way) == (state, (), ())


def test_under_fog_a_way_enters_the_unknown_with_its_last_step_only() -> None:
    state = done(stage(FogMode.FOGGED), Reveal(CellArea(CellRectangle(1, 1, 2, 2))))
    assert at(done(state, MoveToken("elf", Spot(3, 2)), ANN), "elf") == (3, 2)
    # Beyond, the same words tell of floor and of wall.
    floor, wall = MoveToken("elf", Spot(4, 2)), MoveToken("elf", Spot(5, 1))
    assert tried(state, floor, ANN) == tried(state, wall, ANN)
    assert codes(state, floor, ANN) == ("map_way_blocked",)
    into = (Square(2, 2), Square(3, 2), Square(4, 2))
    assert paths(state, MoveToken("elf", Spot(4, 2), into), ANN) == {("way", 1)}


def test_under_fog_a_known_way_is_taken_where_a_shorter_one_is_unknown() -> None:
    known_ring = [(x, y) for x in range(1, 5) for y in range(1, 4) if (x, y) not in {(2, 2), (3, 2)}]
    state = stage(FogMode.FOGGED)
    for x, y in known_ring:
        state = done(state, Reveal(CellArea(CellRectangle(x, y, 1, 1))))
    state = replace(state, tokens=tuple(replace(token, at=Spot(1, 2)) for token in state.tokens))
    applied = tried(state, MoveToken("elf", Spot(4, 2)), ANN)
    assert isinstance(applied, Applied)
    assert set(applied.way) <= set(known_ring) and len(applied.way) == 3


def test_what_is_seen_on_the_way_is_explored() -> None:
    state = looked(stage(FogMode.FOGGED))
    moved = tried(state, MoveToken("elf", Spot(4, 2)), GM)
    assert isinstance(moved, Applied)
    opened = done(moved.state, SetDoor("door-1", DoorState.OPEN), ANN)
    walked = tried(opened, MoveToken("elf", Spot(5, 2)), ANN)
    assert isinstance(walked, Applied)
    token = find(walked.state, "tokens", "elf")
    assert isinstance(token, Token)
    cells = seen_along(token, walked.way, walked.state.extent, StageGround(walked.state).see)
    after = explore(walked.state, token, cells)
    assert [change.section for change in after.changes] == ["explored"]
    assert at(done(after.state, MoveToken("elf", Spot(10, 2)), ANN), "elf") == (10, 2)
