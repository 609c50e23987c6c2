"""Doors of the grid: which a combatant stands beside, who knows of them, and secret ones that are found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from services.rules.engine.ground.fog import read, touches
from services.rules.engine.ground.kinds import Door, DoorState
from services.rules.engine.ground.squares import Square
from services.rules.engine.play import EVERYONE, GM_ONLY, Audience
from services.rules.systems.forge_engine.play.state import Combatant, Fight

DOOR = "the door"
"""What a door is called of which no map tells a name."""


def doors_beside(fight: Fight, one: Combatant) -> Iterator[Door]:
    """The doors that a combatant knows of and stands beside, straight or on the edge, or in."""
    ground = fight.ground_known(one)
    if ground is None or one.at is None:
        return
    stands = set(one.footprint().squares())
    for door in ground.doors:
        if door.shut.flags and not stands.isdisjoint(_beside(door)):
            yield door


def _beside(door: Door) -> Iterator[Square]:
    for at in door.squares:
        yield at
        yield from (Square(at.x + x, at.y + y) for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1)))
    for side in door.edges:
        yield from side


def door_of(fight: Fight, id: str) -> Door | None:
    """A door of the grid as it stands, secret ones that nobody has found yet among them; None without one."""
    doors = () if fight.ground is None else fight.ground.doors
    return next((door for door in (*doors, *secret_doors(fight)) if door.id == id and door.shut.flags), None)


def secret_doors(fight: Fight) -> tuple[Door, ...]:
    """The secret doors that nobody has found yet."""
    if fight.site is None or fight.ground is None:
        return ()
    there = {door.id for door in fight.ground.doors}
    return tuple(door for door in fight.site.ground.doors if door.id not in there)


def name_of(fight: Fight, id: str) -> str:
    """What a door is called."""
    told = () if fight.site is None else fight.site.doors
    return next((door.name for door in told if door.id == id), DOOR)


def in_the_way(fight: Fight, door: Door) -> bool:
    """Whether anybody stands in a door, so that it cannot be shut."""
    standing = (one for one in fight.combatants if one.at is not None and one.gone is None)
    return any(one.footprint().holds(at) for one in standing for at in door.squares)


def with_secret_door(fight: Fight, id: str) -> Fight:
    """The fight with a secret door of the map in the wall that stood for it; as it is where there is none."""
    door = next((each for each in secret_doors(fight) if each.id == id), None)
    ground, site = fight.ground, fight.site
    if door is None or ground is None or site is None:
        return fight
    cells = list(ground.cells)
    for square in door.squares:
        at = square.y * ground.width + square.x
        cells[at] = site.ground.cells[at]
    missing = tuple(kind for kind in site.ground.terrains if kind not in ground.terrains)
    found = replace(
        ground, cells="".join(cells), terrains=(*ground.terrains, *missing), doors=(*ground.doors, door)
    )
    for edge in door.edges:
        found = found.with_barrier(edge, site.ground.barrier_on(edge))
    return replace(fight, ground=found)


def who_knows(fight: Fight, door: Door) -> Audience:
    """Who knows of a door that is found: everyone, but under fog those who have seen where it is."""
    explored, ground = fight.explored, fight.ground
    if explored is None or ground is None or touches(ground, door, read(explored.cells)):
        return EVERYONE
    knowing = tuple(who for who, cells in explored.own.items() if touches(ground, door, read(cells)))
    return Audience(False, knowing) if knowing else GM_ONLY


def is_open(door: Door) -> bool:
    """Whether a door stands open."""
    return door.state is DoorState.OPEN
