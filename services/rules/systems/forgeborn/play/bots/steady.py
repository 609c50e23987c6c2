"""A plain player: Artifacts while dice are to spare, then off to the Dragon, and there until it falls."""

from __future__ import annotations

from services.rules.engine.steps import Ask
from services.rules.systems.forgeborn.catalog import Catalog
from services.rules.systems.forgeborn.play.bots.answers import answered, rest
from services.rules.systems.forgeborn.play.bots.outlook import towards
from services.rules.systems.forgeborn.play.bots.strong import cheap_creation
from services.rules.systems.forgeborn.play.moves import Commune, DropDice, FaceDragon, Move, Pass
from services.rules.systems.forgeborn.play.state import Game, Phase
from services.rules.systems.forgeborn.pools import DieSize
from services.rules.systems.forgeborn.realm import CITADEL_ID, FOREST_ID, LAIR_ID

KEPT = 3
"""Dice she keeps when she pays for an Artifact."""


def steady_move(game: Game, catalog: Catalog, actor: str) -> Move | None:
    """The plain player's move; None where there is nothing to do for this actor."""
    if game.phase is Phase.OVER:
        return None
    smith = game.find_smith(actor)
    if smith is None:
        return None
    if game.phase is Phase.MAP:
        return DropDice(actor=actor) if actor == game.first else None
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


def steady_answer(game: Game, catalog: Catalog, ask: Ask) -> Move:
    """The plain player's answer to a question."""
    return answered(game, catalog, ask, all_in=False)
