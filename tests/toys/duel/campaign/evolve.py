"""Folds one fact into the state of a feud."""

from dataclasses import replace

from .facts import FeudEvent, Hit, Met, Settled
from .state import Feud


def evolve(state: Feud, fact: FeudEvent) -> Feud:
    """The state after a fact."""
    match fact:
        case Met():
            return replace(state, met=fact.met)
        case Hit():
            return replace(state, hits=state.hits + 1)
        case Settled():
            return replace(state, settled=fact.agreed)
