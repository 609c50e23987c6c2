"""A region as plain pixels: hill-shaded land in the colors of what grows there, with rivers and roads."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from services.map.kinds.region.compiled import kernel
from services.map.kinds.region.model import Biome, RegionMap
from services.map.kinds.region.render.lines import drawn_ways, river_strokes
from services.map.kinds.region.render.page import Page
from services.map.kinds.region.vocabulary import SettlementKind, WayKind
from services.map.render.shapes import Box

Pixels = NDArray[np.uint8]

_COLORS = {
    Biome.SEA: (94, 138, 158),
    Biome.SHALLOWS: (130, 170, 182),
    Biome.LAKE: (112, 158, 178),
    Biome.GLACIER: (240, 245, 248),
    Biome.TUNDRA: (196, 196, 176),
    Biome.TAIGA: (110, 134, 96),
    Biome.HEATH: (186, 172, 126),
    Biome.GRASSLAND: (192, 200, 132),
    Biome.FARMLAND: (216, 202, 128),
    Biome.WOODLAND: (138, 160, 100),
    Biome.SAVANNA: (214, 196, 124),
    Biome.DESERT: (230, 208, 150),
    Biome.JUNGLE: (92, 138, 84),
    Biome.SWAMP: (140, 160, 130),
    Biome.ROCK: (168, 156, 138),
}
_TABLE = np.zeros((16, 3), np.int32)
for _biome, _color in _COLORS.items():
    _TABLE[_biome] = _color

_RIVER = (76, 124, 150)
_WAYS = {
    WayKind.ROAD: (140, 84, 40),
    WayKind.TRACK: (156, 106, 62),
    WayKind.PATH: (150, 110, 84),
    WayKind.FERRY: (70, 110, 132),
}
_RED, _INK = (166, 44, 30), (48, 34, 22)
_DOTS = {
    SettlementKind.CITY: 1.5,
    SettlementKind.PORT: 1.1,
    SettlementKind.TOWN: 1.1,
    SettlementKind.KEEP: 0.8,
    SettlementKind.VILLAGE: 0.8,
    SettlementKind.HAMLET: 0.55,
}


@kernel
def _shaded(feet: NDArray[np.int16], biomes: Pixels, table: NDArray[np.int32]) -> NDArray[np.int32]:
    """The color of each cell: lit from the north-west, paler with height, darker with depth."""
    height, width = feet.shape
    colors = np.empty((height, width, 3), np.int32)
    for y in range(height):
        for x in range(width):
            biome = biomes[y, x]
            if biome <= 2:
                light, pale = 256 + max(-40, feet[y, x] // 24 if biome < 2 else 0), 0
            else:
                up, left = max(0, feet[max(0, y - 1), x]), max(0, feet[y, max(0, x - 1)])
                low, right = max(0, feet[min(height - 1, y + 1), x]), max(0, feet[y, min(width - 1, x + 1)])
                light = min(316, max(140, 256 - (up - low + left - right) * 20 // 128))
                pale = min(120, max(0, feet[y, x] - 1200) // 50)
            for c in range(3):
                base = table[biome, c]
                base += (236 - base) * pale >> 8
                colors[y, x, c] = min(255, base * light >> 8)
    return colors


@kernel
def _enlarged(colors: NDArray[np.int32], wet: NDArray[np.bool_], px: int) -> Pixels:
    """Pixels between the middles of cells, mixed of those on the same side of the shore."""
    height, width = wet.shape
    image = np.empty((height * px, width * px, 3), np.uint8)
    span = 2 * px
    whole = span * span
    even = (1 << 20) // whole
    for j in range(height * px):
        down = 2 * j + 1 - px
        y0 = down // span
        fy = down - y0 * span
        y1, y0 = min(height - 1, y0 + 1), max(0, y0)
        for i in range(width * px):
            across = 2 * i + 1 - px
            x0 = across // span
            fx = across - x0 * span
            x1, x0 = min(width - 1, x0 + 1), max(0, x0)
            a, b = (span - fx) * (span - fy), fx * (span - fy)
            c, d = (span - fx) * fy, fx * fy
            wet_a, wet_b, wet_c, wet_d = wet[y0, x0], wet[y0, x1], wet[y1, x0], wet[y1, x1]
            if wet_a == wet_b and wet_b == wet_c and wet_c == wet_d:
                share = even
            else:
                under = (a if wet_a else 0) + (b if wet_b else 0) + (c if wet_c else 0) + (d if wet_d else 0)
                sea = 2 * under > whole
                a, b = (a if wet_a == sea else 0), (b if wet_b == sea else 0)
                c, d = (c if wet_c == sea else 0), (d if wet_d == sea else 0)
                share = (1 << 20) // (a + b + c + d)
            for k in range(3):
                mixed = a * colors[y0, x0, k] + b * colors[y0, x1, k]
                mixed += c * colors[y1, x0, k] + d * colors[y1, x1, k]
                image[j, i, k] = min(255, mixed * share >> 20)
    return image


@kernel
def _stroked(
    image: Pixels, spots: NDArray[np.float64], radius: float, red: int, green: int, blue: int
) -> None:
    """Paints discs along a line, close enough to be a stroke."""
    height, width, _ = image.shape
    reach = int(radius) + 1
    for n in range(max(1, len(spots) - 1)):
        ax, ay = spots[n, 0], spots[n, 1]
        last = min(len(spots) - 1, n + 1)
        bx, by = spots[last, 0], spots[last, 1]
        steps = int(max(abs(bx - ax), abs(by - ay))) + 1
        for step in range(steps + 1):
            x, y = ax + (bx - ax) * step / steps, ay + (by - ay) * step / steps
            for j in range(max(0, int(y) - reach), min(height, int(y) + reach + 1)):
                for i in range(max(0, int(x) - reach), min(width, int(x) + reach + 1)):
                    dx, dy = i + 0.5 - x, j + 0.5 - y
                    if dx * dx + dy * dy <= radius * radius:
                        image[j, i, 0], image[j, i, 1], image[j, i, 2] = red, green, blue


def relief(model: RegionMap, px: int) -> Pixels:
    """The region as pixels, for a PNG or WebP.

    Args:
        model: The region.
        px: Pixels in a cell, 1 to 32.

    Returns:
        Red, green and blue: (height * px, width * px, 3).

    Raises:
        ValueError: px is out of range.
    """
    if not 1 <= px <= 32:
        raise ValueError(f"a cell has 1 to 32 pixels, not {px}")
    wet = model.biome_grid <= Biome.LAKE
    image = _enlarged(_shaded(model.height_grid, model.biome_grid, _TABLE), wet, px)
    frame = Box(0.0, 0.0, float(model.width * px), float(model.height * px))
    page = Page(frame, float(px), frame.right, frame.bottom)
    thin = max(0.55, 0.18 * px)
    for river in model.rivers:
        for stroke in river_strokes(river, page):
            _stroked(image, stroke.spots, max(0.55, stroke.width * 0.075 * px), *_RIVER)
    for way in reversed(drawn_ways(model, page)):
        _stroked(image, way.spots, thin * (1.3 if way.kind is WayKind.ROAD else 0.9), *_WAYS[way.kind])
    for home in model.settlements:
        spot = np.array([page.spot(home.at)])
        radius = max(1.0, _DOTS[home.kind] * px * 0.75)
        _stroked(image, spot, radius + max(0.6, 0.15 * px), *_INK)
        _stroked(image, spot, radius, *_RED)
    return image
