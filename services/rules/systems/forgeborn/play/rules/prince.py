"""Beseech the Prince: sway him once, and take his favours on later turns (F21, F22, P20 to P23)."""

from __future__ import annotations

from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.steps import Refused, Steps, refuse
from services.rules.systems.forgeborn.play.facts import (
    Foe,
    Granted,
    Reason,
    Scored,
    Swayed,
    TokenChanged,
)
from services.rules.systems.forgeborn.play.moves import BeseechPrince, Favour, TakeFavour
from services.rules.systems.forgeborn.play.rules.conflict import Attempt, conflict
from services.rules.systems.forgeborn.play.rules.dice import improve
from services.rules.systems.forgeborn.play.rules.turns import (
    GameTurn,
    act,
    acting,
    acting_smith,
    end_turn,
    place_of,
)
from services.rules.systems.forgeborn.play.rules.vault import in_vault
from services.rules.systems.forgeborn.play.state import VAULT, Game, Smith, Spot, Token, Why
from services.rules.systems.forgeborn.pools import reward_problem
from services.rules.systems.forgeborn.realm import PlaceKind

BOOK = "Beseech the Prince"


def beseech(turn: GameTurn, move: BeseechPrince) -> Steps:
    """A win opens the Prince's favours to that player for the rest of the game."""
    city = city_to_beseech(turn.state, move.actor)
    won = yield from conflict(turn, Attempt.by(move, Foe.PRINCE, city.id, city.power))
    if won:
        turn.happen(Swayed(smith=move.actor))
    end_turn(turn)


def city_to_beseech(game: Game, who: str) -> Spot:
    """Returns the City, where the Smith who acts can beseech the Prince.

    Raises:
        Refused: It is not hers to act, she is elsewhere, or the Prince is swayed (P23).
    """
    smith = acting_smith(game, who)
    city = place_of(game, smith, BOOK, PlaceKind.CITY)
    if smith.swayed_on is not None:
        refuse("prince_swayed", "The Prince is on her side already.", "P23", ("actor",), who)
    return city


# Favours


def take_favour(turn: GameTurn, move: TakeFavour) -> None:
    """One favour, as the action of a turn in the City (F22)."""
    smith = favoured(turn.state, move.actor).id
    _refuse_wrong(turn.state, move)
    act(turn, move.actor)
    match move.favour:
        case Favour.SECRET | Favour.RESOURCE:
            token = Token.SECRET if move.favour is Favour.SECRET else Token.RESOURCE
            turn.happen(TokenChanged(smith=smith, token=token, change=1))
            points = turn.state.settings.favour_points
            if points:
                turn.happen(Scored(smith=smith, points=points, why=Why.FAVOUR))
        case Favour.DIE:
            improve(turn, move.actor, move.promote, Reason.FAVOUR)
        case Favour.GRANT:
            turn.happen(Granted(smith=smith, artifact=move.artifact))
    end_turn(turn)


def favoured(game: Game, who: str) -> Smith:
    """Returns the Smith to whom the Prince owes favours, through whoever acts in the City.

    Raises:
        Refused: It is not hers to act, she is elsewhere, or the Prince is not swayed, or only in this turn.
    """
    one = acting(game, who)
    place_of(game, one, BOOK, PlaceKind.CITY)
    smith = game.smith(game.player_of(who))
    if smith.swayed_on is None:
        refuse("prince_not_swayed", "The Prince owes her nothing yet.", BOOK, ("actor",), who)
    if smith.swayed_on >= game.turn.number:
        found, later = game.turn.number, smith.swayed_on + 1
        refuse("favour_too_soon", "Favours are for later turns.", BOOK, ("actor",), found, later)
    return smith


def _refuse_wrong(game: Game, move: TakeFavour) -> None:
    if move.favour is not Favour.DIE and move.promote is not None:
        text = "Only a die as favour promotes one."
        refuse("favour_mixed", text, BOOK, ("promote",), move.promote.value)
    if move.favour is not Favour.GRANT and move.artifact:
        refuse("favour_mixed", "Only a grant is on an Artifact.", BOOK, ("artifact",), move.artifact)
    wrong: RuleProblem | None = None
    if move.favour is Favour.GRANT:
        in_vault(game, move.artifact, BOOK)
        wrong = _grant_held(game, move)
    if move.favour is Favour.DIE:
        wrong = reward_problem(game.actor(move.actor).dice, move.promote, ("promote",))
    if wrong is not None:
        raise Refused(Problems((wrong,)))


def _grant_held(game: Game, move: TakeFavour) -> RuleProblem | None:
    grants = game.smith(game.player_of(move.actor)).grants
    if move.artifact not in grants:
        return None
    others = tuple(one.id for one in game.held_by(VAULT) if one.id not in grants)
    text = "She has that grant already."
    return RuleProblem("grant_held", text, BOOK, ("artifact",), move.artifact, others)
