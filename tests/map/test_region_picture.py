"""The picture and the relief of a region."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from services.map.kinds.region.generator import GENERATOR
from services.map.kinds.region.model import Biome, Ground, RegionMap
from services.map.kinds.region.parameters import RegionParameters
from services.map.kinds.region.render.outlines import outlines
from services.map.kinds.region.render.picture import RegionLayout, lay_out, render
from services.map.kinds.region.render.raster import relief
from services.map.kinds.region.render.signs import SETTLEMENT_RADII
from services.map.kinds.region.vocabulary import (
    RegionClimate,
    RegionRelief,
    RegionShape,
    SettlementKind,
    WayKind,
)

SVG = "{http://www.w3.org/2000/svg}"


@cache
def region(
    seed: int, shape: RegionShape = RegionShape.COAST, width: int = 128, height: int = 96
) -> RegionMap:
    climate = tuple(RegionClimate)[seed % 5]
    parameters = RegionParameters(width=width, height=height, shape=shape, climate=climate, settlements=20)
    return GENERATOR.draw(parameters, seed, 0)


@cache
def layout(seed: int, shape: RegionShape = RegionShape.COAST) -> RegionLayout:
    return lay_out(region(seed, shape))


@cache
def picture(seed: int) -> str:
    return render(region(seed))


def assert_legible(laid: RegionLayout) -> None:
    labels = [word.label for word in laid.words]
    for first, second in combinations(labels, 2):
        assert not first.box.overlaps(second.box), (first.id, second.id)
    signs = [disc for _, disc in (*laid.settlements, *laid.sites)]
    for label in labels:
        assert laid.page.frame.holds(label.box)
        assert all(line.width <= label.box.width + 1e-6 for line in label.lines)
        assert not laid.compass.meets(label.box), label.id
        assert not any(disc.meets(label.box) for disc in signs), label.id


@pytest.mark.parametrize("shape", RegionShape)
def test_names_overlap_neither_names_nor_signs_and_stay_in_the_frame(shape: RegionShape) -> None:
    for seed in range(3):
        laid = layout(seed, shape)
        assert_legible(laid)
        named = {word.label.id for word in laid.words}
        assert {home.id for home in region(seed, shape).settlements} <= named


def test_a_crowded_map_stays_legible() -> None:
    parameters = RegionParameters(width=64, height=64, shape=RegionShape.ISLAND, settlements=60, sites=40)
    assert_legible(lay_out(GENERATOR.draw(parameters, 4, 0)))


def test_signs_do_not_overlap() -> None:
    for seed in range(5):
        discs = [disc for _, disc in (*layout(seed).settlements, *layout(seed).sites)]
        for a, b in combinations(discs, 2):
            assert np.hypot(a.x - b.x, a.y - b.y) >= a.radius + b.radius - 1e-6


def test_drawn_roads_stay_on_passable_land_and_ferries_at_sea() -> None:
    checked = 0
    for seed, shape in enumerate(RegionShape):
        model, laid = region(seed, shape), layout(seed, shape)
        frame, scale = laid.page.frame, laid.page.scale
        closed = (model.biome_grid <= Biome.LAKE) | (model.ground_grid == Ground.PEAK)
        for way in laid.ways:
            cells = ((way.spots - (frame.left, frame.top)) / scale).astype(int)
            # A boat leaves and reaches its quay over the edge of the shore.
            gaps = [np.hypot(*(way.spots - end).T) for end in (way.spots[0], way.spots[-1])]
            inner = cells[np.minimum(*gaps) > 1.5 * scale]
            if way.kind is WayKind.FERRY:
                assert (model.biome_grid[inner[:, 1], inner[:, 0]] <= Biome.SHALLOWS).all()
            else:
                assert not closed[cells[:, 1], cells[:, 0]].any(), (seed, way.kind)
                checked += 1
    assert checked > 40


def test_nothing_grows_on_roads_rivers_or_names() -> None:
    for seed in range(3):
        laid = layout(seed)
        feet = np.array([(glyph.x, glyph.y) for glyph in laid.glyphs])
        assert len(feet) > 300
        roads = np.concatenate([way.spots for way in laid.ways])
        nearest = np.abs(feet[:, None, :] - roads[None, :, :]).max(axis=2).min(axis=1)
        assert nearest.min() > 0.5
        for word in laid.words:
            box = word.label.box
            inside = (feet > (box.left, box.top)) & (feet < (box.right, box.bottom))
            assert not inside.all(axis=1).any()


def test_the_picture_is_well_formed_accessible_and_self_contained() -> None:
    for seed in range(4):
        text = picture(seed)
        root = ET.fromstring(text)
        assert root.attrib["role"] == "img"
        title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
        assert title is not None and title.text == region(seed).title
        assert desc is not None and desc.text is not None
        assert all(home.name in desc.text for home in region(seed).settlements)
        tags = {node.tag.removeprefix(SVG) for node in root.iter()}
        assert not tags & {"script", "image", "foreignObject", "a", "style"}
        ids = re.findall(r'\bid="([^"]*)"', text)
        assert len(ids) == len(set(ids))
        assert set(re.findall(r"url\(#([^)]*)\)|href=\"#([^\"]*)\"", text)) and text.count("http") == 2
        used = {a or b for a, b in re.findall(r"url\(#([^)]*)\)|href=\"#([^\"]*)\"", text)}
        assert used <= set(ids)
        assert len(re.findall(r"url\(|href=", text)) == len(re.findall(r"url\(#|href=\"#", text))


def test_every_settlement_shows_its_name() -> None:
    root = ET.fromstring(picture(1))
    words = {node.text for node in root.iterfind(f".//{SVG}g[@id='hf-labels']//{SVG}text")}
    assert {home.name for home in region(1).settlements} <= words


def test_the_same_map_gives_the_same_picture_of_a_moderate_size() -> None:
    model = GENERATOR.draw(RegionParameters(), 1, 0)
    text = render(model)
    assert text == render(GENERATOR.from_data(json.loads(GENERATOR.to_bytes(model))))
    assert 100_000 < len(text.encode()) < 1_500_000


def test_the_players_picture_tells_of_no_hidden_site() -> None:
    model = next(region(seed) for seed in range(40) if any(site.hidden for site in region(seed).sites))
    text = render(GENERATOR.for_players(model))
    for site in model.sites:
        assert (site.name in text) is not site.hidden


def test_markup_in_a_title_is_text() -> None:
    model = replace(region(0), title="<b>&\"'</b>")
    title = ET.fromstring(render(model)).find(f"{SVG}title")
    assert title is not None and title.text == "<b>&\"'</b>"


@pytest.mark.parametrize(("width", "height"), [(64, 256), (256, 64), (64, 64)])
def test_any_proportions_are_drawn(width: int, height: int) -> None:
    model = region(2, RegionShape.COAST, width, height)
    assert_legible(lay_out(model))
    assert ET.fromstring(render(model)).tag == f"{SVG}svg"


def test_an_empty_flat_land_is_drawn() -> None:
    parameters = RegionParameters(
        width=64, height=64, shape=RegionShape.INLAND, relief=RegionRelief.FLAT, settlements=0, sites=0
    )
    assert ET.fromstring(render(GENERATOR.draw(parameters, 1, 0))).tag == f"{SVG}svg"


def test_larger_settlements_have_larger_signs() -> None:
    radii = [SETTLEMENT_RADII[kind] for kind in (SettlementKind.HAMLET, SettlementKind.VILLAGE)]
    radii += [SETTLEMENT_RADII[kind] for kind in (SettlementKind.TOWN, SettlementKind.CITY)]
    assert radii == sorted(radii)


def _area(loop: np.ndarray) -> float:
    x, y = loop[:, 0], loop[:, 1]
    return abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2


def test_outlines_enclose_what_is_high() -> None:
    rows, columns = np.mgrid[0:40, 0:50]
    hill = 10.0 - np.hypot(columns - 24.5, rows - 19.5)
    loops = outlines(hill, 0.0)
    assert len(loops) == 1
    assert _area(loops[0]) == pytest.approx(np.pi * 100, rel=0.02)
    gaps = np.hypot(loops[0][:, 0] - 25.0, loops[0][:, 1] - 20.0)
    assert gaps.min() > 9.8 and gaps.max() < 10.2
    ring = -np.abs(np.hypot(columns - 24.5, rows - 19.5) - 10.0) + 3.0
    assert len(outlines(ring, 0.0)) == 2
    assert outlines(np.full((5, 5), -1.0), 0.0) == []
    (frame,) = outlines(np.full((5, 7), 1.0), 0.0)
    assert _area(frame) > 35


def test_the_relief_has_the_asked_size_and_shows_sea_and_land() -> None:
    model = region(1)
    for px in (1, 3, 4):
        image = relief(model, px)
        assert image.shape == (96 * px, 128 * px, 3)
        assert image.dtype == np.uint8
        assert (image == relief(model, px)).all()
    image = relief(model, 4).astype(int)
    middle = image[2::4, 2::4]
    deep = model.biome_grid == Biome.SEA
    desert = model.biome_grid > Biome.LAKE
    assert (middle[deep][:, 2] > middle[deep][:, 0]).mean() > 0.95
    assert (middle[deep] - middle[deep].mean(axis=0)).std() < 30
    assert middle[desert][:, 0].mean() > middle[deep][:, 0].mean() + 15


@pytest.mark.parametrize("px", [0, -1, 33])
def test_a_relief_of_no_size_is_refused(px: int) -> None:
    with pytest.raises(ValueError, match="1 to 32"):
        relief(region(1), px)
