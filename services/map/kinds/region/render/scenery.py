"""Mountains, hills, trees and tufts: what grows and rises where nothing else is drawn.

Glyphs stand on a jittered grid, so that they are evenly spread and each knows its own cell; a hash of the
spot decides how it looks. They give way to roads, rivers, signs and words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from services.map.kinds.region.compiled import kernel
from services.map.kinds.region.model import Biome, Ground, RegionMap
from services.map.kinds.region.render.page import Page, Taken
from services.map.render.shapes import Box

_MOUNTAIN_STEP = 21.0
_HILL_STEP = 25.0
_TREE_STEP = 10.5
_TUFT_STEP = 24.0

TREES = {Biome.TAIGA: "fir", Biome.WOODLAND: "oak", Biome.JUNGLE: "palm"}
TUFTS = {
    Biome.SWAMP: "reed",
    Biome.DESERT: "dune",
    Biome.GRASSLAND: "grass",
    Biome.SAVANNA: "acacia",
    Biome.HEATH: "heather",
    Biome.TUNDRA: "moss",
    Biome.GLACIER: "ice",
    Biome.FARMLAND: "furrow",
}
_DENSITY = {
    "reed": 88,
    "dune": 62,
    "grass": 22,
    "acacia": 50,
    "heather": 34,
    "moss": 26,
    "ice": 34,
    "furrow": 92,
}
"""How many in a hundred places of a tuft have one."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """One drawn thing: the middle of its foot, what it is, its size in pixels, and a random number."""

    x: float
    y: float
    what: str
    size: float
    variation: int


@kernel
def _scattered(columns: int, rows: int, key: int) -> NDArray[np.int64]:
    """For each place of a grid three random numbers below 1024: across, down, and how it looks."""
    numbers = np.empty((rows, columns, 3), np.int64)
    for row in range(rows):
        for column in range(columns):
            value = np.uint64(key) ^ (np.uint64(column) * np.uint64(0x9E3779B97F4A7C15))
            value ^= np.uint64(row) * np.uint64(0xC2B2AE3D27D4EB4F)
            value = (value ^ (value >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
            value = (value ^ (value >> np.uint64(32))) * np.uint64(0x94D049BB133111EB)
            numbers[row, column, 0] = np.int64(value >> np.uint64(54))
            numbers[row, column, 1] = np.int64((value >> np.uint64(44)) & np.uint64(1023))
            numbers[row, column, 2] = np.int64((value >> np.uint64(34)) & np.uint64(1023))
    return numbers


def _places(
    model: RegionMap, page: Page, step: float, key: int
) -> Iterator[tuple[float, float, int, int, int]]:
    """Jittered places row by row: pixel, cell, and a random number."""
    frame = page.frame
    down = step * 0.8
    columns, rows = int(frame.width / step) + 1, int(frame.height / down) + 1
    numbers = _scattered(columns, rows, key)
    shift = (np.arange(rows)[:, None] % 2) * 0.5
    xs = frame.left + (np.arange(columns)[None, :] + shift + (numbers[:, :, 0] - 512) / 1600) * step
    ys = frame.top + (np.arange(rows)[:, None] + 0.5 + (numbers[:, :, 1] - 512) / 1600) * down
    i = ((xs - frame.left) / page.scale).astype(np.int64)
    j = ((ys - frame.top) / page.scale).astype(np.int64)
    inside = (xs > frame.left + 6) & (xs < frame.right - 6) & (ys > frame.top + 12) & (ys < frame.bottom - 4)
    inside &= (i < model.width) & (j < model.height)
    looks = numbers[:, :, 2]
    yield from zip(
        xs[inside].tolist(),
        ys[inside].tolist(),
        i[inside].tolist(),
        j[inside].tolist(),
        looks[inside].tolist(),
        strict=True,
    )


def scenery(model: RegionMap, page: Page, taken: Taken) -> list[Glyph]:
    """All glyphs from the back to the front.

    Args:
        model: The region.
        page: Its page.
        taken: Where roads, rivers, signs and words are; mountains are added to it.
    """
    ground, feet = model.ground_grid.tolist(), model.height_grid.tolist()
    biomes = model.biome_grid.tolist()
    glyphs: list[Glyph] = []
    for x, y, i, j, look in _places(model, page, _MOUNTAIN_STEP, 11):
        if ground[j][i] >= Ground.MOUNTAINS:
            size = min(40.0, 13.0 + max(0, feet[j][i] - 1800) / 210) * (0.85 + look / 3400)
            half = size * 0.55
            if taken.free(x - half * 0.8, y - size * 0.8, x + half * 0.8, y + 2):
                glyphs.append(Glyph(x, y, "mountain", size, look))
    mountains = Taken(page)
    for glyph in glyphs:
        mountains.box(_box(glyph))
    for x, y, i, j, look in _places(model, page, _HILL_STEP, 23):
        if ground[j][i] == Ground.HILLS and look < 640 and biomes[j][i] not in TREES:
            box = (x - 9, y - 8, x + 9, y + 2)
            if taken.free(*box) and mountains.free(*box):
                glyphs.append(Glyph(x, y, "hill", 11.0, look))
    for x, y, i, j, look in _places(model, page, _TREE_STEP, 37):
        tree = TREES.get(Biome(biomes[j][i])) if biomes[j][i] in _TREE_CODES else None
        if tree is not None and ground[j][i] < Ground.MOUNTAINS:
            box = (x - 4, y - 9, x + 4, y + 1)
            if taken.free(*box) and mountains.free(*box):
                glyphs.append(Glyph(x, y, tree, 11.0, look))
    for x, y, i, j, look in _places(model, page, _TUFT_STEP, 41):
        tuft = _TUFT_BY_CODE.get(biomes[j][i])
        if tuft is None or ground[j][i] >= Ground.MOUNTAINS or look % 100 >= _DENSITY[tuft]:
            continue
        if tuft == "grass" and ground[j][i] == Ground.HILLS:
            continue
        box = (x - 8, y - 7, x + 8, y + 2)
        if taken.free(*box) and mountains.free(*box):
            glyphs.append(Glyph(x, y, tuft, 10.0, look))
    return sorted(glyphs, key=lambda glyph: (glyph.y, glyph.x))


_TREE_CODES = frozenset(int(biome) for biome in TREES)
_TUFT_BY_CODE = {int(biome): tuft for biome, tuft in TUFTS.items()}


def _box(glyph: Glyph) -> Box:
    half = glyph.size * 0.5
    return Box(glyph.x - half, glyph.y - glyph.size * 0.75, glyph.x + half, glyph.y)
