"""A region as GeoJSON, in cells."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from services.map.exports.geojson import Feature, Plane, feature, middle
from services.map.kinds.region.model import Biome, RegionMap


def to_geojson(model: RegionMap) -> bytes:
    """A region, in cells.

    Layers: `biome` and `weather` (one feature for each), `river`, `lake`, `way`, `settlement`, `site`,
    `feature`.
    """
    sheet = Plane(model.width, model.height)
    return sheet.collection(model.title, f"cells of {model.cell_miles:g} miles", _region(model, sheet))


def _region(model: RegionMap, sheet: Plane) -> Iterator[Feature]:
    biomes = model.biome_grid
    for code in np.unique(biomes).tolist():
        yield feature("biome", sheet.cells(biomes == code), {"name": Biome(code).name.lower()})
    side = model.weather_side
    columns = -(-model.width // side)
    weather = (
        np.frombuffer(model.weather, dtype=np.uint8).reshape(-1, columns).repeat(side, 0).repeat(side, 1)
    )
    weather = weather[: model.height, : model.width]
    for index in np.unique(weather).tolist():
        zone = model.zones[index]
        told = {"climate": zone.climate, "letter": zone.letter}
        yield feature("weather", sheet.cells(weather == index), told)
    for river in model.rivers:
        told = {"name": river.name, "mouth": river.mouth, "into": river.into, "flow": river.flow[-1]}
        yield feature("river", sheet.way(river.line), told, river.id)
    for lake in model.lakes:
        told = {"name": lake.name, "level": lake.level, "cells": lake.cells}
        yield feature("lake", sheet.point(middle(lake.at)), told, lake.id)
    for way in model.ways:
        told = {"kind": way.kind, "from": way.start, "to": way.end, "miles": way.miles}
        yield feature("way", sheet.way(way.line), told, way.id)
    for town in model.settlements:
        told = {"kind": town.kind, "name": town.name, "population": town.population, "siting": town.siting}
        yield feature("settlement", sheet.point(middle(town.at)), told, town.id)
    for site in model.sites:
        told = {"kind": site.kind, "name": site.name, "hidden": site.hidden}
        yield feature("site", sheet.point(middle(site.at)), told, site.id)
    for named in model.features:
        told = {"kind": named.kind, "name": named.name, "cells": named.cells}
        yield feature("feature", sheet.way(named.spine), told, named.id)
