"""Doors and the notes of the keyed legend: what hangs where, what is locked, what is told of each room."""

from __future__ import annotations

from services.map.generation.grid.model import Axis, Door, DoorKind, DoorState, RoomRole
from services.map.kinds.dungeon.naming import DIRECTIONS, Words, door_name, room_hook, secret_note
from services.map.kinds.dungeon.outfit import Outfit
from services.map.kinds.dungeon.plan import Plan
from services.map.kinds.dungeon.roster import Roster
from services.map.kinds.dungeon.themes.model import Theme

_AJAR = 0.15
_LOCKED_TREASURE = 0.7


def make_doors(plan: Plan, theme: Theme, roster: Roster, choices: Words) -> tuple[Door, ...]:
    """Hangs the doors: by theme, secret ones where the plan says so, locked ones before treasure.

    The key of a locked door is in a room that is reached without it: only rooms with a single way in are
    locked, and no key is in one of them.
    """
    locked = _locked(plan, roster, choices)
    keepers = [
        room
        for room, role in enumerate(roster.roles)
        if role in (RoomRole.ORDINARY, RoomRole.GUARD, RoomRole.HUB, RoomRole.GOAL, RoomRole.DEAD_END)
    ]
    doors: list[Door] = []
    hang = doors.append
    axes = (Axis.EAST_WEST, Axis.NORTH_SOUTH)
    choice = choices.choice
    for index, (x, y, upright, secret) in enumerate(plan.doors.tolist()):
        note = ""
        if secret:
            kind, state, note = DoorKind.SECRET, DoorState.CLOSED, secret_note(choices)
        elif index in locked:
            kind, state = choice(theme.strong), DoorState.LOCKED
            if keepers:
                keeper = choices.choice(keepers)
                note = f"Locked; the key is in {roster.numbers[keeper]}. {roster.names[keeper]}."
        else:
            kind, state = choice(theme.doors), DoorState.CLOSED
            if kind is DoorKind.ARCH or (kind is DoorKind.WOODEN and choices.chance(_AJAR)):
                state = DoorState.OPEN
        hang(Door(f"door-{index + 1}", (x, y), axes[upright], kind, state, None, 1, note))
    return tuple(doors)


def _locked(plan: Plan, roster: Roster, choices: Words) -> set[int]:
    """The doors of some treasure rooms: the door on the only way that is at the room itself."""
    found: set[int] = set()
    rich = {room for room, role in enumerate(roster.roles) if role is RoomRole.TREASURE}
    for a, b, *on_way, secret in plan.ways.tolist():
        if secret:
            continue
        if a in rich and choices.chance(_LOCKED_TREASURE):
            found.add(on_way[0])
        if b in rich and choices.chance(_LOCKED_TREASURE):
            found.add(next(door for door in reversed(on_way) if door >= 0))
    return found


def make_notes(
    plan: Plan, theme: Theme, roster: Roster, outfit: Outfit, doors: tuple[Door, ...], choices: Words
) -> list[tuple[str, ...]]:
    """What the game master reads of each room: what it is, something to play, the ways out."""
    boxes = plan.boxes.tolist()
    exits: list[list[tuple[int, str, int]]] = [[] for _ in boxes]
    for a, b, *on_way, _ in plan.ways.tolist():
        used = [door for door in on_way if door >= 0]
        exits[a].append(_exit(boxes[a], doors[used[0]], b))
        exits[b].append(_exit(boxes[b], doors[used[-1]], a))
    notes: list[tuple[str, ...]] = []
    for room, purpose in enumerate(roster.purposes):
        neighbour = ("", 0)
        if roster.neighbours[room]:
            other = choices.choice(roster.neighbours[room])
            side = next(side for side, _, end in exits[room] if end == other)
            neighbour = (roster.names[other], side)
        hook = room_hook(roster.roles[room], outfit.features[room], neighbour, theme, choices)
        ways = ", ".join(
            f"{door} {DIRECTIONS[side]} to {roster.numbers[end]}" for side, door, end in sorted(exits[room])
        )
        notes.append((choices.choice(purpose.notes), hook, f"Exits: {ways}."))
    return notes


def _exit(box: list[int], door: Door, end: int) -> tuple[int, str, int]:
    """On which side of a room a way leaves it, by what door, and to which room."""
    left, top, width, height = box
    x, y = door.at
    if y < top:
        side = 0
    elif x >= left + width:
        side = 1
    else:
        side = 2 if y >= top + height else 3
    name = f"locked {door_name(door.kind)}" if door.state is DoorState.LOCKED else door_name(door.kind)
    return side, name, end
