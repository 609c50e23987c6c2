"""Assist A Village (F18)."""

from __future__ import annotations

from services.rules.engine.steps import Steps
from services.rules.systems.forgeborn.play.facts import Foe, TokenChanged, VillageTroubled
from services.rules.systems.forgeborn.play.ground import danger_text
from services.rules.systems.forgeborn.play.moves import AssistVillage
from services.rules.systems.forgeborn.play.rolls import table_roll
from services.rules.systems.forgeborn.play.rules.conflict import Attempt, conflict
from services.rules.systems.forgeborn.play.rules.turns import GameTurn, acting, catalog_of, end_turn, place_of
from services.rules.systems.forgeborn.play.state import Game, Spot, Token
from services.rules.systems.forgeborn.realm import PlaceKind

BOOK = "Assist A Village"
PROBLEM_DIE = 4


def assist(turn: GameTurn, move: AssistVillage) -> Steps:
    """A win brings a Resource token, and the Village its next problem."""
    village = village_of(turn.state, move.actor)
    won = yield from conflict(turn, Attempt.by(move, Foe.VILLAGE, village.id, village.power))
    if won:
        smith = turn.state.player_of(move.actor)
        turn.happen(TokenChanged(smith=smith, token=Token.RESOURCE, change=1))
        yield from find_trouble(turn, smith, village.id)
    end_turn(turn)


def village_of(game: Game, who: str) -> Spot:
    """Returns the Village that the one who acts can assist.

    Raises:
        Refused: She is in none.
    """
    return place_of(game, acting(game, who), BOOK, PlaceKind.VILLAGE)


def find_trouble(turn: GameTurn, smith: str, village: str) -> Steps:
    """A d4 says how bad a Village's next problem is, the table of threats what it is (J1)."""
    threats = tuple(catalog_of(turn).threats)
    (power,), (threat,) = yield from turn.roll(
        table_roll("problem", smith, "The Village's next problem", PROBLEM_DIE, BOOK),
        table_roll("threat", smith, "What it is", len(threats), BOOK),
    )
    turn.happen(VillageTroubled(place=village, power=power, danger=danger_text(threats[threat - 1])))
