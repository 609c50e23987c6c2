"""Doors in fights of Forge Engine: opened and shut beside them, and set by the game master."""

from collections.abc import Mapping
from typing import Any

import pytest

from services.rules.engine.ground.kinds import Door, DoorState
from services.rules.engine.ground.squares import Square
from services.rules.engine.map_now import map_now
from services.rules.engine.play import GM, Viewer
from services.rules.engine.position import Position, Taken
from services.rules.engine.problem import Problems
from services.rules.systems.forge_engine.play.facts import DoorFound, DoorSet, DoorStuck
from services.rules.systems.forge_engine.play.moves import BeginFight, Minor, MinorUse, SetDoor, Walk
from services.rules.systems.forge_engine.play.scene import PLAY
from services.rules.systems.forge_engine.play.state import Fight
from tests.rules.test_scene_fog import (
    BEFORE_THE_DOOR,
    BEYOND,
    FAR,
    IN_THE_CORNER,
    ONE,
    OTHER,
    cellar,
    high,
    player,
    seen_by,
)


def doors(front: DoorState) -> tuple[Door, ...]:
    """The door between the rooms of the cellar as it stands, and the secret one, which is locked."""
    return (
        Door("door-1", (Square(4, 3),), state=front),
        Door("door-2", (Square(4, 5),), state=DoorState.LOCKED),
    )


def begun(front: DoorState, at: Mapping[str, Square], **more: Any) -> Position:
    """A fight in the cellar, whose first turn has begun."""
    fight = cellar(
        *(who.removeprefix("chr-") for who in at), at=at, front=doors(front), **{"fog": True, **more}
    )
    taken = Position(PLAY, fight).take(BeginFight(actor=GM), 1, high)
    assert isinstance(taken, Taken)
    return taken.position


def made(at: Position, move: Any) -> Taken:
    """The move, taken."""
    taken = at.take(move, 2, high)
    assert isinstance(taken, Taken), taken
    return taken


def refused(at: Position, move: Any) -> list[str]:
    """The rules that it breaks."""
    taken = at.take(move, 2, high)
    assert isinstance(taken, Problems), taken
    return [one.code for one in taken]


def use(door: str = "door-1", who: str = ONE) -> Minor:
    """The minor action on a door."""
    return Minor(actor=who, use=MinorUse.DOOR, item=door)


def stands(fight: Fight) -> dict[str, DoorState]:
    """How the doors that the scene knows of stand, the same on the map that it leads."""
    assert fight.ground is not None
    told = map_now(PLAY, fight)
    found = {door.id: door.state for door in fight.ground.doors}
    assert told is not None and {door.id: door.state for door in told.doors} == found
    return found


def offered(at: Position, viewer: Viewer, who: str = ONE) -> set[str]:
    """The offers about doors."""
    return {one.id for one in at.legal(who, viewer) if one.id.startswith(("minor:door:", "door:"))}


def test_a_door_opens_in_a_minor_action_and_what_is_behind_is_seen() -> None:
    at = begun(DoorState.CLOSED, {ONE: BEFORE_THE_DOOR})
    assert seen_by(at.state, player(ONE)) == {ONE}
    assert offered(at, player(ONE)) == {"minor:door:door-1"}
    energy = at.state.find(ONE).energy
    opened = made(at, use())
    after = opened.position.state
    assert stands(after) == {"door-1": DoorState.OPEN}
    assert after.find(ONE).energy == energy and after.find(ONE).minors == 1
    assert seen_by(after, player(ONE)) == {ONE, "foe-1"}
    assert after.find("foe-1").at == BEYOND
    made(opened.position, Walk(actor=ONE, to=Square(4, 3)))
    # A further minor action of the turn costs 1.
    shut = made(opened.position, use()).position.state
    assert stands(shut) == {"door-1": DoorState.CLOSED} and shut.find(ONE).energy == energy - 1


def test_a_door_that_nobody_stands_beside_or_knows_of_is_refused_alike() -> None:
    at = begun(DoorState.CLOSED, {ONE: FAR})
    assert offered(at, player(ONE)) == set()
    problems = [at.take(use(door), 2, high) for door in ("door-1", "door-2", "no-door")]
    assert all(isinstance(one, Problems) for one in problems)
    told = [(one.code, one.message, one.allowed) for each in problems for one in each]  # type: ignore[union-attr]
    assert len(told) == 3 and len(set(told)) == 1


def test_a_locked_door_is_found_out_by_trying() -> None:
    closed, locked = (begun(state, {ONE: BEFORE_THE_DOOR}) for state in (DoorState.CLOSED, DoorState.LOCKED))
    assert closed.legal(ONE, player(ONE)) == locked.legal(ONE, player(ONE))
    tried = made(locked, use())
    assert any(isinstance(fact, DoorStuck) for fact in tried.events)
    assert stands(tried.position.state) == {"door-1": DoorState.LOCKED}
    assert tried.position.state.find(ONE).minors == 1


def test_a_door_is_not_shut_on_who_stands_in_it() -> None:
    at = begun(DoorState.OPEN, {ONE: BEFORE_THE_DOOR})
    inside = made(at, Walk(actor=ONE, to=Square(4, 3))).position
    assert any(isinstance(fact, DoorStuck) for fact in made(inside, use()).events)
    assert refused(inside, SetDoor(actor=GM, door="door-1", state=DoorState.CLOSED)) == ["door_blocked"]


def test_the_game_master_finds_a_secret_door_and_opens_it() -> None:
    at = begun(DoorState.CLOSED, {ONE: Square(3, 5)})
    assert offered(at, player(ONE)) == set()
    assert offered(at, Viewer(gm=True), GM) >= {"door:door-2:open", "door:door-2:locked"}
    found = made(at, SetDoor(actor=GM, door="door-2", state=DoorState.LOCKED))
    assert [type(fact) for fact in found.events][:1] == [DoorFound]
    assert stands(found.position.state)["door-2"] is DoorState.LOCKED
    assert offered(found.position, player(ONE)) == {"minor:door:door-2"}
    view = PLAY.view(found.position.state, player(ONE))
    assert view.ground is not None
    assert {door.id: door.state for door in view.ground.doors}["door-2"] is DoorState.CLOSED
    opened = made(found.position, SetDoor(actor=GM, door="door-2", state=DoorState.OPEN)).position
    walked = made(opened, Walk(actor=ONE, to=Square(5, 5))).position.state
    assert walked.find(ONE).at == Square(5, 5)
    assert refused(opened, SetDoor(actor=GM, door="door-2", state=DoorState.OPEN)) == ["door_stands_so"]


def test_that_a_door_was_locked_or_stands_in_the_fog_is_told_to_no_player() -> None:
    at = begun(DoorState.OPEN, {ONE: BEFORE_THE_DOOR})
    locked = made(at, SetDoor(actor=GM, door="door-1", state=DoorState.LOCKED))
    seen = [PLAY.sees(fact, player(ONE)) for fact in locked.events if isinstance(fact, DoorSet)]
    told = [fact.state if isinstance(fact, DoorSet) else None for fact in seen]
    assert told == [DoorState.CLOSED, None]
    apart = begun(DoorState.CLOSED, {ONE: BEFORE_THE_DOOR, OTHER: IN_THE_CORNER}, shared=False)
    hidden = made(apart, SetDoor(actor=GM, door="door-2", state=DoorState.OPEN))
    for fact in hidden.events:
        assert (PLAY.sees(fact, player()) is None) is isinstance(fact, DoorFound | DoorSet)


@pytest.mark.parametrize("who", [ONE, GM])
def test_setting_doors_is_the_game_masters_and_minor_actions_are_not(who: str) -> None:
    at = begun(DoorState.CLOSED, {ONE: BEFORE_THE_DOOR})
    move = SetDoor(actor=ONE, door="door-1", state=DoorState.OPEN) if who == ONE else use(who=GM)
    assert refused(at, move) == ["not_yours"]
