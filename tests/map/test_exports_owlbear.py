"""Owlbear Rodeo scenes, by the types of its SDK (`SceneUpload`, `Item`) and what Dynamic Fog reads."""

from __future__ import annotations

import base64
import json
import uuid
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.map.exports.geometry import barriers
from services.map.exports.owlbear import to_owlbear
from services.map.generation.grid.model import Door, DoorState, GridMap, KeyNote, Room, Trap
from services.map.generation.grid.secrets import for_players
from tests.map.test_exports_foundry import CRYPT
from tests.map.test_exports_geometry import cell_maps, grid_map, walled_maps

DOORS = "rodeo.owlbear.dynamic-fog/doors"
LIGHT = "rodeo.owlbear.dynamic-fog/light"
LIGHT_CONFIG = {
    "type": "object",
    "properties": {
        **{
            key: {"type": "number", "minimum": 0}
            for key in ("attenuationRadius", "sourceRadius", "falloff", "rotation")
        },
        **{key: {"type": "number", "maximum": 360} for key in ("innerAngle", "outerAngle")},
        "lightType": {"enum": ["PRIMARY", "SECONDARY", "AUXILIARY"]},
    },
    "required": ["attenuationRadius"],
    "additionalProperties": False,
}
"""What the extension reads of an item's metadata, whatever the item is; it makes a light where it stands."""
SPOT = {
    "type": "object",
    "properties": {"x": {"type": "number"}, "y": {"type": "number"}},
    "required": ["x", "y"],
}
ITEM = {
    "id": {"type": "string", "format": "uuid"},
    "type": {"enum": ["PATH", "SHAPE", "TEXT"]},
    "name": {"type": "string"},
    "visible": {"type": "boolean"},
    "locked": {"type": "boolean"},
    "createdUserId": {"type": "string"},
    "zIndex": {"type": "integer"},
    "lastModified": {"type": "string"},
    "lastModifiedUserId": {"type": "string"},
    "position": SPOT,
    "rotation": {"type": "number"},
    "scale": SPOT,
    "metadata": {"type": "object"},
    "layer": {"enum": ["FOG", "PROP", "TEXT"]},
}
BY_TYPE = [
    {"properties": {"type": {"const": "PATH"}}, "required": ["commands", "fillRule", "style"]},
    {
        "properties": {
            "type": {"const": "SHAPE"},
            "shapeType": {"const": "CIRCLE"},
            "metadata": {"required": [LIGHT]},
        },
        "required": ["shapeType", "width", "height", "style"],
    },
    {"properties": {"type": {"const": "TEXT"}}, "required": ["text"]},
]
SCENE = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1},
        "fog": {"type": "object", "required": ["filled", "style"]},
        "grid": {
            "type": "object",
            "properties": {
                "dpi": {"const": 150},
                "scale": {"type": "string", "pattern": "^[0-9]+ft$"},
                "type": {"const": "SQUARE"},
                "measurement": {"const": "CHEBYSHEV"},
            },
            "required": ["dpi", "scale", "type", "measurement", "style"],
        },
        "items": {
            "type": "array",
            "items": {"type": "object", "properties": ITEM, "required": list(ITEM), "oneOf": BY_TYPE},
        },
        "baseMap": {
            "type": "object",
            "required": [
                "file",
                "name",
                "grid",
                "text",
                "textItemType",
                "visible",
                "locked",
                "rotation",
                "scale",
            ],
        },
    },
    "required": ["name", "fog", "grid", "items"],
    "additionalProperties": False,
}
VALIDATOR = jsonschema.Draft202012Validator(SCENE)


def scene(model: GridMap, *picture: Any) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(to_owlbear(model, *picture))
    VALIDATOR.validate(document)
    ids = [item["id"] for item in document["items"]]
    assert len(set(ids)) == len(ids)
    assert all(uuid.UUID(one).version == 4 for one in ids)
    return document


def spots(path: dict[str, Any]) -> tuple[tuple[float, float], ...]:
    assert [command[0] for command in path["commands"]] == [0] + [1] * (len(path["commands"]) - 1)
    return tuple((x / 150, y / 150) for _, x, y in path["commands"])


@settings(max_examples=25)
@given(st.one_of(cell_maps(), walled_maps()))
def test_fog_doors_and_lights_are_those_of_the_map(model: GridMap) -> None:
    items = scene(model)["items"]
    found = barriers(model)
    walls = [item for item in items if item["type"] == "PATH" and DOORS not in item["metadata"]]
    assert [spots(wall) for wall in walls] == [*found.walls, *found.objects]
    doors = [item for item in items if DOORS in item["metadata"]]
    assert [spots(door) for door in doors] == [door.bounds for door in found.doors]
    for item, door in zip(doors, found.doors, strict=True):
        (shut,) = item["metadata"][DOORS]
        assert shut["open"] is (door.state is DoorState.OPEN)
        assert shut["end"]["distance"] - shut["start"]["distance"] == 150 * door.span
    lights = [item for item in items if LIGHT in item["metadata"]]
    # Light and wall items are known to the client that made them alone: a scene holds none.
    assert not {"LIGHT", "WALL"} & {item["type"] for item in items}
    assert all(item["visible"] for item in lights)
    for item in lights:
        jsonschema.validate(item["metadata"][LIGHT], LIGHT_CONFIG)
    assert [(item["position"]["x"], item["metadata"][LIGHT]["attenuationRadius"]) for item in lights] == [
        (light.at[0] * 150, light.dim * 150) for light in model.lights
    ]


def test_the_picture_is_told_by_address_or_held_as_a_data_url() -> None:
    assert "baseMap" not in scene(CRYPT)
    base = scene(CRYPT, "crypt.webp", 70)["baseMap"]
    assert (base["file"], base["grid"]["dpi"]) == ("crypt.webp", 70)
    kind, _, data = scene(CRYPT, b"picture", 70, "image/webp")["baseMap"]["file"].partition(",")
    assert (kind, base64.b64decode(data)) == ("data:image/webp;base64", b"picture")


def test_what_the_game_master_knows_is_not_visible_to_players() -> None:
    texts = [item for item in scene(CRYPT)["items"] if item["type"] == "TEXT"]
    told = {item["text"]["plainText"]: item["visible"] for item in texts}
    assert told == {
        "1. Hall\nCold <iron> smell.\nA draught.": False,
        "2": False,
        "Trap (pit)\nTen feet deep.": False,
        "Under the tile.": False,
        "Exit": True,
    }


def test_a_player_s_scene_has_no_secret_door() -> None:
    items = scene(for_players(CRYPT))["items"]
    assert [item for item in items if DOORS in item["metadata"]] == []
    assert "Trap" not in json.dumps(items)


def test_the_same_map_has_the_same_ids_in_every_run() -> None:
    model = grid_map(
        "..",
        rooms=(Room("room-1", 1, 0, 0, 1, 1),),
        traps=(Trap("trap-1", (1, 0), "pit"),),
        notes=(KeyNote("note-1", (0.5, 0.5), "Here"),),
    )
    assert to_owlbear(model) == to_owlbear(model)
    assert len(scene(model)["items"]) == 3


def test_open_and_shut_doors_differ() -> None:
    def opened(state: DoorState) -> bool:
        (door,) = CRYPT.doors
        model = grid_map("#.#", "#.#", "#.#", doors=(Door("door-1", (1, 1), door.axis, state=state),))
        (item,) = [item for item in scene(model)["items"] if DOORS in item["metadata"]]
        found: bool = item["metadata"][DOORS][0]["open"]
        return found

    assert [opened(state) for state in (DoorState.OPEN, DoorState.CLOSED, DoorState.LOCKED)] == [
        True,
        False,
        False,
    ]


def test_a_cell_has_pixels() -> None:
    with pytest.raises(ValueError, match="pixel"):
        to_owlbear(CRYPT, None, 0)
