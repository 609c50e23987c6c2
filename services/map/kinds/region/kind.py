"""Regions as a kind of map."""

from __future__ import annotations

from collections.abc import Sequence

from services.map.curves import Costs, Curve
from services.map.kind import Making, MapKind, Sheet
from services.map.kinds.region.canonical import FORMAT
from services.map.kinds.region.generator import GENERATOR
from services.map.kinds.region.geojson import to_geojson
from services.map.kinds.region.model import RegionMap
from services.map.kinds.region.render.picture import render
from services.map.kinds.region.render.words import inspect
from services.map.kinds.region.schema import region_schema
from services.map.render.figures import Figure


def _extent(model: RegionMap) -> tuple[float, float]:
    return float(model.width), float(model.height)


def _draw(model: RegionMap, _figures: Sequence[Figure]) -> str:
    return render(model)


KIND: MapKind[RegionMap] = MapKind(
    place=6,
    about="Land for journeys, with rivers, settlements, ways and weather.",
    filed=GENERATOR,
    making=Making(
        generator=GENERATOR,
        costs=Costs(
            making=Curve(130, 0.0007),
            drawing=Curve(160, 0.00025),
            painting=Curve(360, 0.00025),
            geojson=Curve(10, 0.0009),
            sizes=((64, 64), (256, 192), (512, 512), (1024, 1024)),
        ),
    ),
    sheet=Sheet(
        format=FORMAT,
        schema=region_schema,
        extent=_extent,
        draw=_draw,
        words=inspect,
        geojson=to_geojson,
    ),
)
