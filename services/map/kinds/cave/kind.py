"""Caves as a kind of map."""

from __future__ import annotations

from services.map.curves import Costs, Curve
from services.map.generation.grid.model import GridMap
from services.map.kind import Making, MapKind
from services.map.kinds.cave.generator import GENERATOR

KIND: MapKind[GridMap] = MapKind(
    place=4,
    about="Chambers and tunnels in cells of five feet.",
    filed=GENERATOR,
    making=Making(
        generator=GENERATOR,
        costs=Costs(
            making=Curve(1, 0.0004),
            drawing=Curve(3.5, 0.0015),
            sizes=((21, 21), (61, 51), (120, 120), (400, 400)),
        ),
    ),
)
