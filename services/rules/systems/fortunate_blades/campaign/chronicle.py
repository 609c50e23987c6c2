"""Which facts of a campaign are of its story, and under which headings its chronicle tells them."""

from __future__ import annotations

from enum import Enum

from services.rules.engine.chronicle import ChronicleNote
from services.rules.systems.fortunate_blades.campaign import facts
from services.rules.systems.fortunate_blades.campaign.facts import loot, session_zero


class Heading(Enum):
    """The headings of a chronicle.

    Attributes:
        PARTY: What the group makes of its party and its story.
        HEROES: Who comes, goes, retires, dies and advances.
        FORCES: Forces of the story.
        PLACES: Places of the story.
        CANON: What was told and is true from then on.
        QUESTS: Quests and how they ended.
        REPUTATION: What the party's name brings it.
        LOOT: What was found, and who has it.
        PERIL: What draws near.
    """

    PARTY = "Party"
    HEROES = "Heroes"
    FORCES = "Forces"
    PLACES = "Places"
    CANON = "Canon"
    QUESTS = "Quests"
    REPUTATION = "Reputation"
    LOOT = "Loot"
    PERIL = "Peril"


def chronicle(fact: facts.CampaignFact) -> ChronicleNote | None:
    """How a fact stands in the chronicle; None for votes, prepared encounters and the like."""
    for part in (_story, _party, _world, _loot):
        note = part(fact)
        if note is not None:
            return note
    return None


def _note(heading: Heading, *about: str, opens: bool = False) -> ChronicleNote:
    """A note about those of the ids that are not empty, each once."""
    return ChronicleNote(
        heading=heading.value, about=tuple(dict.fromkeys(each for each in about if each)), opens=opens
    )


def _story(fact: facts.CampaignFact) -> ChronicleNote | None:
    match fact:
        case facts.QuestOffered():
            return _note(Heading.QUESTS, fact.quest.id, fact.place, fact.force)
        case facts.TruthNoted():
            return _note(Heading.QUESTS, fact.quest)
        case facts.EncounterWon():
            return _note(Heading.QUESTS, fact.quest)
        case facts.QuestBegun():
            return _note(Heading.QUESTS, fact.quest, opens=True)
        case facts.Answered():
            return _note(Heading.QUESTS)
        case facts.QuestEnded():
            return _note(Heading.QUESTS, fact.force)
        case facts.StageRevealed() | facts.ClockTicked() | facts.Entangled():
            return _note(Heading.PERIL)
        case facts.CampaignEnded():
            return _note(Heading.PARTY, opens=True)
        case session_zero.StoryBegun():
            return _note(Heading.PARTY, opens=True)
    return None


def _party(fact: facts.CampaignFact) -> ChronicleNote | None:
    match fact:
        case session_zero.PartyNamed() | session_zero.MatterDecided():
            return _note(Heading.PARTY)
        case session_zero.ToneWished():
            return _note(Heading.PARTY, fact.by)
        case facts.HeroFared() | facts.Advanced() | facts.HeroCame() | facts.HeroLeft():
            return _note(Heading.HEROES, fact.hero)
        case facts.TrackFilled() | facts.AdvantageLost() | facts.AdvantageRestored():
            return _note(Heading.REPUTATION)
        case facts.AdvantageGained():
            return _note(Heading.REPUTATION, fact.place)
        case facts.AdvantageUsed():
            return _note(Heading.REPUTATION, fact.hero)
    return None


def _world(fact: facts.CampaignFact) -> ChronicleNote | None:
    match fact:
        case facts.ForceCame():
            return _note(Heading.FORCES, fact.id)
        case facts.ForceRevealed():
            return _note(Heading.FORCES, fact.force, fact.was)
        case facts.GoalNoted() | facts.ForceSettled():
            return _note(Heading.FORCES, fact.force)
        case facts.ForceSeated():
            return _note(Heading.FORCES, fact.force, fact.place)
        case facts.PlaceChanged():
            return _note(Heading.PLACES, fact.place)
        case facts.PlaceCame():
            return _note(Heading.PLACES, fact.id, fact.place.by)
        case facts.PlaceRevealed():
            return _note(Heading.PLACES, fact.place, fact.was)
        case facts.FactTold():
            return _note(Heading.CANON, fact.about, fact.told.by)
    return None


def _loot(fact: facts.CampaignFact) -> ChronicleNote | None:
    match fact:
        case loot.LootFound(find=None):
            return None
        case loot.LootFound(find=find, hero=hero) if find is not None:
            return _note(Heading.LOOT, find.id, hero)
        case loot.LootGiven():
            return _note(Heading.LOOT, fact.find, fact.hero)
        case loot.LootSecretNoted() | loot.LootIdentified() | loot.LootLost():
            return _note(Heading.LOOT, fact.find)
    return None
