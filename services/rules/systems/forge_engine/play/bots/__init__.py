"""Bots of a fight: the strong one, which plays every role and every power by what its entry says.

Read in this order: `roles` (what a role keeps back and cares for), `worth` (what harm, healing, conditions
and energy are worth), `weapons`, `spells` and `skills` (what could be done, with its worth), `movement`,
`strong` (the choice among them), `answers` (reactions), `master` (the game master's moves).
"""

from __future__ import annotations

from services.rules.engine.bots import Bot
from services.rules.systems.forge_engine.play.bots.answers import reply
from services.rules.systems.forge_engine.play.bots.strong import bot

__all__ = ["STRONG", "bot", "reply"]

STRONG = Bot(
    id="strong",
    version=2,
    text="Plays its role: strikes, casts, heals and hinders where its energy is worth most, and reacts.",
    move=lambda state, actor, _choose: bot(state, actor),
    answer=lambda state, ask, _choose: reply(state, ask),
)
