"""Doors of a stored map in a scene: the things that stand for them, and a scene in which one is set."""

from __future__ import annotations

from services.rules.engine.frozen import replace
from services.rules.engine.grid import Grid
from services.rules.engine.ground.kinds import FLOOR, Door, DoorState
from services.rules.systems.dungeonteller.play.field import Field, MapDoor
from services.rules.systems.dungeonteller.play.fog import LOCKED_WORDS
from services.rules.systems.dungeonteller.play.state import DOOR_TAG, LOCKED, Scene, Thing


def door_things(door: Door, name: str) -> tuple[Thing, ...]:
    """The things that stand for a shut door: one in each square that it fills or hangs beside."""
    is_locked = door.state is DoorState.LOCKED
    places = door.squares or tuple(one for one, _ in door.edges)
    return tuple(
        Thing(
            id=f"{door.id}-{number}" if len(places) > 1 else door.id,
            name=f"{name}{LOCKED_WORDS}" if is_locked else name,
            at=square,
            solid=bool(door.squares),
            luck=3,
            tags=(f"{DOOR_TAG}:{door.id}", *((LOCKED,) if is_locked else ())),
        )
        for number, square in enumerate(places, 1)
    )


def map_door(field: Field, id: str) -> MapDoor | None:
    """The door of the stored map of an id; None where it has none."""
    return next((each for each in field.map_doors if each.door.id == id), None)


def is_found(field: Field, door: MapDoor) -> bool:
    """Whether everybody may know of a door: it was never secret, or has been found."""
    return not door.secret or door.door.id in field.doors


def with_door(scene: Scene, id: str, state: DoorState) -> Scene:
    """The scene with a door of its map set; a secret one is found. Jobs about it end."""
    found = map_door(scene.field, id)
    if found is None:
        return scene
    field = scene.field if is_found(scene.field, found) else _without_wall(scene.field, found)
    base = None if field.grid.base is None else field.grid.base.with_door(id, state)
    doors = tuple(dict.fromkeys((*field.doors, id)))
    field = replace(field, grid=replace(field.grid, base=base), doors=doors)
    gone = {thing.id for thing in scene.things if f"{DOOR_TAG}:{id}" in thing.tags}
    there = () if state is DoorState.OPEN else door_things(replace(found.door, state=state), found.name)
    return replace(
        scene,
        field=field,
        things=(*(thing for thing in scene.things if thing.id not in gone), *there),
        effects=tuple(one for one in scene.effects if gone.isdisjoint((one.bearer, one.about))),
        jobs=tuple(job for job in scene.jobs if job.door not in gone),
    )


def _without_wall(field: Field, found: MapDoor) -> Field:
    """The place with a secret door in place of the wall that stood for it."""
    door, grid = found.door, field.grid
    solid = tuple(square for square in grid.solid if square not in door.squares)
    base = grid.base
    if base is not None:
        cells = list(base.cells)
        for square in door.squares:
            cells[square.y * base.width + square.x] = FLOOR.sign
        terrains = base.terrains if FLOOR in base.terrains else (*base.terrains, FLOOR)
        hung = (door,) if door.edges else ()
        base = replace(base, cells="".join(cells), terrains=terrains, doors=(*base.doors, *hung))
        for side, barrier in zip(door.edges, found.under, strict=True):
            base = base.with_barrier(side, barrier)
    return replace(field, grid=Grid(grid.width, grid.height, solid, base))
