"""Maps out as Universal VTT and in again: walls, doors, objects and lights are where they were."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import shapely
from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry

from services.map.exports.geojson import grid_to_geojson
from services.map.exports.geometry import Barriers, barriers
from services.map.exports.owlbear import to_owlbear
from services.map.exports.soundness import faults
from services.map.exports.uvtt import to_uvtt
from services.map.exports.uvtt_import import Imported, from_uvtt
from services.map.generation.grid.canonical import from_data, to_bytes
from services.map.generation.grid.model import DoorState, GridMap, Spot
from services.map.generation.grid.secrets import for_players
from services.map.generation.kind import Made, make
from services.map.ground.building import ground_of
from services.map.ground.sight import sees
from services.map.registry import GENERATORS
from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.squares import Square
from tests.map.test_exports_foundry import scene
from tests.map.test_exports_geojson import layer, loaded
from tests.map.test_exports_tiled import objects, parsed

NOISE = 1e-6
MAPS: dict[str, tuple[str, dict[str, Any]]] = {
    "dungeon": ("dungeon", {"width": 31, "height": 25}),
    "cave": ("cave", {"width": 30, "height": 24}),
    **{
        site: ("battle", {"site": site, "width": 28, "height": 20})
        for site in ("dungeon-room", "road", "village", "ruin", "forest")
    },
}


@cache
def generated(name: str) -> GridMap:
    slug, fields = MAPS[name]
    kind = GENERATORS[slug]
    made = make(kind, kind.codec.read(fields), 11)
    assert isinstance(made, Made), str(made)
    model: GridMap = made.model
    return model


def spots(*ends: Spot) -> list[dict[str, float]]:
    return [{"x": x, "y": y} for x, y in ends]


FOREIGN: dict[str, Any] = {
    "format": "0.3",
    "resolution": {
        "map_origin": {"x": 0.5, "y": 0},
        "map_size": {"x": 12.4, "y": 9.000001},
        "pixels_per_grid": 70,
    },
    "line_of_sight": [spots((0.5, 4.3), (4.0, 4.3)), spots((5.25, 4.3), (12.9, 4.3)), spots((7, 0), (9, 3))],
    "objects_line_of_sight": [spots((2.7, 6.1), (3.6, 6.0), (3.2, 7.4), (2.7, 6.1)), spots((9, 8), (10, 8))],
    "portals": [
        {"bounds": spots((4.0, 4.3), (5.25, 4.3)), "closed": True},
        {"bounds": spots((11.0, 5.5), (11.1, 7.0)), "closed": True},
        {"bounds": spots((7.5, 6.0), (8.5, 6.0)), "closed": "true"},
        {"bounds": spots((2.0, 2.0), (3.0, 2.0)), "closed": False},
    ],
    "environment": {"baked_lighting": "true", "ambient_light": "ff000000"},
    "lights": [{"position": {"x": 3.123456789, "y": 2.2}, "range": 4.75, "color": "80ff0000"}],
}
"""What no program of this house draws: parts of cells, slanting doors, texts for numbers and truths."""


def read(data: bytes) -> GridMap:
    found = from_uvtt(data)
    assert isinstance(found, Imported), str(found)
    assert (found.warnings, list(faults(found.model))) == ((), [])
    return found.model


@pytest.fixture(params=[*MAPS, "imported"])
def model(request: pytest.FixtureRequest) -> GridMap:
    if request.param == "imported":
        return read(json.dumps(FOREIGN).encode())
    return generated(request.param)


def drawn(lines: tuple[tuple[Spot, ...], ...]) -> BaseGeometry:
    return shapely.union_all([LineString(line) for line in lines])


def near(one: BaseGeometry, other: BaseGeometry) -> bool:
    return bool(one.difference(other.buffer(NOISE)).is_empty and other.difference(one.buffer(NOISE)).is_empty)


def ends_of(found: Barriers) -> list[tuple[Spot, ...]]:
    return sorted(tuple(sorted(door.bounds)) for door in found.doors)


def test_what_goes_out_comes_in_where_it_was(model: GridMap) -> None:
    for told in (model, for_players(model)):
        again = read(to_uvtt(told))
        before, after = barriers(told), barriers(again)
        assert near(drawn(after.walls), drawn(before.walls))
        assert len(after.objects) == len(before.objects)
        assert near(drawn(after.objects), drawn(before.objects))
        for old, new in zip(ends_of(before), ends_of(after), strict=True):
            assert all(math.dist(one, other) <= NOISE for one, other in zip(old, new, strict=True))
        # A light of the file is a light on the map; one that stood beyond it was none.
        lights = [light for light in told.lights if 0 <= light.at[0] < told.width]
        for here, there in zip(lights, again.lights, strict=True):
            assert math.dist(here.at, there.at) <= NOISE and here.dim == pytest.approx(there.dim)
            assert here.color == there.color
        assert (again.width, again.height, again.ambient) == (told.width, told.height, told.ambient)
        assert again.baked_lighting is told.baked_lighting


def test_the_second_time_nothing_changes_but_how_walls_are_joined(model: GridMap) -> None:
    once = read(to_uvtt(model))
    again = read(to_uvtt(once))
    assert replace(again, walls=()) == replace(once, walls=())
    assert from_data(json.loads(to_bytes(once))) == once


def test_a_forest_has_its_objects_and_not_as_walls() -> None:
    before, after = barriers(generated("forest")), barriers(read(to_uvtt(generated("forest"))))
    assert len(after.objects) == len(before.objects) > 10
    assert len(after.walls) == len(before.walls)


def test_every_reader_has_a_door_where_the_file_had_it(tmp_path: Path) -> None:
    model = read(json.dumps(FOREIGN).encode())
    asked = [((3.5, 4.3), (4.75, 4.3)), ((10.5, 5.5), (10.6, 7.0)), ((7.0, 6.0), (8.0, 6.0))]
    assert [door.bounds for door in model.doors] == asked

    def same(found: list[list[tuple[float, float]]]) -> None:
        for ends, bounds in zip(found, asked, strict=True):
            assert all(math.dist(*pair) <= 0.006 for pair in zip(sorted(ends), sorted(bounds), strict=True))

    walls = [wall["c"] for wall in scene(model, pixels=100)["walls"] if wall["door"]]
    same([[(x0 / 100, y0 / 100), (x1 / 100, y1 / 100)] for x0, y0, x1, y1 in walls])
    lines = objects(parsed(model, tmp_path, tile=100), "doors")
    same(
        [
            [((line.coordinates.x + x) / 100, (line.coordinates.y + y) / 100) for x, y in line.points]  # type: ignore[attr-defined]
            for line in lines
        ]
    )
    features = layer(loaded(grid_to_geojson(model)), "door")
    flipped = [one["geometry"]["coordinates"] for one in features]
    same([[(x, model.height - y) for x, y in line] for line in flipped])
    items = [one for one in json.loads(to_owlbear(model))["items"] if one["name"] == "Door"]
    same([[(x / 150, y / 150) for _, x, y in one["commands"]] for one in items])
    for item, (start, end) in zip(items, asked, strict=True):
        (told,) = item["metadata"]["rodeo.owlbear.dynamic-fog/doors"]
        assert told["end"]["distance"] == pytest.approx(150 * math.dist(start, end))


def test_nobody_sees_past_a_door_beside_the_grid_until_it_is_opened() -> None:
    model = read(json.dumps(FOREIGN | {"objects_line_of_sight": []}).encode())
    row = [(x, 3) for x in range(2, 6)]

    def seen(state: DoorState) -> set[bool]:
        ground = ground_of(model, {door.id: state for door in model.doors})
        return {sees(ground, Footprint(Square(x, y)), Footprint(Square(x, y + 2))) for x, y in row}

    assert seen(DoorState.CLOSED) == {False}
    assert True in seen(DoorState.OPEN)
