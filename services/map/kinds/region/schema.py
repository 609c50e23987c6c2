"""The JSON Schema of the map file of regions."""

from __future__ import annotations

import typing
from dataclasses import fields

from services.map.exports.schemas import SEED, list_of, record, rows, seed_text, type_schema
from services.map.kinds.region.canonical import FORMAT, FORMAT_VERSION
from services.map.kinds.region.model import BIOME_LETTERS, GROUND_LETTERS, RegionMap
from services.rules.engine.json_schema import Schema, attributes, headed, summary


def region_schema() -> Schema:
    """The schema of the map file of regions."""
    hints = typing.get_type_hints(RegionMap)
    told = attributes(RegionMap)
    special: dict[str, Schema] = {
        "seed": seed_text(),
        "heights": {"type": "string", "contentEncoding": "base64"},
        "biomes": rows(BIOME_LETTERS),
        "ground": rows(GROUND_LETTERS),
        "weather": list_of({"type": "string"}),
    }
    properties: dict[str, Schema] = {
        "format": {"const": FORMAT},
        "format_version": {"const": FORMAT_VERSION},
        "kind": {"const": "region"},
    }
    for item in fields(RegionMap):
        schema = special[item.name] if item.name in special else type_schema(hints[item.name])
        properties[item.name] = schema | {"description": told.get(item.name, "Of the generator.")}
    properties["seed"]["description"] = SEED
    properties["heights"]["description"] = "Base64 of signed 16-bit feet above the sea, low byte first."
    properties["biomes"]["description"] = "Rows from the north, one letter a cell."
    properties["ground"]["description"] = "Rows from the north, one letter a cell."
    properties["weather"]["description"] = "Rows from the north, the letter of its zone for each square."
    return headed(FORMAT, record(summary(RegionMap), properties))
