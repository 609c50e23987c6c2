"""The JSON Schema of the map file of story maps."""

from __future__ import annotations

import typing
from dataclasses import fields

from services.map.exports.schemas import SEED, record, seed_text, type_schema
from services.map.kinds.story.canonical import FORMAT, FORMAT_VERSION
from services.rules.engine.json_schema import Schema, attributes, headed, summary
from services.rules.systems.fortunate_blades.story_map.model import StoryMap


def story_schema() -> Schema:
    """The schema of the map file of story maps."""
    hints = typing.get_type_hints(StoryMap)
    told = attributes(StoryMap)
    properties: dict[str, Schema] = {
        "format": {"const": FORMAT},
        "format_version": {"const": FORMAT_VERSION},
        "kind": {"const": "story"},
    }
    for item in fields(StoryMap):
        schema = seed_text() if item.name == "seed" else type_schema(hints[item.name])
        properties[item.name] = schema | {"description": told.get(item.name, "Of the generator.")}
    properties["seed"]["description"] = SEED
    return headed(FORMAT, record(summary(StoryMap), properties))
