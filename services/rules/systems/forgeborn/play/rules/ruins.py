"""Explore Ruins: a secret for whoever wins, and the next Ruins on the map (F17, C11, P9)."""

from __future__ import annotations

from services.rules.engine.steps import Steps, refuse
from services.rules.systems.forgeborn.play.facts import (
    Foe,
    RuinFound,
    RuinMissed,
    RuinSpent,
    Scored,
    TokenChanged,
)
from services.rules.systems.forgeborn.play.ground import (
    SPARE_FOR_RUIN,
    STRIPS,
    danger_text,
    grown,
    landed,
)
from services.rules.systems.forgeborn.play.moves import ExploreRuins
from services.rules.systems.forgeborn.play.rolls import table_roll
from services.rules.systems.forgeborn.play.rules.conflict import Attempt, conflict
from services.rules.systems.forgeborn.play.rules.turns import GameTurn, acting, catalog_of, end_turn, place_of
from services.rules.systems.forgeborn.play.state import Game, Spot, Token, Why
from services.rules.systems.forgeborn.realm import PlaceKind

BOOK = "Explore Ruins"
RUIN_DIE = 8
MOST_DROPS = 50
"""Times the die of new Ruins is dropped; where none of its positions is free, the sheet is full."""


def explore(turn: GameTurn, move: ExploreRuins) -> Steps:
    """A win brings a Secret token and a point; these Ruins are spent, and others become known."""
    ruins = ruins_of(turn.state, move.actor)
    won = yield from conflict(turn, Attempt.by(move, Foe.RUIN, ruins.id, ruins.power))
    if won:
        smith = turn.state.player_of(move.actor)
        turn.happen(
            TokenChanged(smith=smith, token=Token.SECRET, change=1),
            Scored(smith=smith, points=1, why=Why.RUIN, what=ruins.id),
            RuinSpent(place=ruins.id),
        )
        yield from find_ruins(turn, smith)
    end_turn(turn)


def ruins_of(game: Game, who: str) -> Spot:
    """Returns the Ruins that the one who acts can explore.

    Raises:
        Refused: She is in none, or they were explored.
    """
    ruins = place_of(game, acting(game, who), BOOK, PlaceKind.RUIN)
    if ruins.spent:
        left = tuple(one.id for one in game.ground.spots if one.kind is PlaceKind.RUIN and not one.spent)
        refuse("ruin_spent", "These Ruins were explored already.", BOOK, ("actor",), ruins.id, left)
    return ruins


def find_ruins(turn: GameTurn, smith: str) -> Steps:
    """The d8 of the next Ruins falls, until it comes to rest where a die may lie."""
    guardians = tuple(catalog_of(turn).guardians)
    for drop in range(1, MOST_DROPS + 1):
        again = f":{drop}" if drop > 1 else ""
        (face,), positions = yield from turn.roll(
            table_roll(f"ruin{again}", smith, "The die of the new Ruins", RUIN_DIE, BOOK),
            table_roll(
                f"positions{again}", smith, "Where it comes to rest", STRIPS, "P9", 2 * (1 + SPARE_FOR_RUIN)
            ),
        )
        dice = landed(turn.state.ground, [(RUIN_DIE, face)], positions)
        if dice:
            break
        turn.happen(RuinMissed(smith=smith))
    else:
        return
    ((guardian,),) = yield from turn.roll(
        table_roll("guardian", smith, "What guards them", len(guardians), BOOK)
    )
    place, name, near = grown(turn.state.ground, dice[0], catalog_of(turn))
    danger = danger_text(guardians[guardian - 1])
    turn.happen(RuinFound(die=dice[0], place=place, name=name, danger=danger, near=near))
