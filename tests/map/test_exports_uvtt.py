"""Universal VTT, read as its readers read it."""

from __future__ import annotations

import base64
import json
import math
from dataclasses import replace
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString

from services.map.exports.schemas import uvtt_schema
from services.map.exports.uvtt import to_uvtt
from services.map.generation.grid.model import Axis, Door, DoorKind, DoorState, GridMap, Light, Wall, WallKind
from services.map.generation.grid.secrets import for_players
from services.map.render.raster.encode import png
from tests.map.test_exports_geometry import cell_maps, grid_map, walled_maps

PNG = png(np.zeros((2, 2, 3), np.uint8))
VALIDATOR = jsonschema.Draft202012Validator(uvtt_schema())

CRYPT = grid_map(
    "#########",
    "#...#...#",
    "#.......#",
    "#...#...#",
    "#########",
    ambient="dark",
    doors=(Door("door-1", (4, 2), Axis.EAST_WEST, DoorKind.SECRET),),
    lights=(Light("light-1", (1.5, 2.5), 2.0, 4.0, "#ffb35c"),),
)


def read(model: GridMap, image: bytes | None = None, pixels: int = 100) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(to_uvtt(model, image, pixels))
    return document


def lines(document: dict[str, Any], key: str = "line_of_sight") -> list[LineString]:
    return [LineString([(point["x"], point["y"]) for point in line]) for line in document[key]]


@settings(max_examples=50)
@given(st.one_of(cell_maps(), walled_maps()))
def test_every_file_follows_the_schema(model: GridMap) -> None:
    VALIDATOR.validate(read(model))
    VALIDATOR.validate(read(model, PNG, 70))


@settings(max_examples=50)
@given(st.one_of(cell_maps(), walled_maps()))
def test_walls_end_at_portals_and_never_run_over_them(model: GridMap) -> None:
    document = read(model)
    walls = lines(document)
    for portal in document["portals"]:
        ends = [(end["x"], end["y"]) for end in portal["bounds"]]
        line = LineString(ends)
        assert all(wall.intersection(line).length == 0 for wall in walls)
        middle = line.interpolate(0.5, normalized=True)
        assert (portal["position"]["x"], portal["position"]["y"]) == (middle.x, middle.y)
        (x0, y0), (x1, y1) = ends
        assert math.cos(portal["rotation"]) == pytest.approx((x1 - x0) / line.length, abs=1e-9)
        assert math.sin(portal["rotation"]) == pytest.approx((y1 - y0) / line.length, abs=1e-9)


@settings(max_examples=50)
@given(cell_maps())
def test_doors_and_lights_are_those_of_the_map(model: GridMap) -> None:
    document = read(model)
    doors = [door for door in model.doors if door.kind is not DoorKind.ARCH]
    assert [[(end["x"], end["y"]) for end in portal["bounds"]] for portal in document["portals"]] == [
        list(door.bounds) for door in doors
    ]
    assert all(portal["closed"] for portal in document["portals"])
    assert [
        (light["position"]["x"], light["position"]["y"], light["range"], light["color"])
        for light in document["lights"]
    ] == [(*light.at, light.dim, "ff12ab9f") for light in model.lights]


def test_a_map_that_is_not_square_tells_its_size_in_cells() -> None:
    document = read(CRYPT, PNG, 70)
    assert document["format"] == 0.3
    assert document["resolution"] == {
        "map_origin": {"x": 0, "y": 0},
        "map_size": {"x": 9, "y": 5},
        "pixels_per_grid": 70,
    }
    assert base64.b64decode(document["image"]) == PNG
    assert document["environment"] == {"baked_lighting": False, "ambient_light": "ff000000"}


def test_portals_and_lights_are_there_even_when_there_are_none_and_the_picture_only_if_given() -> None:
    document = read(grid_map("..", ".."))
    assert document["portals"] == document["lights"] == document["objects_line_of_sight"] == []
    assert "image" not in document


def test_a_secret_door_is_a_portal_for_the_game_master_and_wall_for_players() -> None:
    portal = LineString([(4.5, 2), (4.5, 3)])
    ray = LineString([(3.5, 2.5), (5.5, 2.5)])
    assert len(read(CRYPT)["portals"]) == 1
    assert not any(wall.intersects(ray) for wall in lines(read(CRYPT)))
    players = read(for_players(CRYPT))
    assert players["portals"] == []
    assert any(wall.crosses(ray) for wall in lines(players))
    assert not any(wall.intersects(portal.interpolate(0.5)) for wall in lines(players))


def test_an_open_door_is_a_door_and_a_window_is_a_portal_that_is_not_closed() -> None:
    door = Door("door-1", (1, 1), Axis.NORTH_SOUTH, DoorKind.WOODEN, DoorState.OPEN, edge="n")
    walls = (
        Wall(((0.0, 1.0), (3.0, 1.0))),
        Wall(((0.0, 2.0), (1.0, 2.0)), WallKind.WINDOW),
        Wall(((1.0, 2.0), (2.0, 2.0)), WallKind.FENCE),
        Wall(((2.0, 2.0), (3.0, 2.0)), WallKind.LOW),
    )
    document = read(grid_map("...", "...", "...", walls=walls, doors=(door,)))
    assert [portal["closed"] for portal in document["portals"]] == [True, False, False]
    assert {line.bounds for line in lines(document)} == {(0, 1, 1, 1), (2, 1, 3, 1)}


def test_trees_and_pillars_are_closed_objects() -> None:
    document = read(grid_map("....", ".oT.", "...."))
    rings = document["objects_line_of_sight"]
    assert all(ring[0] == ring[-1] for ring in rings)
    assert sum(line.length for line in lines(document, "objects_line_of_sight")) == 6
    assert document["line_of_sight"] == []


@settings(max_examples=50)
@given(cell_maps())
def test_few_walls_end_where_another_starts(model: GridMap) -> None:
    """Foundry's importer joins such walls with one of no length: only rings of an odd number keep one."""
    document = read(model)
    open_lines = [line for line in document["line_of_sight"] if line[0] != line[-1]]
    starts = [(line[0]["x"], line[0]["y"]) for line in open_lines]
    ends = [(line[-1]["x"], line[-1]["y"]) for line in open_lines]
    meetings = sum(end in starts for end in ends)
    doors = sum(door.kind is not DoorKind.ARCH for door in model.doors)
    assert meetings <= doors


def test_equal_maps_give_equal_bytes() -> None:
    assert to_uvtt(CRYPT, PNG) == to_uvtt(replace(CRYPT), PNG)


def test_a_cell_has_pixels() -> None:
    with pytest.raises(ValueError, match="pixel"):
        to_uvtt(CRYPT, None, 0)
