"""What any client can draw of a game, and what it leaves behind in the Smiths' chronicles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from services.rules.engine.codec import Json, decode
from services.rules.engine.play import ONGOING as GOING_ON
from services.rules.engine.play import ActorCard, Change, Outcome, SceneCard
from services.rules.engine.sheet import Track
from services.rules.systems.forgeborn.play.questions import prompts, waiting_for
from services.rules.systems.forgeborn.play.scoring import counted, listed, winners
from services.rules.systems.forgeborn.play.state import Game, Heroine, Phase, Smith
from services.rules.systems.forgeborn.realm import PlaceKind
from services.rules.systems.forgeborn.smith import MOST_CHRONICLE, MOST_WORKS, ChronicleEntry, SmithChoices


def card(game: Game) -> SceneCard:
    """What any client can draw."""
    over = game.phase is Phase.OVER
    return SceneCard(
        title=game.title,
        round=game.turn.round,
        turn=None if over or game.phase is Phase.MAP else game.turn.smith,
        actors=(
            *(_smith_card(game, smith) for smith in game.smiths),
            *(_heroine_card(game, heroine) for heroine in game.heroines),
        ),
        prompts=prompts(game),
        waiting_for=waiting_for(game),
    )


def at_place(game: Game, place: str) -> str:
    """Where somebody is, in words: "in the Forest", "at Breildath"."""
    spot = game.ground.find(place)
    if spot is None:
        return "nowhere yet"
    inside = (PlaceKind.FOREST, PlaceKind.RUIN, PlaceKind.CITY)
    return f"{'in' if spot.kind in inside else 'at'} {spot.name}"


def _smith_card(game: Game, smith: Smith) -> ActorCard:
    most = max(1, *(other.points for other in game.smiths))
    return ActorCard(
        id=smith.id,
        name=smith.name,
        side=smith.id,
        tracks=(Track("points", "Victory points", smith.points, most),),
        conditions=tuple(_conditions(game, smith)),
        character=smith.character,
    )


def _conditions(game: Game, smith: Smith) -> Iterator[str]:
    if smith.place:
        yield at_place(game, smith.place)
    yield counted(smith.points)
    yield smith.dice.text()
    for count, name in ((smith.resource, "Resource token"), (smith.secret, "Secret token")):
        if count:
            yield f"{count} {name}{'' if count == 1 else 's'}"
    yield from _holding(game, smith.id)
    if smith.swayed_on is not None:
        yield "the Prince is on her side"
    if smith.grants:
        yield f"granted {listed([game.artifact(one).name for one in smith.grants])}"
    if game.slayer == smith.id:
        yield "slew the Dragon"


def _holding(game: Game, holder: str) -> Iterator[str]:
    for artifact in game.held_by(holder):
        yield f"holds {artifact.name} ({artifact.dice.text()})"


def _heroine_card(game: Game, heroine: Heroine) -> ActorCard:
    return ActorCard(
        id=heroine.id,
        name=heroine.name,
        side=heroine.smith,
        tracks=(),
        conditions=(
            f"Heroine of {game.smith(heroine.smith).name}",
            at_place(game, heroine.place),
            heroine.dice.text(),
            *_holding(game, heroine.id),
        ),
    )


def outcome(game: Game) -> Outcome:
    """Whether the game is over, and who has won."""
    if game.ended is None:
        return GOING_ON
    return Outcome(ended=True, winners=winners(game.ranking), text=game.ended)


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
        text = f"{smith.name} came {_place(rank.rank)} of {len(game.smiths)} with {counted(rank.points)}."
        found.append(Change(character=smith.id, data=data, text=text))
    return tuple(found)


def _place(rank: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(rank, "last")


def absorb(choices: SmithChoices, data: Mapping[str, Json]) -> SmithChoices:
    """The choices with one game more in the chronicle; the oldest makes room where it is full."""
    entry: ChronicleEntry = decode(ChronicleEntry, dict(data))
    return replace(choices, chronicle=(*choices.chronicle, entry)[-MOST_CHRONICLE:])
