"""Realms as a kind of map."""

from __future__ import annotations

from services.map.curves import Costs, Curve
from services.map.kind import Growth, Making, MapKind, Sheet
from services.map.kinds.realm.canonical import FORMAT
from services.map.kinds.realm.generator import GENERATOR, before_play
from services.map.kinds.realm.geojson import to_geojson
from services.map.kinds.realm.growth import DropRuin, SpendRuin, grow
from services.map.kinds.realm.leading import LEADING
from services.map.kinds.realm.model import RealmMap
from services.map.kinds.realm.render.picture import render
from services.map.kinds.realm.render.words import inspect
from services.map.kinds.realm.schema import realm_schema
from services.map.kinds.realm.site import site
from services.map.kinds.realm.wish import WISH
from services.rules.systems.forgeborn import units


def _extent(model: RealmMap) -> tuple[float, float]:
    sheet = model.realm.sheet
    return units(sheet.width), units(sheet.height)


KIND: MapKind[RealmMap] = MapKind(
    place=1,
    about="A realm of Forgeborn: its places, Roads, Trails and mountains, out of fifteen dropped dice.",
    filed=GENERATOR,
    making=Making(
        generator=GENERATOR,
        costs=Costs(
            making=Curve(15, 0.001),
            drawing=Curve(18, 0.0018),
            painting=Curve(60, 0.0085),
            geojson=Curve(0.3),
            sizes=((80, 60), (120, 90), (200, 160)),
        ),
        wish=WISH,
    ),
    sheet=Sheet(
        format=FORMAT,
        schema=realm_schema,
        extent=_extent,
        draw=render,
        words=inspect,
        geojson=to_geojson,
        peopled=True,
    ),
    growth=Growth(operations=(DropRuin, SpendRuin), grow=grow, unplayed=before_play),
    leading=LEADING,
    site=site,
)
