"""JSON Schemas (draft 2020-12) of what clients send to scenes in a game's own JSON form: moves and setups."""

from services.campaign.scenes.games import Games
from services.rules.engine.codec import Codec
from services.rules.engine.json_schema import Schema, Writer
from services.rules.engine.spelling import PUBLISHED
from services.rules.engine.system import AnySystem


def move_schema(game: AnySystem) -> Schema:
    """Return the schema of a game's moves: of what goes into the `move` of `performMove`.

    Raises:
        ValueError: the game is not played in scenes.
    """
    return _schema(game, "move", "A move of {game}: what goes into the `move` of `performMove`.")


def setup_schema(game: AnySystem) -> Schema:
    """Return the schema of a game's setups: of what goes into the `setup` of `startScene`.

    Raises:
        ValueError: the game is not played in scenes.
    """
    return _schema(game, "setup", "What {game} wants to know before a scene: the `setup` of `startScene`.")


def published(games: Games) -> dict[str, Schema]:
    """Return the schemas of all games that are played in scenes, by the names of their files."""
    made = [
        schema(game)
        for game in games.values()
        if game.play is not None
        for schema in (move_schema, setup_schema)
    ]
    return {f"{schema['title']}.schema.json": schema for schema in made}


def _schema(game: AnySystem, what: str, description: str) -> Schema:
    if game.play is None:
        raise ValueError(f"{game.slug} is not played in scenes")
    codec: Codec[object] = game.play.move_codec if what == "move" else game.play.setup_codec
    name = f"{what}-{game.slug.replace('_', '-')}"
    return Writer(PUBLISHED, shared=True).document(codec.type, name, description.format(game=game.name))
