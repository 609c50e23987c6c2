"""GeoJSON (RFC 7946) of grid maps and sheets, for tools that draw and measure plain geometry.

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

Feature = dict[str, Any]
Geometry = dict[str, Any]


def grid_to_geojson(model: GridMap) -> bytes:
    """A grid map, in cells.

    Layers: `terrain` (one feature for each), `room`, `zone`, `wall`, `window`, `fence`, `low`, `door`,
    `light`, `stairs`, `trap`, `prop`, `note`, `entrance`, `goal`.
    """
    sheet = Plane(model.width, model.height)
    return sheet.collection(model.title, f"cells of {model.feet} feet", _grid(model, sheet))


@dataclass(frozen=True, slots=True)
class Plane:
    """A map's extent in its own units, and geometry on it from positions with y to the south."""

    width: float
    height: float

    def collection(self, title: str, unit: str, features: Iterable[Feature]) -> bytes:
        """The file of some features.

        Args:
            title: Name of the map.
            unit: What a position is counted in.
            features: What is on the map.
        """
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
        """A spot, counted from the south-west corner."""
        return [spot[0], self.height - spot[1]]

    def point(self, spot: Spot) -> Geometry:
        """A point."""
        return {"type": "Point", "coordinates": self.position(spot)}

    def line(self, spots: Iterable[Spot]) -> Geometry:
        """A line through spots, in their order."""
        return {"type": "LineString", "coordinates": [self.position(spot) for spot in spots]}

    def way(self, cells: tuple[Cell, ...]) -> Geometry:
        """A line over the middles of cells; a point where it is one cell only."""
        if len(set(cells)) == 1:
            return self.point(middle(cells[0]))
        return self.line(map(middle, cells))

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


def feature(layer: str, geometry: Geometry, told: dict[str, Any], name: str | None = None) -> Feature:
    """One feature.

    Args:
        layer: What it is.
        geometry: Where it is.
        told: What else is said of it.
        name: Its id on the map, if it has one.
    """
    made: Feature = {"type": "Feature", "geometry": geometry, "properties": {"layer": layer, **told}}
    return made if name is None else made | {"id": name}


def middle(cell: Cell) -> Spot:
    """The middle of a cell."""
    return cell[0] + 0.5, cell[1] + 0.5


def _grid(model: GridMap, sheet: Plane) -> Iterator[Feature]:
    cells = np.frombuffer(model.cells, dtype=np.uint8).reshape(model.height, model.width)
    for code in np.unique(cells).tolist():
        if code != Terrain.ROCK:
            trait = TRAITS[Terrain(code)]
            told = {"name": trait.name, "pace": trait.pace, "opaque": trait.opaque, "cover": trait.cover}
            yield feature("terrain", sheet.cells(cells == code), told)
    for room in model.rooms:
        mask = mask_of(room.rows, model.width, model.height)
        told = {"number": room.number, "name": room.name, "role": room.role}
        told |= {"tags": room.tags, "notes": room.notes}
        yield feature("room", sheet.cells(mask), told, room.id)
    for zone in model.zones:
        mask = mask_of(zone.spans, model.width, model.height)
        told = {"kind": zone.kind, "name": zone.name, "side": zone.side, "secret": zone.secret}
        yield feature("zone", sheet.cells(mask), told, zone.id)
    yield from _lines(model, sheet)
    yield from _objects(model, sheet)


def _lines(model: GridMap, sheet: Plane) -> Iterator[Feature]:
    found = barriers(model)
    kinds = (
        ("wall", found.walls),
        ("window", found.windows),
        ("fence", found.fences),
        ("low", found.low),
    )
    for layer, lines in kinds:
        for line in lines:
            yield feature(layer, sheet.line(line), {})
    for door in model.doors:
        told = {"kind": door.kind, "state": door.state, "secret": door.secret, "note": door.note}
        yield feature("door", sheet.line(door.bounds), told, door.id)


def _objects(model: GridMap, sheet: Plane) -> Iterator[Feature]:
    for light in model.lights:
        told = {"kind": light.kind, "bright": light.bright, "dim": light.dim, "color": light.color}
        yield feature("light", sheet.point(light.at), told, light.id)
    for stairs in model.stairs:
        told = {"up": stairs.up, "facing": stairs.facing}
        yield feature("stairs", sheet.point(middle(stairs.at)), told, stairs.id)
    for trap in model.traps:
        (x, y), wide, high = trap.at, trap.width, trap.height
        box = sheet.polygon(((x, y), (x + wide, y), (x + wide, y + high), (x, y + high)))
        yield feature("trap", box, {"kind": trap.kind, "note": trap.note}, trap.id)
    for prop in model.props:
        told = {"kind": prop.kind, "turn": prop.turn}
        yield feature("prop", sheet.polygon(_corners(prop)), told, prop.id)
    for note in model.notes:
        told = {"text": note.text, "secret": note.secret}
        yield feature("note", sheet.point(note.at), told, note.id)
    for layer, cell in (("entrance", model.entrance), ("goal", model.goal)):
        if cell is not None:
            yield feature(layer, sheet.point(middle(cell)), {})


def _corners(prop: Prop) -> Iterator[Spot]:
    """The corners of a prop turned round its middle, clockwise."""
    turn = math.radians(prop.turn)
    cosine, sine = math.cos(turn), math.sin(turn)
    middle_x, middle_y = prop.x + prop.width / 2, prop.y + prop.height / 2
    for across, down in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        x, y = across * prop.width / 2, down * prop.height / 2
        yield round(middle_x + x * cosine - y * sine, 6), round(middle_y + x * sine + y * cosine, 6)
