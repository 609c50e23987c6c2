"""Folds one fact of loot into the state of a campaign."""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.plain import with_one
from services.rules.systems.fortunate_blades.campaign.facts.loot import (
    LootFact,
    LootFound,
    LootGiven,
    LootIdentified,
    LootLost,
    LootSecretNoted,
    LootSought,
)
from services.rules.systems.fortunate_blades.campaign.state import Campaign


def evolve(state: Campaign, fact: LootFact) -> Campaign:
    """The state after a fact."""
    match fact:
        case LootSought():
            return replace(state, searched=(*state.searched, fact.hero))
        case LootFound():
            return _found(state, fact)
        case LootSecretNoted():
            return replace(state, finds=with_one(state.finds, fact.find, secret=fact.secret))
        case LootIdentified():
            finds = with_one(state.finds, fact.find, secret=fact.secret, identified=True)
            return replace(state, finds=finds)
        case LootGiven():
            return replace(state, finds=with_one(state.finds, fact.find, holder=fact.hero))
        case LootLost():
            return replace(state, finds=tuple(each for each in state.finds if each.id != fact.find))


def _found(state: Campaign, fact: LootFound) -> Campaign:
    waiting = list(state.searched)
    if fact.hero in waiting:
        waiting.remove(fact.hero)
    state = replace(state, searched=tuple(waiting))
    if fact.find is None:
        return state
    return replace(state, finds=(*state.finds, fact.find), counted=state.counted + 1)
