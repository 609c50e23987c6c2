"""Maps in cells that were brought along as a kind of map."""

from __future__ import annotations

from services.map.generation.grid.model import GridMap
from services.map.kind import MapKind
from services.map.kinds.imported.filing import IMPORTED

KIND: MapKind[GridMap] = MapKind(
    place=7, about="A map in cells that was brought along as a file; none is made here.", filed=IMPORTED
)
