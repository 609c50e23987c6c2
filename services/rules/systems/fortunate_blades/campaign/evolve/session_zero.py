"""Folds one fact of session zero into the state of a campaign."""

from __future__ import annotations

from dataclasses import replace

from services.rules.systems.fortunate_blades.campaign.facts.session_zero import (
    DraftDropped,
    HeroDrafted,
    MatterDecided,
    PartyNamed,
    StoryBegun,
    ToneWished,
    ZeroFact,
)
from services.rules.systems.fortunate_blades.campaign.moves.session_zero import Matter
from services.rules.systems.fortunate_blades.campaign.state import Campaign


def evolve(state: Campaign, fact: ZeroFact) -> Campaign:
    """The state after a fact; a tone that one does not want is wanted no longer."""
    match fact:
        case ToneWished(tone=tone, unwanted=True):
            wanted = tuple(each for each in state.tones if each != tone)
            return replace(state, tones=wanted, unwanted_tones=(*state.unwanted_tones, tone))
        case ToneWished():
            return replace(state, tones=(*state.tones, fact.tone))
        case PartyNamed():
            return replace(state, party=fact.name)
        case MatterDecided(matter=Matter.ORIGIN):
            return replace(state, origin=fact.word)
        case MatterDecided():
            return replace(state, quest_of_party=fact.word)
        case HeroDrafted(draft=draft):
            if state.draft(draft.id) is None:
                return replace(state, drafts=(*state.drafts, draft))
            drafts = tuple(draft if each.id == draft.id else each for each in state.drafts)
            return replace(state, drafts=drafts)
        case DraftDropped():
            return replace(state, drafts=tuple(each for each in state.drafts if each.id != fact.by))
        case StoryBegun():
            return replace(state, session_zero=False, drafts=())
