"""Doors on the grid, as the rules have them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from services.map.generation.grid.model import Cell, Door, DoorKind, DoorState, GridMap
from services.rules.engine.ground import kinds
from services.rules.engine.ground.squares import Edge, Square, edge

_SHUT = {
    DoorKind.ARCH: kinds.NOTHING,
    DoorKind.CURTAIN: kinds.CURTAIN,
    DoorKind.PORTCULLIS: kinds.PORTCULLIS,
}
"""What shut doors stop that are not plain leaves: a curtain is walked through, a portcullis seen through."""

_BEYOND: Mapping[str, Cell] = {"e": (1, 0), "w": (-1, 0), "s": (0, 1), "n": (0, -1)}


def state_of(door: Door, states: Mapping[str, DoorState]) -> DoorState:
    """How a door stands now: as it was set, else as the map has it; an arch is always open."""
    return DoorState.OPEN if door.kind is DoorKind.ARCH else states.get(door.id, door.state)


def doors_of(model: GridMap, states: Mapping[str, DoorState]) -> tuple[kinds.Door, ...]:
    """The doors of a map, what of them is on the map.

    Args:
        model: The map.
        states: How doors stand now, by id, where that is not as the map has them.
    """
    return tuple(
        kinds.Door(
            id=door.id,
            squares=tuple(_squares(model, door)) if door.edge is None else (),
            edges=tuple(_edges(model, door)),
            shut=_SHUT.get(door.kind, kinds.WALL),
            state=kinds.DoorState(state_of(door, states).value),
        )
        for door in model.doors
    )


def _squares(model: GridMap, door: Door) -> Iterator[Square]:
    for x, y in door.cells:
        if 0 <= x < model.width and 0 <= y < model.height:
            yield Square(x, y)


def _edges(model: GridMap, door: Door) -> Iterator[Edge]:
    if door.edge is None:
        return
    dx, dy = _BEYOND[door.edge]
    for here in _squares(model, door):
        if 0 <= here.x + dx < model.width and 0 <= here.y + dy < model.height:
            yield edge(here, Square(here.x + dx, here.y + dy))
