"""Folds one fact into the state: no dice, no choice, no failure."""

from dataclasses import replace

from services.rules.engine.effects import Duration, Effect, TurnBegan, Until, ending
from services.rules.engine.plain import with_one

from ..catalog import BRACED, EFFECTS
from .facts import Braced, DuelEvent, Flinched, Listened, Lunged, Revealed, Stopped, Struck, TurnEnded
from .state import DuelState


def evolve(state: DuelState, fact: DuelEvent) -> DuelState:
    """The state after a fact."""
    all_, effects = state.duellists, state.effects
    match fact:
        case Lunged():
            return state
        case Struck():
            nerve = state.find(fact.target).nerve - fact.hit
            return replace(state, duellists=with_one(all_, fact.target, nerve=nerve))
        case Flinched():
            return replace(state, duellists=with_one(all_, fact.target, flinched=True))
        case Braced(actor=actor):
            lasts = Duration(Until.NEXT_TURN, actor)
            brace = Effect(id=f"brace:{actor}", kind=BRACED, bearer=actor, lasts=lasts)
            return replace(state, effects=(*effects, brace))
        case Listened():
            return replace(state, heard=(*state.heard, fact.who)) if fact.heard else state
        case Revealed():
            return replace(state, duellists=with_one(all_, fact.rival, hidden=False))
        case Stopped():
            return replace(state, stopped=True)
        case TurnEnded():
            place = all_.index(state.find(state.turn)) + 1
            up = next(one for one in all_[place:] + all_[:place] if one.nerve and not one.hidden)
            over = ending(effects, EFFECTS, TurnBegan(up.id))
            lasting = tuple(effect for effect in effects if effect not in over)
            round_ = state.round + (up in all_[:place])
            return replace(state, turn=up.id, round=round_, effects=lasting)
