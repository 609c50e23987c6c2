"""Battle maps from seeds: they pass their gates, differ, and hold what was asked for."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

from services.map.generation.grid.model import GridMap, WallKind
from services.map.generation.grid.terrain import COVER, Terrain
from services.map.generation.kind import Made, make
from services.map.kinds.battle.generator import GENERATOR
from services.map.kinds.battle.parameters import (
    BattleParameters,
    Cover,
    Hour,
    Relief,
    Season,
    Site,
    Water,
)

ROOT = Path(__file__).resolve().parents[2]
PLAIN = (Terrain.GRASS, Terrain.FLOOR, Terrain.ROCK)
SEEDS = 40


def made(seed: int, **parameters: Any) -> Made[GridMap]:
    result = make(GENERATOR, BattleParameters(**parameters), seed)
    assert isinstance(result, Made), result
    return result


def cells(model: GridMap) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.frombuffer(model.cells, np.uint8).reshape(model.height, model.width)


def holds(model: GridMap, terrain: Terrain) -> bool:
    return int(terrain) in model.cells


@pytest.mark.parametrize("site", Site)
def test_maps_of_a_site_pass_soon_and_are_all_different(site: Site) -> None:
    results = [made(seed, site=site) for seed in range(SEEDS)]
    assert len({result.model.cells for result in results}) == SEEDS
    assert sum(result.attempts for result in results) <= 1.15 * SEEDS
    notable = [~np.isin(cells(result.model), PLAIN) for result in results]
    apart = [1 - (a & b).sum() / (a | b).sum() for a, b in combinations(notable, 2)]
    assert np.mean(apart) >= 0.5
    assert len({result.model.title for result in results}) > SEEDS // 2


@pytest.mark.parametrize("site", Site)
@pytest.mark.parametrize(("width", "height"), [(12, 12), (12, 40), (70, 20), (100, 100)])
def test_every_size_can_be_had(site: Site, width: int, height: int) -> None:
    result = made(3, site=site, width=width, height=height)
    assert (result.model.width, result.model.height) == (width, height)
    assert result.report.passed


@pytest.mark.parametrize("site", Site)
@pytest.mark.parametrize("water", Water)
def test_water_and_hills_can_be_had_together(site: Site, water: Water) -> None:
    if site is Site.DUNGEON_ROOM and water is Water.RIVER:
        water = Water.STREAM
    for seed in range(4):
        parameters = {"season": list(Season)[seed], "hour": list(Hour)[seed % 3]}
        model = made(seed, site=site, water=water, relief=Relief.HILLY, **parameters).model
        assert any(model.heights)
        if site is Site.DUNGEON_ROOM and water is Water.POND:
            continue  # a small hall may have no room left for a basin
        wet = (Terrain.WATER, Terrain.SHALLOWS, Terrain.ICE, Terrain.PLANKS)
        assert water in (Water.NONE, Water.POND) or any(holds(model, terrain) for terrain in wet)


def test_the_same_seed_gives_the_same_bytes_in_a_fresh_process() -> None:
    code = (
        "import hashlib\n"
        "from services.map.kinds.battle.generator import GENERATOR\n"
        "from services.map.kinds.battle.parameters import *\n"
        "digest = hashlib.sha256()\n"
        "for site in Site:\n"
        "    made = BattleParameters(site=site, relief=Relief.HILLY, water=Water.STREAM, hour=Hour.NIGHT)\n"
        "    digest.update(GENERATOR.to_bytes(GENERATOR.draw(made, 2**62 + 5, 1)))\n"
        "print(digest.hexdigest())\n"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "77"}
    printed = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    digest = hashlib.sha256()
    for site in Site:
        parameters = BattleParameters(site=site, relief=Relief.HILLY, water=Water.STREAM, hour=Hour.NIGHT)
        digest.update(GENERATOR.to_bytes(GENERATOR.draw(parameters, 2**62 + 5, 1)))
    assert printed.strip() == digest.hexdigest()


@pytest.mark.parametrize("site", Site)
def test_a_map_file_is_read_back_whole(site: Site) -> None:
    model = made(5, site=site, relief=Relief.HILLY, hour=Hour.NIGHT).model
    data = GENERATOR.to_bytes(model)
    assert GENERATOR.from_data(orjson.loads(data)) == model
    assert GENERATOR.to_bytes(GENERATOR.from_data(orjson.loads(data))) == data


@pytest.mark.parametrize("site", Site)
def test_denser_cover_means_more_cover(site: Site) -> None:
    cover = np.frombuffer(COVER, np.uint8)
    shares = [
        np.mean([cover[cells(made(seed, site=site, cover=setting).model)].mean() for seed in range(8)])
        for setting in (Cover.SPARSE, Cover.NORMAL, Cover.DENSE)
    ]
    assert shares[0] < shares[1] < shares[2]


@pytest.mark.parametrize(
    ("hour", "ambient"), [(Hour.DAY, "bright"), (Hour.DUSK, "dim"), (Hour.NIGHT, "dark")]
)
def test_the_hour_is_the_light(hour: Hour, ambient: str) -> None:
    for site in (Site.ROAD, Site.VILLAGE, Site.FOREST, Site.RUIN):
        assert made(1, site=site, hour=hour).model.ambient == ambient
    assert made(1, site=Site.DUNGEON_ROOM, hour=hour).model.ambient == "dark"


def test_something_shines_in_the_dark() -> None:
    for seed in range(6):
        for site in (Site.DUNGEON_ROOM, Site.VILLAGE):
            assert made(seed, site=site, hour=Hour.NIGHT).model.lights


def test_winter_freezes_shallow_water_and_shows_in_the_theme() -> None:
    model = made(2, site=Site.FOREST, water=Water.STREAM, season=Season.WINTER).model
    assert holds(model, Terrain.ICE)
    assert not holds(model, Terrain.SHALLOWS)
    assert model.theme == "forest-winter"
    assert made(2, site=Site.FOREST).model.theme == "forest"


def test_a_road_over_a_river_has_a_bridge_with_low_railings() -> None:
    for seed in range(4):
        model = made(seed, site=Site.ROAD, water=Water.RIVER).model
        assert holds(model, Terrain.PLANKS)
        assert any(wall.kind is WallKind.LOW for wall in model.walls)
        assert any("bridge" in room.tags for room in model.rooms)


def test_houses_have_doors_windows_and_furniture() -> None:
    for seed in range(6):
        model = made(seed, site=Site.VILLAGE).model
        houses = [room for room in model.rooms if "indoors" in room.tags]
        assert len(houses) >= 2
        assert any(wall.kind is WallKind.WINDOW for wall in model.walls)
        for house in houses:
            inside = {(x, y) for y, first, last in house.rows for x in range(first, last)}
            beside = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}
            hung = [(door.at, beside[door.edge]) for door in model.doors if door.edge is not None]
            # One of its doors leads out of doors.
            assert any(at in inside and (at[0] + dx, at[1] + dy) not in inside for at, (dx, dy) in hung)
            assert any((int(prop.x), int(prop.y)) in inside for prop in model.props)


def test_starts_are_as_large_and_as_far_apart_as_asked() -> None:
    result = made(4, site=Site.ROAD, start_cells=20, start_distance=60)
    starts = [zone for zone in result.model.zones if zone.kind == "start"]
    assert [sum(last - first for _, first, last in zone.spans) for zone in starts] == [20, 20]
    assert dict(result.report.figures)["start_distance"] >= 18


def test_a_given_title_stands() -> None:
    assert GENERATOR.title(made(1, title="The Last Stand").model) == "The Last Stand"


@pytest.mark.parametrize("site", Site)
def test_players_learn_nothing_of_ambush_foes_or_notes(site: Site) -> None:
    model = made(6, site=site).model
    shown = GENERATOR.for_players(model)
    assert shown.seed == 0
    assert {zone.kind for zone in shown.zones} >= {"start", "exit"}
    assert not any(zone.secret or zone.side == "foes" for zone in shown.zones)
    text = GENERATOR.to_bytes(shown).decode()
    secrets = [note.text for note in model.notes] + [line for room in model.rooms for line in room.notes]
    assert secrets
    assert not any(secret in text for secret in secrets)
    assert shown.cells == model.cells
