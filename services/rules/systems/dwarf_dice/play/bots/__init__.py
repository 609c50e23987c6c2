"""The game's bots by name (`engine.bots`): `steady` plays by rules of thumb, `strong` by odds and `outlook`.

They answer questions by the question's id (`rules.asks`), without looking at its offers.
"""

from __future__ import annotations

from services.rules.engine.bots import Bot
from services.rules.systems.dwarf_dice.catalog import Catalog, Forges
from services.rules.systems.dwarf_dice.play.bots.steady import steady_answer, steady_move
from services.rules.systems.dwarf_dice.play.bots.strong import StrongBot


def own_bots(catalog: Catalog, forges: Forges, strong: StrongBot) -> tuple[Bot, Bot]:
    """Those that play this game with more than luck, the weaker first."""
    return (
        Bot(
            id="steady",
            version=1,
            text="Forges what is worth most, attacks with four dice or more, blocks all it can.",
            move=lambda state, actor, _choose: steady_move(state, actor, catalog, forges),
            answer=lambda state, ask, _choose: steady_answer(state, ask, catalog),
        ),
        Bot(
            id="strong",
            version=1,
            text="Weighs every choice by the exact odds and by how the game would stand after it.",
            move=lambda state, actor, _choose: strong.move(state, actor),
            answer=lambda state, ask, _choose: strong.answer(state, ask),
            slow=True,
        ),
    )
