"""Players that need no person: a plain one and one that plans. They leave nothing to chance but the dice.

Read in this order: `outlook` (what they reckon with), `answers` (votes, purchases, rewards), `strong`,
`steady`.
"""

from __future__ import annotations

from services.rules.engine.bots import STEADY, Bot
from services.rules.systems.forgeborn.catalog import Catalog
from services.rules.systems.forgeborn.play.bots.steady import steady_answer, steady_move
from services.rules.systems.forgeborn.play.bots.strong import strong_answer, strong_move
from services.rules.systems.forgeborn.play.effects import kept_from
from services.rules.systems.forgeborn.play.moves import Move, Pass
from services.rules.systems.forgeborn.play.state import Game

__all__ = ["STRONG", "able", "own_bots", "steady_answer", "steady_move", "strong_answer", "strong_move"]

STRONG = "strong"
"""The bot that plans."""


def able(move: Move | None, game: Game, catalog: Catalog) -> Move | None:
    """A bot's move; to pass, where something that lasts on her forbids it."""
    kept = move is not None and kept_from(game, move.actor, type(move).__name__, catalog)
    return Pass(actor=move.actor) if move is not None and kept else move


def own_bots(catalog: Catalog) -> tuple[Bot, ...]:
    """The game's own bots, the weakest first."""
    return (
        Bot(
            id=STEADY,
            version=1,
            text="Makes Artifacts while dice are to spare, then faces the Dragon until it falls.",
            move=lambda game, actor, _choose: able(steady_move(game, catalog, actor), game, catalog),
            answer=lambda game, ask, _choose: steady_answer(game, catalog, ask),
        ),
        Bot(
            id=STRONG,
            version=1,
            text="Makes Artifacts while they cost little, and goes for the Dragon when that may win.",
            move=lambda game, actor, _choose: able(strong_move(game, catalog, actor), game, catalog),
            answer=lambda game, ask, _choose: strong_answer(game, catalog, ask),
        ),
    )
