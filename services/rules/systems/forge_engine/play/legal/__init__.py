"""What a combatant or the game master may do now, as buttons; none of them is refused.

Read in this order: `attacks` and `spells` (with costs and exact odds), `movement`, `actions` (everything
else of a combatant), `master`.
"""

from __future__ import annotations

from services.rules.engine.play import GM, LegalMove
from services.rules.systems.forge_engine.play.legal.actions import action_offers, calm_offers
from services.rules.systems.forge_engine.play.legal.attacks import attack_offers
from services.rules.systems.forge_engine.play.legal.master import master_offers
from services.rules.systems.forge_engine.play.legal.spells import spell_offers
from services.rules.systems.forge_engine.play.state import Fight, Phase


def legal(state: Fight, actor: str) -> tuple[LegalMove, ...]:
    """The offers of an actor; none once the scene is over."""
    if state.over:
        return ()
    if actor == GM:
        return tuple(master_offers(state))
    one = state.get(actor)
    if one is None or not state.may_act(one):
        return ()
    if state.phase is Phase.CALM:
        return tuple(calm_offers(state, one))
    return (*attack_offers(state, one), *spell_offers(state, one), *action_offers(state, one))
