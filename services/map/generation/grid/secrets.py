"""What players may know of a grid map: a secret door is wall, a secret room is rock, a trap is not there."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from services.map.generation.grid.model import Door, GridMap
from services.map.generation.grid.terrain import Terrain

_SOLID = (Terrain.ROCK, Terrain.WALL)


def for_players(model: GridMap, found: Collection[str] = ()) -> GridMap:
    """The map as players know it.

    What gives the seed away is gone as well: with it they could have the whole map made again.

    Args:
        model: The whole map.
        found: Ids of secret doors that were found, and so are plain doors now.
    """
    hidden = tuple(door for door in model.doors if door.secret and door.id not in found)
    hidden_doors = {door.id for door in hidden}
    hidden_rooms = _unfound(model, hidden_doors)
    cells = bytearray(model.cells)
    for door in hidden:
        _fill(cells, model, door)
    for room in model.rooms:
        if room.id in hidden_rooms:
            for y, first, last in room.rows:
                cells[y * model.width + first : y * model.width + last] = bytes(last - first)
    for cell in _concealed(model, hidden):
        cells[cell] = Terrain.ROCK
    shown = bytes(cells)

    def seen(x: float, y: float) -> bool:
        column, row = int(x), int(y)
        if not (0 <= column < model.width and 0 <= row < model.height):
            return False
        at = row * model.width + column
        return shown[at] == model.cells[at]

    return replace(
        model,
        seed=0,
        attempt=0,
        cells=shown,
        rooms=tuple(
            replace(room, notes=(), role=type(room.role).ORDINARY, tags=())
            for room in model.rooms
            if room.id not in hidden_rooms
        ),
        passages=tuple(
            replace(way, secret=False)
            for way in model.passages
            if hidden_rooms.isdisjoint((way.start, way.end)) and hidden_doors.isdisjoint(way.doors)
        ),
        doors=tuple(replace(door, note="") for door in model.doors if door.id not in hidden_doors),
        traps=(),
        stairs=tuple(one for one in model.stairs if seen(*one.at)),
        lights=tuple(one for one in model.lights if seen(*one.at)),
        props=tuple(one for one in model.props if seen(one.x + one.width / 2, one.y + one.height / 2)),
        zones=tuple(one for one in model.zones if not one.secret and one.side != "foes"),
        notes=tuple(one for one in model.notes if not one.secret),
        goal=None,
    )


def _concealed(model: GridMap, hidden: Sequence[Door]) -> list[int]:
    """The cells that one comes to only through secret doors that nobody has found."""
    entrance = model.entrance
    if entrance is None or not hidden:
        return []
    width = model.width
    first = entrance[1] * width + entrance[0]
    barred = {y * width + x for door in hidden if door.edge is None for x, y in door.cells}
    return sorted(_flooded(model, first, ()) - _flooded(model, first, barred))


def _flooded(model: GridMap, first: int, barred: Collection[int]) -> set[int]:
    """The cells that hang together with one over sides, through all but rock, walls and what is barred."""
    width, cells = model.width, model.cells
    found, waiting = {first}, [first]
    while waiting:
        cell = waiting.pop()
        x = cell % width
        beside = (cell - width, cell + width, cell - 1 if x else -1, cell + 1 if x < width - 1 else -1)
        for other in beside:
            if (
                0 <= other < len(cells)
                and other not in found
                and other not in barred
                and cells[other] not in _SOLID
            ):
                found.add(other)
                waiting.append(other)
    return found


def _unfound(model: GridMap, hidden_doors: Collection[str]) -> set[str]:
    """Secret rooms that nothing found leads to."""
    known = {
        room
        for way in model.passages
        if not any(door in hidden_doors for door in way.doors)
        for room in (way.start, way.end)
    }
    # A secret room may open into another: only what hangs together with plain rooms is known.
    return {room.id for room in model.rooms if room.secret} - _reached(model, hidden_doors, known)


def _reached(model: GridMap, hidden_doors: Collection[str], known: set[str]) -> set[str]:
    ways = [way for way in model.passages if not any(door in hidden_doors for door in way.doors)]
    found = {room.id for room in model.rooms if not room.secret}
    while True:
        more = {
            room
            for way in ways
            if way.start in found or way.end in found
            for room in (way.start, way.end)
            if room in known
        } - found
        if not more:
            return found
        found |= more


def _fill(cells: bytearray, model: GridMap, door: Door) -> None:
    if door.edge is None:
        for x, y in door.cells:
            cells[y * model.width + x] = Terrain.ROCK
