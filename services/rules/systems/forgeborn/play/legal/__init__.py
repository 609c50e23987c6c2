"""What may be done now, as buttons with their bounds; what is offered is never refused.

Read in this order: `actions` (what a turn offers), `citadel` (what is done there), `table` (the dice of the
realm, and the game master). What answers a question is offered where it is asked, in `play.rules`.
"""

from __future__ import annotations

from services.rules.engine.play import GM, LegalMove
from services.rules.systems.forgeborn.catalog import Catalog
from services.rules.systems.forgeborn.play.effects import kept_from
from services.rules.systems.forgeborn.play.legal.actions import turn_offers
from services.rules.systems.forgeborn.play.legal.table import gm_offers, map_offers
from services.rules.systems.forgeborn.play.state import Game, Phase

__all__ = ["legal"]


def legal(game: Game, catalog: Catalog, actor: str) -> tuple[LegalMove, ...]:
    """What this actor may do now; empty when it is not theirs to move."""
    if game.phase is Phase.OVER:
        return ()
    if actor == GM:
        return tuple(gm_offers(game))
    if game.phase is Phase.MAP:
        return tuple(map_offers(game, actor))
    if game.player_of(actor) != game.turn.smith:
        return ()
    offers = turn_offers(game, catalog, actor)
    if not game.actor(actor).effects:
        return tuple(offers)
    return tuple(
        offer for offer in offers if kept_from(game, actor, str(offer.move["kind"]), catalog) is None
    )
