"""Be Tested: a Heroine is found worthy of an Artifact in the Vault, or not (F15)."""

from __future__ import annotations

from services.rules.engine.steps import Steps
from services.rules.systems.forgeborn.play.facts import Foe, Passing
from services.rules.systems.forgeborn.play.moves import BeTested
from services.rules.systems.forgeborn.play.rules.conflict import Attempt, conflict
from services.rules.systems.forgeborn.play.rules.turns import GameTurn, acting_heroine, end_turn, place_of
from services.rules.systems.forgeborn.play.rules.vault import in_vault, take_out
from services.rules.systems.forgeborn.play.state import Game, Spot
from services.rules.systems.forgeborn.realm import PlaceKind

BOOK = "Be Tested"


def be_tested(turn: GameTurn, move: BeTested) -> Steps:
    """Her own dice and those of the one Artifact, against the Power of the Citadel."""
    citadel = citadel_of(turn.state, move.actor)
    artifact = in_vault(turn.state, move.artifact, BOOK)
    attempt = Attempt(
        who=move.actor,
        foe=Foe.TEST,
        target=artifact.id,
        power=citadel.power or 0,
        dice=move.dice,
        sacrificed=move.sacrificed,
        description=move.description,
    )
    won = yield from conflict(turn, attempt)
    if won:
        take_out(turn, artifact.id, move.actor, Passing.TEST)
    end_turn(turn)


def citadel_of(game: Game, who: str) -> Spot:
    """Returns the Citadel, where the Heroine who acts can be tested.

    Raises:
        Refused: No Heroine acts, or she is elsewhere.
    """
    return place_of(game, acting_heroine(game, who), BOOK, PlaceKind.CITADEL)
