"""Zones of weather: each square of sixteen cells has the weather of its warmth, rain and height.

The odds are exact twentieths, so that one twenty-sided die a day tells the weather of a journey in the terms
of Forge Engine's travel tables. They are this program's own; the book gives the weathers' effects, not their
odds.
"""

from __future__ import annotations

import numpy as np

from services.map.kinds.region.climate import Air, Codes
from services.map.kinds.region.compiled import kernel
from services.map.kinds.region.land import Land
from services.map.kinds.region.model import SeasonOdds, WeatherZone
from services.map.kinds.region.noise import Grid
from services.map.kinds.region.vocabulary import RegionSeason, WeatherClimate

SIDE = 16
"""Cells along a square of one weather."""

_LETTERS = {
    WeatherClimate.POLAR: "p",
    WeatherClimate.ALPINE: "a",
    WeatherClimate.COLD: "c",
    WeatherClimate.OCEANIC: "o",
    WeatherClimate.CONTINENTAL: "n",
    WeatherClimate.STEPPE: "s",
    WeatherClimate.DESERT: "d",
    WeatherClimate.SAVANNA: "v",
    WeatherClimate.RAINFOREST: "r",
}

Six = tuple[int, int, int, int, int, int]

# Twentieths of scorching, hot, mild, raining, torrential, blizzard: spring, summer, autumn, winter.
_LAND: dict[WeatherClimate, tuple[Six, Six, Six, Six]] = {
    WeatherClimate.POLAR: (
        (0, 0, 11, 2, 0, 7),
        (0, 0, 15, 4, 0, 1),
        (0, 0, 10, 3, 0, 7),
        (0, 0, 8, 0, 0, 12),
    ),
    WeatherClimate.ALPINE: (
        (0, 0, 11, 4, 1, 4),
        (0, 1, 12, 4, 2, 1),
        (0, 0, 10, 4, 1, 5),
        (0, 0, 9, 1, 0, 10),
    ),
    WeatherClimate.COLD: ((0, 0, 12, 5, 1, 2), (0, 1, 13, 5, 1, 0), (0, 0, 11, 6, 1, 2), (0, 0, 11, 2, 0, 7)),
    WeatherClimate.OCEANIC: (
        (0, 0, 11, 8, 1, 0),
        (0, 3, 11, 5, 1, 0),
        (0, 0, 9, 8, 3, 0),
        (0, 0, 9, 8, 1, 2),
    ),
    WeatherClimate.CONTINENTAL: (
        (0, 1, 13, 5, 1, 0),
        (1, 6, 9, 3, 1, 0),
        (0, 1, 12, 6, 1, 0),
        (0, 0, 12, 4, 0, 4),
    ),
    WeatherClimate.STEPPE: (
        (0, 3, 14, 3, 0, 0),
        (3, 8, 8, 1, 0, 0),
        (0, 3, 13, 4, 0, 0),
        (0, 0, 14, 3, 0, 3),
    ),
    WeatherClimate.DESERT: ((5, 9, 6, 0, 0, 0), (12, 7, 1, 0, 0, 0), (5, 9, 6, 0, 0, 0), (0, 5, 14, 1, 0, 0)),
    WeatherClimate.SAVANNA: ((4, 9, 5, 2, 0, 0), (2, 5, 4, 6, 3, 0), (2, 7, 6, 4, 1, 0), (1, 8, 10, 1, 0, 0)),
    WeatherClimate.RAINFOREST: (
        (1, 5, 4, 7, 3, 0),
        (1, 4, 2, 7, 6, 0),
        (1, 5, 3, 7, 4, 0),
        (1, 6, 6, 5, 2, 0),
    ),
}

# Twentieths of becalmed, calm, favorable, ideal, gale, stormy: spring, summer, autumn, winter.
_CALM_WATER: tuple[Six, Six, Six, Six] = (
    (2, 5, 7, 4, 1, 1),
    (4, 7, 5, 3, 1, 0),
    (2, 4, 6, 3, 3, 2),
    (1, 4, 6, 2, 4, 3),
)
_ROUGH_WATER: tuple[Six, Six, Six, Six] = (
    (1, 4, 6, 4, 3, 2),
    (2, 5, 7, 4, 1, 1),
    (1, 3, 5, 3, 5, 3),
    (1, 2, 5, 2, 5, 5),
)
_TRADE_WATER: tuple[Six, Six, Six, Six] = (
    (3, 4, 6, 6, 1, 0),
    (3, 3, 5, 5, 2, 2),
    (2, 3, 5, 5, 2, 3),
    (3, 4, 6, 6, 1, 0),
)
_WARM_CLIMATES = (WeatherClimate.DESERT, WeatherClimate.SAVANNA, WeatherClimate.RAINFOREST)
_ROUGH_CLIMATES = (WeatherClimate.POLAR, WeatherClimate.COLD, WeatherClimate.OCEANIC, WeatherClimate.ALPINE)


def zone_of(climate: WeatherClimate) -> WeatherZone:
    """The weather of a climate in all four seasons."""
    if climate in _WARM_CLIMATES:
        water = _TRADE_WATER
    else:
        water = _ROUGH_WATER if climate in _ROUGH_CLIMATES else _CALM_WATER
    odds = tuple(
        SeasonOdds(season, on_land, on_water)
        for season, on_land, on_water in zip(RegionSeason, _LAND[climate], water, strict=True)
    )
    return WeatherZone(_LETTERS[climate], climate, odds)


_ORDER = tuple(WeatherClimate)
_POLAR, _ALPINE, _COLD, _OCEANIC, _CONTINENTAL, _STEPPE, _DESERT, _SAVANNA, _RAINFOREST = range(9)


def weather_zones(land: Land, air: Air) -> tuple[tuple[WeatherZone, ...], bytes]:
    """The zones of a region, and for each square, row by row, the index of its zone."""
    codes = _climates(land.feet, air.warmth, air.moisture, SIDE)
    present = np.unique(codes)
    zones = tuple(zone_of(_ORDER[code]) for code in present.tolist())
    return zones, np.searchsorted(present, codes).astype(np.uint8).tobytes()


@kernel
def _climates(feet: Grid, warmth: Grid, moisture: Grid, side: int) -> Codes:
    """The index in `WeatherClimate` of each square, from the means of its cells."""
    height, width = feet.shape
    rows, columns = (height + side - 1) // side, (width + side - 1) // side
    codes = np.empty((rows, columns), np.uint8)
    for row in range(rows):
        for column in range(columns):
            bottom, right = min(height, (row + 1) * side), min(width, (column + 1) * side)
            high = warm = wet = 0
            for y in range(row * side, bottom):
                for x in range(column * side, right):
                    high += max(0, feet[y, x])
                    warm += warmth[y, x]
                    wet += moisture[y, x]
            cells = (bottom - row * side) * (right - column * side)
            high, warm, wet = high // cells, warm // cells, wet // cells
            if warm < -25:
                code = _POLAR
            elif high > 3200 and warm < 120:
                code = _ALPINE
            elif warm < 55:
                code = _COLD
            elif warm >= 190 and wet >= 56:
                code = _RAINFOREST
            elif wet < 18:
                code = _DESERT if warm >= 105 else _STEPPE
            elif warm >= 190:
                code = _SAVANNA
            elif wet < 34:
                code = _STEPPE
            else:
                code = _OCEANIC if wet >= 52 else _CONTINENTAL
            codes[row, column] = code
    return codes
