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
from services.rules.systems.fortunate_blades.campaign.state.loot import Find

MOST_HELD = 6
"""Loot of heroes that the state lists; what they had before is on their sheets and in the chronicle."""


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
            return _put_away(replace(state, finds=with_one(state.finds, fact.find, holder=fact.hero)))
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


def _put_away(state: Campaign) -> Campaign:
    """The campaign without the loot that heroes have had for longest: first that of which nothing is left to
    be told. Gear stays theirs.
    """
    held = [each for each in state.finds if each.holder]
    for find in sorted(held, key=_untold)[: max(len(held) - MOST_HELD, 0)]:
        state = replace(state, finds=tuple(each for each in state.finds if each is not find))
        hero = next((each for each in state.heroes if each.id == find.holder), None)
        if hero is not None and find.gear:
            progress = hero.progress.with_gear(find.gear)
            state = replace(state, heroes=with_one(state.heroes, hero.id, progress=progress))
    return state


def _untold(find: Find) -> bool:
    return bool(find.secret) and not find.identified
