"""Folds one fact into the state: no dice, no choice, no failure."""

from dataclasses import replace

from services.rules.engine.effects import Duration, Effect, TurnBegan, Until, ending
from services.rules.engine.plain import with_one

from ..catalog import BRACED, EFFECTS
from .facts import Braced, DuelEvent, Flinched, Listened, Revealed, Stopped, Struck, TurnEnded
from .state import HEROES, RIVALS, DuelState


def evolve(state: DuelState, fact: DuelEvent) -> DuelState:
    """The state after a fact."""
    match fact:
        case Struck(target=target):
            return changed(state, target, nerve=state.find(target).nerve - fact.hit)
        case Flinched():
            return changed(state, fact.target, flinched=True)
        case Braced(actor=who):
            lasts = Duration(Until.NEXT_TURN, who)
            brace = Effect(id=f"brace:{who}", kind=BRACED, bearer=who, lasts=lasts)
            return replace(state, effects=(*state.effects, brace))
        case Listened():
            return replace(state, heard=state.heard or fact.heard)
        case Revealed():
            return changed(state, fact.rival, hidden=False)
        case TurnEnded():
            return turned(state)
        case Stopped():
            return replace(state, stopped=True)
    return state


def changed(state: DuelState, who: str, **values: int) -> DuelState:
    """The state with other values of a duellist."""
    return replace(state, duellists=with_one(state.duellists, who, **values))


def turned(state: DuelState) -> DuelState:
    """The state in the next duellist's turn, without what ends when it begins."""
    place = state.duellists.index(state.find(state.turn)) + 1
    able, earlier = state.on(HEROES, RIVALS), state.duellists[:place]
    up = next(one for one in (*state.duellists[place:], *earlier) if one in able)
    over = ending(state.effects, EFFECTS, TurnBegan(up.id))
    lasting = tuple(effect for effect in state.effects if effect not in over)
    return replace(state, turn=up.id, round=state.round + (up in earlier), effects=lasting)
