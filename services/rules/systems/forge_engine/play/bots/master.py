"""The game master's own moves: to begin a fight, to let those who hide step out, to end what is decided."""

from __future__ import annotations

from services.rules.engine.play import GM
from services.rules.systems.forge_engine.play.moves import BeginFight, EndScene, FightMove, Reveal
from services.rules.systems.forge_engine.play.state import Fight, Phase

LONGEST = 60
"""Rounds after which the game master calls a fight off."""


def master_move(state: Fight) -> FightMove | None:
    """The game master's move; None where combatants are to act."""
    sides = {one.side for one in state.combatants if one.up}
    if state.phase is Phase.CALM:
        return BeginFight(actor=GM) if len(sides) > 1 else EndScene(actor=GM, text="Nothing is left to do.")
    hiding = next((one for one in state.combatants if one.hidden and one.up), None)
    if hiding is not None and (state.rounds.round > 1 or len(state.sides_up()) < 2):
        return Reveal(actor=GM, who=hiding.id)
    if len(sides) < 2 or state.rounds.round > LONGEST:
        return EndScene(actor=GM, text="The fight is over.")
    return None
