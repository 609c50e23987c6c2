"""The picture of a realm."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from functools import cache
from itertools import combinations, pairwise
from math import hypot

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.map.kinds.realm.generator import (
    GeneratedRealm,
    RealmParameters,
    generate,
    with_new_ruin,
    with_spent_ruin,
)
from services.map.kinds.realm.model import RealmMap
from services.map.kinds.realm.render.layout import RealmLayout, lay_out
from services.map.kinds.realm.render.picture import draw, render
from services.map.render.metrics import text_width
from services.map.render.svg import element, escaped, number
from services.rules.systems.forgeborn import DROPPED_DICE, DroppedDie, LinkKind, PlaceKind, Point
from services.rules.systems.forgeborn.geometry import segments_meet

SVG = "{http://www.w3.org/2000/svg}"
SEEDS = range(60)


def realm_map(seed: int, **parameters: object) -> RealmMap:
    result = generate(RealmParameters(seed=seed, **parameters))  # type: ignore[arg-type]
    assert isinstance(result, GeneratedRealm), result
    return result.model


@cache
def laid_out(seed: int) -> tuple[RealmMap, RealmLayout]:
    """The realm of a seed and its layout, which several tests look at; both are frozen."""
    model = realm_map(seed)
    return model, lay_out(model)


@cache
def drawn(seed: int) -> str:
    """The picture of a seed's realm."""
    return draw(*laid_out(seed))


def crowded() -> RealmMap:
    """Fifteen dice packed as tightly as the rules allow, in a corner of the smallest sheet."""
    sizes = [sides for sides, count in DROPPED_DICE.items() for _ in range(count)]
    spots = [Point.of(4 * (i % 4), 4 * (i // 4)) for i in range(15)]
    dice = tuple(DroppedDie(sides, 1, at) for sides, at in zip(sizes, spots, strict=True))
    result = generate(RealmParameters(dice=dice, width=80, height=60))
    assert isinstance(result, GeneratedRealm), result
    return result.model


def with_many_ruins() -> RealmMap:
    model = realm_map(5)
    for number_ in range(1, 11):
        model = with_spent_ruin(model, f"ruin-{number_}")
        grown = with_new_ruin(model)
        assert isinstance(grown, RealmMap)
        model = grown
    return model


def assert_legible(layout: RealmLayout) -> None:
    for first, second in combinations(layout.labels, 2):
        assert not first.box.overlaps(second.box), (first.id, second.id)
    for label in layout.labels:
        assert layout.frame.holds(label.box)
        assert all(line.width <= label.box.width + 1e-6 for line in label.lines)
        assert not layout.compass.meets(label.box)
        for icon in layout.icons:
            assert not icon.disc.meets(label.box), (label.id, icon.place.id)


def test_labels_overlap_neither_labels_nor_signs_and_stay_in_the_frame() -> None:
    for seed in SEEDS:
        model, layout = laid_out(seed)
        assert_legible(layout)
        named = {place.id for place in model.realm.places} | ({"range"} if model.realm.range else set())
        assert {label.id for label in layout.labels} == named


@pytest.mark.parametrize("model", [crowded(), with_many_ruins(), realm_map(1, width=80, height=60)])
def test_labels_stay_apart_on_crowded_maps(model: RealmMap) -> None:
    layout = lay_out(model)
    assert_legible(layout)
    assert {label.id for label in layout.labels} >= {place.id for place in model.realm.places}


def test_the_longest_names_find_their_place() -> None:
    names = tuple((place, "W" * 32) for place in ("city", "citadel", "lair", "forest", "village-1", "ruin-1"))
    layout = lay_out(realm_map(2, names=names, title="W" * 48, width=80, height=60))
    assert_legible(layout)
    assert len(layout.labels) == 11


def test_signs_never_overlap_and_lie_in_the_frame() -> None:
    for layout in (*map(lay_out, (crowded(), with_many_ruins())), *(laid_out(seed)[1] for seed in range(20))):
        for a, b in combinations(layout.icons, 2):
            assert hypot(a.disc.x - b.disc.x, a.disc.y - b.disc.y) >= a.disc.radius + b.disc.radius - 1e-6
        for icon in layout.icons:
            assert icon.disc.radius >= 19.9
            assert layout.frame.grown(16).holds(icon.disc.box)


_ROAD = re.compile(r"M([\d.]+) ([\d.]+) Q([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+)")


def test_roads_in_the_picture_never_meet_the_range() -> None:
    roads = 0
    for seed in SEEDS:
        model, layout = laid_out(seed)
        root = ET.fromstring(drawn(seed))
        place = model.realm.places[0]
        icon = next(icon for icon in layout.icons if icon.place.id == place.id)
        left, top = icon.disc.x - place.at.x / 100, icon.disc.y - place.at.y / 100
        for path in root.iterfind(f".//{SVG}g[@id='hf-roads']//{SVG}path"):
            match = _ROAD.fullmatch(path.attrib["d"])
            assert match is not None
            x0, y0, x1, y1, x2, y2 = map(float, match.groups())
            curve = [
                (
                    (1 - t) ** 2 * x0 + 2 * t * (1 - t) * x1 + t * t * x2,
                    (1 - t) ** 2 * y0 + 2 * t * (1 - t) * y1 + t * t * y2,
                )
                for t in (i / 50 for i in range(51))
            ]
            points = [Point(round((x - left) * 100), round((y - top) * 100)) for x, y in curve]
            roads += 1
            for a, b in pairwise(points):
                assert not any(segments_meet(a, b, c, d) for c, d in pairwise(model.realm.range)), seed
    assert roads > 100


def test_no_mountain_or_tree_stands_on_a_road_trail_or_sign() -> None:
    for seed in SEEDS:
        _, layout = laid_out(seed)
        spots = [spot for way in layout.ways for spot in way.drawn.spots(7)]
        for peak in layout.peaks:
            assert not any(peak.covers(spot, 0) for spot in spots)
            assert not any(icon.disc.meets(peak.box) for icon in layout.icons)
        for tree in layout.trees:
            assert not any(peak.covers((tree.x, tree.y - 4), 5) for peak in layout.peaks)
            assert not any(hypot(tree.x - i.disc.x, tree.y - i.disc.y) < i.disc.radius for i in layout.icons)


def test_every_way_is_drawn_between_its_places() -> None:
    for seed in range(20):
        model, layout = laid_out(seed)
        icons = {icon.place.id: icon.disc for icon in layout.icons}
        assert [way.link for way in layout.ways] == list(model.realm.links)
        for way in layout.ways:
            for spot, end in ((way.drawn.start, way.link.start), (way.drawn.end, way.link.end)):
                disc = icons[end.id]
                assert hypot(spot[0] - disc.x, spot[1] - disc.y) <= disc.radius + 8


def test_the_picture_is_well_formed_accessible_and_self_contained() -> None:
    for seed in range(25):
        model, text = laid_out(seed)[0], drawn(seed)
        root = ET.fromstring(text)
        assert root.attrib["role"] == "img"
        title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
        assert title is not None and title.text == model.title
        assert desc is not None and desc.text is not None
        assert all(place.name in desc.text for place in model.realm.places)
        tags = {node.tag.removeprefix(SVG) for node in root.iter()}
        assert not tags & {"script", "image", "foreignObject", "use", "a"}
        sheets = [node.text or "" for node in root.iter(f"{SVG}style")]
        assert len(sheets) == 1
        assert re.sub(r"@font-face\{[^{}]*\}", "", sheets[0]) == ""
        references = re.findall(r"url\(([^)]*)\)", text)
        fonts = {reference for reference in references if reference.startswith("data:font/woff2;base64,")}
        assert set(references) - fonts == {"#hf-paper", "#hf-grain"}
        assert not re.search(r"\bon\w+=|href=", text)
        assert text.count("http") == 1
        ids = re.findall(r'\bid="([^"]*)"', text)
        assert len(ids) == len(set(ids))


def test_the_picture_can_do_without_its_font() -> None:
    model, with_font = laid_out(3)[0], drawn(3)
    without = render(model, embed=False)
    assert render(model) == with_font
    assert "<style>" in with_font
    assert re.sub(r"<style>.*?</style>\n", "", with_font) == without


def test_every_place_shows_its_name_and_power() -> None:
    model = laid_out(9)[0]
    root = ET.fromstring(drawn(9))
    words = [node.text for node in root.iterfind(f".//{SVG}g[@id='hf-labels']//{SVG}text")]
    figures = [node.text for node in root.iterfind(f".//{SVG}g[@id='hf-places']//{SVG}text")]
    for place in model.realm.places:
        assert place.name in words
        if place.power is not None:
            assert any(word is not None and word.endswith(f"Power {place.power}") for word in words)
    wanted = sorted(str(place.power) for place in model.realm.places if place.power is not None)
    assert sorted(figure or "" for figure in figures) == wanted


def test_roads_are_solid_and_trails_dotted() -> None:
    model = laid_out(2)[0]
    root = ET.fromstring(drawn(2))
    for kind in LinkKind:
        paths = root.findall(f".//{SVG}g[@id='hf-{kind.value}s']//{SVG}path")
        assert len(paths) == 2 * sum(link.kind is kind for link in model.realm.links)
        assert any("stroke-dasharray" in path.attrib for path in paths) is (kind is LinkKind.TRAIL)


@pytest.mark.parametrize("mountains", [0, 1, 5])
def test_ranges_of_any_size_are_drawn(mountains: int) -> None:
    drop = realm_map(3).realm.dice
    sixes = [i for i, die in enumerate(drop) if die.sides == 6]
    faces = {i: 2 if n < mountains else 1 for n, i in enumerate(sixes)}
    dice = tuple(DroppedDie(die.sides, faces.get(i, die.face), die.at) for i, die in enumerate(drop))
    model = realm_map(3, dice=dice)
    layout = lay_out(model)
    assert bool(layout.peaks) is (mountains > 0)
    assert ("range" in {label.id for label in layout.labels}) is (mountains > 0)
    assert ET.fromstring(render(model)).tag == f"{SVG}svg"


def test_a_spent_ruin_has_no_number() -> None:
    model = with_spent_ruin(realm_map(9), "ruin-1")
    words = {label.id: label.lines[-1].text for label in lay_out(model).labels}
    assert words["ruin-1"] == "Ruin, explored"
    assert words["ruin-2"].startswith("Ruin, Power ")


def test_dice_in_all_corners_put_the_rose_below_the_map() -> None:
    corners = [Point.of(0, 0), Point.of(120, 0), Point.of(0, 90), Point.of(120, 90)]
    drop = realm_map(3).realm.dice
    dice = (
        tuple(DroppedDie(die.sides, die.face, at) for die, at in zip(drop, corners, strict=False)) + drop[4:]
    )
    layout = lay_out(realm_map(3, dice=dice))
    assert all(
        hypot(icon.disc.x - layout.compass.x, icon.disc.y - layout.compass.y)
        > icon.disc.radius + layout.compass.radius
        for icon in layout.icons
    )
    assert_legible(layout)


@given(st.text(max_size=40))
def test_any_text_is_safe_in_an_element_and_an_attribute(text: str) -> None:
    node = ET.fromstring(element("text", escaped(text), label=text))
    assert node.attrib.keys() <= {"label"}
    assert len(node) == 0


def test_markup_in_names_is_text() -> None:
    model = realm_map(2, title='</svg><script>"', names=(("city", "<b>&amp;'\""),))
    root = ET.fromstring(render(model))
    words = [node.text for node in root.iterfind(f".//{SVG}g[@id='hf-labels']//{SVG}text")]
    assert "<b>&amp;'\"" in words


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.04, "0"), (-0.04, "0"), (-0.26, "-0.3"), (12.0, "12"), (-7.54, "-7.5"), (3.14159, "3.1")],
)
def test_numbers_have_at_most_one_decimal(value: float, text: str) -> None:
    assert number(value) == text


def test_accents_that_the_font_lacks_do_not_widen_letters_and_unknown_letters_count_as_wide() -> None:
    assert text_width("Rịkuð", 10) == text_width("Rikuð", 10)
    assert text_width("龍", 10) > text_width("m", 10) > text_width("i", 10)
    assert text_width("Forge", 10, bold=True) > text_width("Forge", 10)


@settings(max_examples=30)
@given(st.integers(0, 2**63 - 1), st.integers(80, 200), st.integers(60, 160))
def test_any_map_is_legible(seed: int, width: int, height: int) -> None:
    layout = lay_out(realm_map(seed, width=width, height=height))
    assert_legible(layout)
    assert {PlaceKind(icon.place.kind) for icon in layout.icons} == set(PlaceKind)
