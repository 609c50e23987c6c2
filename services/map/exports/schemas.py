"""The published JSON Schemas (draft 2020-12) of map files, of what maps are made from, and of Universal VTT.

What is a dataclass is read from the dataclass itself (`services.rules.engine.json_schema`), so that code and
schema cannot part.
"""

from __future__ import annotations

import typing
from collections.abc import Iterable, Mapping
from typing import Any

from services.map.exports.soundness import AMBIENTS, COLOUR, MAX_NAME, MOST
from services.map.generation.grid import canonical
from services.map.generation.grid.model import MAX_SIDE, GridKind, GridMap
from services.map.generation.grid.terrain import LETTERS
from services.map.kind import AnyMapKind
from services.rules.engine.json_schema import Schema, Writer, attributes, headed, summary
from services.rules.engine.spelling import PUBLISHED

_INLINE = Writer()
SEED = "A text, because many readers keep only 53 bits of a number."


def published(kinds: Iterable[AnyMapKind]) -> dict[str, Schema]:
    """Every schema that is published, by the name of its file.

    Args:
        kinds: The kinds of maps.
    """
    made = [grid_map_schema(), uvtt_schema()]
    for kind in kinds:
        if kind.sheet is not None:
            made.append(kind.sheet.schema())
        if kind.making is not None:
            made.append(parameters_schema(kind.making.asked, kind.slug))
    return {f"{schema['title']}.schema.json": schema for schema in made}


def parameters_schema(cls: type, slug: str) -> Schema:
    """The schema of what a kind of map is made from, as it is asked for.

    Args:
        cls: The kind's frozen dataclass of parameters; every field may be left out.
        slug: Of the kind.
    """
    return headed(f"map-{slug.replace('_', '-')}-parameters", Writer(PUBLISHED).dataclass(cls))


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
        "seed": seed_text(),
        "attempt": {"type": "integer", "minimum": 0},
        "title": {"type": "string", "maxLength": MAX_NAME},
        "theme": {"type": "string", "maxLength": MAX_NAME},
        "feet": {"type": "integer", "minimum": 1},
        "width": {"type": "integer", "minimum": 1, "maximum": MAX_SIDE},
        "height": {"type": "integer", "minimum": 1, "maximum": MAX_SIDE},
        "ambient": {"enum": list(AMBIENTS)},
        "cells": {
            "type": "array",
            "items": rows(LETTERS)["items"] | {"maxLength": MAX_SIDE},
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
        "extent": type_schema(hints["extent"]),
        "baked_lighting": {"type": "boolean"},
    }
    for name, most in MOST.items():
        properties[name] = type_schema(hints[name]) | {"maxItems": most}
    properties["lights"]["items"]["properties"]["color"]["pattern"] = COLOUR
    for name, schema in properties.items():
        if name in told:
            schema["description"] = told[name]
    properties["cells"]["description"] = "Rows from the top, one letter a cell: what its terrain is."
    properties["heights"]["description"] = "Rows of steps of five feet, from the top; empty when flat."
    properties["seed"]["description"] = SEED
    schema = record(summary(GridMap), properties)
    for name in ("extent", "baked_lighting"):
        schema["required"].remove(name)
    return headed("hearthforge-map", schema)


def uvtt_schema() -> Schema:
    """The schema of the Universal VTT files written here, by the rules their readers share."""
    point = record("A position in cells.", {"x": number(), "y": number()})
    line = {"type": "array", "items": point, "minItems": 2}
    colour = {"type": "string", "pattern": "^[0-9a-f]{8}$", "description": "AARRGGBB"}
    size = record(
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
        "rotation": number() | {"description": "Radians."},
        "closed": {"type": "boolean", "description": "A door; otherwise a window."},
        "freestanding": {"type": "boolean"},
    }
    light: dict[str, Schema] = {
        "position": point,
        "range": number() | {"minimum": 0, "description": "Cells."},
        "intensity": number() | {"minimum": 0},
        "color": colour,
        "shadows": {"type": "boolean"},
    }
    properties: dict[str, Schema] = {
        "format": {"const": 0.3},
        "software": {"type": "string"},
        "resolution": record("Size of the map.", resolution),
        "line_of_sight": list_of(line),
        "objects_line_of_sight": list_of(line),
        "portals": list_of(record("A door or window.", portal)),
        "environment": record(
            "Light where nothing shines.",
            {"baked_lighting": {"type": "boolean"}, "ambient_light": colour},
        ),
        "lights": list_of(record("A light.", light)),
        "image": {"type": "string", "contentEncoding": "base64"},
    }
    schema = record("A map as Universal VTT.", properties)
    schema["required"].remove("image")
    return headed("universal-vtt", schema)


def record(description: str, properties: Mapping[str, Schema]) -> Schema:
    """An object with exactly these keys."""
    return {
        "type": "object",
        "description": description,
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def list_of(items: Schema) -> Schema:
    """A list."""
    return {"type": "array", "items": items}


def rows(letters: str) -> Schema:
    """Rows of these letters."""
    escaped = "".join(f"\\{letter}" if letter in "\\^-]" else letter for letter in letters)
    return list_of({"type": "string", "pattern": f"^[{escaped}]+$"})


def number() -> Schema:
    """A number."""
    return {"type": "number"}


def seed_text() -> Schema:
    """A seed, which is written as text."""
    return {"type": "string", "pattern": "^[0-9]{1,19}$"}
