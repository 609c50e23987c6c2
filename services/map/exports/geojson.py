"""GeoJSON (RFC 7946) of grid maps, realms and regions, for tools that draw and measure plain geometry.

A made-up land has no place on the globe: positions are in the map's own units, flat, x to the east and y to
the NORTH from the south-west corner of the map, so that nothing is mirrored in a GIS. They are no degrees:
the RFC allows that by agreement, and the foreign member `map_units` tells it in every file. Load it in a flat
reference system (Leaflet's `CRS.Simple`, an engineering system in a GIS). Outer rings run counterclockwise,
holes clockwise. Every feature has a `layer`, which says what it is, and its `id` on the map where it has one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson

from services.map.exports.geometry import barriers
from services.map.exports.outlines import polygons
from services.map.generation.grid.cells import Mask, mask_of
from services.map.generation.grid.model import Cell, GridMap, Prop, Spot
from services.map.generation.grid.terrain import TRAITS, Terrain
from services.map.generation.realm.model import RealmMap
from services.map.generation.region.model import Biome, RegionMap
from services.rules.systems.forgeborn import Point, units

Feature = dict[str, Any]
Geometry = dict[str, Any]


def grid_to_geojson(model: GridMap) -> bytes:
    """A grid map, in cells.

    Layers: `terrain` (one feature for each), `room`, `zone`, `wall`, `window`, `fence`, `low`, `door`,
    `light`, `stairs`, `trap`, `prop`, `note`, `entrance`, `goal`.
    """
    sheet = _Sheet(model.width, model.height)
    return sheet.collection(model.title, f"cells of {model.feet} feet", _grid(model, sheet))


def realm_to_geojson(model: RealmMap) -> bytes:
    """A realm, in units of the sheet. Layers: `place`, `link`, `range`, `forest`."""
    sheet = _Sheet(units(model.realm.sheet.width), units(model.realm.sheet.height))
    return sheet.collection(model.title, "units of the sheet", _realm(model, sheet))


def region_to_geojson(model: RegionMap) -> bytes:
    """A region, in cells.

    Layers: `biome` and `weather` (one feature for each), `river`, `lake`, `way`, `settlement`, `site`,
    `feature`.
    """
    sheet = _Sheet(model.width, model.height)
    return sheet.collection(model.title, f"cells of {model.cell_miles:g} miles", _region(model, sheet))


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A map's extent in its own units, and geometry on it from positions with y to the south."""

    width: float
    height: float

    def collection(self, title: str, unit: str, features: Iterable[Feature]) -> bytes:
        return orjson.dumps(
            {
                "type": "FeatureCollection",
                "name": title,
                "bbox": [0, 0, self.width, self.height],
                "map_units": {
                    "unit": unit,
                    "x": "eastward from the west edge",
                    "y": "northward from the south edge",
                    "width": self.width,
                    "height": self.height,
                    "note": "flat positions on a map of no place on Earth, not degrees of WGS 84",
                },
                "features": list(features),
            }
        )

    def position(self, spot: Spot) -> list[float]:
        return [spot[0], self.height - spot[1]]

    def point(self, spot: Spot) -> Geometry:
        return {"type": "Point", "coordinates": self.position(spot)}

    def line(self, spots: Iterable[Spot]) -> Geometry:
        return {"type": "LineString", "coordinates": [self.position(spot) for spot in spots]}

    def way(self, cells: tuple[Cell, ...]) -> Geometry:
        """A line over the middles of cells; a point where it is one cell only."""
        if len(set(cells)) == 1:
            return self.point(_middle(cells[0]))
        return self.line(map(_middle, cells))

    def ring(self, spots: Iterable[Spot]) -> list[list[float]]:
        """A closed ring the other way round, for clockwise with y southward is what the map's rings are."""
        positions = [self.position(spot) for spot in spots][::-1]
        return [*positions, positions[0]]

    def polygon(self, spots: Iterable[Spot]) -> Geometry:
        """A shape from its corners, clockwise on the map."""
        return {"type": "Polygon", "coordinates": [self.ring(spots)]}

    def cells(self, mask: Mask) -> Geometry:
        """The shapes of cells."""
        shapes = [[self.ring(ring) for ring in shape] for shape in polygons(mask)]
        if len(shapes) == 1:
            return {"type": "Polygon", "coordinates": shapes[0]}
        return {"type": "MultiPolygon", "coordinates": shapes}


def _feature(layer: str, geometry: Geometry, told: dict[str, Any], name: str | None = None) -> Feature:
    made: Feature = {"type": "Feature", "geometry": geometry, "properties": {"layer": layer, **told}}
    return made if name is None else made | {"id": name}


def _middle(cell: Cell) -> Spot:
    return cell[0] + 0.5, cell[1] + 0.5


def _grid(model: GridMap, sheet: _Sheet) -> Iterator[Feature]:
    cells = np.frombuffer(model.cells, dtype=np.uint8).reshape(model.height, model.width)
    for code in np.unique(cells).tolist():
        if code != Terrain.ROCK:
            trait = TRAITS[Terrain(code)]
            told = {"name": trait.name, "pace": trait.pace, "opaque": trait.opaque, "cover": trait.cover}
            yield _feature("terrain", sheet.cells(cells == code), told)
    for room in model.rooms:
        mask = mask_of(room.rows, model.width, model.height)
        told = {"number": room.number, "name": room.name, "role": room.role}
        told |= {"tags": room.tags, "notes": room.notes}
        yield _feature("room", sheet.cells(mask), told, room.id)
    for zone in model.zones:
        mask = mask_of(zone.spans, model.width, model.height)
        told = {"kind": zone.kind, "name": zone.name, "side": zone.side, "secret": zone.secret}
        yield _feature("zone", sheet.cells(mask), told, zone.id)
    yield from _lines(model, sheet)
    yield from _objects(model, sheet)


def _lines(model: GridMap, sheet: _Sheet) -> Iterator[Feature]:
    found = barriers(model)
    kinds = (
        ("wall", found.walls),
        ("window", found.windows),
        ("fence", found.fences),
        ("low", found.low),
    )
    for layer, lines in kinds:
        for line in lines:
            yield _feature(layer, sheet.line(line), {})
    for door in model.doors:
        told = {"kind": door.kind, "state": door.state, "secret": door.secret, "note": door.note}
        yield _feature("door", sheet.line(door.bounds), told, door.id)


def _objects(model: GridMap, sheet: _Sheet) -> Iterator[Feature]:
    for light in model.lights:
        told = {"kind": light.kind, "bright": light.bright, "dim": light.dim, "color": light.color}
        yield _feature("light", sheet.point(light.at), told, light.id)
    for stairs in model.stairs:
        told = {"up": stairs.up, "facing": stairs.facing}
        yield _feature("stairs", sheet.point(_middle(stairs.at)), told, stairs.id)
    for trap in model.traps:
        (x, y), wide, high = trap.at, trap.width, trap.height
        box = sheet.polygon(((x, y), (x + wide, y), (x + wide, y + high), (x, y + high)))
        yield _feature("trap", box, {"kind": trap.kind, "note": trap.note}, trap.id)
    for prop in model.props:
        told = {"kind": prop.kind, "turn": prop.turn}
        yield _feature("prop", sheet.polygon(_corners(prop)), told, prop.id)
    for note in model.notes:
        told = {"text": note.text, "secret": note.secret}
        yield _feature("note", sheet.point(note.at), told, note.id)
    for layer, cell in (("entrance", model.entrance), ("goal", model.goal)):
        if cell is not None:
            yield _feature(layer, sheet.point(_middle(cell)), {})


def _corners(prop: Prop) -> Iterator[Spot]:
    """The corners of a prop turned round its middle, clockwise."""
    turn = math.radians(prop.turn)
    cosine, sine = math.cos(turn), math.sin(turn)
    middle_x, middle_y = prop.x + prop.width / 2, prop.y + prop.height / 2
    for across, down in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        x, y = across * prop.width / 2, down * prop.height / 2
        yield round(middle_x + x * cosine - y * sine, 6), round(middle_y + x * sine + y * cosine, 6)


def _realm(model: RealmMap, sheet: _Sheet) -> Iterator[Feature]:
    realm = model.realm

    def spot(at: Point) -> Spot:
        return units(at.x), units(at.y)

    for place in realm.places:
        told = {"kind": place.kind, "name": place.name, "power": place.power, "spent": place.spent}
        yield _feature("place", sheet.point(spot(place.at)), told, place.id)
    for link in realm.links:
        told = {"kind": link.kind, "from": link.start.id, "to": link.end.id}
        told |= {"forced": link.forced, "crosses_range": link.crosses_range}
        yield _feature("link", sheet.line((spot(link.start.at), spot(link.end.at))), told)
    if len(realm.range) == 1:
        yield _feature("range", sheet.point(spot(realm.range[0])), {"name": model.range_name})
    elif realm.range:
        yield _feature("range", sheet.line(map(spot, realm.range)), {"name": model.range_name})
    for index, patch in enumerate(realm.patches):
        lines = [[sheet.position(spot(at)) for at in line] for line in patch.lines]
        points = [sheet.position(spot(at)) for at in patch.points]
        geometry: Geometry = {"type": "MultiLineString", "coordinates": lines}
        if not lines:
            geometry = {"type": "MultiPoint", "coordinates": points}
        yield _feature("forest", geometry, {"largest": index == realm.largest})


def _region(model: RegionMap, sheet: _Sheet) -> Iterator[Feature]:
    biomes = model.biome_grid
    for code in np.unique(biomes).tolist():
        yield _feature("biome", sheet.cells(biomes == code), {"name": Biome(code).name.lower()})
    side = model.weather_side
    columns = -(-model.width // side)
    weather = (
        np.frombuffer(model.weather, dtype=np.uint8).reshape(-1, columns).repeat(side, 0).repeat(side, 1)
    )
    weather = weather[: model.height, : model.width]
    for index in np.unique(weather).tolist():
        zone = model.zones[index]
        told = {"climate": zone.climate, "letter": zone.letter}
        yield _feature("weather", sheet.cells(weather == index), told)
    for river in model.rivers:
        told = {"name": river.name, "mouth": river.mouth, "into": river.into, "flow": river.flow[-1]}
        yield _feature("river", sheet.way(river.line), told, river.id)
    for lake in model.lakes:
        told = {"name": lake.name, "level": lake.level, "cells": lake.cells}
        yield _feature("lake", sheet.point(_middle(lake.at)), told, lake.id)
    for way in model.ways:
        told = {"kind": way.kind, "from": way.start, "to": way.end, "miles": way.miles}
        yield _feature("way", sheet.way(way.line), told, way.id)
    for town in model.settlements:
        told = {"kind": town.kind, "name": town.name, "population": town.population, "siting": town.siting}
        yield _feature("settlement", sheet.point(_middle(town.at)), told, town.id)
    for site in model.sites:
        told = {"kind": site.kind, "name": site.name, "hidden": site.hidden}
        yield _feature("site", sheet.point(_middle(site.at)), told, site.id)
    for feature in model.features:
        told = {"kind": feature.kind, "name": feature.name, "cells": feature.cells}
        yield _feature("feature", sheet.way(feature.spine), told, feature.id)
