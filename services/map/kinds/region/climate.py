"""Warmth, rain and what grows: from the ground to biomes.

Warmth falls with height (2 degrees Celsius in 1,000 feet) and toward the north. The wind blows from one side
of the map to the other; it takes up water over the sea and rains where it has to climb, so that the lee of
mountains is dry. Warmth is in tenths of a degree, moisture from 0 to 100.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from services.map.generation.stream import Stream
from services.map.kinds.region.compiled import kernel
from services.map.kinds.region.land import Land
from services.map.kinds.region.noise import Grid, fractal
from services.map.kinds.region.parameters import RegionParameters
from services.map.kinds.region.vocabulary import RegionClimate, RegionRainfall

_WARMTH = {
    RegionClimate.ARCTIC: -22,
    RegionClimate.BOREAL: 30,
    RegionClimate.TEMPERATE: 115,
    RegionClimate.WARM: 195,
    RegionClimate.TROPICAL: 260,
}
_RAIN = {
    RegionRainfall.ARID: -26,
    RegionRainfall.DRY: -12,
    RegionRainfall.MODERATE: 0,
    RegionRainfall.WET: 20,
}

Codes = NDArray[np.uint8]
Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Air:
    """What the sky does.

    Attributes:
        warmth: Mean of the year in tenths of a degree Celsius (height, width).
        moisture: 0, bone dry, to 100 (height, width).
    """

    warmth: Grid
    moisture: Grid


@kernel
def _moisture(feet: Grid, sea: NDArray[np.bool_], noise: Grid, base: int) -> Grid:
    """Follows the wind from column 0 to the last; what it carries spreads a little to both sides."""
    height, width = feet.shape
    moisture = np.empty((height, width), np.int32)
    carried = np.full(height, 36000, np.int64)
    spread = np.empty(height, np.int64)
    # Shares of the width in 65536 parts: division is slow here.
    gained, lost = 5 * 65536 // width, 9 * 65536 // (10 * width)
    for x in range(width):
        before = max(0, x - 2)
        for y in range(height):
            up, down = carried[max(0, y - 1)], carried[min(height - 1, y + 1)]
            spread[y] = (up + 6 * carried[y] + down) >> 3
        for y in range(height):
            load = spread[y]
            if sea[y, x]:
                load += ((60000 - load) * gained) >> 16
                wet = load // 900
            else:
                climb = max(0, feet[y, x] - max(0, feet[y, before]))
                rain = load * climb // 9000
                load -= min(load, rain // 3 + ((load * lost) >> 16))
                wet = load // 900 + rain // 260
            carried[y] = load
            moisture[y, x] = min(100, max(0, wet + base + noise[y, x] // 420))
    return moisture


@kernel
def _warmth(feet: Grid, noise: Grid, base: int) -> Grid:
    height, width = feet.shape
    warmth = np.empty((height, width), np.int32)
    for y in range(height):
        north = 30 - 60 * y // height
        for x in range(width):
            warmth[y, x] = base - north - max(0, feet[y, x]) * 20 // 1000 + noise[y, x] // 600
    return warmth


def weigh_air(parameters: RegionParameters, land: Land, stream: Stream) -> Air:
    """The warmth and moisture over some land.

    Args:
        parameters: Of the region.
        land: Its ground.
        stream: The stream `climate` of the attempt.
    """
    height, width = land.feet.shape
    noise = fractal(stream, height, width, max(8, max(height, width) // 6), 3)
    wind = stream.below(4)

    def turned(grid: NDArray[Scalar]) -> NDArray[Scalar]:
        flat = grid.T if wind & 1 else grid
        return np.ascontiguousarray(flat[:, ::-1] if wind & 2 else flat)

    feet, sea, swirls = turned(land.feet), turned(land.sea), turned(noise)
    blown = _moisture(feet, sea, swirls, _RAIN[parameters.rainfall])
    moisture = blown[:, ::-1] if wind & 2 else blown
    moisture = np.ascontiguousarray(moisture.T if wind & 1 else moisture)
    return Air(_warmth(land.feet, noise, _WARMTH[parameters.climate]), moisture)


@kernel
def rugged(feet: Grid, water: NDArray[np.bool_]) -> Codes:
    """The `Ground` code of each cell, from its height and from how much its neighborhood rises and falls.

    Args:
        feet: Feet above the sea (height, width).
        water: Whether a cell is sea or lake.
    """
    height, width = feet.shape
    ground = np.zeros((height, width), np.uint8)
    for y in range(height):
        for x in range(width):
            if water[y, x]:
                continue
            here = feet[y, x]
            low = high = here
            for dy in range(-2, 3, 2):
                for dx in range(-2, 3, 2):
                    ny, nx = min(height - 1, max(0, y + dy)), min(width - 1, max(0, x + dx))
                    low, high = min(low, max(0, feet[ny, nx])), max(high, feet[ny, nx])
            score = here + 2 * (high - low)
            if here >= 6900:
                ground[y, x] = 3
            elif score >= 4600 and here >= 2000:
                ground[y, x] = 2
            elif score >= 1900:
                ground[y, x] = 1
    return ground


@kernel
def distance(marked: NDArray[np.bool_], most: int) -> Grid:
    """Steps of a third of a cell to the nearest marked cell, slanting ones counting 4 (chamfer distance).

    Args:
        marked: (height, width).
        most: The answer where nothing is marked that near.
    """
    height, width = marked.shape
    steps = np.full((height, width), most, np.int32)
    for y in range(height):
        for x in range(width):
            best = 0 if marked[y, x] else most
            if x > 0:
                best = min(best, steps[y, x - 1] + 3)
            if y > 0:
                best = min(best, steps[y - 1, x] + 3)
                if x > 0:
                    best = min(best, steps[y - 1, x - 1] + 4)
                if x < width - 1:
                    best = min(best, steps[y - 1, x + 1] + 4)
            steps[y, x] = best
    for y in range(height - 1, -1, -1):
        for x in range(width - 1, -1, -1):
            best = steps[y, x]
            if x < width - 1:
                best = min(best, steps[y, x + 1] + 3)
            if y < height - 1:
                best = min(best, steps[y + 1, x] + 3)
                if x > 0:
                    best = min(best, steps[y + 1, x - 1] + 4)
                if x < width - 1:
                    best = min(best, steps[y + 1, x + 1] + 4)
            steps[y, x] = best
    return steps


@kernel
def cover(
    feet: Grid,
    sea: NDArray[np.bool_],
    lake: NDArray[np.bool_],
    ground: Codes,
    warmth: Grid,
    moisture: Grid,
    shore: Grid,
    fresh: Grid,
    patches: Grid,
) -> Codes:
    """The `Biome` code of each cell.

    Args:
        feet: Feet above the sea; this and all that follow are (height, width).
        sea: Whether a cell is sea.
        lake: Whether it is lake.
        ground: Its `Ground` code.
        warmth: In tenths of a degree.
        moisture: 0 to 100.
        shore: Thirds of a cell to the nearest land, for sea cells.
        fresh: Thirds of a cell to the nearest river, lake or sea.
        patches: Noise that breaks up large biomes.
    """
    height, width = feet.shape
    biomes = np.empty((height, width), np.uint8)
    for y in range(height):
        for x in range(width):
            if sea[y, x]:
                biomes[y, x] = 1 if shore[y, x] <= 9 else 0
                continue
            if lake[y, x]:
                biomes[y, x] = 2
                continue
            # Water nearby makes dry land green.
            wet = moisture[y, x] + max(0, 9 - fresh[y, x])
            warm, patch, rough = warmth[y, x], patches[y, x], ground[y, x]
            if warm < -75:
                biome = 3
            elif rough == 3 or (rough == 2 and warm < 25):
                biome = 14
            elif warm < -10:
                biome = 4
            elif rough == 0 and fresh[y, x] <= 12 and wet + patch // 250 >= 62 and feet[y, x] < 1000:
                biome = 13
            elif warm < 50:
                biome = 6 if wet + patch // 200 < 36 else 5
            elif warm >= 105 and wet < 17:
                biome = 11
            elif warm >= 205 and wet >= 58:
                biome = 12
            elif warm >= 180:
                biome = 10 if wet + patch // 200 < 46 else 9
            elif wet + patch // 120 >= 47:
                biome = 9
            elif rough > 0 and wet + patch // 150 < 36:
                biome = 6
            else:
                biome = 7
            biomes[y, x] = biome
    return biomes
