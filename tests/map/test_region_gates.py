"""Every gate of a region finds its fault."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from services.map.kinds.region.gates import inspect
from services.map.kinds.region.generator import GENERATOR
from services.map.kinds.region.model import Biome, Ground, RegionMap
from services.map.kinds.region.parameters import RegionParameters
from services.map.kinds.region.vocabulary import RegionClimate, RegionShape, WayKind


@cache
def whole() -> RegionMap:
    """A region with rivers, lakes, a ferry, swamps and bridges that passes every gate."""
    parameters = RegionParameters(width=160, height=128, shape=RegionShape.ARCHIPELAGO, settlements=24)
    for seed in range(40):
        model = GENERATOR.draw(parameters, seed, 0)
        kinds = {way.kind for way in model.ways}
        crossings = [crossing for way in model.ways for crossing in way.crossings]
        swamp = Biome.SWAMP in model.biomes
        if kinds == set(WayKind) and crossings and model.lakes and swamp and inspect(model).passed:
            return model
    raise AssertionError("no region has everything")


def _painted(model: RegionMap, cell: tuple[int, int], biome: Biome) -> RegionMap:
    biomes = bytearray(model.biomes)
    biomes[cell[1] * model.width + cell[0]] = biome
    return replace(model, biomes=bytes(biomes))


def _rebuilt(model: RegionMap, cell: tuple[int, int], ground: Ground) -> RegionMap:
    grounds = bytearray(model.ground)
    grounds[cell[1] * model.width + cell[0]] = ground
    return replace(model, ground=bytes(grounds))


def _raised(model: RegionMap, cell: tuple[int, int], feet: int) -> RegionMap:
    heights = model.height_grid.copy()
    heights[cell[1], cell[0]] = feet
    return replace(model, heights=heights.astype("<i2").tobytes())


def _sea(model: RegionMap) -> tuple[int, int]:
    y, x = np.argwhere(model.biome_grid == Biome.SEA)[0].tolist()
    return x, y


def _swamp(model: RegionMap) -> tuple[int, int]:
    y, x = np.argwhere(model.biome_grid == Biome.SWAMP)[0].tolist()
    return x, y


def _first(model: RegionMap, kind: WayKind) -> int:
    return next(i for i, way in enumerate(model.ways) if way.kind is kind)


def _with_way(model: RegionMap, index: int, **changes: object) -> RegionMap:
    changed = replace(model.ways[index], **changes)  # type: ignore[arg-type]
    return replace(model, ways=(*model.ways[:index], changed, *model.ways[index + 1 :]))


def _without(model: RegionMap, kind: WayKind) -> RegionMap:
    return replace(model, ways=tuple(way for way in model.ways if way.kind is not kind))


def _river(model: RegionMap, **changes: object) -> RegionMap:
    changed = replace(model.rivers[0], **changes)  # type: ignore[arg-type]
    return replace(model, rivers=(changed, *model.rivers[1:]))


def _moved(model: RegionMap, cell: tuple[int, int]) -> RegionMap:
    home = model.settlements[0]
    return replace(model, settlements=(replace(home, at=cell), *model.settlements[1:]))


def _bridgeless(model: RegionMap) -> RegionMap:
    index = next(i for i, way in enumerate(model.ways) if way.crossings)
    return _with_way(model, index, crossings=())


def _middle(model: RegionMap, kind: WayKind) -> tuple[int, int]:
    line = model.ways[_first(model, kind)].line
    return line[len(line) // 2]


def _odds(model: RegionMap) -> RegionMap:
    zone = model.zones[0]
    wrong = replace(zone.odds[0], land=(20, 1, 0, 0, 0, 0))
    return replace(model, zones=(replace(zone, odds=(wrong, *zone.odds[1:])), *model.zones[1:]))


def _hot_ice(model: RegionMap) -> RegionMap:
    x, y = _middle(model, WayKind.ROAD)
    return _painted(_painted(model, (x, y), Biome.GLACIER), (x + 1, y), Biome.DESERT)


def _twice_named(model: RegionMap) -> RegionMap:
    lake = replace(model.lakes[0], name=model.settlements[0].name)
    return replace(model, lakes=(lake, *model.lakes[1:]))


def _stranded_feature(model: RegionMap) -> RegionMap:
    feature = next(f for f in model.features if f.kind.value == "sea")
    moved = replace(feature, at=model.settlements[0].at)
    return replace(model, features=tuple(moved if f is feature else f for f in model.features))


FAULTS: dict[str, tuple[str, Callable[[RegionMap], RegionMap]]] = {
    "too much land asked for": ("land", lambda m: replace(m, land_percent=m.land_percent + 9)),
    "a river runs uphill": ("rivers", lambda m: _river(m, line=m.rivers[0].line[::-1])),
    "a river loses water": ("rivers", lambda m: _river(m, flow=m.rivers[0].flow[::-1])),
    "a river ends on land": (
        "rivers",
        lambda m: _river(m, line=m.rivers[0].line[:-2], flow=m.rivers[0].flow[:-2]),
    ),
    "a river has a gap": (
        "rivers",
        lambda m: _river(
            m,
            line=m.rivers[0].line[:2] + m.rivers[0].line[4:],
            flow=m.rivers[0].flow[:2] + m.rivers[0].flow[4:],
        ),
    ),
    "a lake slopes": ("lakes", lambda m: _raised(m, m.lakes[0].at, m.lakes[0].level + 1)),
    "a lake is not told of": ("lakes", lambda m: replace(m, lakes=m.lakes[1:])),
    "a swamp lies high": ("biomes", lambda m: _raised(m, _swamp(m), 2500)),
    "a swamp lies in hills": ("biomes", lambda m: _rebuilt(m, _swamp(m), Ground.HILLS)),
    "a desert touches ice": ("biomes", _hot_ice),
    "the sea stands above itself": ("biomes", lambda m: _raised(m, _sea(m), 40)),
    "a settlement drowns": ("settlements", lambda m: _moved(m, _sea(m))),
    "two settlements share a cell": ("settlements", lambda m: _moved(m, m.settlements[1].at)),
    "a settlement stands in a river": ("settlements", lambda m: _moved(m, m.rivers[0].line[2])),
    "a road runs into the sea": ("ways", lambda m: _painted(m, _middle(m, WayKind.ROAD), Biome.SEA)),
    "a road climbs a peak": ("ways", lambda m: _rebuilt(m, _middle(m, WayKind.ROAD), Ground.PEAK)),
    "a road ends nowhere": (
        "ways",
        lambda m: _with_way(m, 0, line=m.ways[0].line[:-1]),
    ),
    "a road leaps": (
        "ways",
        lambda m: _with_way(m, 0, line=(m.ways[0].line[0], m.ways[0].line[-1])),
    ),
    "a bridge is missing": ("ways", _bridgeless),
    "a ferry sails over land": (
        "ways",
        lambda m: _painted(m, _middle(m, WayKind.FERRY), Biome.GRASSLAND),
    ),
    "the ferries stop": ("reach", lambda m: _without(m, WayKind.FERRY)),
    "the roads are gone": ("reach", lambda m: _without(m, WayKind.ROAD)),
    "a site has no path": ("reach", lambda m: _without(m, WayKind.PATH)),
    "a sea on land": ("features", _stranded_feature),
    "a name is used twice": ("names", _twice_named),
    "the weather is not twenty": ("weather", _odds),
    "some land has no weather": ("weather", lambda m: replace(m, weather=m.weather[:-1])),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_gate_finds_its_fault(fault: str) -> None:
    gate, spoil = FAULTS[fault]
    assert inspect(whole()).passed
    report = inspect(spoil(whole()))
    failed = {one.name for one in report.gates if not one.passed}
    assert gate in failed, report.faults


def test_figures_tell_what_was_measured() -> None:
    figures = dict(inspect(whole()).figures)
    assert figures["settlements"] == len(whole().settlements)
    assert figures["rivers"] == len(whole().rivers)
    assert 0.25 < figures["land share"] < 0.35
    assert figures["miles of road"] > 0


def test_a_cold_region_without_anything_passes() -> None:
    parameters = RegionParameters(width=64, height=64, climate=RegionClimate.ARCTIC, settlements=0, sites=0)
    assert inspect(GENERATOR.draw(parameters, 1, 0)).passed
