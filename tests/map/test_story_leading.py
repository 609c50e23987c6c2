"""Story maps that follow a campaign: places, forces and their seats, and nothing secret for players."""

from __future__ import annotations

from dataclasses import replace

import orjson
import pytest

from services.map.board import Board
from services.map.kinds.story.canonical import from_data, to_bytes
from services.map.kinds.story.generator import GENERATOR
from services.map.kinds.story.kind import KIND
from services.map.kinds.story.parameters import StoryParameters
from services.map.kinds.story.render.picture import render
from services.map.led import led
from services.map.play.state import Extent, MapState
from services.rules.engine.play import GM
from services.rules.engine.problem import Problems
from services.rules.engine.site import LeadsMaps, PlayedOnSites
from services.rules.systems.fortunate_blades.campaign import setup as campaign_setup
from services.rules.systems.fortunate_blades.campaign.moves import (
    AddForce,
    AddPlace,
    ChangePlace,
    RevealForce,
    RevealPlace,
    SeatForce,
    SettleForce,
)
from services.rules.systems.fortunate_blades.campaign.moves.session_zero import MarkPlace
from services.rules.systems.fortunate_blades.campaign.setup import CampaignSetup
from services.rules.systems.fortunate_blades.campaign.state import Campaign
from services.rules.systems.fortunate_blades.site import STORY_SITE_CODEC
from services.rules.systems.fortunate_blades.story_map.model import StoryMap
from services.rules.systems.fortunate_blades.story_map.secrets import for_players
from services.rules.systems.fortunate_blades.story_map.vocabulary import StoryDetail, StoryStanding
from tests.rules.fortunate_blades_campaigns import CAMPAIGNS, Evening, played

HEROES = 3
STATE = MapState(extent=Extent(120, 90, cells=False))
SCENE = "scn_01jz0000000000000000000000"


def drawn(seed: int = 7) -> StoryMap:
    made = GENERATOR.draw(StoryParameters(players=HEROES), seed, 0)
    assert isinstance(made, StoryMap)
    return made


def site_of(model: StoryMap) -> object:
    assert KIND.site is not None
    return STORY_SITE_CODEC.load(KIND.site(model, STATE))


def begun(model: StoryMap, *, session_zero: bool = True) -> Evening:
    plain = CampaignSetup(title="A New Story", party="The Late Arrivals", session_zero=session_zero)
    setup = CAMPAIGNS.laid_out(plain, site_of(model))  # type: ignore[arg-type]
    assert not isinstance(setup, Problems)
    return Evening.begun(3, HEROES, setup)


def followed(model: StoryMap, state: Campaign) -> StoryMap:
    assert KIND.leading is not None
    board = led(Board(model, STATE), SCENE, KIND.leading, campaign_setup.site_of(state))
    assert isinstance(board.model, StoryMap)
    return board.model


def test_a_campaign_on_a_story_map_has_its_centre_two_places_a_player_and_its_forces() -> None:
    assert isinstance(CAMPAIGNS, PlayedOnSites) and isinstance(CAMPAIGNS, LeadsMaps)
    model = drawn()
    state = begun(model).state
    start = state.start()
    assert start is not None and start.name == model.places[0].name
    assert all(state.places_of(hero.id) >= 2 for hero in state.heroes)
    brought = {place.name for place in state.places} - {place.name for place in model.places}
    after = followed(model, state)
    assert after.places[: len(model.places)] == model.places
    assert {place.name for place in after.places} == {place.name for place in model.places} | brought
    secret = {force.name for force in model.forces if force.standing is StoryStanding.SECRET}
    assert {each.name for each in state.forces if each.secret} == secret
    assert from_data(orjson.loads(to_bytes(after))) == after


def test_the_map_follows_places_seats_and_what_is_revealed_and_a_move_taken_back() -> None:
    model = drawn()
    evening = begun(model)
    first = followed(model, evening.state)
    hero = evening.state.heroes[0].id
    evening.make(MarkPlace(actor=hero, name="Ash Mill", detail="lush"))
    evening.make(AddPlace(actor=GM, name="Hidden Hollow", secret=True, text="hush"))
    hollow = next(place.id for place in evening.state.places if place.name == "Hidden Hollow")
    evening.make(AddForce(actor=GM, name="The Pale Guild"))
    guild = next(force.id for force in evening.state.forces if force.name == "The Pale Guild")
    evening.make(SeatForce(actor=GM, force=guild, place=hollow))
    second = followed(first, evening.state)
    mill = next(place for place in second.places if place.name == "Ash Mill")
    assert (mill.player, mill.detail) == (1, StoryDetail.LUSH)
    assert second.places[: len(first.places)] == first.places
    assert any(mill.id in (path.start, path.end) for path in second.paths)
    told = for_players(second)
    assert "Hidden Hollow" not in repr(told) and "hush" not in repr(told)
    assert next(force for force in told.forces if force.name == "The Pale Guild").seat == ""
    assert guild not in {force.id for force in second.forces} and hollow not in repr(second)
    evening.make(RevealPlace(actor=GM, place=hollow))
    evening.make(ChangePlace(actor=GM, place=mill_id(evening, "Ash Mill"), detail="war_torn"))
    third = followed(second, evening.state)
    found = next(place for place in third.places if place.name == "Hidden Hollow")
    assert found.known and found.at == next(
        place.at for place in second.places if place.name == "Hidden Hollow"
    )
    seat = next(force for force in for_players(third).forces if force.name == "The Pale Guild").seat
    assert seat == found.id
    assert next(place for place in third.places if place.name == "Ash Mill").detail is StoryDetail.WAR_TORN
    assert followed(third, evening.state) == third
    # Whatever the map grew by these moves goes with them.
    assert followed(third, evening.seen[1][0].state).places == second.places
    assert followed(third, begun(model).state) == first


def mill_id(evening: Evening, name: str) -> str:
    return next(place.id for place in evening.state.places if place.name == name)


def test_forces_are_revealed_and_settled_on_the_map_and_their_goals_are_never_told() -> None:
    model = drawn()
    evening = begun(model)
    peril = next(force for force in evening.state.forces if force.secret)
    goal = peril.goal
    assert goal and goal not in repr(for_players(followed(model, evening.state)))
    evening.make(RevealForce(actor=GM, force=peril.id))
    evening.make(SettleForce(actor=GM, force=evening.state.known_forces()[0].id))
    after = followed(model, evening.state)
    assert [force.id for force in after.forces][: len(model.forces)] == [force.id for force in model.forces]
    assert sum(force.standing is StoryStanding.SETTLED for force in after.forces) == 1
    told = for_players(after)
    assert peril.name in {force.name for force in told.forces} and goal not in repr(told)


def test_no_map_picture_or_map_file_of_players_has_a_secret_of_a_played_campaign_in_it() -> None:
    first = model = drawn()
    told = 0
    for number, (at, _) in enumerate(played(5, 2, "hush").seen):
        site = campaign_setup.site_of(at.state)
        on_map = tuple(replace(each, key=first.start) if each.start else each for each in site.places)
        assert KIND.leading is not None
        followed_now = KIND.leading.follow(model, replace(site, places=on_map))
        if followed_now == model:
            continue
        model = followed_now
        seen = for_players(model)
        secret = {place.id for place in model.places if not place.known}
        written = to_bytes(seen).decode() + (render(seen) if number < 3 else "")
        assert "hush" not in written and "secret-" not in written
        assert not [each for each in secret if each in written]
        told += "hush" in to_bytes(model).decode()
    assert told > 1 and secret


def test_a_campaign_of_another_start_leads_no_such_map() -> None:
    model = drawn()
    state = begun(drawn(8)).state
    with pytest.raises(ValueError, match="does not begin"):
        followed(model, state)
    bare = replace(begun(model).state, places=())
    with pytest.raises(ValueError, match="does not begin"):
        followed(model, bare)
