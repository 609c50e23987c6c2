"""Foundry scenes against the fields of Foundry's own data models, and against the map they show."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.map.exports.foundry import LEVEL, Profile, to_foundry, to_foundry_journal
from services.map.exports.geometry import barriers, segments
from services.map.generation.grid.model import (
    Axis,
    Door,
    DoorKind,
    DoorState,
    GridMap,
    KeyNote,
    Light,
    Room,
    Trap,
    Wall,
    WallKind,
    Zone,
)
from services.map.generation.grid.secrets import for_players
from tests.map.test_exports_geometry import cell_maps, grid_map, walled_maps

WHOLE, TEXT = {"type": "integer"}, {"type": "string"}
DOCUMENT_ID = {"type": "string", "pattern": "^[A-Za-z0-9]{16}$"}
COLOUR = {"type": "string", "pattern": "^#[0-9a-f]{6}$"}
SENSE = {"enum": [0, 10, 20, 30, 40]}

WALL = {
    "_id": DOCUMENT_ID,
    "c": {"type": "array", "items": WHOLE, "minItems": 4, "maxItems": 4},
    "light": SENSE,
    "move": {"enum": [0, 20]},
    "sight": SENSE,
    "sound": SENSE,
    "dir": {"enum": [0, 1, 2]},
    "door": {"enum": [0, 1, 2]},
    "ds": {"enum": [0, 1, 2]},
    "threshold": {"type": "object"},
    "flags": {"type": "object"},
}
CONFIG = {
    "alpha": {"type": "number", "minimum": 0, "maximum": 1},
    "angle": {"const": 360},
    "bright": {"type": "number", "minimum": 0},
    "dim": {"type": "number", "minimum": 0},
    "color": COLOUR,
}
LIGHT = {
    "_id": DOCUMENT_ID,
    "x": WHOLE,
    "y": WHOLE,
    "walls": {"const": True},
    "hidden": {"const": False},
    "config": {"type": "object", "properties": CONFIG, "required": list(CONFIG)},
}
NOTE = {
    "_id": DOCUMENT_ID,
    "entryId": {"anyOf": [DOCUMENT_ID, {"type": "null"}]},
    "pageId": {"anyOf": [DOCUMENT_ID, {"type": "null"}]},
    "x": WHOLE,
    "y": WHOLE,
    "text": TEXT,
    "iconSize": {"type": "integer", "minimum": 32},
}
GRID = {
    "type": {"const": 1},
    "size": {"type": "integer", "minimum": 20},
    "style": {"const": "solidLines"},
    "thickness": {"type": "integer", "minimum": 1},
    "color": COLOUR,
    "alpha": {"type": "number", "minimum": 0, "maximum": 1},
    "distance": {"type": "number", "exclusiveMinimum": 0},
    "units": {"const": "ft"},
}


def rows(fields: dict[str, Any], **more: Any) -> dict[str, Any]:
    known = fields | more
    return {"type": "array", "items": {"type": "object", "properties": known, "required": list(known)}}


def scene_schema(profile: Profile) -> dict[str, Any]:
    placed = {"levels": {"const": []}} if profile is Profile.V14 else {}
    fields: dict[str, Any] = {
        "_id": DOCUMENT_ID,
        "name": {"type": "string", "minLength": 1},
        "width": {"type": "integer", "minimum": 1},
        "height": {"type": "integer", "minimum": 1},
        "padding": {"const": 0},
        "grid": {"type": "object", "properties": GRID, "required": list(GRID), "additionalProperties": False},
        "walls": rows(WALL, **placed),
        "lights": rows(LIGHT, **placed),
        "notes": rows(NOTE, **placed),
        "tokens": {"const": []},
        "drawings": {"const": []},
        "tokenVision": {"const": True},
    }
    gone = ["levels", "initialLevel", "shiftX", "shiftY"]
    if profile is Profile.V14:
        gone = ["background", "backgroundColor", "foreground", "foregroundElevation", "templates"]
        level = {
            "_id": DOCUMENT_ID,
            "name": {"type": "string", "minLength": 1},
            "elevation": {
                "type": "object",
                "properties": {"bottom": {"type": "number"}, "top": {"type": "number"}},
                "required": ["bottom", "top"],
            },
            "background": {"type": "object", "required": ["src"]},
        }
        fields["levels"] = rows(level) | {"minItems": 1, "maxItems": 1}
        fields["initialLevel"] = {"const": LEVEL}
    else:
        fields["background"] = {"type": "object", "required": ["src"]}
    return {
        "type": "object",
        "properties": fields | dict.fromkeys(gone, False),
        "required": list(fields),
    }


VALIDATORS = {profile: jsonschema.Draft202012Validator(scene_schema(profile)) for profile in Profile}


def scene(model: GridMap, profile: Profile = Profile.V13, pixels: int = 100) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(to_foundry(model, profile, "maps/crypt.webp", pixels))
    VALIDATORS[profile].validate(document)
    ids = [document["_id"], *(one["_id"] for key in ("walls", "lights", "notes") for one in document[key])]
    assert len(set(ids)) == len(ids)
    return document


def stops(wall: dict[str, Any]) -> tuple[int, int, int, int]:
    return wall["move"], wall["sight"], wall["light"], wall["sound"]


CRYPT = grid_map(
    "#########",
    "#...#...#",
    "#.......#",
    "#...#...#",
    "#########",
    title="The Old Crypt",
    ambient="dark",
    entrance=(1, 1),
    rooms=(
        Room("room-1", 1, 1, 1, 3, 3, "Hall", notes=("Cold <iron> smell.", "A draught.")),
        Room("room-2", 2, 5, 1, 3, 3),
    ),
    doors=(
        Door("door-1", (4, 2), Axis.EAST_WEST, DoorKind.SECRET, DoorState.LOCKED, note="Push the skull."),
    ),
    lights=(Light("light-1", (1.5, 2.5), 2.0, 4.0, "#ffb35c"),),
    traps=(Trap("trap-1", (6, 2), "pit", note="Ten feet deep."),),
    notes=(
        KeyNote("note-1", (2.5, 2.5), "Under the tile."),
        KeyNote("note-2", (3.5, 1.5), "Exit", secret=False),
    ),
)


@pytest.mark.parametrize("profile", Profile)
@settings(max_examples=25)
@given(model=st.one_of(cell_maps(), walled_maps()))
def test_scenes_hold_the_walls_doors_and_lights_of_the_map(profile: Profile, model: GridMap) -> None:
    document = scene(model, profile, 70)
    found = barriers(model)

    def pixels(line: tuple[tuple[float, float], ...]) -> list[int]:
        return [round(value * 70) for spot in line for value in spot]

    assert (document["width"], document["height"]) == (model.width * 70, model.height * 70)
    plain = [wall for wall in document["walls"] if not wall["door"]]
    assert [wall["c"] for wall in plain if stops(wall) == (20, 20, 20, 20)] == [
        pixels(line) for line in segments(found.walls)
    ]
    assert [wall["c"] for wall in plain if stops(wall) == (20, 10, 10, 0)] == [
        pixels(line) for line in segments(found.objects)
    ]
    states = {DoorState.CLOSED: 0, DoorState.OPEN: 1, DoorState.LOCKED: 2}
    assert [(wall["c"], wall["door"], wall["ds"]) for wall in document["walls"] if wall["door"]] == [
        (pixels(door.bounds), 2 if door.secret else 1, states[door.state]) for door in found.doors
    ]
    assert [
        (one["x"], one["y"], one["config"]["bright"], one["config"]["dim"]) for one in document["lights"]
    ] == [
        (round(light.at[0] * 70), round(light.at[1] * 70), light.bright * 5, light.dim * 5)
        for light in model.lights
    ]


def test_the_picture_stands_where_each_generation_looks_for_it() -> None:
    assert scene(CRYPT)["background"]["src"] == "maps/crypt.webp"
    (level,) = scene(CRYPT, Profile.V14)["levels"]
    assert level["background"]["src"] == "maps/crypt.webp"
    assert level["elevation"] == {"bottom": 0, "top": 20}


def test_the_level_spans_the_heights_of_the_ground() -> None:
    model = grid_map("..", heights=(-2 % 256).to_bytes(1, "big") + b"\3")
    (level,) = scene(model, Profile.V14)["levels"]
    assert level["elevation"] == {"bottom": -10, "top": 35}


@pytest.mark.parametrize(
    ("ambient", "shines", "darkness"), [("bright", True, 0), ("dim", True, 0.5), ("dark", False, 1)]
)
def test_the_light_around_is_the_map_s(ambient: str, shines: bool, darkness: float) -> None:
    environment = scene(grid_map("..", ambient=ambient))["environment"]
    assert environment["globalLight"]["enabled"] is shines
    assert environment["globalLight"]["bright"] is (ambient == "bright")
    assert environment["darknessLevel"] == darkness


def test_each_barrier_stops_what_it_stops() -> None:
    walls = (
        Wall(((0.0, 1.0), (1.0, 1.0)), WallKind.WINDOW),
        Wall(((1.0, 1.0), (2.0, 1.0)), WallKind.FENCE),
        Wall(((2.0, 1.0), (3.0, 1.0)), WallKind.LOW),
    )
    doors = (
        Door("door-1", (0, 2), Axis.NORTH_SOUTH, DoorKind.PORTCULLIS, edge="n"),
        Door("door-2", (1, 2), Axis.NORTH_SOUTH, DoorKind.CURTAIN, edge="n"),
        Door("door-3", (2, 2), Axis.NORTH_SOUTH, DoorKind.IRON, edge="n"),
    )
    document = scene(grid_map("...", "...", "...", walls=walls, doors=doors))
    assert [stops(wall) for wall in document["walls"]] == [
        (20, 0, 0, 20),
        (20, 0, 0, 0),
        (0, 0, 0, 0),
        (20, 0, 0, 0),
        (0, 20, 20, 0),
        (20, 20, 20, 20),
    ]


def test_the_notes_are_pages_no_player_opens_and_the_pins_tell_nothing() -> None:
    document = scene(CRYPT)
    written = to_foundry_journal(CRYPT)
    assert written is not None
    journal = json.loads(written)
    assert journal["ownership"] == {"default": 0}
    pages = {page["_id"]: page for page in journal["pages"]}
    assert [page["name"] for page in pages.values()] == [
        "1. Hall",
        "Door (secret)",
        "Trap (pit)",
        "Note 1",
    ]
    content = "".join(page["text"]["content"] for page in pages.values())
    assert "Cold &lt;iron&gt; smell." in content
    assert "Column 5, row 3." in content
    pin, public = document["notes"]
    assert (pin["entryId"], pin["text"]) == (journal["_id"], "1")
    assert pin["pageId"] in pages
    assert (public["entryId"], public["text"]) == (None, "Exit")
    shown = json.dumps(document["notes"])
    assert all(words not in shown for words in ("iron", "skull", "pit", "Under the tile"))


def test_players_get_wall_in_place_of_the_secret_door_and_no_journal() -> None:
    model = for_players(CRYPT)
    document = scene(model)
    assert all(wall["door"] == 0 for wall in document["walls"])
    assert to_foundry_journal(model) is None
    assert [note["text"] for note in document["notes"]] == ["Exit"]


def test_the_view_begins_where_the_heroes_do() -> None:
    assert scene(CRYPT)["initial"] == {"x": 150, "y": 150, "scale": None}
    start = Zone("start-heroes", "start", "Heroes", ((1, 1, 3), (2, 1, 3), (3, 1, 3)), "heroes")
    assert scene(grid_map(*["....."] * 5, zones=(start,)))["initial"]["x"] == 200
    assert scene(grid_map(".."))["initial"] == {"x": None, "y": None, "scale": None}


def test_ids_are_the_same_in_every_run_and_tell_nothing_of_the_seed() -> None:
    assert scene(grid_map("..", seed=1))["_id"] == scene(grid_map("..", seed=2))["_id"]
    assert scene(grid_map(".."))["_id"] != scene(grid_map(".", "."))["_id"]


def test_cells_smaller_than_foundry_s_are_refused() -> None:
    with pytest.raises(ValueError, match="20"):
        to_foundry(CRYPT, Profile.V13, None, 19)
