"""Quests that bots play whole, what simulations measure of them, and what a chronicle tells of campaigns."""

from __future__ import annotations

from collections import Counter
from functools import cache

from services.rules.engine.bots import bots_of
from services.rules.engine.chronicle import Chronicled
from services.rules.engine.play import GM, Viewer
from services.rules.engine.simulation.figures import Simulated
from services.rules.systems.fortunate_blades.campaign import facts
from services.rules.systems.fortunate_blades.campaign.chronicle import Heading
from services.rules.systems.fortunate_blades.campaign.facts import loot
from services.rules.systems.fortunate_blades.campaign.figures import FIGURES, MARKS, QUESTS, WON
from services.rules.systems.fortunate_blades.campaign.moves import CallVote, OfferQuest, Vote
from services.rules.systems.fortunate_blades.campaign.state import Size
from tests.rules.fortunate_blades_campaigns import CAMPAIGNS, Evening, played
from tests.rules.fortunate_blades_quests import Story, named_bot

STORIES = range(6)
SECRET = "hush"
PLAYER = Viewer(actors=frozenset({"chr-nobody"}))


@cache
def counted(player: str) -> Counter[str]:
    """The figures of several stories together."""
    found: Counter[str] = Counter()
    for seed in STORIES:
        found += Story(player, seed).play()
    return found


@cache
def campaign() -> Evening:
    """A campaign of bots with secrets in it."""
    return played(5, 3, SECRET)


def test_who_plays_well_clears_twice_the_share_of_quests_that_who_plays_at_random_clears() -> None:
    strong, at_random = counted("strong"), counted("random")
    assert min(strong[QUESTS], at_random[QUESTS]) >= 12
    assert strong[WON] * at_random[QUESTS] >= 2 * at_random[WON] * strong[QUESTS] > 0


def test_the_strong_bot_votes_for_the_smallest_quest() -> None:
    evening = Evening.begun(1)
    for size in (Size.HEROIC, Size.TRIVIAL, Size.SERIOUS):
        evening.make(OfferQuest(actor=GM, about="", name=size.value, size=size))
    small = evening.state.offered[1].id
    evening.make(CallVote(actor=GM))
    bot = named_bot(CAMPAIGNS, "strong")
    for ask in evening.at.asks:
        view = CAMPAIGNS.view(evening.state, Viewer(actors=frozenset({ask.actor})))
        assert bot.reply(CAMPAIGNS, view, ask, lambda _: 0) == Vote(actor=ask.actor, choice=small)
    assert [each.id for each in bots_of(CAMPAIGNS)] == ["random", "steady", "strong"]


def test_figures_tell_of_quests_reputation_marks_and_heroes() -> None:
    assert isinstance(CAMPAIGNS, Simulated)
    known = {figure.key for figure in FIGURES}
    evening = campaign()
    cards = {actor.id for actor in CAMPAIGNS.card(evening.state).actors}
    measured = list(CAMPAIGNS.measure(evening.state))
    assert {each.figure for each in measured} < known and {each.actor for each in measured} <= cards
    ended = [
        (before, event)
        for _, happened in evening.seen
        for before, event in happened
        if isinstance(event, facts.QuestEnded)
    ]
    brought = sum(event.reputation for _, event in ended)
    assert measured[0].value == brought > 0
    tallied: Counter[str] = Counter()
    for before, event in ended:
        for amount in CAMPAIGNS.count(before, event):
            tallied[amount.figure] += amount.value
    assert tallied[QUESTS] == evening.state.quests_ended == len(ended)
    assert tallied[WON] == sum(bool(before.quest and before.quest.cleared) for before, _ in ended)
    assert counted("random")[MARKS] > 0


def test_a_chronicle_has_every_quest_canon_and_find_and_no_secret_for_players() -> None:
    assert isinstance(CAMPAIGNS, Chronicled)
    wanted = facts.QuestOffered | facts.QuestBegun | facts.QuestEnded | facts.FactTold | loot.LootGiven
    headings: set[str] = set()
    shown = 0
    for _, happened in campaign().seen:
        for before, event in happened:
            note = CAMPAIGNS.chronicle(event)
            assert note is not None or not isinstance(event, wanted)
            if note is None:
                continue
            headings.add(note.heading)
            assert CAMPAIGNS.tell(before, event)
            seen = CAMPAIGNS.sees(event, PLAYER)
            if seen is None:
                continue
            shown += 1
            told = CAMPAIGNS.chronicle(seen)
            assert told is not None
            words = f"{told} {CAMPAIGNS.tell(CAMPAIGNS.view(before, PLAYER), seen)}"
            assert SECRET not in words.lower() or isinstance(event, loot.LootIdentified)
            assert "secret-" not in str(told.about)
    assert shown > 20
    assert headings <= {each.value for each in Heading} and {"Quests", "Loot", "Forces"} <= headings
