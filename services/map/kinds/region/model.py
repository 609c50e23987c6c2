"""The model of a region: square cells of land and water, and everything that lies on them.

Cells are counted from 0 at the north-west corner, x to the east and y to the south. Grids are stored row by
row from the north; a line is the list of cells whose middles it joins, each beside the one before (slantwise
too). A cell's side is a number of furlongs; eight furlongs are a mile.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from services.map.kinds.region.vocabulary import (
    CrossingKind,
    FeatureKind,
    Mouth,
    RegionClimate,
    RegionRainfall,
    RegionRelief,
    RegionSeason,
    RegionShape,
    SettlementKind,
    SiteKind,
    Siting,
    WayKind,
    WeatherClimate,
)

GENERATOR_VERSION = 1
"""Raised whenever the same seed and parameters would give another model."""

FURLONGS_A_MILE = 8
DIAGONAL = 1.414
"""Length of a slanting step, in cells."""

Cell = tuple[int, int]


class Biome(IntEnum):
    """What covers a cell; its code in `RegionMap.biomes`."""

    SEA = 0
    SHALLOWS = 1
    LAKE = 2
    GLACIER = 3
    TUNDRA = 4
    TAIGA = 5
    HEATH = 6
    GRASSLAND = 7
    FARMLAND = 8
    WOODLAND = 9
    SAVANNA = 10
    DESERT = 11
    JUNGLE = 12
    SWAMP = 13
    ROCK = 14


class Ground(IntEnum):
    """How rugged a cell is; its code in `RegionMap.ground`. Nobody crosses a peak; water is level."""

    LEVEL = 0
    HILLS = 1
    MOUNTAINS = 2
    PEAK = 3


BIOME_LETTERS = "~-oiuthgfwvdjsr"
"""The letter of each biome in a map file, in the order of `Biome`."""

GROUND_LETTERS = ".hmp"
"""The letter of each ground in a map file, in the order of `Ground`."""

WATER = frozenset((Biome.SEA, Biome.SHALLOWS, Biome.LAKE))
FORESTS = frozenset((Biome.TAIGA, Biome.WOODLAND, Biome.JUNGLE))


@dataclass(frozen=True, slots=True)
class River:
    """A river from its source to its mouth.

    Attributes:
        id: `river-1`, ... the longest first.
        name: Empty for a brook.
        line: Its cells downstream; the last is the cell of the sea, lake or river it runs into, or the
            edge's.
        flow: For each cell of `line` what runs there: how many cells of the map it drains.
        mouth: Where it ends.
        into: Id of the lake or river at its mouth, else empty.
    """

    id: str
    name: str
    line: tuple[Cell, ...]
    flow: tuple[int, ...]
    mouth: Mouth
    into: str = ""


@dataclass(frozen=True, slots=True)
class Lake:
    """A lake, whose cells all have one level.

    Attributes:
        id: `lake-1`, ... the largest first.
        name: Its name.
        at: A cell near its middle.
        level: Height of its surface in feet above the sea.
        cells: How many cells it covers.
    """

    id: str
    name: str
    at: Cell
    level: int
    cells: int


@dataclass(frozen=True, slots=True)
class Settlement:
    """A settlement.

    Attributes:
        id: `settlement-1`, ... the best sited first.
        kind: What it is.
        name: Its name.
        at: Its cell, on dry land.
        population: How many people live there.
        siting: Why it is there.
    """

    id: str
    kind: SettlementKind
    name: str
    at: Cell
    population: int
    siting: Siting


@dataclass(frozen=True, slots=True)
class Crossing:
    """Where a way crosses a river.

    Attributes:
        at: The cell, of both the way and the river.
        kind: How.
        river: Id of the river.
    """

    at: Cell
    kind: CrossingKind
    river: str


@dataclass(frozen=True, slots=True)
class Way:
    """A way between two places.

    Attributes:
        id: `way-1`, ...
        kind: What it is.
        start: Id of the settlement it starts from.
        end: Id of the settlement or site it leads to.
        line: Its cells from start to end; those of a ferry are sea but the two ends. Ways may share cells.
        miles: Its length.
        crossings: The rivers it crosses.
    """

    id: str
    kind: WayKind
    start: str
    end: str
    line: tuple[Cell, ...]
    miles: float
    crossings: tuple[Crossing, ...] = ()


@dataclass(frozen=True, slots=True)
class Feature:
    """A named stretch of the land or the sea.

    Attributes:
        id: `feature-1`, ...
        kind: What it is.
        name: Its name.
        at: One of its cells, near the middle.
        cells: About how many cells it covers.
        spine: The two ends of its long axis, in cells; a name may be written along it.
    """

    id: str
    kind: FeatureKind
    name: str
    at: Cell
    cells: int
    spine: tuple[Cell, Cell]


@dataclass(frozen=True, slots=True)
class Site:
    """A place of interest.

    Attributes:
        id: `site-1`, ...
        kind: What it is.
        name: Its name.
        at: Its cell.
        hidden: Whether only the game master knows of it.
    """

    id: str
    kind: SiteKind
    name: str
    at: Cell
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class SeasonOdds:
    """The weather of one season in one zone, in exact twentieths: one d20 a day tells it.

    Attributes:
        season: The season.
        land: Twentieths of scorching, hot, mild, raining, torrential and blizzard; 20 in all.
        water: Twentieths of becalmed, calm, favorable, ideal, gale and stormy; 20 in all.
    """

    season: RegionSeason
    land: tuple[int, int, int, int, int, int]
    water: tuple[int, int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class WeatherZone:
    """A zone of like weather.

    Attributes:
        letter: Its letter in the map file's rows of weather.
        climate: What its weather is like.
        odds: Its weather in each season.
    """

    letter: str
    climate: WeatherClimate
    odds: tuple[SeasonOdds, ...]


@dataclass(frozen=True, slots=True)
class RegionMap:
    """One finished region.

    Attributes:
        seed: What it is drawn from; 0 in the players' version.
        attempt: Which sub-seed passed the gates, from 0.
        title: Name of the region.
        shape: How land and sea share the map.
        climate: How warm its lowlands are.
        rainfall: How wet it is.
        relief: How high it rises.
        season: The season the map is meant for; nothing is drawn from it.
        furlongs: Side of a cell in furlongs.
        width: Cells from west to east.
        height: Cells from north to south.
        land_percent: The share of land that was asked for; lakes count as land.
        heights: Feet above the sea, a signed 16-bit number a cell, low byte first; a lake's cells have its
            level, sea cells are negative.
        biomes: A `Biome` code a cell.
        ground: A `Ground` code a cell.
        rivers: The rivers, the longest first.
        lakes: The lakes, the largest first.
        settlements: The settlements.
        ways: Roads, tracks, paths and ferries.
        features: What else bears a name.
        sites: Places of interest.
        zones: The zones of weather.
        weather_side: Side, in cells, of the squares that have one weather.
        weather: For each square, row by row, the index of its zone in `zones`.
        generator_version: The version of the generator that made it.
    """

    seed: int
    attempt: int
    title: str
    shape: RegionShape
    climate: RegionClimate
    rainfall: RegionRainfall
    relief: RegionRelief
    season: RegionSeason
    furlongs: int
    width: int
    height: int
    land_percent: int
    heights: bytes
    biomes: bytes
    ground: bytes
    rivers: tuple[River, ...]
    lakes: tuple[Lake, ...]
    settlements: tuple[Settlement, ...]
    ways: tuple[Way, ...]
    features: tuple[Feature, ...]
    sites: tuple[Site, ...]
    zones: tuple[WeatherZone, ...]
    weather_side: int
    weather: bytes
    generator_version: int = GENERATOR_VERSION

    @property
    def height_grid(self) -> NDArray[np.int16]:
        """Feet above the sea, (height, width)."""
        return np.frombuffer(self.heights, "<i2").reshape(self.height, self.width)

    @property
    def biome_grid(self) -> NDArray[np.uint8]:
        """Codes of biomes, (height, width)."""
        return np.frombuffer(self.biomes, np.uint8).reshape(self.height, self.width)

    @property
    def ground_grid(self) -> NDArray[np.uint8]:
        """Codes of grounds, (height, width)."""
        return np.frombuffer(self.ground, np.uint8).reshape(self.height, self.width)

    @property
    def cell_miles(self) -> float:
        """Side of a cell in miles."""
        return self.furlongs / FURLONGS_A_MILE

    def zone_at(self, cell: Cell) -> WeatherZone:
        """The zone of weather over a cell."""
        columns = -(-self.width // self.weather_side)
        x, y = cell
        return self.zones[self.weather[y // self.weather_side * columns + x // self.weather_side]]


def line_miles(line: tuple[Cell, ...], furlongs: int) -> float:
    """Length of a line of cells in miles, to the thousandth."""
    slanting = sum(a[0] != b[0] and a[1] != b[1] for a, b in pairwise(line))
    straight = max(0, len(line) - 1) - slanting
    # Whole numbers until the end: sums of floats would depend on their order.
    return (straight * 1000 + slanting * round(DIAGONAL * 1000)) * furlongs // FURLONGS_A_MILE / 1000
