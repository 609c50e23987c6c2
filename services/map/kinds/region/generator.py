"""Makes regions: parameters and seed to a model, and the kind of map that this is.

    land -> air -> lakes, rivers -> ground, biomes -> settlements -> ways -> names, sites, weather ->
    RegionMap

Every stage of an attempt has a stream of its own; names have one each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from services.map.generation.gate import GateReport
from services.map.generation.stream import Stream
from services.map.kinds.region.canonical import from_data, to_bytes
from services.map.kinds.region.climate import Air, Codes, cover, distance, rugged, weigh_air
from services.map.kinds.region.features import find_sites, measured, name_features
from services.map.kinds.region.gates import inspect
from services.map.kinds.region.land import Land, raise_land
from services.map.kinds.region.model import (
    BIOME_LETTERS,
    GENERATOR_VERSION,
    Biome,
    Cell,
    Crossing,
    Ground,
    Lake,
    RegionMap,
    River,
    Settlement,
    Site,
    Way,
    line_miles,
)
from services.map.kinds.region.names import Tongue
from services.map.kinds.region.noise import Grid, fractal
from services.map.kinds.region.parameters import RegionParameters, check, wanted_land
from services.map.kinds.region.siting import Home, settle
from services.map.kinds.region.vocabulary import CrossingKind, Mouth, SettlementKind, WayKind
from services.map.kinds.region.water import Water, gather_water
from services.map.kinds.region.ways import (
    Join,
    Search,
    ferries,
    land_effort,
    line_back,
    main_roads,
    network,
    search,
)
from services.map.kinds.region.weather import SIDE, weather_zones
from services.rules.engine.codec import Codec
from services.rules.engine.problem import RuleProblem

_NAMED_RIVERS = 9
_BRIDGED = 500
"""Flow from which even a track has a bridge."""
_FIELDS = {
    SettlementKind.HAMLET: 5,
    SettlementKind.VILLAGE: 7,
    SettlementKind.TOWN: 10,
    SettlementKind.PORT: 10,
    SettlementKind.CITY: 14,
    SettlementKind.KEEP: 0,
}
"""Thirds of a cell around a settlement that are farmed."""
_IMPORTANT = frozenset((SettlementKind.CITY, SettlementKind.TOWN, SettlementKind.PORT))


def draw(parameters: RegionParameters, seed: int, attempt: int) -> RegionMap:
    """One attempt at a region."""
    land = raise_land(parameters, Stream(seed, "land", attempt))
    air = weigh_air(parameters, land, Stream(seed, "climate", attempt))
    water = gather_water(land, air)
    patches = fractal(
        Stream(seed, "patches", attempt), parameters.height, parameters.width, _period(parameters), 3
    )
    ground = rugged(land.feet, land.sea | (water.lakes > 0))
    biomes = _covered(land, air, water, ground, patches)
    homes = settle(
        parameters.settlements, biomes, ground, land.feet, water, patches, Stream(seed, "homes", attempt)
    )
    _farm(biomes, ground, homes)
    tongue = Tongue.of(seed)
    settlements = tuple(
        Settlement(
            f"settlement-{i}",
            home.kind,
            tongue.settlement(home.kind, home.siting, i),
            home.cell,
            home.population,
            home.siting,
        )
        for i, home in enumerate(homes, 1)
    )
    rivers = _rivers(water, land, tongue)
    found = search(land_effort(biomes, ground, water), land.feet, [home.cell for home in homes])
    reached = (found.cost >= 0).reshape(land.feet.shape)
    sites = find_sites(
        parameters.sites,
        biomes,
        ground,
        reached,
        [home.cell for home in homes],
        patches,
        tongue,
        Stream(seed, "sites", attempt),
    )
    ways = _ways(parameters, settlements, sites, found, water, land)
    zones, weather = weather_zones(land, air)
    return RegionMap(
        seed=seed,
        attempt=attempt,
        title=parameters.title or tongue.title(),
        shape=parameters.shape,
        climate=parameters.climate,
        rainfall=parameters.rainfall,
        relief=parameters.relief,
        season=parameters.season,
        furlongs=parameters.furlongs,
        width=parameters.width,
        height=parameters.height,
        land_percent=wanted_land(parameters),
        heights=land.feet.astype("<i2").tobytes(),
        biomes=biomes.tobytes(),
        ground=ground.tobytes(),
        rivers=rivers,
        lakes=_lakes(water, land, tongue),
        settlements=settlements,
        ways=ways,
        features=name_features(biomes, ground, tongue),
        sites=sites,
        zones=zones,
        weather_side=SIDE,
        weather=weather,
    )


def _period(parameters: RegionParameters) -> int:
    return max(6, max(parameters.width, parameters.height) // 12)


def _covered(land: Land, air: Air, water: Water, ground: Codes, patches: Grid) -> Codes:
    lake = water.lakes > 0
    wet = land.sea | lake
    shore = distance(~land.sea, 30)
    fresh = distance(wet | (water.river > 0), 30)
    return cover(land.feet, land.sea, lake, ground, air.warmth, air.moisture, shore, fresh, patches)


def _farm(biomes: Codes, ground: Codes, homes: tuple[Home, ...]) -> None:
    """Turns level grass and woods around settlements into fields."""
    arable = np.zeros(16, np.bool_)
    arable[[Biome.GRASSLAND, Biome.WOODLAND, Biome.SAVANNA]] = True
    for home in homes:
        reach = _FIELDS[home.kind]
        x, y = home.cell
        left, top = max(0, x - reach // 3), max(0, y - reach // 3)
        near = biomes[top : y + reach // 3 + 1, left : x + reach // 3 + 1]
        level = ground[top : y + reach // 3 + 1, left : x + reach // 3 + 1] == Ground.LEVEL
        dy = 3 * (np.arange(top, top + near.shape[0])[:, None] - y)
        dx = 3 * (np.arange(left, left + near.shape[1])[None, :] - x)
        near[arable[near] & level & (dx * dx + dy * dy <= reach * reach)] = Biome.FARMLAND


def _rivers(water: Water, land: Land, tongue: Tongue) -> tuple[River, ...]:
    width = land.feet.shape[1]
    owner, lakes, sea = water.river.ravel(), water.lakes.ravel(), land.sea.ravel()
    rivers: list[River] = []
    for number, cells in enumerate(water.rivers, 1):
        last = cells[-1]
        mouth, into = Mouth.EDGE, ""
        if sea[last]:
            mouth = Mouth.SEA
        elif lakes[last]:
            mouth, into = Mouth.LAKE, f"lake-{lakes[last]}"
        elif owner[last] != number:
            mouth, into = Mouth.RIVER, f"river-{owner[last]}"
        line = tuple((cell % width, cell // width) for cell in cells)
        flow = tuple(water.drained[list(cells)].tolist())
        name = tongue.river(number) if number <= _NAMED_RIVERS else ""
        rivers.append(River(f"river-{number}", name, line, flow, mouth, into))
    return tuple(rivers)


def _lakes(water: Water, land: Land, tongue: Tongue) -> tuple[Lake, ...]:
    lakes: list[Lake] = []
    width = land.feet.shape[1]
    _, nearest = measured(water.lakes, water.lakes, len(water.lake_sizes) + 1)
    for number, size in enumerate(water.lake_sizes, 1):
        at = (int(nearest[number]) % width, int(nearest[number]) // width)
        level = int(land.feet[at[1], at[0]])
        lakes.append(Lake(f"lake-{number}", tongue.lake(number), at, level, size))
    return tuple(lakes)


def _ways(
    parameters: RegionParameters,
    settlements: tuple[Settlement, ...],
    sites: tuple[Site, ...],
    found: Search,
    water: Water,
    land: Land,
) -> tuple[Way, ...]:
    """Roads and tracks between settlements, paths to sites, ferries between lands."""
    width = parameters.width
    joins = network(found, len(settlements), width)
    important = frozenset(i for i, home in enumerate(settlements) if home.kind in _IMPORTANT)
    roads = main_roads(joins, important)
    lines: list[tuple[WayKind, str, str, tuple[Cell, ...]]] = []
    for join in sorted(joins, key=lambda join: ((join.start, join.end) not in roads, join.start, join.end)):
        kind = WayKind.ROAD if (join.start, join.end) in roads else WayKind.TRACK
        lines.append((kind, settlements[join.start].id, settlements[join.end].id, join.line))
    for site in sites:
        if settlements and not site.hidden:
            line = tuple(reversed(line_back(found, site.at[1] * width + site.at[0], width)))
            home = settlements[int(found.source[site.at[1] * width + site.at[0]])]
            lines.append((WayKind.PATH, home.id, site.id, line))
    lines += [
        (WayKind.FERRY, settlements[join.start].id, settlements[join.end].id, join.line)
        for join in _ferries(joins, settlements, land)
    ]
    return tuple(
        Way(
            f"way-{number}",
            kind,
            start,
            end,
            line,
            line_miles(line, parameters.furlongs),
            () if kind is WayKind.FERRY else _crossings(kind, line, water),
        )
        for number, (kind, start, end, line) in enumerate(lines, 1)
    )


def _ferries(joins: list[Join], settlements: tuple[Settlement, ...], land: Land) -> list[Join]:
    homes = [home.at for home in settlements]
    harbors = [i for i, (x, y) in enumerate(homes) if land.sea[y - 1 : y + 2, x - 1 : x + 2].any()]
    return ferries(joins, homes, harbors, land.sea, land.feet)


def _crossings(kind: WayKind, line: tuple[Cell, ...], water: Water) -> tuple[Crossing, ...]:
    """Where a way is on a river: a bridge for a road or over much water, else a ford."""
    width = water.river.shape[1]
    crossings: list[Crossing] = []
    for x, y in line:
        river = int(water.river[y, x])
        if river:
            deep = int(water.drained[y * width + x]) >= _BRIDGED
            bridge = kind is WayKind.ROAD or (deep and kind is WayKind.TRACK)
            crossing = CrossingKind.BRIDGE if bridge else CrossingKind.FORD
            crossings.append(Crossing((x, y), crossing, f"river-{river}"))
    return tuple(crossings)


def for_players(model: RegionMap) -> RegionMap:
    """The map without hidden sites, and without the seed that would bring them back."""
    return replace(model, seed=0, attempt=0, sites=tuple(site for site in model.sites if not site.hidden))


_CODEC = Codec(RegionParameters, "map/region-parameters")


@dataclass(frozen=True, slots=True)
class RegionGenerator:
    """The kind of map that a region is; see `services.map.generation.kind.Generator`."""

    slug: str = "region"
    generator_version: int = GENERATOR_VERSION
    codec: Codec[RegionParameters] = _CODEC
    secretive: bool = True

    def check(self, parameters: RegionParameters) -> tuple[RuleProblem, ...]:
        """Everything that is wrong with some parameters, with paths."""
        return check(parameters)

    def draw(self, parameters: RegionParameters, seed: int, attempt: int) -> RegionMap:
        """One attempt at a region, from the sub-seed of this attempt."""
        return draw(parameters, seed, attempt)

    def inspect(self, model: RegionMap) -> GateReport:
        """Runs every gate over a region."""
        return inspect(model)

    def title(self, model: RegionMap) -> str:
        """The region's name."""
        return model.title

    def to_bytes(self, model: RegionMap) -> bytes:
        """The map file."""
        return to_bytes(model)

    def from_data(self, data: Mapping[str, Any]) -> RegionMap:
        """The region of a map file.

        Raises:
            MapFileError: The data is no region of this format version.
        """
        return from_data(data)

    def for_players(self, model: RegionMap) -> RegionMap:
        """The region without what only the game master knows."""
        return for_players(model)


GENERATOR = RegionGenerator()

assert len(BIOME_LETTERS) == len(Biome)
