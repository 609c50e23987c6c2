"""Story maps from seeds: their gates, their files, what players see of them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.map.generation.kind import Made, MapFileError, make
from services.map.generation.stream import Stream
from services.map.kinds.story import gates
from services.map.kinds.story.generator import GENERATOR
from services.map.kinds.story.land import Water
from services.map.kinds.story.parameters import StoryParameters, check, room_for
from services.map.kinds.story.view import story_view
from services.map.kinds.story.ways import route
from services.rules.engine.problem import Problems
from services.rules.systems.fortunate_blades.story_map.model import StoryMap, StorySpot
from services.rules.systems.fortunate_blades.story_map.places import fitting_scale
from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryBringer,
    StoryDetail,
    StoryForceSort,
    StoryLandform,
    StoryOrigin,
    StoryPathSort,
    StoryPlaceSort,
    StoryQuest,
    StoryScale,
    StoryStanding,
    StoryTone,
)


def story(seed: int, **parameters: Any) -> StoryMap:
    made = make(GENERATOR, StoryParameters(**parameters), seed)
    assert isinstance(made, Made), made
    return made.model


@pytest.fixture(scope="module")
def model() -> StoryMap:
    return story(5, scale=StoryScale.NATION, landform=StoryLandform.COAST)


def failed(model: StoryMap) -> set[str]:
    return {gate.name for gate in gates.inspect(model).gates if not gate.passed}


@pytest.mark.parametrize("scale", list(StoryScale))
def test_maps_of_every_scale_pass_their_gates_at_once_or_soon(scale: StoryScale) -> None:
    for seed in range(12):
        made = make(GENERATOR, StoryParameters(scale=scale), seed)
        assert isinstance(made, Made)
        assert made.report.passed
        assert made.attempts <= 4
        assert "growth" in {gate.name for gate in made.report.gates}


@settings(max_examples=25)
@given(
    seed=st.integers(0, 2**63 - 1),
    players=st.integers(1, 8),
    landform=st.sampled_from([None, *StoryLandform]),
    places=st.integers(0, 6),
    unknown=st.integers(0, 5),
    forces=st.integers(3, 5),
    secret_forces=st.integers(1, 4),
)
def test_any_parameters_give_what_they_ask_for(
    seed: int,
    players: int,
    landform: StoryLandform | None,
    places: int,
    unknown: int,
    forces: int,
    secret_forces: int,
) -> None:
    model = story(
        seed,
        players=players,
        landform=landform,
        places=places,
        unknown=unknown,
        forces=forces,
        secret_forces=secret_forces,
        width=160,
        height=120,
    )
    assert sum(place.known for place in model.places) == 1 + 2 * players + places
    assert sum(not place.known for place in model.places) == unknown
    assert sum(force.standing is StoryStanding.KNOWN for force in model.forces) == forces
    assert sum(force.standing is StoryStanding.SECRET for force in model.forces) == secret_forces
    for player in range(1, players + 1):
        brought = {place.brought for place in model.places if place.player == player}
        assert brought == {StoryBringer.BACKGROUND, StoryBringer.TRADE}
    if landform is not None:
        assert model.landform is landform


def test_the_fullest_sheet_that_is_allowed_can_be_made() -> None:
    for landform in StoryLandform:
        wanted = 1 + 2 * 8 + 16 + 8
        side = next(w for w in range(80, 201) if room_for(w, 120, landform) >= wanted)
        model = story(3, players=8, places=16, unknown=8, landform=landform, width=side, height=120)
        assert len(model.places) == wanted


def test_the_same_seed_gives_the_same_bytes_and_others_give_others() -> None:
    files = [GENERATOR.to_bytes(story(seed)) for seed in range(30)]
    assert files[7] == GENERATOR.to_bytes(story(7))
    assert len(set(files)) == 30


def test_more_forces_disturb_no_place() -> None:
    few, many = story(9, forces=3), story(9, forces=5, secret_forces=3)
    assert (few.terrains, few.paths) == (many.terrains, many.paths)
    assert [(p.id, p.name, p.at) for p in few.places] == [(p.id, p.name, p.at) for p in many.places]
    assert [force.name for force in few.forces[:3]] == [force.name for force in many.forces[:3]]


def test_a_map_file_is_read_back_without_loss(model: StoryMap) -> None:
    data = orjson.loads(GENERATOR.to_bytes(model))
    assert (data["format"], data["format_version"], data["kind"]) == ("hearthforge-story", 1, "story")
    assert isinstance(data["seed"], str)
    assert GENERATOR.from_data(data) == model
    assert GENERATOR.to_bytes(GENERATOR.from_data(data)) == GENERATOR.to_bytes(model)


def _wrong_format(data: dict[str, Any]) -> None:
    data["format"] = "hearthforge-realm"


def _no_places(data: dict[str, Any]) -> None:
    del data["places"]


def _stray_key(data: dict[str, Any]) -> None:
    data["extra"] = 1


def _lost_start(data: dict[str, Any]) -> None:
    data["start"] = "place-00000-x"


def _path_to_nowhere(data: dict[str, Any]) -> None:
    data["paths"][0]["end"] = "place-none"


def _unknown_detail(data: dict[str, Any]) -> None:
    data["places"][0]["detail"] = "cozy"


def _twice(data: dict[str, Any]) -> None:
    data["places"].append(data["places"][1])


def _endless(data: dict[str, Any]) -> None:
    data["width"] = 1e9


def _seed_as_number(data: dict[str, Any]) -> None:
    data["seed"] = 5


def _stray_seat(data: dict[str, Any]) -> None:
    data["forces"][0]["seat"] = "place-none"


def _flat_terrain(data: dict[str, Any]) -> None:
    data["terrains"][0]["points"] = data["terrains"][0]["points"][:1]


@pytest.mark.parametrize(
    "spoil",
    [
        _wrong_format,
        _no_places,
        _stray_key,
        _lost_start,
        _path_to_nowhere,
        _unknown_detail,
        _twice,
        _endless,
        _seed_as_number,
        _stray_seat,
        _flat_terrain,
    ],
)
def test_a_spoiled_file_is_refused(model: StoryMap, spoil: Callable[[dict[str, Any]], None]) -> None:
    data = copy.deepcopy(orjson.loads(GENERATOR.to_bytes(model)))
    spoil(data)
    with pytest.raises(MapFileError):
        GENERATOR.from_data(data)


def _moved_start(model: StoryMap) -> StoryMap:
    return _with_place(model, 0, at=StorySpot(20.0, 20.0))


def _with_place(model: StoryMap, index: int, **changes: Any) -> StoryMap:
    places = list(model.places)
    places[index] = replace(places[index], **changes)
    return replace(model, places=tuple(places))


def _cut_off(model: StoryMap) -> StoryMap:
    paths = tuple(path for path in model.paths if model.start not in (path.start, path.end))
    return replace(model, paths=paths)


def _in_the_sea(model: StoryMap) -> StorySpot:
    water = Water.of(model)
    spots = (StorySpot(x + 0.5, y + 0.5) for x in range(6, 114) for y in range(6, 84))
    return next(at for at in spots if water.at(at.x, at.y))


@pytest.mark.parametrize(
    ("gate", "spoil"),
    [
        ("start", _moved_start),
        ("places", lambda m: _with_place(m, 1, player=0)),
        ("places", lambda m: replace(m, players=8)),
        ("spacing", lambda m: _with_place(m, 1, at=StorySpot(m.places[2].at.x + 1, m.places[2].at.y))),
        ("spacing", lambda m: _with_place(m, 1, at=StorySpot(-3.0, 5.0))),
        ("details", lambda m: _with_place(m, 1, detail=None)),
        ("forces", lambda m: replace(m, forces=m.forces[:-1])),
        ("forces", lambda m: replace(m, forces=m.forces[2:])),
        ("forces", lambda m: replace(m, forces=(*m.forces[:-1], replace(m.forces[-1], goal="")))),
        ("names", lambda m: _with_place(m, 1, name=m.places[2].name)),
        ("connected", _cut_off),
        ("dry", lambda m: _with_place(m, 1, at=_in_the_sea(m))),
        ("dry", lambda m: replace(m, paths=tuple(replace(p, sort=StoryPathSort.SEA) for p in m.paths))),
    ],
)
def test_each_gate_finds_what_it_is_there_for(
    model: StoryMap, gate: str, spoil: Callable[[StoryMap], StoryMap]
) -> None:
    assert failed(model) == set()
    assert gate in failed(spoil(model))


def test_players_see_nothing_secret(model: StoryMap) -> None:
    shown = GENERATOR.for_players(model)
    text = GENERATOR.to_bytes(shown).decode()
    plain = {note.text for place in model.places for note in place.notes if not note.secret}
    hidden = {note.text for place in model.places for note in place.notes if note.secret} - plain
    assert hidden
    assert not [note for note in hidden if note in text]
    for place in model.places:
        if not place.known:
            assert place.name not in text
            assert (place.id in text) == place.rumored
    for force in model.forces:
        if force.standing is StoryStanding.SECRET:
            assert force.name not in text
            assert force.id not in text
            assert force.goal not in text
    assert (shown.seed, shown.attempt, shown.growth, shown.asked_unknown) == (0, 0, 0, 0)
    assert str(model.seed) != "0"
    for place in shown.places:
        if not place.known:
            assert (place.name, place.sort, place.detail) == ("", StoryPlaceSort.UNKNOWN, None)
    assert GENERATOR.from_data(orjson.loads(text)) == shown
    assert GENERATOR.for_players(shown) == shown


def test_every_place_can_be_walked_to_along_paths(model: StoryMap) -> None:
    for place in model.places:
        way = route(model, model.start, place.id)
        assert way is not None
        assert (way.places[0], way.places[-1]) == (model.start, place.id)
        back = route(model, place.id, model.start)
        assert back is not None
        assert back.length == pytest.approx(way.length, abs=0.002)
    assert route(replace(model, paths=()), model.start, model.places[1].id) is None
    with pytest.raises(KeyError):
        route(model, model.start, "nowhere")


@pytest.mark.parametrize(
    ("origin", "sorts"),
    [
        (StoryOrigin.SAME_INSTITUTION, {StoryForceSort.ORDER, StoryForceSort.FAITH, StoryForceSort.GUILD}),
        (StoryOrigin.SWORE_AGAINST_FORCE, {StoryForceSort.FIEND, StoryForceSort.REALM, StoryForceSort.BEAST}),
    ],
)
def test_an_origin_brings_its_force(origin: StoryOrigin, sorts: set[StoryForceSort]) -> None:
    for seed in range(6):
        first = story(seed, origin=origin).forces[0]
        assert first.sort in sorts
        assert first.brought is StoryBringer.ORIGIN


def test_an_origin_brings_its_place() -> None:
    assert story(2, origin=StoryOrigin.SAME_TOWN).places[0].brought is StoryBringer.ORIGIN
    assert story(2, origin=StoryOrigin.MET_BY_CHANCE).places[0].brought is StoryBringer.START


def test_the_scale_fits_origin_and_quest() -> None:
    homely = {fitting_scale(StoryOrigin.GREW_UP_TOGETHER, StoryQuest.RICHES, Stream(s)) for s in range(40)}
    assert homely == {StoryScale.VILLAGE, StoryScale.TOWN, StoryScale.REGION}
    far = {fitting_scale(StoryOrigin.SAME_NATION_FAR, StoryQuest.BE_THE_BEST, Stream(s)) for s in range(40)}
    assert far == {StoryScale.CONTINENT, StoryScale.WORLD}


def test_tones_color_the_map() -> None:
    def magical(tone: StoryTone) -> int:
        maps = [story(seed, tones=(tone,), scale=StoryScale.REGION) for seed in range(12)]
        return sum(place.detail is StoryDetail.MAGICAL for one in maps for place in one.places)

    assert magical(StoryTone.WONDER) > magical(StoryTone.POLITICS)
    assert len(set(story(1).tones)) == 3


@pytest.mark.parametrize(
    ("parameters", "path"),
    [
        (StoryParameters(players=0), ("players",)),
        (StoryParameters(players=9), ("players",)),
        (StoryParameters(forces=2), ("forces",)),
        (StoryParameters(forces=6), ("forces",)),
        (StoryParameters(secret_forces=0), ("secret_forces",)),
        (StoryParameters(places=17), ("places",)),
        (StoryParameters(unknown=-1), ("unknown",)),
        (StoryParameters(width=79), ("width",)),
        (StoryParameters(height=10**9), ("height",)),
        (StoryParameters(tones=(StoryTone.WONDER, StoryTone.WONDER)), ("tones", 1)),
        (StoryParameters(tones=tuple(StoryTone)[:6]), ("tones",)),
        (StoryParameters(title="x" * 49), ("title",)),
        (StoryParameters(title="a\nb"), ("title",)),
        (StoryParameters(players=8, places=16, width=80, height=60), ("width",)),
        (StoryParameters(scale="moon"), ("scale",)),  # type: ignore[arg-type]
    ],
)
def test_bad_parameters_are_refused_with_their_path(
    parameters: StoryParameters, path: tuple[str | int, ...]
) -> None:
    assert [problem.path for problem in check(parameters)] == [path]
    assert isinstance(make(GENERATOR, parameters, 1), Problems)


def test_the_codec_reads_what_it_writes() -> None:
    parameters = StoryParameters(scale=StoryScale.TOWN, tones=(StoryTone.BLEAK,), title="Home")
    assert GENERATOR.codec.load(GENERATOR.codec.dump(parameters)) == parameters
    assert GENERATOR.codec.read({}) == StoryParameters()


def test_the_view_shows_what_the_map_holds(model: StoryMap) -> None:
    view = story_view(model)
    assert [(p.id, p.at.x, p.at.y, p.detail) for p in view.places] == [
        (p.id, p.at.x, p.at.y, p.detail) for p in model.places
    ]
    assert [(f.id, f.goal) for f in view.forces] == [(f.id, f.goal) for f in model.forces]
    assert [len(one.points) for one in view.terrains] == [len(one.points) for one in model.terrains]
