"""What may be known of a game, and what any client can draw of it.

Everything on the table lies open. What is secret, votes and the dice of helpers, is an answer to a question
and no part of the state before all answers are in.
"""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.identity import remembered
from services.rules.engine.play import (
    EVERYONE,
    ONGOING,
    ActorCard,
    Audience,
    Outcome,
    SceneCard,
    Viewer,
)
from services.rules.engine.sheet import Track
from services.rules.engine.wording import counted
from services.rules.systems.forgeborn.catalog import Catalog
from services.rules.systems.forgeborn.play.effects import conditions
from services.rules.systems.forgeborn.play.facts import Fact
from services.rules.systems.forgeborn.play.ranks import ending_text, in_points, winners
from services.rules.systems.forgeborn.play.state import Artifact, Game, Ground, Heroine, Phase, Smith
from services.rules.systems.forgeborn.realm import PlaceKind


def view(game: Game, _viewer: Viewer) -> Game:
    """The game as a viewer may know it: all of it."""
    return game


def known_to(_game: Game, _actor: str) -> Audience:
    """Who may know of an actor: everyone, since nobody hides."""
    return EVERYONE


def sees(fact: Fact, viewer: Viewer) -> Fact | None:
    """A fact as a viewer may know it."""
    return fact if viewer.may_know(fact.audience) else None


def waiting_for(game: Game) -> tuple[str, ...]:
    """Everybody who may make a move now, the Smith whose turn it is first."""
    match game.phase:
        case Phase.OVER:
            return ()
        case Phase.MAP:
            return (game.first,)
    smith, actor = game.turn.smith, game.turn.actor
    able = (actor,) if actor else tuple(heroine.id for heroine in game.of(smith))
    return tuple(dict.fromkeys((smith, *able)))


def card(game: Game, catalog: Catalog) -> SceneCard:
    """What any client can draw."""
    over = game.phase is Phase.OVER
    most = max((1, *(smith.points for smith in game.smiths)))
    return SceneCard(
        title=game.title,
        round=game.turn.round,
        turn=None if over or game.phase is Phase.MAP else game.turn.smith,
        actors=(
            *(
                _smith_card(smith, most, game.slayer == smith.id, game.ground, game.artifacts, catalog)
                for smith in game.smiths
            ),
            *(_heroine_card(game, heroine, catalog) for heroine in game.heroines),
        ),
        waiting_for=waiting_for(game),
    )


def at_place(ground: Ground, place: str) -> str:
    """Where a Smith or Heroine is, in words: "in the Forest", "at Breildath"."""
    spot = ground.find(place)
    if spot is None:
        return "nowhere yet"
    inside = (PlaceKind.FOREST, PlaceKind.RUIN, PlaceKind.CITY)
    return f"{'in' if spot.kind in inside else 'at'} {spot.name}"


@remembered(64)
def _smith_card(
    smith: Smith, most: int, slew: bool, ground: Ground, artifacts: tuple[Artifact, ...], catalog: Catalog
) -> ActorCard:
    """A Smith's card; `most` is the most points that anybody has, `slew` whether she slew the Dragon."""
    words = [at_place(ground, smith.place)] if smith.place else []
    words += [in_points(smith.points), smith.dice.text()]
    for count, name in ((smith.resource, "Resource token"), (smith.secret, "Secret token")):
        if count:
            words.append(counted(count, name))
    words += _holding(artifacts, smith.id)
    words += conditions(artifacts, smith, catalog)
    if slew:
        words.append("slew the Dragon")
    return ActorCard(
        id=smith.id,
        name=smith.name,
        side=smith.id,
        tracks=(Track("points", "Victory points", smith.points, most),),
        conditions=tuple(words),
        character=smith.character,
    )


def _holding(artifacts: tuple[Artifact, ...], holder: str) -> Iterator[str]:
    for artifact in artifacts:
        if artifact.holder == holder:
            yield f"holds {artifact.name} ({artifact.dice.text()})"


def _heroine_card(game: Game, heroine: Heroine, catalog: Catalog) -> ActorCard:
    return ActorCard(
        id=heroine.id,
        name=heroine.name,
        side=heroine.smith,
        tracks=(),
        conditions=(
            f"Heroine of {game.smith(heroine.smith).name}",
            at_place(game.ground, heroine.place),
            heroine.dice.text(),
            *_holding(game.artifacts, heroine.id),
            *conditions(game.artifacts, heroine, catalog),
        ),
    )


def outcome(game: Game) -> Outcome:
    """Whether the game is over, and who has won."""
    if game.ending is None:
        return ONGOING
    text = ending_text(game, game.ending, game.reason, game.ranking)
    return Outcome(ended=True, winners=winners(game.ranking), text=text)
