"""The picture of a story map."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import combinations
from math import hypot

import pytest

from services.map.generation.kind import Made, make
from services.map.kinds.story.generator import GENERATOR
from services.map.kinds.story.growth import grow
from services.map.kinds.story.land import Water
from services.map.kinds.story.parameters import StoryParameters
from services.map.kinds.story.render.layout import UNIT, lay_out
from services.map.kinds.story.render.legibility import inspect_labels, inspect_layout
from services.map.kinds.story.render.picture import render
from services.map.kinds.story.render.signs import sign
from services.map.render.labels import Label, TextLine
from services.map.render.raster.painter import paint
from services.map.render.shapes import Box
from services.rules.systems.fortunate_blades.story_map.model import StoryMap
from services.rules.systems.fortunate_blades.story_map.operations import StoryAddPlace
from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryPathSort,
    StoryPlaceSort,
    StoryScale,
    StoryStanding,
)

SVG = "{http://www.w3.org/2000/svg}"


def story(seed: int, scale: StoryScale, **parameters: int) -> StoryMap:
    made = make(GENERATOR, StoryParameters(scale=scale, **parameters), seed)
    assert isinstance(made, Made)
    return made.model


@pytest.fixture(scope="module", params=list(StoryScale))
def model(request: pytest.FixtureRequest) -> StoryMap:
    return story(11, request.param)


def test_names_overlap_nothing_and_lie_on_the_sheet() -> None:
    for scale in StoryScale:
        for seed in range(8):
            gate = inspect_labels(story(seed, scale))
            assert gate.passed, gate.faults


def test_crowded_sheets_stay_legible() -> None:
    full = story(2, StoryScale.REGION, players=8, places=8, unknown=4)
    assert inspect_labels(full).faults == ()
    for number in range(6):
        after = grow(full, StoryAddPlace(f"A Place with a Very Long Name Number {number}"))
        assert isinstance(after, StoryMap)
        full = after
    assert inspect_labels(full).faults == ()


def test_the_gate_for_words_finds_faults(model: StoryMap) -> None:
    layout = lay_out(model)
    first, second = layout.labels[:2]
    over = replace(layout, labels=(first, replace(second, box=first.box), *layout.labels[2:]))
    assert not inspect_layout(model, over).passed
    assert not inspect_layout(model, replace(layout, labels=layout.labels[1:])).passed
    away = Label("x", (TextLine("word", 12.0),), Box(-50, 0, -10, 20), 0, None)
    assert not inspect_layout(model, replace(layout, terrain_labels=(away,))).passed


def test_signs_do_not_overlap_and_lie_on_the_sheet(model: StoryMap) -> None:
    layout = lay_out(model)
    for one, other in combinations(layout.icons, 2):
        gap = hypot(one.disc.x - other.disc.x, one.disc.y - other.disc.y)
        assert gap >= one.disc.radius + other.disc.radius - 1e-6
    assert all(layout.frame.holds(icon.disc.box) for icon in layout.icons)


def test_roads_and_trails_are_drawn_on_land() -> None:
    for seed in range(6):
        model = story(seed, StoryScale.NATION)
        layout, water = lay_out(model), Water.of(model)
        wet = dry = 0
        for way in layout.ways:
            if way.path.sort in (StoryPathSort.ROAD, StoryPathSort.TRAIL):
                for x, y in way.curve.spots(10):
                    over = water.at((x - layout.frame.left) / UNIT, (y - layout.frame.top) / UNIT)
                    wet, dry = wet + over, dry + (not over)
        assert dry > 100
        assert wet <= 0.01 * dry


def test_the_picture_is_well_formed_accessible_and_self_contained(model: StoryMap) -> None:
    text = render(model)
    root = ET.fromstring(text)
    assert root.attrib["role"] == "img"
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert title.text == model.title
    assert desc is not None
    assert desc.text is not None
    assert all(place.name in desc.text for place in model.places)
    tags = {node.tag.removeprefix(SVG) for node in root.iter()}
    assert not tags & {"script", "image", "foreignObject", "a"}
    assert not re.search(r"\bon\w+=|href=", text)
    assert text.count("http") == 1
    ids = re.findall(r'\bid="([^"]*)"', text)
    assert len(ids) == len(set(ids))
    used = set(re.findall(r"url\(#([^)]*)\)", text))
    assert used <= set(ids)
    assert render(model) == text


def test_the_painter_knows_all_that_is_drawn(model: StoryMap) -> None:
    pixels = paint(render(model, embed=False), 0.2)
    assert pixels.shape[2] == 4
    assert len({tuple(pixel) for row in pixels[::7, ::7].tolist() for pixel in row}) > 50


def test_the_picture_for_players_tells_no_secret(model: StoryMap) -> None:
    shown = GENERATOR.for_players(model)
    text = render(shown)
    for place in model.places:
        if not place.known:
            assert place.name not in text
    for force in model.forces:
        if force.standing is StoryStanding.SECRET:
            assert force.name not in text
    whole, told = lay_out(model), lay_out(shown)
    assert whole.hand == told.hand
    assert "secret" in render(model)


def test_every_sort_of_place_has_a_sign_of_its_own() -> None:
    drawn = {sign(sort, 0, 0, 20) for sort in StoryPlaceSort}
    assert len(drawn) == len(StoryPlaceSort)


def test_markup_in_names_is_text() -> None:
    model = story(1, StoryScale.VILLAGE)
    after = grow(model, StoryAddPlace("<b>&'\"</b>"))
    assert isinstance(after, StoryMap)
    root = ET.fromstring(render(replace(after, title="<script>")))
    assert not [node for node in root.iter() if node.tag.endswith(("script", "}b"))]
    assert any(node.text == "<b>&'\"</b>" for node in root.iter(f"{SVG}text"))


def test_the_picture_can_do_without_its_font(model: StoryMap) -> None:
    assert "@font-face" not in render(model, embed=False)
    assert "@font-face" in render(model)
