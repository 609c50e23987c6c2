"""One plain sentence for each fact of a campaign; nothing for what makes no difference to a reader."""

from __future__ import annotations

from typing import Any

from services.rules.engine.wording import counted
from services.rules.systems.fortunate_blades.advancement import advance_text
from services.rules.systems.fortunate_blades.campaign import facts
from services.rules.systems.fortunate_blades.campaign.asks import ASKED
from services.rules.systems.fortunate_blades.campaign.facts import loot as loot
from services.rules.systems.fortunate_blades.campaign.facts import session_zero as zero
from services.rules.systems.fortunate_blades.campaign.moves import Ending
from services.rules.systems.fortunate_blades.campaign.state import Campaign
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.play.tell import said

OVER = {
    Ending.COMPLETED: "is over",
    Ending.MIDWAY: "is abandoned midway",
    Ending.AT_START: "is abandoned at its start",
}


def tell(state: Campaign, fact: facts.CampaignFact, catalog: Catalog) -> str:
    """The sentence for a fact."""
    for part in (_quest, _party, _world, _zero, _loot):
        told = part(state, fact, catalog)
        if told is not None:
            return told
    return ""


def _name(state: Campaign, who: str) -> str:
    return state.names().get(who, "Something")


def _quest(state: Campaign, fact: Any, catalog: Catalog) -> str | None:
    match fact:
        case facts.QuestOffered():
            quest = fact.quest
            kind = catalog.quest_kinds[quest.kind].name
            return f"A quest is offered: {quest.name} ({kind}, {quest.size.value})."
        case facts.TruthNoted():
            return f"The truth of it{said(fact.truth)}"
        case facts.Chosen():
            return "The vote is tied, and the game master decides." if fact.tied else "The vote is clear."
        case facts.QuestBegun():
            return f"The party sets out: {_name(state, fact.quest)}."
        case facts.EncounterPlanned():
            return f"An encounter is prepared: {fact.plan.title}."
        case facts.RestAllowed():
            return f"It is {fact.safety.value} to rest."
        case facts.SceneBegun():
            return "The party rests." if fact.rest else "An encounter begins."
        case facts.EncounterWon():
            return "The encounter is overcome."
        case facts.SceneOver():
            return "The party goes on."
        case facts.Answered():
            how = f", {fact.yes} to {fact.no}" if fact.voted else ""
            return f"{ASKED[fact.question]} {'Yes' if fact.agreed else 'No'}{how}."
        case facts.QuestEnded():
            reputation = f"{fact.reputation} Reputation with {_name(state, fact.force)}"
            return f"{fact.quest} {OVER[fact.ending]}: {fact.experience} Experience each, {reputation}."
    return None


def _party(state: Campaign, fact: Any, catalog: Catalog) -> str | None:
    match fact:
        case facts.TrackFilled():
            return "The party's name is made: an advantage is to be picked."
        case facts.AdvantageGained():
            return f"The party has {catalog.advantages[fact.owned.advantage].name}."
        case facts.AdvantageLost():
            return f"{catalog.advantages[fact.advantage].name} is lost{said(fact.words)}"
        case facts.AdvantageRestored():
            return f"{catalog.advantages[fact.advantage].name} is back."
        case facts.AdvantageUsed():
            name = catalog.advantages[fact.advantage].name
            return f"{_name(state, fact.hero)} uses {name}{said(fact.words)}"
        case facts.BoxFilled():
            return f"{_name(state, fact.hero)} fills a box of the {fact.track.value} track."
        case facts.HeroFared():
            return f"{_name(state, fact.hero)} is {fact.fate.value.replace('_', ' ')}."
        case facts.Advanced():
            return f"{_name(state, fact.hero)} advances: {advance_text(fact.growth.advance(), catalog)}."
        case facts.HeroCame():
            return f"{fact.member.name} is of the party."
        case facts.HeroLeft():
            return f"{_name(state, fact.hero)} leaves the party."
    return None


def _world(state: Campaign, fact: Any, catalog: Catalog) -> str | None:
    match fact:
        case facts.TickOffered():
            return "A roll was low: the campaign clock may move."
        case facts.ClockTicked():
            ticks = 1 if state.doom is None else state.doom.ticks + 1
            return f"The campaign clock stands at {counted(ticks, 'tick')}."
        case facts.Entangled():
            entry = catalog.entanglements[fact.entanglement]
            return f"{entry.name}: {entry.text}"
        case facts.StageRevealed():
            return f"{fact.stage.value.replace('_', ' ').capitalize()}{said(fact.words)}"
        case facts.ForceCame():
            return f"A force has part in the story: {fact.force.name}."
        case facts.GoalNoted():
            return f"What it really wants{said(fact.goal)}"
        case facts.ForceRevealed():
            name = _name(state, fact.was)
            return "A hidden force is known." if name == "Something" else f"All know of {name}."
        case facts.ForceSettled():
            return f"{_name(state, fact.force)} has no more part in the story."
        case facts.ForceSeated(place=""):
            return f"{_name(state, fact.force)} has no seat any more."
        case facts.ForceSeated():
            return f"{_name(state, fact.force)} works from {_name(state, fact.place)}."
        case facts.PlaceChanged():
            like = fact.detail.replace("_", " ")
            return f"{_name(state, fact.place)} is not what it was: {like}{said(fact.words)}"
        case facts.PlaceCame():
            return f"There is {fact.place.name}."
        case facts.PlaceRevealed():
            name = _name(state, fact.was)
            return "A place is found." if name == "Something" else f"All know of {name}."
        case facts.FactTold():
            about = f" about {_name(state, fact.about)}" if fact.about else ""
            by = "The game master" if fact.told.by == "gm" else _name(state, fact.told.by)
            return f"{by} tells{about}{said(fact.told.words)}"
        case facts.CampaignEnded():
            return f"The campaign is over{said(fact.words)}"
    return None


def _zero(state: Campaign, fact: Any, catalog: Catalog) -> str | None:
    match fact:
        case zero.ToneWished():
            by = "The game master" if fact.by == "gm" else _name(state, fact.by)
            tone = fact.tone.replace("_", " ")
            return f"{by} keeps a tone out: {tone}." if fact.unwanted else f"{by} wants a tone: {tone}."
        case zero.PartyNamed():
            return f"The party is called {fact.name}."
        case zero.MatterDecided():
            matter = fact.matter.value.replace("_", " ").capitalize()
            return f"{matter}: {fact.word.replace('_', ' ')}."
        case zero.HeroDrafted():
            return f"{fact.draft.name.strip() or 'A hero'} is in the making."
        case zero.DraftDropped():
            draft = state.draft(fact.by)
            name = "" if draft is None else draft.name.strip()
            return f"{name or 'A hero'} is in the making no longer."
        case zero.StoryBegun():
            return "The story begins."
    return None


def _loot(state: Campaign, fact: Any, catalog: Catalog) -> str | None:
    found = getattr(fact, "find", None)
    find = state.find(found) if isinstance(found, str) else found
    name = "Something" if find is None else find.name
    match fact:
        case loot.LootSought():
            return f"{_name(state, fact.hero)} searches for loot."
        case loot.LootFound():
            by = _name(state, fact.hero) if fact.hero else "The party"
            return f"{by} finds nothing." if fact.find is None else f"{by} finds {fact.find.name}."
        case loot.LootSecretNoted():
            return f"What is not known of {name} yet{said(fact.secret)}"
        case loot.LootIdentified():
            return f"{name} is identified{said(fact.secret)}"
        case loot.LootGiven():
            return f"{_name(state, fact.hero)} has {name}."
        case loot.LootLost():
            return f"{name} is gone{said(fact.words)}"
    return None
