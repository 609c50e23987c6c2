"""What bears a name beside settlements, and the places of interest."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from services.map.generation.stream import Stream
from services.map.kinds.region.climate import Codes
from services.map.kinds.region.compiled import kernel
from services.map.kinds.region.model import Biome, Cell, Feature, Ground, Site
from services.map.kinds.region.names import Tongue
from services.map.kinds.region.noise import Grid
from services.map.kinds.region.siting import spread_out
from services.map.kinds.region.vocabulary import FeatureKind, SiteKind
from services.map.kinds.region.water import connected_parts

_MOST = {
    FeatureKind.MOUNTAINS: 4,
    FeatureKind.FOREST: 5,
    FeatureKind.SWAMP: 3,
    FeatureKind.DESERT: 2,
    FeatureKind.ICE: 1,
    FeatureKind.PLAIN: 2,
    FeatureKind.HILLS: 2,
    FeatureKind.SEA: 2,
    FeatureKind.BAY: 3,
    FeatureKind.ISLAND: 8,
}
"""How many of a kind bear a name, the largest first."""

_LEAST = {
    FeatureKind.MOUNTAINS: 400,
    FeatureKind.FOREST: 260,
    FeatureKind.SWAMP: 900,
    FeatureKind.DESERT: 160,
    FeatureKind.ICE: 300,
    FeatureKind.PLAIN: 60,
    FeatureKind.HILLS: 220,
    FeatureKind.SEA: 40,
    FeatureKind.ISLAND: 2500,
}
"""A stretch bears a name when it covers more than one part in this many of the map."""

_APART = 5
"""Cells between a settlement and a place of interest."""

HIDDEN = frozenset((SiteKind.CAVE, SiteKind.LAIR))
"""What only the game master knows of."""


@kernel
def measured(parts: Grid, codes: Codes | Grid, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each part its code and the sums of 1, x, y, xx, yy and xy; and the cell nearest to its middle."""
    height, width = parts.shape
    sums = np.zeros((count, 7), np.int64)
    for y in range(height):
        for x in range(width):
            part = parts[y, x]
            if part > 0:
                one = sums[part]
                one[0] = codes[y, x]
                one[1] += 1
                one[2] += x
                one[3] += y
                one[4] += x * x
                one[5] += y * y
                one[6] += x * y
    nearest = np.full((count, 2), -1, np.int64)
    for y in range(height):
        for x in range(width):
            part = parts[y, x]
            if part > 0 and sums[part, 1] > 7:
                size = sums[part, 1]
                dx, dy = x - sums[part, 2] // size, y - sums[part, 3] // size
                gap = dx * dx + dy * dy
                if nearest[part, 0] < 0 or gap < nearest[part, 1]:
                    nearest[part, 0], nearest[part, 1] = y * width + x, gap
    return sums, nearest[:, 0].copy()


def name_features(biomes: Codes, ground: Codes, tongue: Tongue) -> tuple[Feature, ...]:
    """Names the large stretches of one kind.

    Args:
        biomes: `Biome` codes (height, width).
        ground: `Ground` codes.
        tongue: Gives the names.
    """
    found = [*_stretches(biomes, ground), *_islands(biomes), *_bays(biomes)]
    features: list[Feature] = []
    numbers: dict[FeatureKind, int] = {}
    for kind, size, at, spine in found:
        numbers[kind] = numbers.get(kind, 0) + 1
        name = tongue.feature(kind, numbers[kind])
        features.append(Feature(f"feature-{len(features) + 1}", kind, name, at, size, spine))
    return tuple(features)


Found = tuple[FeatureKind, int, Cell, tuple[Cell, Cell]]


def _stretches(biomes: Codes, ground: Codes) -> list[Found]:
    step = _step(biomes)
    biomes = biomes[::step, ::step]
    kinds = _kinds(biomes, ground[::step, ::step])
    parts, sizes = connected_parts(kinds)
    sums, nearest = measured(parts, kinds, sizes.size)
    found: list[Found] = []
    for code, kind in enumerate(_LAND_KINDS, 1):
        least = max(25, biomes.size // _LEAST[kind])
        mine = np.flatnonzero((sums[:, 0] == code) & (sizes >= least)).tolist()
        mine.sort(key=lambda part: (-int(sizes[part]), part))
        found += [
            _found(kind, sums[part], int(nearest[part]), biomes.shape, step) for part in mine[: _MOST[kind]]
        ]
    return found


def _step(biomes: Codes) -> int:
    """Names go to large stretches: on large maps every other cell tells enough of them."""
    return max(1, int(max(biomes.shape)) // 256)


def _islands(biomes: Codes) -> list[Found]:
    """Lands apart from the largest one; that one too when it is not much of the map."""
    step = _step(biomes)
    land = (biomes[::step, ::step] >= Biome.LAKE).astype(np.uint8)
    parts, sizes = connected_parts(land, slanting=True)
    if sizes.size < 2:
        return []
    sums, nearest = measured(parts, land, sizes.size)
    least = max(9, land.size // _LEAST[FeatureKind.ISLAND])
    ranked = sorted(range(1, sizes.size), key=lambda part: (-int(sizes[part]), part))
    mine = [part for part in ranked if least <= sizes[part] < land.size // 6]
    return [
        _found(FeatureKind.ISLAND, sums[part], int(nearest[part]), land.shape, step)
        for part in mine[: _MOST[FeatureKind.ISLAND]]
    ]


def _bays(biomes: Codes) -> list[Found]:
    """Waters with much land around: squares of sea whose surroundings are half land."""
    side = max(6, max(biomes.shape) // 32)
    height, width = (length // side * side for length in biomes.shape)
    sea = biomes[:height, :width] <= Biome.SHALLOWS
    shares = sea.reshape(height // side, side, width // side, side).sum(axis=(1, 3)) * 100 // (side * side)
    wide = np.pad(shares, 2, mode="edge")
    rows, columns = shares.shape
    around = sum(wide[dy : dy + rows, dx : dx + columns] for dy in range(5) for dx in range(5)) // 25
    worth = np.where((shares >= 85) & (around >= 22) & (around <= 52), 100 - around, 0).astype(np.int32)
    found: list[Found] = []
    for column, row in spread_out(worth, _MOST[FeatureKind.BAY], 5):
        x, y = column * side + side // 2, row * side + side // 2
        if biomes[y, x] > Biome.SHALLOWS:
            continue
        spine = ((max(0, x - side), y), (min(biomes.shape[1] - 1, x + side), y))
        found.append((FeatureKind.BAY, int(shares[row, column]) * side * side // 100, (x, y), spine))
    return found


def _found(
    kind: FeatureKind, sums: NDArray[np.int64], nearest: int, shape: tuple[int, ...], step: int
) -> Found:
    """A stretch with its long axis, from the sums over every `step`th cell of every `step`th row."""
    height, width = shape
    _, size, sx, sy, sxx, syy, sxy = (int(value) for value in sums)
    # Moments about the middle, times size squared: whole numbers, exact.
    xx, yy, xy = size * sxx - sx * sx, size * syy - sy * sy, size * sxy - sx * sy
    root = sqrt((xx - yy) ** 2 + 4 * xy * xy)
    largest = (xx + yy + root) / 2
    ax, ay = (xy, largest - xx) if abs(xy) > abs(largest - xx) * 1e-6 else (0.0, 1.0)
    if xx >= yy:
        ax, ay = (largest - yy, xy) if largest > yy else (1.0, 0.0)
    norm = sqrt(ax * ax + ay * ay)
    reach = 1.5 * sqrt(max(0.0, largest)) / size
    at = (nearest % width, nearest // width)

    def end(side: int) -> Cell:
        x, y = at[0] + side * reach * ax / norm, at[1] + side * reach * ay / norm
        return min(width - 1, max(0, round(x))) * step, min(height - 1, max(0, round(y))) * step

    ends = sorted((end(-1), end(1)))
    return kind, size * step * step, (at[0] * step, at[1] * step), (ends[0], ends[1])


_LAND_KINDS = (
    FeatureKind.MOUNTAINS,
    FeatureKind.FOREST,
    FeatureKind.SWAMP,
    FeatureKind.DESERT,
    FeatureKind.ICE,
    FeatureKind.PLAIN,
    FeatureKind.HILLS,
    FeatureKind.SEA,
)


def _kinds(biomes: Codes, ground: Codes) -> Codes:
    """For each cell 1 + the index in `_LAND_KINDS` of what it could be part of, else 0."""
    table = np.zeros(16, np.uint8)
    table[[Biome.SEA, Biome.SHALLOWS]] = 8
    table[[Biome.TAIGA, Biome.WOODLAND, Biome.JUNGLE]] = 2
    table[Biome.SWAMP] = 3
    table[Biome.DESERT] = 4
    table[Biome.GLACIER] = 5
    table[[Biome.GRASSLAND, Biome.FARMLAND, Biome.SAVANNA, Biome.HEATH, Biome.TUNDRA]] = 6
    kinds = table[biomes]
    kinds[(kinds == 6) & (ground == Ground.HILLS)] = 7
    kinds[(ground >= Ground.MOUNTAINS) & (biomes != Biome.GLACIER)] = 1
    return kinds


_HAUNTS = {
    Ground.LEVEL: (SiteKind.RUIN, SiteKind.SHRINE, SiteKind.STONES, SiteKind.TOWER, SiteKind.LAIR),
    Ground.HILLS: (SiteKind.TOWER, SiteKind.RUIN, SiteKind.MINE, SiteKind.CAVE, SiteKind.STONES),
    Ground.MOUNTAINS: (SiteKind.CAVE, SiteKind.LAIR, SiteKind.MINE, SiteKind.SHRINE),
}


def find_sites(
    wanted: int,
    biomes: Codes,
    ground: Codes,
    reached: NDArray[np.bool_],
    homes: Sequence[Cell],
    noise: Grid,
    tongue: Tongue,
    stream: Stream,
) -> tuple[Site, ...]:
    """Finds places of interest, away from settlements.

    Args:
        wanted: How many are looked for.
        biomes: `Biome` codes (height, width).
        ground: `Ground` codes.
        reached: Whether a cell can be reached from a settlement; where there is none, any land will do.
        homes: Cells of the settlements.
        noise: Where they lie.
        tongue: Gives the names.
        stream: Draws what they are.
    """
    open_land = (biomes > Biome.LAKE) & (ground < Ground.PEAK)
    if homes:
        open_land &= reached
    for x, y in homes:
        open_land[max(0, y - _APART) : y + _APART + 1, max(0, x - _APART) : x + _APART + 1] = False
    worth = np.where(open_land, np.maximum(1, noise + 20000), 0).astype(np.int32)
    worth[:3], worth[-3:], worth[:, :3], worth[:, -3:] = 0, 0, 0, 0
    spacing = max(5, round((int(np.count_nonzero(worth)) / max(1, wanted)) ** 0.5 * 0.6))
    sites: list[Site] = []
    for index, (x, y) in enumerate(spread_out(worth, wanted, spacing), 1):
        kind = stream.choice(_HAUNTS[Ground(int(ground[y, x]))])
        sites.append(Site(f"site-{index}", kind, tongue.site(kind, index), (x, y), kind in HIDDEN))
    return tuple(sites)
