"""What simulations measure of campaigns: quests, reputation quest by quest, experience, Marks, presence."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.simulation.figures import Amount, Figure, FigureKind
from services.rules.systems.fortunate_blades.campaign.facts import CampaignFact, HeroFared, QuestEnded
from services.rules.systems.fortunate_blades.campaign.moves import Ending
from services.rules.systems.fortunate_blades.campaign.state import PRESENT, Campaign, Fate
from services.rules.systems.fortunate_blades.campaign.view import PARTY

QUESTS, WON, REPUTATION, MARKS, PRESENCE, EXPERIENCE = (
    "quests",
    "quests_won",
    "reputation",
    "marks",
    "with_party",
    "experience",
)

FIGURES = (
    Figure(key=QUESTS, name="Quests", unit="quests", text="Quests that ended; the party's."),
    Figure(
        key=WON,
        name="Quests won",
        unit="quests",
        text="Quests that were seen through with every encounter overcome; the party's.",
    ),
    Figure(
        key=REPUTATION,
        name="Reputation",
        unit="Reputation",
        text="Reputation of the party with all forces together, at the end of each quest.",
        by_round=True,
    ),
    Figure(
        key=MARKS, name="Marks", unit="Marks", text="Marks and Revivals that took the hero out of a quest."
    ),
    Figure(
        key=PRESENCE,
        name="With the party",
        unit="runs",
        text="Whether the hero is of the party; of a side, how many of its heroes.",
        kind=FigureKind.SHARE,
        by_round=True,
    ),
    Figure(
        key=EXPERIENCE,
        name="Experience",
        unit="experience",
        text="Experience that quests brought the hero; of a side, all of its heroes together.",
    ),
)
"""Figures of campaigns of Fortunate Blades; a round is a quest."""


def measure(state: Campaign) -> Iterator[Amount]:
    """Yield how the party and every hero stand."""
    yield Amount(REPUTATION, PARTY, sum(force.reputation for force in state.forces))
    for hero in state.heroes:
        yield Amount(PRESENCE, hero.id, int(hero.fate in PRESENT))


def count(state: Campaign, event: CampaignFact) -> Iterator[Amount]:
    """Yield what a fact adds."""
    match event:
        case QuestEnded():
            won = event.ending is Ending.COMPLETED and state.quest is not None and state.quest.cleared
            yield Amount(QUESTS, PARTY, 1)
            yield Amount(WON, PARTY, int(won))
            yield from (Amount(EXPERIENCE, hero.id, event.experience) for hero in state.present())
        case HeroFared(fate=Fate.OUT_OF_QUEST):
            yield Amount(MARKS, event.hero, 1)
