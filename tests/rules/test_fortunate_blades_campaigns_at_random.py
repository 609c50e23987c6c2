"""Campaigns of Fortunate Blades of offers that are filled in at random: what holds of all of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache, reduce
from os import environ

import pytest

from services.rules.engine.play import GM, Viewer
from services.rules.engine.sampling import complete
from services.rules.systems.fortunate_blades import SYSTEM
from services.rules.systems.fortunate_blades.advancement import length_of
from services.rules.systems.fortunate_blades.campaign.facts import BoxFilled, QuestEnded, TrackFilled
from services.rules.systems.fortunate_blades.campaign.state import Campaign
from services.rules.systems.fortunate_blades.choices import AdvanceKind
from services.rules.systems.fortunate_blades.terms import TrainingTrack
from tests.rules.fortunate_blades_campaigns import CAMPAIGNS, Evening, opened
from tests.rules.fortunate_blades_campaigns import played as of_bots
from tests.rules.fortunate_blades_encounters import stream

SEEDS = range(int(environ.get("HEARTHFORGE_CAMPAIGNS_AT_RANDOM", "6")))
"""A few in the suite, three hundred in the gate `campaigns`."""
QUESTS, MOST_MOVES = 5, 1_200
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
                assert not [each for each in hidden if len(each) > 8 and each in got]


@pytest.mark.parametrize("quests", [2, 8])
def test_a_long_campaign_keeps_no_more_of_a_hero_than_it_has_gained(quests: int) -> None:
    """A step for each rank and each talent; beside them the boxes of each track now."""
    state = of_bots(5, quests).state
    assert state.quests_ended == quests
    for hero in state.heroes:
        gained = sum(each.type is not AdvanceKind.BOXES for each in hero.growth)
        assert len(hero.growth) <= gained + len(TrainingTrack)
    assert state.plan is None and state.offered == ()


def test_what_a_hero_has_gained_comes_to_the_boxes_that_are_filled() -> None:
    campaign = of_bots(5, 8)
    trained = Counter(
        (event.hero, event.track)
        for _, happened in campaign.seen
        for _, event in happened
        if isinstance(event, BoxFilled)
    )
    for before, hero in zip(opened().heroes, campaign.state.heroes, strict=True):
        for track in TrainingTrack:
            gained = sum(
                each.boxes if each.type is AdvanceKind.BOXES else -each.boxes
                for each in hero.growth
                if each.track is track
            )
            assert before.boxes[track] + trained[hero.id, track] + gained == hero.boxes[track]
        assert all(each.boxes >= 0 for each in hero.growth)
