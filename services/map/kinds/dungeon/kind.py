"""Dungeons of rooms and corridors as a kind of map."""

from __future__ import annotations

from services.map.curves import Costs, Curve
from services.map.generation.grid.model import GridMap
from services.map.kind import Making, MapKind
from services.map.kinds.dungeon.generator import GENERATOR

KIND: MapKind[GridMap] = MapKind(
    place=3,
    about="Rooms and corridors in cells of five feet, with doors, traps and a keyed legend.",
    filed=GENERATOR,
    making=Making(
        generator=GENERATOR,
        costs=Costs(
            making=Curve(1.5, 0.0005),
            drawing=Curve(4, 0.002),
            sizes=((21, 21), (51, 51), (100, 100), (301, 301)),
        ),
    ),
)
