"""JSON Schemas (draft 2020-12) of moves and setups in the games' own JSON forms."""

from collections.abc import Mapping
from typing import Any

from services.rules.engine.codec import Codec
from services.rules.engine.json_schema import Schema, Writer, headed
from services.rules.engine.system import AnySystem


def play_schemas(systems: Mapping[str, AnySystem]) -> dict[str, Schema]:
    """Returns the schemas of the moves and the setups of each game that is played in scenes, by file name."""
    made = []
    for system in systems.values():
        if system.play is not None:
            made += [
                _schema(system, "move", system.play.move_codec, "A move"),
                _schema(system, "setup", system.play.setup_codec, "What is to be known before a scene"),
            ]
    return {f"{schema['title']}.schema.json": schema for schema in made}


def _schema(system: AnySystem, kind: str, codec: Codec[Any], what: str) -> Schema:
    writer = Writer(shared=True)
    shape = writer.of(codec.type)
    made = headed(f"{kind}-{system.slug.replace('_', '-')}", shape)
    definitions = {"$defs": dict(sorted(writer.definitions.items()))} if writer.definitions else {}
    return {**made, "description": f"{what} of {system.name}, in the game's own JSON form.", **definitions}
