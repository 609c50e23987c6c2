"""Tactical battle maps as a kind of map."""

from __future__ import annotations

from services.map.curves import Costs, Curve
from services.map.generation.grid.model import GridMap
from services.map.kind import Making, MapKind
from services.map.kinds.battle.generator import GENERATOR

KIND: MapKind[GridMap] = MapKind(
    place=5,
    about="A place to fight over in cells of five feet, in the open or in a hall.",
    filed=GENERATOR,
    making=Making(
        generator=GENERATOR,
        costs=Costs(
            making=Curve(20, 0.006),
            drawing=Curve(22, 0.006),
            # Few of the cells of a place in the open are bare rock.
            flat=2.4,
            sizes=((12, 12), (30, 24), (100, 100)),
        ),
    ),
)
