"""Turn Actions: who may act, where, and how one turn follows another (E1 to E8, P24, H2, H5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, Protocol, TypeVar, cast

from services.rules.engine.effects import Moment, RoundEnded, TurnEnded, ending
from services.rules.engine.effects import TurnBegan as NextTurn
from services.rules.engine.steps import Refused, Turn, refuse
from services.rules.systems.forgeborn.catalog import Catalog, EffectKind
from services.rules.systems.forgeborn.play.effects import lasting
from services.rules.systems.forgeborn.play.facts import (
    Acted,
    EffectEnded,
    Fact,
    GameOver,
    GrantEnded,
    Passed,
    TurnBegan,
)
from services.rules.systems.forgeborn.play.moves import Pass
from services.rules.systems.forgeborn.play.ranks import ranked
from services.rules.systems.forgeborn.play.state import Ending, Game, Heroine, Phase, Smith, Spot
from services.rules.systems.forgeborn.realm import PlaceKind

BOOK = "Turn Actions"

T = TypeVar("T")

GameTurn = Turn[Game, Fact]
"""What the rules of this game work with."""

WORDS = {
    PlaceKind.LAIR: "at the Dragon's Lair",
    PlaceKind.CITADEL: "at the Citadel",
    PlaceKind.CITY: "in the City of the Prince",
    PlaceKind.VILLAGE: "in a Village",
    PlaceKind.RUIN: "in Ruins",
    PlaceKind.FOREST: "in the Forest",
}


class Catalogued(Protocol):
    """Play that has content."""

    @property
    def catalog(self) -> Catalog:
        """The content."""


def catalog_of(turn: GameTurn) -> Catalog:
    """The content that a game is played with."""
    return cast(Catalogued, turn.play).catalog


def pass_turn(turn: GameTurn, move: Pass) -> None:
    """The rest of the turn is let go (P24)."""
    owner_on_turn(turn.state, move.actor)
    turn.happen(Passed(who=move.actor))
    end_turn(turn)


# Who may act


def owner_on_turn(game: Game, who: str) -> str:
    """Returns the Smith whose player moves a Smith or Heroine.

    Raises:
        Refused: There is no realm yet, nobody of that id, or it is another player's turn (E2).
    """
    if game.phase is Phase.MAP:
        text = "First the dice of the realm fall."
        refuse("realm_not_made", text, "How to Play", ("actor",), game.phase.value, Phase.PLAY.value)
    player = game.player_of(who)
    if not player:
        refuse_stranger(game, who)
    if player != game.turn.smith:
        text = "It is another player's turn."
        refuse("not_your_turn", text, BOOK, ("actor",), who, game.turn.smith)
    return player


def refuse_stranger(game: Game, who: str) -> NoReturn:
    """Refuses a move of an actor who is not in the game.

    Raises:
        Refused: Always.
    """
    there = (*(smith.id for smith in game.smiths), *(heroine.id for heroine in game.heroines))
    refuse("unknown_actor", "There is nobody of that id here.", BOOK, ("actor",), who, there)


def acting(game: Game, who: str) -> Smith | Heroine:
    """Returns the one who acts in this turn, or may be it.

    Raises:
        Refused: It is not her turn, or another of that player acts in it (E2).
    """
    owner_on_turn(game, who)
    if game.turn.actor not in ("", who):
        text = "Only one acts in a turn, a Smith or one Heroine."
        refuse("another_acts", text, "Heroines (and Heroes)", ("actor",), who, game.turn.actor)
    return game.actor(who)


def acting_smith(game: Game, who: str) -> Smith:
    """Returns the Smith who acts.

    Raises:
        Refused: See `acting`; or it is a Heroine, and only Master Smiths do this (E8).
    """
    found = acting(game, who)
    if isinstance(found, Heroine):
        refuse("smith_only", "Only a Master Smith does this.", BOOK, ("actor",), who, found.smith)
    return found


def acting_heroine(game: Game, who: str) -> Heroine:
    """Returns the Heroine who acts.

    Raises:
        Refused: See `acting`; or it is a Smith, and only Heroines do this (E8).
    """
    found = acting(game, who)
    if isinstance(found, Smith):
        hers = tuple(heroine.id for heroine in game.of(who))
        refuse("heroine_only", "Only a Heroine is tested.", BOOK, ("actor",), who, hers)
    return found


def place_of(game: Game, one: Smith | Heroine, rule: str, *kinds: PlaceKind) -> Spot:
    """Returns the place where a Smith or Heroine is.

    Args:
        game: Where the game stands.
        one: The Smith or Heroine.
        rule: The rule that asks for a kind of place.
        kinds: Those where it may be done.

    Raises:
        Refused: She is at a place of another kind.
    """
    spot = game.ground.spot(one.place)
    if spot.kind not in kinds:
        wanted = tuple(kind.value for kind in kinds)
        names = " or ".join(WORDS[kind] for kind in kinds)
        refuse("wrong_place", f"That is done {names}.", rule, ("actor",), spot.kind.value, wanted)
    return spot


def unless_refused(check: Callable[..., T], *arguments: object) -> T | None:
    """What a check returns; None where it refuses."""
    try:
        return check(*arguments)
    except Refused:
        return None


# How turns follow one another


def act(turn: GameTurn, who: str) -> None:
    """Lets a Smith or Heroine be the one who acts in this turn."""
    if not turn.state.turn.actor:
        turn.happen(Acted(who=who))


def end_turn(turn: GameTurn) -> None:
    """Begins the next turn, or ends the game (H2, H5)."""
    game = turn.state
    if game.phase is Phase.LAST_TURNS:
        if game.last_turns:
            _begin(turn, game.last_turns[0])
        else:
            end_game(turn, Ending.DRAGON)
        return
    seats = [smith.id for smith in game.smiths]
    following = seats[(seats.index(game.turn.smith) + 1) % len(seats)]
    limit = game.settings.round_limit
    if limit and following == game.first and game.turn.round >= limit:
        end_game(turn, Ending.ROUNDS)
    else:
        _begin(turn, following)


def end_game(turn: GameTurn, ending: Ending, reason: str = "") -> None:
    """Ends the game: the Smith with most points has won (H4)."""
    turn.happen(GameOver(ending=ending, reason=reason, ranking=ranked(turn.state)))


def end_effects(turn: GameTurn, moment: Moment) -> None:
    """Lets what a moment ends be over, with its own words where it is a grant."""
    held = lasting(turn.state)
    if not held:
        return
    for effect in ending(held, catalog_of(turn).effects.entries, moment):
        if effect.kind == EffectKind.GRANTED:
            turn.happen(GrantEnded(smith=effect.bearer, artifact=effect.about))
        else:
            turn.happen(EffectEnded(who=effect.bearer, effect=effect.id))


def _begin(turn: GameTurn, smith: str) -> None:
    now = turn.state.turn
    again = now.round + (smith == turn.state.first)
    end_effects(turn, TurnEnded(now.smith))
    if again > now.round:
        end_effects(turn, RoundEnded())
    end_effects(turn, NextTurn(smith))
    turn.happen(TurnBegan(smith=smith, number=now.number + 1, round=again))
