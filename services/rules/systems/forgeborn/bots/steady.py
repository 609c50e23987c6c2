"""A plain player: Artifacts while dice are to spare, then off to the Dragon, and there until it falls."""

from __future__ import annotations

from services.rules.engine.play import GM
from services.rules.systems.forgeborn.bots.answers import answered, judged, rest
from services.rules.systems.forgeborn.bots.outlook import towards
from services.rules.systems.forgeborn.bots.strong import cheap_creation
from services.rules.systems.forgeborn.catalog import Catalog
from services.rules.systems.forgeborn.play.moves import Commune, FaceDragon, Move, Pass
from services.rules.systems.forgeborn.play.state import Game, Phase
from services.rules.systems.forgeborn.pools import DieSize
from services.rules.systems.forgeborn.realm import CITADEL_ID, FOREST_ID, LAIR_ID

KEPT = 3
"""Dice she keeps when she pays for an Artifact."""


def steady_move(game: Game, catalog: Catalog, actor: str) -> Move | None:
    """The plain player's move; None where there is nothing to do for this actor."""
    if game.phase is Phase.OVER:
        return None
    if actor == GM:
        return judged(game)
    smith = game.find_smith(actor)
    if smith is None:
        return None
    if game.question is not None or game.phase is Phase.MAP:
        return answered(game, catalog, actor, all_in=False)
    if game.turn.smith != actor:
        return None
    if game.turn.actor not in ("", actor):
        return Pass(actor=actor)
    creation = cheap_creation(smith, KEPT) if smith.place == CITADEL_ID else None
    if creation is not None:
        return creation
    if smith.dice.total() == 0:
        if smith.place == FOREST_ID:
            return Commune(actor=actor, dice=(DieSize.D8,))
        return towards(game, actor, FOREST_ID) or Pass(actor=actor)
    if smith.place == LAIR_ID and game.phase is Phase.PLAY:
        own, normal = smith.dice, game.settings.normal_dice
        return FaceDragon(actor=actor, dice=own.best(normal), sacrificed=rest(own, normal))
    if smith.place == LAIR_ID:
        return Pass(actor=actor)
    return towards(game, actor, LAIR_ID) or Pass(actor=actor)
