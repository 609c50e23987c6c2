"""Doors of stored maps in scenes of DungeonTeller, as the game master sets them."""

from typing import Any

import pytest

from services.rules.engine.ground.kinds import Door, DoorState
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.squares import Square
from services.rules.engine.map_now import map_now
from services.rules.engine.play import GM, CastMember, Viewer
from services.rules.engine.position import Position, Taken
from services.rules.engine.problem import Problems
from services.rules.engine.registry import systems
from services.rules.engine.site import Site, SiteDoor
from services.rules.systems.dungeonteller.play.facts import DoorSet
from services.rules.systems.dungeonteller.play.moves import Go, SetDoor
from services.rules.systems.dungeonteller.play.setup.document import Setup
from tests.rules.test_scene_fog import BEFORE_THE_DOOR, FAR, high, site

GAME = systems()["dungeonteller"]
PLAY: Any = GAME.play
HERO = "chr-wizard"
EYES = Viewer(actors=frozenset({HERO}))
SECRET_HUNG = Site(
    title="The shed",
    ground=Ground.drawn(
        "......",
        "......",
        doors=tuple(Door(f"door-{y}", edges=((Square(2, y), Square(3, y)),)) for y in range(2)),
    ),
    doors=(SiteDoor(id="door-0", name="a panel", secret=True), SiteDoor(id="door-1", name="a hatch")),
    heroes=(Square(2, 0),),
    foes=(Square(5, 1),),
)


def begun(where: Site) -> Position:
    """A scene of one hero there."""
    laid = PLAY.laid_out(Setup(title="The cellar"), where)
    hero = CastMember(id=HERO, sheet=GAME.build(GAME.examples["wizard"], GAME.content))
    return Position(PLAY, PLAY.begin(laid, (hero,)))


def set_(at: Position, door: str, state: DoorState) -> Taken:
    """The door set so."""
    taken = at.take(SetDoor(actor=GM, door=door, state=state), 1, high)
    assert isinstance(taken, Taken), taken
    return taken


def stands(at: Position) -> dict[str, DoorState]:
    """The doors that the map is told of."""
    told = map_now(PLAY, at.state)
    assert told is not None
    return {door.id: door.state for door in told.doors}


def walks(at: Position, to: Square) -> bool:
    """Whether the hero may go there, by what is so and by what it knows."""
    refused = at.refusal(Go(actor=HERO, to=to), EYES)
    return refused is None and isinstance(at.take(Go(actor=HERO, to=to), 1, high), Taken)


@pytest.mark.parametrize("fog", [True, False])
def test_a_secret_door_is_found_by_being_set_and_is_walked_through(fog: bool) -> None:
    at = begun(site(heroes=(Square(3, 5), FAR), fog=fog))
    assert stands(at) == {} and not walks(at, Square(4, 5))
    found = set_(at, "door-2", DoorState.LOCKED).position
    assert stands(found) == {"door-2": DoorState.LOCKED} and not walks(found, Square(4, 5))
    seen = PLAY.view(found.state, EYES)
    assert "a panel" in [thing.name for thing in seen.things] and seen.field.map_doors == ()
    opened = set_(found, "door-2", DoorState.OPEN).position
    assert stands(opened) == {"door-2": DoorState.OPEN} and walks(opened, Square(4, 5))
    shut = set_(opened, "door-2", DoorState.CLOSED).position
    assert stands(shut) == {"door-2": DoorState.CLOSED} and not walks(shut, Square(4, 5))


def test_a_door_that_stood_open_is_shut() -> None:
    shut = set_(begun(site(heroes=(BEFORE_THE_DOOR, FAR))), "door-1", DoorState.CLOSED).position
    assert stands(shut) == {"door-1": DoorState.CLOSED} and not walks(shut, Square(5, 3))


def test_doors_that_hang_on_edges_are_set_and_found_likewise() -> None:
    at = begun(SECRET_HUNG)
    assert stands(at) == {"door-1": DoorState.CLOSED} and not walks(at, Square(4, 0))
    found = set_(at, "door-0", DoorState.OPEN).position
    assert stands(found) == {"door-1": DoorState.CLOSED, "door-0": DoorState.OPEN}
    assert walks(found, Square(4, 0))
    shut = set_(found, "door-0", DoorState.CLOSED).position
    assert stands(shut)["door-0"] is DoorState.CLOSED and not walks(shut, Square(4, 0))


def test_what_players_do_not_know_of_a_door_is_told_to_the_game_master_alone() -> None:
    at = begun(site(heroes=(BEFORE_THE_DOOR, FAR)))
    locked = set_(at, "door-1", DoorState.LOCKED)
    seen = [PLAY.sees(fact, EYES) for fact in locked.events if isinstance(fact, DoorSet)]
    assert [None if fact is None else fact.state for fact in seen] == [DoorState.CLOSED, None]
    again = set_(locked.position, "door-1", DoorState.CLOSED)
    assert [PLAY.sees(fact, EYES) for fact in again.events if isinstance(fact, DoorSet)] == [None]


def test_doors_are_set_by_the_game_master_and_not_onto_who_stands_in_them() -> None:
    inside = begun(site(heroes=(Square(4, 3), FAR)))
    for move, code in (
        (SetDoor(actor=GM, door="door-1", state=DoorState.CLOSED), "door_blocked"),
        (SetDoor(actor=GM, door="door-1", state=DoorState.OPEN), "door_stands_so"),
        (SetDoor(actor=GM, door="door-9", state=DoorState.OPEN), "door_unknown"),
        (SetDoor(actor=HERO, door="door-2", state=DoorState.OPEN), "not_yours"),
    ):
        refused = inside.take(move, 1, high)
        assert isinstance(refused, Problems) and [one.code for one in refused] == [code]
    offers = {one.id for one in inside.legal(GM, Viewer(gm=True)) if one.id.startswith("door:")}
    assert offers == {"door:door-2:open", "door:door-2:closed", "door:door-2:locked"}
