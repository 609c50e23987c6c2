"""Doors on the grid: where they are, and what they stop as they stand."""

from __future__ import annotations

from collections.abc import Mapping

from services.map.generation.grid.model import Cell, Door, DoorKind, DoorState
from services.map.ground.model import COVER, IMPASSABLE, OPAQUE

_SHUT = {DoorKind.ARCH: 0, DoorKind.CURTAIN: OPAQUE, DoorKind.PORTCULLIS: IMPASSABLE | COVER}
"""What shut doors stop that are not plain leaves: a curtain is walked through, a portcullis seen through."""


def state_of(door: Door, states: Mapping[str, DoorState]) -> DoorState:
    """How a door stands now: as it was set, else as the map has it; an arch is always open."""
    return DoorState.OPEN if door.kind is DoorKind.ARCH else states.get(door.id, door.state)


def stopped_by(door: Door, state: DoorState) -> int:
    """The flags of what a door stops; a locked one stops what a closed one does."""
    return 0 if state is DoorState.OPEN else _SHUT.get(door.kind, IMPASSABLE | OPAQUE)


def edges_of(door: Door) -> tuple[list[Cell], list[Cell]]:
    """The edges a door hangs on: the cells whose right edge it is, and those whose lower edge it is."""
    cells = door.cells
    match door.edge:
        case "e":
            return [*cells], []
        case "w":
            return [(x - 1, y) for x, y in cells], []
        case "s":
            return [], [*cells]
        case "n":
            return [], [(x, y - 1) for x, y in cells]
        case _:
            return [], []
