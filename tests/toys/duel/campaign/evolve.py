"""Folds one fact into the state of a feud."""

from dataclasses import replace

from services.rules.engine.plain import with_one

from .facts import FeudEvent, Hit, Met, Parted, Provoked, Settled
from .state import Feud, Foe


def evolve(state: Feud, fact: FeudEvent) -> Feud:
    """The state after a fact."""
    match fact:
        case Provoked():
            return replace(state, foes=(*state.foes, Foe(id=fact.foe, name=fact.name)))
        case Met() | Parted():
            return replace(state, foes=with_one(state.foes, fact.foe, met=isinstance(fact, Met)))
        case Hit():
            hits = next(foe.hits for foe in state.foes if foe.id == fact.foe) + 1
            return replace(state, foes=with_one(state.foes, fact.foe, hits=hits))
        case Settled():
            return replace(state, settled=fact.agreed)
