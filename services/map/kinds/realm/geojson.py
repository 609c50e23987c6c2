"""A realm as GeoJSON, in units of the sheet."""

from __future__ import annotations

from collections.abc import Iterator

from services.map.exports.geojson import Feature, Geometry, Plane, feature
from services.map.generation.grid.model import Spot
from services.map.kinds.realm.model import RealmMap
from services.rules.systems.forgeborn import Point, units


def to_geojson(model: RealmMap) -> bytes:
    """A realm, in units of the sheet. Layers: `place`, `link`, `range`, `forest`."""
    sheet = Plane(units(model.realm.sheet.width), units(model.realm.sheet.height))
    return sheet.collection(model.title, "units of the sheet", _realm(model, sheet))


def _realm(model: RealmMap, sheet: Plane) -> Iterator[Feature]:
    realm = model.realm

    def spot(at: Point) -> Spot:
        return units(at.x), units(at.y)

    for place in realm.places:
        told = {"kind": place.kind, "name": place.name, "power": place.power, "spent": place.spent}
        yield feature("place", sheet.point(spot(place.at)), told, place.id)
    for link in realm.links:
        told = {"kind": link.kind, "from": link.start.id, "to": link.end.id}
        told |= {"forced": link.forced, "crosses_range": link.crosses_range}
        yield feature("link", sheet.line((spot(link.start.at), spot(link.end.at))), told)
    if len(realm.range) == 1:
        yield feature("range", sheet.point(spot(realm.range[0])), {"name": model.range_name})
    elif realm.range:
        yield feature("range", sheet.line(map(spot, realm.range)), {"name": model.range_name})
    for index, patch in enumerate(realm.patches):
        lines = [[sheet.position(spot(at)) for at in line] for line in patch.lines]
        points = [sheet.position(spot(at)) for at in patch.points]
        geometry: Geometry = {"type": "MultiLineString", "coordinates": lines}
        if not lines:
            geometry = {"type": "MultiPoint", "coordinates": points}
        yield feature("forest", geometry, {"largest": index == realm.largest})
