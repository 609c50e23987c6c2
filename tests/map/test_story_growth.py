"""How a story map grows in play: what is older stays as it was."""

from __future__ import annotations

from dataclasses import replace
from math import hypot

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.map.generation.kind import Made, make
from services.map.kinds.story import gates
from services.map.kinds.story.generator import GENERATOR
from services.map.kinds.story.growth import grow
from services.map.kinds.story.parameters import StoryParameters
from services.map.kinds.story.sites import MIN_SPACING
from services.map.kinds.story.ways import route
from services.rules.engine.problem import Problems
from services.rules.systems.fortunate_blades.story_map.model import StoryMap, StoryNote, StorySpot
from services.rules.systems.fortunate_blades.story_map.operations import (
    StoryAddForce,
    StoryAddPlace,
    StoryChangePlace,
    StoryDiscoverPlace,
    StoryGrowth,
    StoryLinkPlaces,
    StoryNotePlace,
    StoryRemoveForce,
    StoryRevealForce,
    StoryScribble,
)
from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryDetail,
    StoryLandform,
    StoryPathSort,
    StoryPlaceSort,
    StoryScale,
    StoryStanding,
    StoryTerrainSort,
)


def made(seed: int, scale: StoryScale = StoryScale.REGION) -> StoryMap:
    result = make(GENERATOR, StoryParameters(scale=scale, landform=StoryLandform.INLAND), seed)
    assert isinstance(result, Made)
    return result.model


@pytest.fixture(scope="module")
def model() -> StoryMap:
    return made(4)


def grown(model: StoryMap, growth: StoryGrowth) -> StoryMap:
    after = grow(model, growth)
    assert isinstance(after, StoryMap), after
    assert gates.inspect_growth(model, after).passed
    assert after.growth == model.growth + 1
    return after


def refused(model: StoryMap, growth: StoryGrowth) -> tuple[str, ...]:
    problems = grow(model, growth)
    assert isinstance(problems, Problems)
    return problems.codes


def unknown(model: StoryMap) -> str:
    return next(place.id for place in model.places if not place.known)


def secret(model: StoryMap) -> str:
    return next(force.id for force in model.forces if force.standing is StoryStanding.SECRET)


def free_spot(model: StoryMap) -> StorySpot:
    return max(
        (StorySpot(float(x), float(y)) for x in range(8, 112, 4) for y in range(8, 82, 4)),
        key=lambda at: min(hypot(at.x - p.at.x, at.y - p.at.y) for p in model.places),
    )


def test_a_rolled_place_is_near_the_start_and_everything_older_is_the_same(model: StoryMap) -> None:
    after = grown(model, StoryAddPlace())
    place = after.places[-1]
    assert after.places[:-1] == model.places
    assert after.paths[:-1] == model.paths
    assert (after.terrains, after.forces) == (model.terrains, model.forces)
    assert place.detail in set(StoryDetail)
    assert place.name not in {older.name for older in model.places}
    assert all(
        hypot(place.at.x - older.at.x, place.at.y - older.at.y) >= MIN_SPACING for older in model.places
    )
    assert route(after, after.start, place.id) is not None


def test_a_place_is_what_the_table_says_it_is(model: StoryMap) -> None:
    at = free_spot(model)
    wish = StoryAddPlace(
        "The Party’s Own", StoryPlaceSort.HOME_BASE, StoryDetail.LUSH, at, player=2, note="Bought with a map."
    )
    place = grown(model, wish).places[-1]
    assert (place.name, place.sort, place.detail) == (wish.name, wish.sort, wish.detail)
    assert (place.at, place.player, place.notes) == (at, 2, (StoryNote("Bought with a map."),))


def test_an_unknown_place_is_hidden_until_it_is_discovered(model: StoryMap) -> None:
    after = grown(model, StoryAddPlace("Secret Vale", known=False, note="The heir is here."))
    place = after.places[-1]
    assert after.paths[-1].sort is StoryPathSort.UNKNOWN
    assert place.notes[0].secret
    assert b"Secret Vale" not in GENERATOR.to_bytes(GENERATOR.for_players(after))
    found = grown(after, StoryDiscoverPlace(place.id))
    assert found.places[-1].known
    assert found.paths[-1].sort is not StoryPathSort.UNKNOWN
    assert b"Secret Vale" in GENERATOR.to_bytes(GENERATOR.for_players(found))
    assert b"The heir is here." not in GENERATOR.to_bytes(GENERATOR.for_players(found))


def test_a_discovered_place_may_turn_out_otherwise(model: StoryMap) -> None:
    found = grown(
        model, StoryDiscoverPlace(unknown(model), "Bright Hollow", StoryPlaceSort.PORTAL, StoryDetail.MAGICAL)
    )
    place = found.place(unknown(model))
    assert place is not None
    assert (place.name, place.sort, place.detail) == (
        "Bright Hollow",
        StoryPlaceSort.PORTAL,
        StoryDetail.MAGICAL,
    )
    assert gates.inspect(found).gates[5].passed


def test_notes_and_changes_pile_up(model: StoryMap) -> None:
    after = grown(model, StoryNotePlace(model.start, "We owe the baker."))
    after = grown(after, StoryNotePlace(model.start, "The baker is a spy.", secret=True))
    after = grown(after, StoryChangePlace(model.start, StoryDetail.WAR_TORN, "Burned by raiders."))
    start = after.places[0]
    assert [note.text for note in start.notes[-3:]] == [
        "We owe the baker.",
        "The baker is a spy.",
        "Burned by raiders.",
    ]
    assert start.detail is StoryDetail.WAR_TORN
    assert "spy" not in GENERATOR.to_bytes(GENERATOR.for_players(after)).decode()


def test_a_force_is_rolled_revealed_and_struck_off(model: StoryMap) -> None:
    after = grown(model, StoryAddForce(known=False))
    force = after.forces[-1]
    assert force.standing is StoryStanding.SECRET
    assert force.goal
    assert force.agents
    after = grown(after, StoryRevealForce(force.id))
    shown = GENERATOR.for_players(after).force(force.id)
    assert shown is not None
    assert (shown.name, shown.goal, shown.agents) == (force.name, "", ())
    after = grown(after, StoryRemoveForce(force.id, "Beaten at the ford."))
    assert after.forces[-1].ending == "Beaten at the ford."
    assert after.forces[-1].standing is StoryStanding.SETTLED


def test_ways_are_drawn_between_places(model: StoryMap) -> None:
    joined = {frozenset((path.start, path.end)) for path in model.paths}
    known = [place.id for place in model.places if place.known]
    pair = next((a, b) for a in known for b in known if a < b and frozenset((a, b)) not in joined)
    after = grown(model, StoryLinkPlaces(*pair))
    before, now = route(model, *pair), route(after, *pair)
    assert before is not None
    assert now is not None
    assert now.places == pair
    assert now.length < before.length
    assert refused(after, StoryLinkPlaces(*pair)) == ("story_path_exists",)


def test_water_floods_neither_places_nor_roads(model: StoryMap) -> None:
    at = model.places[0].at
    square = tuple(StorySpot(at.x + dx, at.y + dy) for dx, dy in ((-3, -3), (3, -3), (3, 3), (-3, 3)))
    assert refused(model, StoryScribble(StoryTerrainSort.LAKE, square)) == ("story_place_under_water",)
    dry = grown(model, StoryScribble(StoryTerrainSort.WOODS, square, "New Wood"))
    assert dry.terrains[-1].name == "New Wood"
    sea = ((70.0, -50.0), (190.0, -50.0), (190.0, -1.0), (70.0, -1.0))
    off = grown(model, StoryScribble(StoryTerrainSort.SEA, tuple(StorySpot(x, y) for x, y in sea)))
    assert gates.inspect(off).passed


FAR_RIVER = (StorySpot(1.0, 1.0), StorySpot(9e9, 1.0))


@pytest.mark.parametrize(
    ("growth", "code"),
    [
        (StoryAddPlace(at=StorySpot(-1.0, 5.0)), "story_place_off_sheet"),
        (StoryAddPlace(at=StorySpot(float("nan"), 5.0)), "story_place_off_sheet"),
        (StoryAddPlace(at=StorySpot(60.5, 45.0)), "story_place_too_close"),
        (StoryAddPlace(near="nowhere"), "story_no_such_place"),
        (StoryAddPlace("x" * 41), "story_name_malformed"),
        (StoryAddPlace(note="\x00"), "story_text_malformed"),
        (StoryAddPlace(player=9), "story_out_of_range"),
        (StoryAddPlace(sort=StoryPlaceSort.UNKNOWN), "story_unknown_choice"),
        (StoryDiscoverPlace("nowhere"), "story_no_such_place"),
        (StoryNotePlace("nowhere", "text"), "story_no_such_place"),
        (StoryRevealForce("nobody"), "story_no_such_force"),
        (StoryAddForce(peril=True), "story_peril_is_secret"),
        (StoryAddForce(facts=("a",) * 9), "story_too_many"),
        (StoryScribble(StoryTerrainSort.HILLS, (StorySpot(1.0, 1.0),)), "story_out_of_range"),
        (StoryScribble(StoryTerrainSort.RIVER, FAR_RIVER), "story_terrain_off_sheet"),
    ],
)
def test_impossible_growth_is_refused(model: StoryMap, growth: StoryGrowth, code: str) -> None:
    assert refused(model, growth) == (code,)


def test_refusals_that_depend_on_the_map(model: StoryMap) -> None:
    start = model.start
    assert refused(model, StoryDiscoverPlace(start)) == ("story_place_known",)
    assert refused(model, StoryLinkPlaces(start, start)) == ("story_path_to_itself",)
    assert refused(model, StoryNotePlace(start, "  ")) == ("story_text_malformed",)
    assert refused(model, StoryAddPlace(model.places[1].name)) == ("story_name_taken",)
    assert refused(model, StoryRevealForce(model.forces[0].id)) == ("story_force_not_secret",)
    ended = grown(model, StoryRemoveForce(secret(model)))
    assert refused(ended, StoryRemoveForce(secret(model))) == ("story_force_settled",)


def test_a_road_over_water_is_refused() -> None:
    result = make(GENERATOR, StoryParameters(scale=StoryScale.WORLD, landform=StoryLandform.ISLES), 3)
    assert isinstance(result, Made)
    model = result.model
    sea = next(path for path in model.paths if path.sort is StoryPathSort.SEA)
    without = replace(model, paths=tuple(path for path in model.paths if path != sea))
    road = StoryLinkPlaces(sea.start, sea.end, StoryPathSort.ROAD)
    assert refused(without, road) == ("story_path_over_water",)
    assert grown(without, StoryLinkPlaces(sea.start, sea.end)).paths[-1].sort is StoryPathSort.SEA


def test_a_sheet_fills_up_in_the_end_and_says_so() -> None:
    result = make(GENERATOR, StoryParameters(players=1, places=0, unknown=0, width=80, height=60), 1)
    assert isinstance(result, Made)
    model = result.model
    for _ in range(100):
        after = grow(model, StoryAddPlace())
        if isinstance(after, Problems):
            assert after.codes == ("story_sheet_full",)
            break
        model = after
    assert len(model.places) > 20
    assert gates.inspect(model).passed


@settings(max_examples=12)
@given(seed=st.integers(0, 10**6), steps=st.lists(st.integers(0, 3), min_size=1, max_size=8))
def test_growth_in_any_order_keeps_every_gate_of_the_ground(seed: int, steps: list[int]) -> None:
    model = made(seed)
    for step in steps:
        growths: tuple[StoryGrowth, ...] = (
            StoryAddPlace(near=model.places[-1].id),
            StoryAddPlace(known=False, rumored=True),
            StoryAddForce(),
            StoryChangePlace(model.start, StoryDetail.ABANDONED),
        )
        model = grown(model, growths[step])
    report = gates.inspect(model)
    assert all(gate.passed for gate in report.gates if gate.name != "forces")


def test_the_growth_gate_finds_what_was_moved(model: StoryMap) -> None:
    after = grown(model, StoryAddPlace())
    moved = replace(after.places[2], at=StorySpot(1.0, 1.0))
    spoiled = replace(after, places=(*after.places[:2], moved, *after.places[3:]))
    assert not gates.inspect_growth(model, spoiled).passed
    assert not gates.inspect_growth(after, model).passed
    assert not gates.inspect_growth(model, replace(after, terrains=after.terrains[1:])).passed
    assert not gates.inspect_growth(model, replace(after, title="Other")).passed
