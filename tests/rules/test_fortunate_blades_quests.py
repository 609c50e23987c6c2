"""Quests that bots play whole, what simulations measure of them, and what a chronicle tells of campaigns."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

from services.rules.engine.bots import Bot, bots_of
from services.rules.engine.campaign import SUFFIX, with_campaigns
from services.rules.engine.chronicle import Chronicled
from services.rules.engine.play import GM, Viewer
from services.rules.engine.playthrough import parse_playthrough, replay
from services.rules.engine.simulation.blocks import BlockPlayer
from services.rules.engine.simulation.cases import Plan, planned
from services.rules.engine.simulation.figures import Simulated
from services.rules.engine.simulation.request import Member, Opening, SimulationRequest
from services.rules.engine.simulation.run import PlayedScene, Runner
from services.rules.engine.simulation.story import position_at, told
from services.rules.engine.simulation.tally import Tally
from services.rules.systems.fortunate_blades import SYSTEM
from services.rules.systems.fortunate_blades.campaign import facts
from services.rules.systems.fortunate_blades.campaign.chronicle import Heading
from services.rules.systems.fortunate_blades.campaign.facts import loot
from services.rules.systems.fortunate_blades.campaign.figures import (
    EXPERIENCE,
    FIGURES,
    MARKS,
    QUESTS,
    REPUTATION,
    WON,
)
from services.rules.systems.fortunate_blades.campaign.moves import CallVote, OfferQuest, Vote
from services.rules.systems.fortunate_blades.campaign.state import Size
from tests.rules.fortunate_blades_campaigns import CAMPAIGNS, Evening, played

CAMPAIGN = with_campaigns({SYSTEM.slug: SYSTEM})[SYSTEM.slug + SUFFIX]
CAST = tuple(SYSTEM.examples)[:3]
SECRET = "hush"
PLAYER = Viewer(actors=frozenset({"chr-nobody"}))


@cache
def plan_of(player: str) -> Plan:
    """Campaigns of three heroes whom the bot of a name plays."""
    request = SimulationRequest(
        system=CAMPAIGN.slug,
        scenes=(Opening(setup_name="lantern-road"),),
        cast=tuple(Member(id=name, example=name) for name in CAST),
        policies={"heroes": f"{player}@1"},
        runs=8,
    )
    return laid_out(request)


def laid_out(request: SimulationRequest) -> Plan:
    """A request that can be played."""
    plan = planned(request, CAMPAIGN)
    assert isinstance(plan, Plan), plan
    return plan


@cache
def counted(player: str) -> Tally:
    """The figures of several campaigns together."""
    return BlockPlayer(plan_of(player)).play(0)


def total(player: str, figure: str) -> int:
    """What a figure came to in all campaigns together."""
    return counted(player).cases[0].values[figure].total


def named_bot(name: str) -> Bot:
    """The bot of campaigns of this name."""
    return next(bot for bot in bots_of(CAMPAIGNS) if bot.id == name)


@cache
def campaign() -> Evening:
    """A campaign of bots with secrets in it."""
    return played(5, 3, SECRET)


def test_who_plays_well_clears_twice_the_share_of_quests_that_who_plays_at_random_clears() -> None:
    quests, won = f"{QUESTS}@actor:party", f"{WON}@actor:party"
    assert min(total("strong", quests), total("random", quests)) >= 24
    strong, at_random = total("strong", won), total("random", won)
    assert strong * total("random", quests) >= 2 * at_random * total("strong", quests) > 0


def test_figures_of_campaigns_come_from_the_encounters_that_were_played() -> None:
    assert total("random", f"{MARKS}@side:heroes") > 0
    assert total("strong", f"{EXPERIENCE}@side:heroes") > total("random", f"{EXPERIENCE}@side:heroes") > 0
    by_quest = [found for found, _ in counted("strong").cases[0].rounds[f"{REPUTATION}@actor:party#1"].sums]
    assert by_quest == sorted(by_quest) and by_quest[-1] > by_quest[0] > 0


def test_a_run_comes_to_the_same_whoever_plays_it_and_whatever_was_played_before() -> None:
    """So blocks do, on any number of workers; see the tests of simulations."""
    player, alone = BlockPlayer(plan_of("random")), BlockPlayer(plan_of("random"))
    late = [player.runners[0].run(number) for number in (3, 1, 0)]
    assert [alone.runners[0].run(number) for number in (0, 1, 3)] == late[::-1]


def test_a_side_is_played_by_its_bot_from_its_first_move() -> None:
    """As if the bot were named for each hero; an encounter of this game asks all of them at once."""
    told = []
    for subjects in (("heroes",), CAST):
        request = SimulationRequest(
            system=SYSTEM.slug,
            scenes=(Opening(setup_name="wolves"),),
            cast=tuple(Member(id=name, example=name) for name in CAST),
            policies=dict.fromkeys(subjects, "random@1"),
            runs=8,
        )
        plan = planned(request, SYSTEM)
        assert isinstance(plan, Plan), plan
        told.append(BlockPlayer(plan).runners[0].run(0))
    assert told[0] == told[1]


def test_what_a_scene_changes_about_a_hero_is_taken_into_the_next_one() -> None:
    plan = plan_of("random")
    marks: list[dict[str, int]] = []
    at: Any = None
    for whose, happened in Runner(plan, plan.cases[0]).moves(PlayedScene(plan.cases[0].scenes[0].opening), 0):
        if whose is plan.play:
            at = None
        elif at is None and happened:
            at = happened[0].before
            marks.append({each.id: len(each.marks) for each in at.heroes})
    assert max(marks[-1].values()) > max(marks[0].values()) == 0


def test_a_run_that_is_told_tells_the_encounters_and_rests_of_its_quests() -> None:
    plan = plan_of("strong")
    lines = list(told(plan, plan.cases[0], 0))
    assert {"Round 1", "Round 5", "Foes, round 1"} <= set(lines)
    assert any(line.startswith("A rest: ") for line in lines)
    assert lines[-1] == "They did what they set out to do."


def test_a_run_stands_before_an_encounter_while_that_is_played() -> None:
    plan = plan_of("strong")
    reached = [position_at(plan, plan.cases[0], 0, moves).scene for moves in range(2, 12)]
    assert [scene.moves for scene in reached] == list(range(2, 12))
    assert not any(scene.state.scene for scene in reached)
    assert any(one.state == other.state for one, other in pairwise(reached))


def test_without_a_cast_no_scene_is_begun_and_quests_are_abandoned() -> None:
    plan = plan_of("strong")
    state = CAMPAIGNS.state_codec.dump(plan.cases[0].scenes[0].opening)
    alone = laid_out(replace(plan.request, scenes=(Opening(state=state),), cast=()))
    values = Runner(alone, alone.cases[0]).run(0).values
    assert values[f"{QUESTS}@actor:party"] == 5 and values[f"{WON}@actor:party"] == 0


def test_the_strong_bot_votes_for_the_smallest_quest() -> None:
    evening = Evening.begun(1)
    for size in (Size.HEROIC, Size.TRIVIAL, Size.SERIOUS):
        evening.make(OfferQuest(actor=GM, about="", name=size.value, size=size))
    small = evening.state.offered[1].id
    evening.make(CallVote(actor=GM))
    bot = named_bot("strong")
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


def replayed(*changes: tuple[str, str]) -> tuple[str, ...]:
    """What comes out otherwise of the golden end of quests, with changes of its text."""
    text = SYSTEM.playthroughs["quest-end.txt"]
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return replay(SYSTEM, parse_playthrough(text))


def test_what_a_golden_evening_expects_of_a_scene_and_of_its_campaign_must_come_out() -> None:
    (scene,) = replayed(("  Hesper Ashfoot rolls 12, 15", "  Hesper Ashfoot rolls 12, 16"))
    assert "was not told" in scene
    (campaign,) = replayed(("  quest.won: 3", "  quest.won: 2"))
    assert "quest.won is 3, expected 2" in campaign


def test_a_golden_evening_begins_the_scenes_of_its_campaign_alone() -> None:
    (broken,) = replayed(('  order: "encounter"', '  order: "rest"'))
    assert "the campaign has no 'rest' now, but encounter" in broken
