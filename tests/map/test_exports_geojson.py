"""GeoJSON, read by the geojson package and measured with shapely."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import geojson
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, MultiPolygon, Polygon, box, shape
from shapely.ops import unary_union

from services.map.exports.geojson import grid_to_geojson
from services.map.exports.geometry import barriers
from services.map.generation.grid.model import GridMap
from services.map.generation.grid.terrain import TRAITS, Terrain
from services.map.kinds.realm.generator import GeneratedRealm, RealmParameters, generate
from services.map.kinds.realm.geojson import to_geojson as realm_geojson
from services.map.kinds.region.geojson import to_geojson as region_geojson
from services.map.kinds.region.model import (
    Biome,
    Feature,
    Lake,
    RegionMap,
    River,
    Settlement,
    Site,
    Way,
    WeatherZone,
)
from services.map.kinds.region.vocabulary import (
    FeatureKind,
    Mouth,
    RegionClimate,
    RegionRainfall,
    RegionRelief,
    RegionSeason,
    RegionShape,
    SettlementKind,
    SiteKind,
    Siting,
    WayKind,
    WeatherClimate,
)
from services.rules.systems.forgeborn import LinkKind, units
from tests.map.test_exports_geometry import cell_maps, grid_map, walled_maps
from tests.map.test_exports_tiled import FURNISHED


def loaded(data: bytes) -> dict[str, Any]:
    collection = geojson.loads(data)
    assert collection.is_valid, collection.errors()
    assert isinstance(collection, geojson.FeatureCollection)
    document: dict[str, Any] = json.loads(data)
    left, bottom, right, top = document["bbox"]
    frame = box(left, bottom, right, top)
    ids = [one["id"] for one in document["features"] if "id" in one]
    assert len(set(ids)) == len(ids)
    for feature in document["features"]:
        found = shape(feature["geometry"])
        assert found.is_valid
        assert feature["properties"]["layer"] == "prop" or frame.covers(found)
        for ring, hole in rings(found):
            assert ring.is_ccw is not hole
    return document


def rings(found: object) -> Iterator[tuple[Any, bool]]:
    shapes = found.geoms if isinstance(found, MultiPolygon) else [found]
    for one in shapes:
        if isinstance(one, Polygon):
            yield one.exterior, False
            for hole in one.interiors:
                yield hole, True


def layer(document: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [one for one in document["features"] if one["properties"]["layer"] == name]


def flipped(model: GridMap, line: tuple[tuple[float, float], ...]) -> LineString:
    return LineString([(x, model.height - y) for x, y in line])


@settings(max_examples=30)
@given(st.one_of(cell_maps(), walled_maps()))
def test_walls_doors_lights_and_ground_are_those_of_the_map(model: GridMap) -> None:
    document = loaded(grid_to_geojson(model))
    walls = unary_union([shape(one["geometry"]) for one in layer(document, "wall")] or [LineString()])
    asked = unary_union([flipped(model, line) for line in barriers(model).walls] or [LineString()])
    assert walls.equals(asked)
    assert {one["id"]: shape(one["geometry"]) for one in layer(document, "door")} == {
        door.id: flipped(model, door.bounds) for door in model.doors
    }
    for one, light in zip(layer(document, "light"), model.lights, strict=True):
        assert one["geometry"]["coordinates"] == [light.at[0], model.height - light.at[1]]
    areas = {one["properties"]["name"]: shape(one["geometry"]).area for one in layer(document, "terrain")}
    cells = np.frombuffer(model.cells, dtype=np.uint8)
    assert areas == {
        TRAITS[Terrain(code)].name: float((cells == code).sum())
        for code in np.unique(cells).tolist()
        if code != Terrain.ROCK
    }


def test_everything_on_a_map_has_its_layer() -> None:
    document = loaded(grid_to_geojson(FURNISHED))
    assert {one["properties"]["layer"] for one in document["features"]} == {
        "terrain",
        "room",
        "zone",
        "wall",
        "door",
        "light",
        "stairs",
        "trap",
        "prop",
        "note",
        "entrance",
    }
    nook, odd = layer(document, "room")
    assert shape(nook["geometry"]).equals(box(1, 1, 3, 3))
    assert shape(odd["geometry"]).area == 4
    (table,) = layer(document, "prop")
    assert shape(table["geometry"]).bounds == (2.5, 1.5, 3.5, 3.5)
    assert document["map_units"]["unit"] == "cells of 5 feet"


def test_north_is_up() -> None:
    document = loaded(grid_to_geojson(grid_map("~.", "..", "..")))
    (water,) = [one for one in layer(document, "terrain") if one["properties"]["name"] == "deep water"]
    assert shape(water["geometry"]).bounds == (0, 2, 1, 3)


@settings(max_examples=15)
@given(st.integers(0, 2**40))
def test_a_realm_has_its_places_links_range_and_forests(seed: int) -> None:
    made = generate(RealmParameters(seed=seed))
    assert isinstance(made, GeneratedRealm)
    realm = made.model.realm
    document = loaded(realm_geojson(made.model))
    height = units(realm.sheet.height)
    assert {one["id"]: tuple(one["geometry"]["coordinates"]) for one in layer(document, "place")} == {
        place.id: (units(place.at.x), height - units(place.at.y)) for place in realm.places
    }
    assert len(layer(document, "link")) == len(realm.links)
    roads = [one for one in layer(document, "link") if one["properties"]["kind"] == "road"]
    assert len(roads) == sum(link.kind is LinkKind.ROAD for link in realm.links)
    assert len(layer(document, "range")) == bool(realm.range)
    assert len(layer(document, "forest")) == len(realm.patches)
    assert document["name"] == made.model.title


REGION = RegionMap(
    seed=1,
    attempt=0,
    title="The Vale",
    shape=RegionShape.COAST,
    climate=RegionClimate.TEMPERATE,
    rainfall=RegionRainfall.MODERATE,
    relief=RegionRelief.HILLY,
    season=RegionSeason.SPRING,
    furlongs=4,
    width=6,
    height=5,
    land_percent=80,
    heights=bytes(60),
    biomes=bytes([Biome.SEA] * 6 + [Biome.GRASSLAND] * 12 + [Biome.WOODLAND] * 12),
    ground=bytes(30),
    rivers=(River("river-1", "Ash", ((2, 4), (2, 3), (3, 2), (3, 1), (3, 0)), (1, 2, 3, 4, 9), Mouth.SEA),),
    lakes=(Lake("lake-1", "Mere", (5, 4), 30, 1),),
    settlements=(Settlement("settlement-1", SettlementKind.PORT, "Ford", (3, 1), 800, Siting.HARBOR),),
    ways=(Way("way-1", WayKind.ROAD, "settlement-1", "site-1", ((3, 1), (4, 2), (4, 3)), 1.2),),
    features=(
        Feature("feature-1", FeatureKind.FOREST, "Dark Wood", (2, 4), 12, ((0, 4), (5, 4))),
        Feature("feature-2", FeatureKind.BAY, "Cove", (0, 0), 1, ((0, 0), (0, 0))),
    ),
    sites=(Site("site-1", SiteKind.RUIN, "Old Keep", (4, 3), True),),
    zones=(WeatherZone("a", WeatherClimate.OCEANIC, ()), WeatherZone("b", WeatherClimate.ALPINE, ())),
    weather_side=4,
    weather=bytes([0, 1, 1, 1]),
)


def test_a_region_has_its_waters_ways_settlements_and_biomes() -> None:
    document = loaded(region_geojson(REGION))
    areas = {one["properties"]["name"]: shape(one["geometry"]).area for one in layer(document, "biome")}
    assert areas == {"sea": 6, "grassland": 12, "woodland": 12}
    weather = {one["properties"]["letter"]: shape(one["geometry"]).area for one in layer(document, "weather")}
    assert weather == {"a": 16, "b": 14}
    (river,) = layer(document, "river")
    assert river["geometry"]["coordinates"][-1] == [3.5, 4.5]
    (town,) = layer(document, "settlement")
    assert (town["geometry"]["coordinates"], town["properties"]["population"]) == ([3.5, 3.5], 800)
    (way,) = layer(document, "way")
    assert (way["properties"]["to"], way["properties"]["miles"]) == ("site-1", 1.2)
    assert [one["geometry"]["type"] for one in layer(document, "feature")] == ["LineString", "Point"]
    assert document["map_units"]["unit"] == "cells of 0.5 miles"


def test_a_hole_is_a_hole() -> None:
    document = loaded(grid_to_geojson(grid_map("...", ".~.", "...")))
    floor = next(one for one in layer(document, "terrain") if one["properties"]["name"] == "floor")
    assert len(floor["geometry"]["coordinates"]) == 2
    assert shape(floor["geometry"]).area == pytest.approx(8)
