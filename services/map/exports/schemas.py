"""The published JSON Schemas (draft 2020-12) of map files, of what maps are made from, and of Universal VTT.

What is a dataclass is read from the dataclass itself (`services.rules.engine.json_schema`), so that code and
schema cannot part.
"""

from __future__ import annotations

import typing
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from services.map.exports.soundness import AMBIENTS, COLOUR, MAX_NAME, MOST
from services.map.generation.grid import canonical
from services.map.generation.grid.model import MAX_SIDE, GridKind, GridMap
from services.map.generation.grid.terrain import LETTERS
from services.map.generation.realm import canonical as realm_canonical
from services.map.generation.realm.model import Corner
from services.map.generation.region import canonical as region_canonical
from services.map.generation.region.model import BIOME_LETTERS, GROUND_LETTERS, RegionMap
from services.map.generation.story import canonical as story_canonical
from services.map.generation.story.model import StoryMap
from services.rules.engine.json_schema import Schema, Writer, attributes, headed, summary
from services.rules.systems.forgeborn import LinkKind, PlaceKind

_INLINE = Writer()
_SEED = "A text, because many readers keep only 53 bits of a number."


def published(parameters: Mapping[str, type]) -> dict[str, Schema]:
    """Every schema that is published, by the name of its file.

    Args:
        parameters: What each kind of map is made from, by the kind's slug.
    """
    made = [grid_map_schema(), realm_schema(), region_schema(), story_schema(), uvtt_schema()]
    for slug, cls in sorted(parameters.items()):
        made.append(parameters_schema(cls, f"map-{slug.replace('_', '-')}-parameters"))
    return {f"{schema['title']}.schema.json": schema for schema in made}


def parameters_schema(cls: type, name: str) -> Schema:
    """The schema of what a kind of map is made from.

    Args:
        cls: The kind's frozen dataclass of parameters; every field may be left out.
        name: Of the schema, for its id: `map-dungeon-parameters`.
    """
    return headed(name, dataclass_schema(cls))


def dataclass_schema(cls: type) -> Schema:
    """The schema of a dataclass as the codec reads it, without the head of a document.

    Raises:
        TypeError: It is no dataclass, or a hint has no JSON form.
    """
    return _INLINE.dataclass(cls)


def type_schema(hint: Any) -> Schema:
    """The schema of the JSON form of a type.

    Raises:
        TypeError: It has none.
    """
    return _INLINE.of(hint)


def grid_map_schema() -> Schema:
    """The schema of the map file of dungeons, caves, battle maps and imported maps."""
    hints = typing.get_type_hints(GridMap)
    told = attributes(GridMap)
    properties: dict[str, Schema] = {
        "format": {"const": canonical.FORMAT},
        "format_version": {"const": canonical.FORMAT_VERSION},
        "kind": type_schema(GridKind),
        "generator_version": {"type": "integer", "minimum": 0},
        "seed": _seed(),
        "attempt": {"type": "integer", "minimum": 0},
        "title": {"type": "string", "maxLength": MAX_NAME},
        "theme": {"type": "string", "maxLength": MAX_NAME},
        "feet": {"type": "integer", "minimum": 1},
        "width": {"type": "integer", "minimum": 1, "maximum": MAX_SIDE},
        "height": {"type": "integer", "minimum": 1, "maximum": MAX_SIDE},
        "ambient": {"enum": list(AMBIENTS)},
        "cells": {
            "type": "array",
            "items": _rows(LETTERS)["items"] | {"maxLength": MAX_SIDE},
            "minItems": 1,
            "maxItems": MAX_SIDE,
        },
        "heights": {
            "type": "array",
            "items": {
                "type": "array",
                "items": {"type": "integer", "minimum": -128, "maximum": 127},
                "maxItems": MAX_SIDE,
            },
            "maxItems": MAX_SIDE,
        },
        "entrance": type_schema(hints["entrance"]),
        "goal": type_schema(hints["goal"]),
    }
    for name, most in MOST.items():
        properties[name] = type_schema(hints[name]) | {"maxItems": most}
    properties["lights"]["items"]["properties"]["color"]["pattern"] = COLOUR
    for name, schema in properties.items():
        if name in told:
            schema["description"] = told[name]
    properties["cells"]["description"] = "Rows from the top, one letter a cell: what its terrain is."
    properties["heights"]["description"] = "Rows of steps of five feet, from the top; empty when flat."
    properties["seed"]["description"] = _SEED
    return headed("hearthforge-map", _object(summary(GridMap), properties))


def realm_schema() -> Schema:
    """The schema of the map file of realms."""
    pair = {"type": "array", "prefixItems": [_number(), _number()], "items": False, "minItems": 2}
    line = {"type": "array", "items": pair}
    whole, text, truth = {"type": "integer"}, {"type": "string"}, {"type": "boolean"}
    place: dict[str, Schema] = {
        "id": text,
        "kind": type_schema(PlaceKind),
        "name": text,
        "power": {"type": ["integer", "null"]},
        "spent": truth,
        "at": pair,
    }
    forest: dict[str, Schema] = {
        "largest": truth,
        "dice": _list(whole),
        "points": line,
        "lines": _list(line),
    }
    link: dict[str, Schema] = {
        "from": text,
        "to": text,
        "kind": type_schema(LinkKind),
        "forced": truth,
        "crosses_range": truth,
        "line": line | {"minItems": 2, "maxItems": 2},
    }
    settings = {
        "dragon_minimum": whole,
        "too_far_percent": whole,
        "die_width": _number(),
        "margin": _number(),
    }
    properties: dict[str, Schema] = {
        "format": {"const": realm_canonical.FORMAT},
        "format_version": {"const": realm_canonical.FORMAT_VERSION},
        "generator_version": whole | {"minimum": 1},
        "kind": {"const": "realm"},
        "seed": _seed(),
        "attempt": whole | {"minimum": 0},
        "given_dice": truth,
        "title": text,
        "compass": type_schema(Corner),
        "sheet": _object("In units.", {"width": _number(), "height": _number()}),
        "settings": _object("What the table settled on.", settings),
        "dice": _list(_object("A die as it fell.", {"sides": whole, "face": whole, "at": pair})),
        "places": _list(_object("A place.", place)),
        "range": _object("The mountain range.", {"name": text, "points": line}),
        "forests": _list(_object("A patch of forest.", forest)),
        "links": _list(_object("A road or trail.", link)),
    }
    return headed("hearthforge-realm", _object("A realm; positions are in units of the sheet.", properties))


def region_schema() -> Schema:
    """The schema of the map file of regions."""
    hints = typing.get_type_hints(RegionMap)
    told = attributes(RegionMap)
    special: dict[str, Schema] = {
        "seed": _seed(),
        "heights": {"type": "string", "contentEncoding": "base64"},
        "biomes": _rows(BIOME_LETTERS),
        "ground": _rows(GROUND_LETTERS),
        "weather": _list({"type": "string"}),
    }
    properties: dict[str, Schema] = {
        "format": {"const": region_canonical.FORMAT},
        "format_version": {"const": region_canonical.FORMAT_VERSION},
        "kind": {"const": "region"},
    }
    for item in fields(RegionMap):
        schema = special[item.name] if item.name in special else type_schema(hints[item.name])
        properties[item.name] = schema | {"description": told.get(item.name, "Of the generator.")}
    properties["seed"]["description"] = _SEED
    properties["heights"]["description"] = "Base64 of signed 16-bit feet above the sea, low byte first."
    properties["biomes"]["description"] = "Rows from the north, one letter a cell."
    properties["ground"]["description"] = "Rows from the north, one letter a cell."
    properties["weather"]["description"] = "Rows from the north, the letter of its zone for each square."
    return headed("hearthforge-region", _object(summary(RegionMap), properties))


def story_schema() -> Schema:
    """The schema of the map file of story maps."""
    hints = typing.get_type_hints(StoryMap)
    told = attributes(StoryMap)
    properties: dict[str, Schema] = {
        "format": {"const": story_canonical.FORMAT},
        "format_version": {"const": story_canonical.FORMAT_VERSION},
        "kind": {"const": "story"},
    }
    for item in fields(StoryMap):
        schema = _seed() if item.name == "seed" else type_schema(hints[item.name])
        properties[item.name] = schema | {"description": told.get(item.name, "Of the generator.")}
    properties["seed"]["description"] = _SEED
    return headed("hearthforge-story", _object(summary(StoryMap), properties))


def uvtt_schema() -> Schema:
    """The schema of the Universal VTT files written here, by the rules their readers share."""
    point = _object("A position in cells.", {"x": _number(), "y": _number()})
    line = {"type": "array", "items": point, "minItems": 2}
    colour = {"type": "string", "pattern": "^[0-9a-f]{8}$", "description": "AARRGGBB"}
    size = _object(
        "Cells.",
        {axis: {"type": "integer", "minimum": 1, "maximum": MAX_SIDE} for axis in ("x", "y")},
    )
    resolution = {
        "map_origin": point,
        "map_size": size,
        "pixels_per_grid": {"type": "integer", "minimum": 1},
    }
    portal: dict[str, Schema] = {
        "position": point,
        "bounds": line | {"maxItems": 2},
        "rotation": _number() | {"description": "Radians."},
        "closed": {"type": "boolean", "description": "A door; otherwise a window."},
        "freestanding": {"type": "boolean"},
    }
    light: dict[str, Schema] = {
        "position": point,
        "range": _number() | {"minimum": 0, "description": "Cells."},
        "intensity": _number() | {"minimum": 0},
        "color": colour,
        "shadows": {"type": "boolean"},
    }
    properties: dict[str, Schema] = {
        "format": {"const": 0.3},
        "software": {"type": "string"},
        "resolution": _object("Size of the map.", resolution),
        "line_of_sight": _list(line),
        "objects_line_of_sight": _list(line),
        "portals": _list(_object("A door or window.", portal)),
        "environment": _object(
            "Light where nothing shines.",
            {"baked_lighting": {"type": "boolean"}, "ambient_light": colour},
        ),
        "lights": _list(_object("A light.", light)),
        "image": {"type": "string", "contentEncoding": "base64"},
    }
    schema = _object("A map as Universal VTT.", properties)
    schema["required"].remove("image")
    return headed("universal-vtt", schema)


def _object(description: str, properties: Mapping[str, Schema]) -> Schema:
    """An object with exactly these keys."""
    return {
        "type": "object",
        "description": description,
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _rows(letters: str) -> Schema:
    """Rows of these letters."""
    escaped = "".join(f"\\{letter}" if letter in "\\^-]" else letter for letter in letters)
    return _list({"type": "string", "pattern": f"^[{escaped}]+$"})


def _number() -> Schema:
    return {"type": "number"}


def _seed() -> Schema:
    return {"type": "string", "pattern": "^[0-9]{1,19}$"}
