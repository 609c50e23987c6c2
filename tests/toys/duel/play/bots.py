"""Two ways of playing Duel: the simple one that every game has, and a fierce one."""

from typing import Any

from services.rules.engine.bots import Bot
from services.rules.engine.play import GM
from services.rules.engine.sampling import Choose
from services.rules.engine.steps import Ask

from ..mechanics import hit_chance, strike_dice
from .moves import Answer, DuelMove, Reveal, Strike
from .state import DuelState


def steady(state: DuelState, actor: str) -> DuelMove | None:
    """Strikes at the weakest; the game master lets the hidden rival step out after round 1."""
    if actor == GM and state.hidden() and state.round > 1 and not state.over():
        return Reveal(actor=GM)
    if state.over() or actor != state.turn:
        return None
    return Strike(actor=actor, target=min(state.targets(actor), key=lambda who: state.find(who).nerve))


def _fierce(state: DuelState, actor: str, choose: Choose) -> DuelMove | None:
    if state.over() or actor != state.turn:
        return None
    dice = strike_dice(state.find(actor).style).value
    chances = {target: hit_chance(dice, state.guard(target).value) for target in state.targets(actor)}
    best = [target for target, chance in chances.items() if chance == max(chances.values())]
    return Strike(actor=actor, target=best[choose(len(best))])


def _stand(_state: Any, ask: Ask, _choose: Choose) -> DuelMove:
    return Answer(actor=ask.actor, flinch=False)


TEXT = "Never flinches, and strikes where it hits most likely."
FIERCE = Bot(id="fierce", version=1, text=TEXT, move=_fierce, answer=_stand)
