"""Doors: opened and shut in a minor action, and set by the game master (General Actions / Minor Action)."""

from __future__ import annotations

from services.rules.engine.ground.kinds import Door, DoorState
from services.rules.engine.play import EVERYONE, GM_ONLY, Audience
from services.rules.engine.steps import Steps, refuse
from services.rules.systems.forge_engine.play.doors import (
    door_of,
    doors_beside,
    in_the_way,
    is_open,
    name_of,
    secret_doors,
    who_knows,
)
from services.rules.systems.forge_engine.play.facts import DoorFound, DoorSet, DoorStuck
from services.rules.systems.forge_engine.play.moves import SetDoor
from services.rules.systems.forge_engine.play.rules.energy import FightTurn
from services.rules.systems.forge_engine.play.state import Combatant, Fight

DOORS = "General Actions / Minor Action: doors"


def check_door(fight: Fight, one: Combatant, id: str) -> str:
    """Refuses a door that a combatant does not know of or does not stand beside; returns its name."""
    beside = tuple(door.id for door in doors_beside(fight, one))
    if id not in beside:
        refuse("no_such_door", "There is no such door in reach.", DOORS, ("item",), id, beside)
    return name_of(fight, id)


def who_knows_door(fight: Fight, id: str) -> Audience:
    """Who knows of a door; everyone, where no grid has it."""
    door = door_of(fight, id)
    return EVERYONE if door is None else who_knows(fight, door)


def use_door(turn: FightTurn, one: Combatant, id: str) -> None:
    """Opens a shut door or shuts an open one; one that is locked or blocked stays as it is."""
    door = door_of(turn.state, id)
    assert door is not None
    known, name = who_knows(turn.state, door), name_of(turn.state, id)
    if door.state is DoorState.LOCKED or (is_open(door) and in_the_way(turn.state, door)):
        turn.happen(DoorStuck(who=one.id, door=id, name=name, audience=known))
        return
    state = DoorState.CLOSED if is_open(door) else DoorState.OPEN
    turn.happen(DoorSet(door=id, name=name, state=state, audience=known))


def set_door(turn: FightTurn, move: SetDoor) -> Steps:
    """Sets any door of the grid; that a shut one is locked or unlocked is for the game master alone."""
    fight = turn.state
    door = door_of(fight, move.door)
    if door is None:
        doors = () if fight.ground is None else (*fight.ground.doors, *secret_doors(fight))
        ids = tuple(each.id for each in doors if each.shut.flags)
        refuse("no_such_door", "There is no such door.", DOORS, ("door",), move.door, ids)
    secret = door in secret_doors(fight)
    if door.state is move.state and not secret:
        text = f"The door is {move.state.value} already."
        refuse("door_stands_so", text, DOORS, ("state",), move.state.value)
    if is_open(door) and move.state is not DoorState.OPEN and in_the_way(fight, door):
        refuse("door_blocked", "Somebody stands in the door.", DOORS, ("door",), move.door)
    if secret:
        turn.happen(DoorFound(door=door.id, audience=who_knows(fight, door)))
    _set(turn, door, move.state)
    yield from ()


def _set(turn: FightTurn, door: Door, state: DoorState) -> None:
    known, name = who_knows(turn.state, door), name_of(turn.state, door.id)
    now = door.state
    if is_open(door) and state is DoorState.LOCKED:
        turn.happen(DoorSet(door=door.id, name=name, state=DoorState.CLOSED, audience=known))
        now = DoorState.CLOSED
    if now is not state:
        seen = known if DoorState.OPEN in (now, state) else GM_ONLY
        turn.happen(DoorSet(door=door.id, name=name, state=state, audience=seen))
