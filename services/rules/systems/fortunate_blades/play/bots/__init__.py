"""Players of encounters: the simple one that every game has, and one that spends Fortune well.

Read in this order: `steady`, `strong`.
"""

from __future__ import annotations

from services.rules.engine.bots import Bot
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.play.bots.steady import bot, reply
from services.rules.systems.fortunate_blades.play.bots.strong import strong_bot

__all__ = ["bot", "own_bots", "reply"]


def own_bots(catalog: Catalog) -> tuple[Bot, ...]:
    """The game's own bots, the weakest first."""
    return (strong_bot(catalog),)
