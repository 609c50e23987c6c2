"""JSON Schemas (draft 2020-12) of what clients send and get in the words of the graph."""

from collections.abc import Mapping
from typing import Any

from services.rules.engine.json_schema import Schema, Writer, headed
from services.rules.engine.spelling import PUBLISHED
from services.rules.engine.system import AnySystem
from services.rules.engine.tools import AnyTool
from services.shared.wording import camel


def given_schema(tool: AnyTool) -> dict[str, Any]:
    """Give the schema of a tool's question."""
    return Writer(PUBLISHED, shared=True).embedded(tool.given)


def answer_schema(tool: AnyTool) -> dict[str, Any]:
    """Give the schema of a tool's answer."""
    return Writer(PUBLISHED, shared=True, answers=True).embedded(tool.answer)


def pack_schemas(systems: Mapping[str, AnySystem]) -> dict[str, Schema]:
    """Give the schema of each game's packs of a table's own content, by the name of its file."""
    made = [_pack_schema(system) for system in systems.values() if system.packs is not None]
    return {f"{schema['title']}.schema.json": schema for schema in made}


def sheet_schemas(systems: Mapping[str, AnySystem]) -> dict[str, Schema]:
    """Return the schema of each game's sheets in their published form, by the name of its file."""
    made = [_sheet_schema(system) for system in systems.values()]
    return {f"{schema['title']}.schema.json": schema for schema in made}


def _sheet_schema(system: AnySystem) -> Schema:
    writer = Writer(PUBLISHED, shared=True)
    data = writer.dataclass(system.sheet)
    shape = {
        "type": "object",
        "description": f"A sheet of {system.name}: its type, the version of its form, and its data.",
        "properties": {
            "type": {"const": system.sheet_codec.name},
            "version": {"type": "integer"},
            "data": data,
        },
        "required": ["type", "version", "data"],
        "additionalProperties": False,
    }
    made = headed(f"sheet-{system.slug.replace('_', '-')}", shape)
    return {**made, "$defs": dict(sorted(writer.definitions.items()))}


def _pack_schema(system: AnySystem) -> Schema:
    assert system.packs is not None
    description = (
        f"A pack of a table's own content for {system.name}: what goes into `pack.{camel(system.slug)}` of "
        "`/v1/content-packs`, or of the graph's `ContentPackInput`."
    )
    name = f"content-pack-{system.slug.replace('_', '-')}"
    return Writer(PUBLISHED, shared=True).document(system.packs.type, name, description)
