"""Face the Dragon (F16, H2, P26)."""

from __future__ import annotations

from services.rules.engine.steps import Steps, refuse
from services.rules.systems.forgeborn.play.facts import DragonFell, Foe, Scored
from services.rules.systems.forgeborn.play.moves import FaceDragon
from services.rules.systems.forgeborn.play.rules.conflict import Attempt, conflict
from services.rules.systems.forgeborn.play.rules.turns import GameTurn, acting, end_turn, place_of
from services.rules.systems.forgeborn.play.state import Game, Phase, Spot, Why
from services.rules.systems.forgeborn.realm import PlaceKind

BOOK = "Face the Dragon"


def face(turn: GameTurn, move: FaceDragon) -> Steps:
    """A win brings points as the Dragon's Power, and everybody else one last turn."""
    lair = lair_of(turn.state, move.actor)
    won = yield from conflict(turn, Attempt.by(move, Foe.DRAGON, lair.id, lair.power))
    if won:
        slayer = turn.state.player_of(move.actor)
        order = tuple(other.id for other in turn.state.others(slayer))
        turn.happen(
            Scored(smith=slayer, points=lair.power or 0, why=Why.DRAGON, what=lair.id),
            DragonFell(who=move.actor, smith=slayer, order=order),
        )
    end_turn(turn)


def lair_of(game: Game, who: str) -> Spot:
    """Returns the Lair of a Dragon that the one who acts can face.

    Raises:
        Refused: She is not there, or it is dead.
    """
    lair = place_of(game, acting(game, who), BOOK, PlaceKind.LAIR)
    if game.phase is Phase.LAST_TURNS:
        refuse("dragon_dead", "The Dragon is dead.", "P26", ("actor",), who)
    return lair
