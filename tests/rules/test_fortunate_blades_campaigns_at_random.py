"""Campaigns of Fortunate Blades of offers that are filled in at random: what holds of all of them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, reduce
from os import environ

import orjson

from services.rules.engine.play import GM, Viewer
from services.rules.engine.sampling import complete
from services.rules.systems.fortunate_blades import SYSTEM
from services.rules.systems.fortunate_blades.advancement import length_of
from services.rules.systems.fortunate_blades.campaign.evolve.loot import MOST_HELD
from services.rules.systems.fortunate_blades.campaign.facts import (
    BoxFilled,
    HeroCame,
    QuestEnded,
    TrackFilled,
)
from services.rules.systems.fortunate_blades.campaign.facts.loot import LootFound, LootGiven
from services.rules.systems.fortunate_blades.campaign.state import Campaign
from services.rules.systems.fortunate_blades.campaign.state.loot import Find
from services.rules.systems.fortunate_blades.campaign.state.progress import Progress
from services.rules.systems.fortunate_blades.choices import AdvanceKind, HeroChoices
from services.rules.systems.fortunate_blades.terms import TrainingTrack
from tests.rules.fortunate_blades_campaigns import CAMPAIGNS, Evening, opened, played
from tests.rules.fortunate_blades_encounters import stream

SEEDS = range(int(environ.get("HEARTHFORGE_CAMPAIGNS_AT_RANDOM", "3")))
"""A few in the suite, three hundred in the gate `campaigns`."""
QUESTS, MOST_MOVES, LONG = 5, 2_400, 30
RULES = SYSTEM.content.rules
AS_THEY_PLEASE = ("end", "tell")
"""What ends a campaign, or may be done at any time for ever."""


@cache
def at_random(seed: int) -> Evening:
    """A campaign of five quests: offers at random, encounters and rests by bots."""
    chance = stream("campaign at random", seed)
    evening = Evening.begun(seed, heroes=1 + seed % 3)

    def draw(count: int) -> int:
        return chance.draw(count) - 1

    for _ in range(MOST_MOVES):
        if evening.state.quests_ended >= QUESTS:
            break
        scenes = [] if evening.at.asks else list(CAMPAIGNS.scenes(evening.state))
        if scenes and draw(4) == 0:
            evening.scene(scenes[draw(len(scenes))])
            continue
        who = [each.actor for each in evening.at.asks] or [GM, *(one.id for one in evening.state.present())]
        actor = who[draw(len(who))]
        viewer = Viewer(gm=actor == GM, actors=frozenset({actor}))
        offers = [each for each in evening.at.legal(actor, viewer) if each.id not in AS_THEY_PLEASE]
        if offers:
            evening.make(CAMPAIGNS.move_codec.read(complete(offers[draw(len(offers))], draw)))
    return evening


@cache
def of_bots(seed: int) -> Evening:
    """A long campaign of bots."""
    return played(seed, LONG)


def states() -> Iterator[Campaign]:
    """Every state of them all."""
    for seed in SEEDS:
        yield from (at.state for at, _ in at_random(seed).seen)


def test_nothing_that_is_offered_is_refused_and_every_campaign_comes_to_its_fifth_quest() -> None:
    assert {at_random(seed).state.quests_ended for seed in SEEDS} == {QUESTS}


def test_numbers_of_a_campaign_stay_within_their_bounds() -> None:
    for state in states():
        assert state.doom is not None and 0 <= state.doom.ticks <= RULES.campaign.clock
        assert state.track >= 0 and state.picks >= 0
        ids = [each.id for each in state.forces] + [each.id for each in state.places]
        ids += [each.id for each in state.finds]
        assert len(set(ids)) == len(ids)
        for hero in state.heroes:
            assert hero.experience >= 0
            for track in TrainingTrack:
                assert 0 <= hero.boxes[track] <= length_of(track, RULES.tracks)
            assert all(abs(rank) <= 3 for rank in hero.ranks.values())


def test_a_campaign_is_the_sum_of_what_happened_and_is_read_back_as_it_was_written() -> None:
    for seed in SEEDS:
        evening = at_random(seed)
        events = [event for _, happened in evening.seen for _, event in happened]
        assert reduce(CAMPAIGNS.evolve, events, opened(1 + seed % 3)) == evening.state
        written = json.loads(json.dumps(CAMPAIGNS.state_codec.dump(evening.state)))
        assert CAMPAIGNS.state_codec.load(written) == evening.state


def test_reputation_is_with_forces_and_on_the_track_and_the_track_empties_when_it_is_full() -> None:
    for seed in SEEDS:
        evening = at_random(seed)
        track = 0
        for _, happened in evening.seen:
            for _, event in happened:
                if isinstance(event, QuestEnded):
                    track += event.reputation
                elif isinstance(event, TrackFilled):
                    assert track >= RULES.campaign.reputation_track
                    track = 0
        assert track == evening.state.track < RULES.campaign.reputation_track


def test_what_players_get_of_a_campaign_at_random_has_nothing_secret_in_it() -> None:
    """Ids of secret things, goals, truths, plans and what is not identified are in no view, card or offer."""
    for seed in SEEDS:
        for at, _ in at_random(seed).seen[::7]:
            state = at.state
            hidden = [each.goal for each in state.forces] + [each.truth for each in state.offered]
            hidden += [each.name for each in (*state.forces, *state.places) if each.secret]
            known = {each.secret for each in state.finds if each.identified}
            hidden += [each.secret for each in state.finds if each.secret not in known]
            for hero in state.present()[:1]:
                viewer = Viewer(actors=frozenset({hero.id}))
                got = repr((at.view(viewer), at.card(viewer), at.legal(hero.id, viewer)))
                assert "secret-" not in got
                long = [each for each in hidden if len(each) > 8]
                assert not [each for each in long if re.search(rf"\b{re.escape(each)}\b", got)]


def test_a_long_campaign_is_hardly_larger_than_a_short_one() -> None:
    """History is in the chronicle alone: ranks are counted, and of loot that heroes have the last is listed.
    By right grow the ranks by which heroes have risen, their talents, the party's advantages and that loot.
    """
    long = of_bots(5)
    sizes = {
        at.state.quests_ended: len(orjson.dumps(CAMPAIGNS.state_codec.dump(at.state))) for at, _ in long.seen
    }
    assert sizes[LONG] <= 1.4 * sizes[5]
    assert sizes[LONG] <= 1.2 * sizes[LONG // 2]
    state = long.state
    assert state.plan is None and state.offered == ()
    assert sum(bool(each.holder) for each in state.finds) <= MOST_HELD


def test_what_a_hero_has_gained_comes_to_the_boxes_that_are_filled() -> None:
    campaign = of_bots(5)
    trained = Counter(
        (event.hero, event.track)
        for _, happened in campaign.seen
        for _, event in happened
        if isinstance(event, BoxFilled)
    )
    changes = {
        each.character: CAMPAIGNS.absorb(HeroChoices(name="Anna"), each.data)
        for each in CAMPAIGNS.changes(campaign.state)
    }
    for before, hero in zip(opened().heroes, campaign.state.heroes, strict=True):
        advances = changes[hero.id].advances
        assert all(each.boxes >= 0 for each in advances)
        raised = Counter(each.attribute for each in advances if each.attribute is not None)
        assert {each: before.ranks[each] + raised[each] for each in before.ranks} == hero.ranks
        for track in TrainingTrack:
            gained = sum(
                each.boxes if each.kind is AdvanceKind.BOXES else -each.boxes
                for each in advances
                if each.track is track
            )
            assert before.boxes[track] + trained[hero.id, track] + gained == hero.boxes[track]


def test_loot_that_is_listed_no_longer_stays_with_its_heroes() -> None:
    evening = Evening.begun(3)
    (first, *others), gear = evening.state.heroes, "fortunate_blades:gear/clothes"
    for number in range(MOST_HELD + 3):
        find = Find(id=f"loot-{number}", name="A find", gear=gear, secret="Hush" if number < 2 else "")
        for fact in (LootFound(find=find), LootGiven(find=find.id, hero=first.id)):
            evening.at = replace(evening.at, state=CAMPAIGNS.evolve(evening.state, fact))
    assert [each.id for each in evening.state.finds][:3] == ["loot-0", "loot-1", "loot-5"]
    assert len(evening.state.finds) == MOST_HELD
    (change,) = CAMPAIGNS.changes(evening.state)
    assert change.data["gear"] == [gear] * (MOST_HELD + 3)
    assert others and change.character == first.id


def test_campaigns_that_listed_every_step_are_read_as_what_they_come_to() -> None:
    now = of_bots(5).state
    document = CAMPAIGNS.state_codec.dump(now)
    before = json.loads(json.dumps(document)) | {"version": 1}
    for hero, found in zip(before["data"]["heroes"], now.heroes, strict=True):
        del hero["progress"]
        hero["growth"] = [
            {
                "type": each.kind.value,
                "track": each.track.value,
                "boxes": each.boxes,
                "attribute": None if each.attribute is None else each.attribute.value,
                "trade": each.trade,
                "talent": each.talent,
            }
            for each in found.progress.advances(found.trades)
        ]
    assert CAMPAIGNS.state_codec.load(before) == now
    came = HeroCame(member=replace(now.heroes[0], progress=Progress()), hero=now.heroes[0].id)
    told = json.loads(json.dumps(CAMPAIGNS.event_codec.dump(came))) | {"version": 1}
    del told["data"]["member"]["progress"]
    told["data"]["member"]["growth"] = []
    assert CAMPAIGNS.event_codec.load(told) == came
    assert (
        CAMPAIGNS.event_codec.load(CAMPAIGNS.event_codec.dump(TrackFilled()) | {"version": 1})
        == TrackFilled()
    )
