"""Grid maps that were not made here but brought along: kept, shown and played on like any other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.map.generation.gate import Gate, GateReport
from services.map.generation.grid.canonical import from_data, to_bytes
from services.map.generation.grid.model import GridKind, GridMap
from services.map.generation.grid.secrets import for_players
from services.map.generation.kind import MapFileError


class ImportedKind:
    """Keeps imported maps; see `services.map.generation.kind.Filed`."""

    slug = GridKind.IMPORTED.value
    secretive = True

    def inspect(self, model: GridMap) -> GateReport:
        """An imported map is as it is: only that everything lies on it is checked."""
        spots = [(door.id, door.at) for door in model.doors]
        spots += [(trap.id, trap.at) for trap in model.traps]
        spots += [(stairs.id, stairs.at) for stairs in model.stairs]
        faults = tuple(
            f"{name} lies outside"
            for name, (x, y) in spots
            if not (0 <= x < model.width and 0 <= y < model.height)
        )
        return GateReport((Gate("inside", faults),))

    def title(self, model: GridMap) -> str:
        """The map's name."""
        return model.title

    def to_bytes(self, model: GridMap) -> bytes:
        """The map file."""
        return to_bytes(model)

    def from_data(self, data: Mapping[str, Any]) -> GridMap:
        """The map whose file was read."""
        model = from_data(data)
        if model.kind is not GridKind.IMPORTED:
            raise MapFileError(f"expected an imported map, found {model.kind}")
        return model

    def for_players(self, model: GridMap) -> GridMap:
        """The map without what only the game master knows."""
        return for_players(model)


IMPORTED = ImportedKind()
