"""Tiled maps, read by pytiled_parser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytiled_parser import parse_map
from pytiled_parser.layer import ImageLayer, ObjectLayer, TileLayer
from pytiled_parser.tiled_map import TiledMap
from pytiled_parser.tiled_object import Point, Polygon, Polyline, Rectangle, TiledObject

from services.map.exports.geometry import barriers
from services.map.exports.tiled import tileset_model, to_tiled
from services.map.generation.grid.model import (
    Axis,
    Door,
    DoorKind,
    GridMap,
    KeyNote,
    Light,
    Prop,
    Room,
    Stairs,
    Trap,
    Zone,
)
from services.map.generation.grid.terrain import TRAITS, Terrain
from tests.map.test_exports_geometry import cell_maps, grid_map, walled_maps

FURNISHED = grid_map(
    "#######",
    "#.....#",
    "#.....#",
    "#######",
    heights=bytes([0] * 7 + [0, 2, 2, 255, 0, 0, 0] + [0] * 14),
    entrance=(1, 1),
    rooms=(
        Room("room-1", 1, 1, 1, 2, 2, "Nook", tags=("round",), notes=("One.", "Two.")),
        Room("room-2", 2, 3, 1, 3, 2, spans=((1, 3, 6), (2, 4, 5))),
    ),
    doors=(Door("door-1", (3, 1), Axis.EAST_WEST, DoorKind.SECRET, note="Behind it"),),
    lights=(Light("light-1", (1.5, 1.5), 2.0, 4.0, "#ffb35c"),),
    traps=(Trap("trap-1", (2, 2), "pit", 2, 1),),
    stairs=(Stairs("stairs-1", (5, 1), True, "w"),),
    props=(Prop("prop-1", "table", 2.0, 1.0, 2.0, 1.0, 90),),
    zones=(Zone("start-heroes", "start", "Heroes", ((1, 1, 3),), "heroes"),),
    notes=(KeyNote("note-1", (4.5, 1.5), "Psst"),),
)


def parsed(model: GridMap, folder: Path, **options: Any) -> TiledMap:
    path = folder / "map.tmj"
    path.write_bytes(to_tiled(model, **options))
    return parse_map(path)


def layers(tiled: TiledMap, kind: type) -> dict[str, Any]:
    return {layer.name: layer for layer in tiled.layers if isinstance(layer, kind)}


def objects(tiled: TiledMap, layer: str) -> list[TiledObject]:
    return cast(list[TiledObject], layers(tiled, ObjectLayer)[layer].tiled_objects)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(model=st.one_of(cell_maps(), walled_maps()))
def test_tiles_walls_doors_and_lights_are_those_of_the_map(model: GridMap, tmp_path: Path) -> None:
    tiled = parsed(model, tmp_path, tile=10)
    assert (tiled.map_size.width, tiled.map_size.height) == (model.width, model.height)
    (tiles,) = layers(tiled, TileLayer).values()
    assert bytes(gid - 1 for row in tiles.data for gid in row) == model.cells
    found = barriers(model)
    drawn = []
    for one in objects(tiled, "walls"):
        assert isinstance(one, Polyline)
        left, top = one.coordinates.x, one.coordinates.y
        drawn.append((one.class_, tuple(((left + p.x) / 10, (top + p.y) / 10) for p in one.points)))
    asked = [("wall", line) for line in found.walls] + [("object", line) for line in found.objects]
    assert drawn == [(kind, tuple(pytest.approx(spot) for spot in line)) for kind, line in asked]
    assert [
        (one.name, one.properties["kind"], one.properties["secret"]) for one in objects(tiled, "doors")
    ] == [(door.id, door.kind, door.secret) for door in model.doors]
    for one, light in zip(objects(tiled, "lights"), model.lights, strict=True):
        assert isinstance(one, Point)
        assert (one.coordinates.x / 10, one.coordinates.y / 10) == pytest.approx(light.at)
        assert (one.properties["bright"], one.properties["dim"]) == (light.bright, light.dim)


def test_each_height_is_a_layer_and_together_they_are_the_map(tmp_path: Path) -> None:
    found = layers(parsed(FURNISHED, tmp_path), TileLayer)
    assert {name: layer.properties["elevation"] for name, layer in found.items()} == {
        "terrain -1": -1,
        "terrain": 0,
        "terrain +2": 2,
    }
    flat = [[gid for row in layer.data for gid in row] for layer in found.values()]
    assert bytes(sum(gids) - 1 for gids in zip(*flat, strict=True)) == FURNISHED.cells
    assert [index for index, gid in enumerate(flat[2]) if gid] == [8, 9]


def test_everything_on_the_map_is_an_object_of_its_layer(tmp_path: Path) -> None:
    tiled = parsed(FURNISHED, tmp_path, tile=32)
    nook, odd = objects(tiled, "rooms")
    assert isinstance(nook, Rectangle)
    assert (nook.coordinates.x, nook.size.width, nook.properties["notes"]) == (32, 64, "One.\nTwo.")
    assert isinstance(odd, Polygon)
    assert len(odd.points) == 8
    (zone,) = objects(tiled, "zones")
    assert (zone.properties["side"], zone.properties["secret"]) == ("heroes", False)
    (door,) = objects(tiled, "doors")
    assert (door.properties["secret"], door.properties["note"]) == (True, "Behind it")
    (light,) = objects(tiled, "lights")
    assert tuple(light.properties["color"]) == (255, 179, 92, 255)
    (trap,) = objects(tiled, "traps")
    assert isinstance(trap, Rectangle)
    assert (trap.coordinates.x, trap.size.width, trap.properties["kind"]) == (64, 64, "pit")
    (stairs,) = objects(tiled, "stairs")
    assert (stairs.properties["up"], stairs.properties["facing"]) == (True, "w")
    (note,) = objects(tiled, "notes")
    assert (note.properties["text"], note.properties["secret"]) == ("Psst", True)
    (entrance,) = objects(tiled, "ways")
    assert (entrance.name, entrance.coordinates.x) == ("entrance", 48)


def test_a_turned_prop_keeps_its_middle(tmp_path: Path) -> None:
    (table,) = objects(parsed(FURNISHED, tmp_path, tile=10), "props")
    # Tiled turns it by 90 degrees round its top left corner: its middle then lies down and to the left.
    assert table.rotation == 90
    assert (table.coordinates.x - 10 / 2, table.coordinates.y + 20 / 2) == pytest.approx((30, 15))


def test_the_tileset_tells_what_each_terrain_does(tmp_path: Path) -> None:
    tiled = parsed(FURNISHED, tmp_path, tileset_image="tiles/all.png", tile=16)
    (tileset,) = tiled.tilesets.values()
    assert tileset.image is not None
    assert (tileset.tile_count, tileset.image.name) == (len(Terrain), "all.png")
    assert tileset.tiles is not None
    for terrain, trait in TRAITS.items():
        told = tileset.tiles[int(terrain)].properties
        assert told == {
            "letter": trait.letter,
            "pace": trait.pace,
            "opaque": trait.opaque,
            "cover": trait.cover,
        }


def test_the_tileset_is_drawn_from_a_map_of_one_row() -> None:
    model = tileset_model()
    assert (model.width, model.height) == (len(Terrain), 1)
    assert [model.terrain(x, 0) for x in range(model.width)] == list(Terrain)


def test_a_picture_lies_over_the_tiles_when_there_is_one(tmp_path: Path) -> None:
    assert layers(parsed(FURNISHED, tmp_path), ImageLayer) == {}
    picture = layers(parsed(FURNISHED, tmp_path, picture="crypt.png"), ImageLayer)["picture"]
    assert picture.image.name == "crypt.png"


def test_ids_count_up_and_the_next_ones_are_free() -> None:
    document = json.loads(to_tiled(FURNISHED))
    assert [layer["id"] for layer in document["layers"]] == list(range(1, document["nextlayerid"]))
    ids = [one["id"] for layer in document["layers"] for one in layer.get("objects", ())]
    assert sorted(ids) == list(range(1, document["nextobjectid"]))


def test_a_cell_has_pixels() -> None:
    with pytest.raises(ValueError, match="pixel"):
        to_tiled(FURNISHED, 0)
