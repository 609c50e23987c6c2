"""A second way of playing Duel, beside the one that every game has."""

from __future__ import annotations

from typing import Any

from services.rules.engine.bots import Bot
from services.rules.engine.play import GM
from services.rules.engine.sampling import Choose
from services.rules.engine.steps import Ask

from .duellists import hit_chance, strike_dice
from .scene import Answer, DuelMove, DuelState, Strike


def _fierce(state: Any, actor: str, choose: Choose) -> DuelMove | None:
    """Strikes where it hits most likely, by chance where that is all the same."""
    duel: DuelState = state
    if actor == GM or duel.over():
        return None
    if actor != duel.turn:
        return None
    attack = strike_dice(duel.find(actor).style).value
    chances = {target: hit_chance(attack, duel.guard(target).value) for target in duel.targets(actor)}
    best = [target for target, chance in chances.items() if chance == max(chances.values())]
    return Strike(actor=actor, target=best[choose(len(best))])


def _stand(_state: Any, ask: Ask, _choose: Choose) -> DuelMove:
    """Never flinches."""
    return Answer(actor=ask.actor, flinch=False)


FIERCE = Bot(
    id="fierce",
    version=1,
    text="Never flinches, and strikes where it hits most likely.",
    move=_fierce,
    answer=_stand,
)
