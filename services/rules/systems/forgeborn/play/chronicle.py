"""What a game leaves behind in the Smiths' chronicles."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.engine.codec import Json, decode
from services.rules.engine.frozen import replace
from services.rules.engine.play import Change
from services.rules.systems.forgeborn.build import MOST_CHRONICLE, MOST_WORKS
from services.rules.systems.forgeborn.choices import ChronicleEntry, SmithChoices
from services.rules.systems.forgeborn.play.ranks import in_points
from services.rules.systems.forgeborn.play.state import Game


def changes(game: Game) -> tuple[Change, ...]:
    """A line in the chronicle of every player's Smith."""
    found = []
    for rank in game.ranking:
        smith = game.smith(rank.smith)
        if not smith.character:
            continue
        made = [artifact.name for artifact in game.artifacts if artifact.maker == smith.id]
        data: dict[str, Json] = {
            "title": game.title,
            "points": rank.points,
            "rank": rank.rank,
            "players": len(game.smiths),
            "artifacts": [*made[-MOST_WORKS:]],
        }
        text = f"{smith.name} came {_place(rank.rank)} of {len(game.smiths)} with {in_points(rank.points)}."
        found.append(Change(character=smith.id, data=data, text=text))
    return tuple(found)


def _place(rank: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(rank, "last")


def absorb(choices: SmithChoices, data: Mapping[str, Json]) -> SmithChoices:
    """The choices with one game more in the chronicle; the oldest makes room where it is full."""
    entry: ChronicleEntry = decode(ChronicleEntry, dict(data))
    return replace(choices, chronicle=(*choices.chronicle, entry)[-MOST_CHRONICLE:])
