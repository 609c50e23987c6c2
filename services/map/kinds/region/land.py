"""The ground: noise bent to a shape, the sea let in, and valleys cut so that every drop runs down to the sea.

    noise + shape -> flood from the edges (priority flood, Barnes et al. 2014) -> sea level -> valleys -> feet

The flood visits cells in the order in which rising water would come to them. It gives each cell the one its
water runs to, and the level at which the sea would reach it: the sea is what lies below that level, so its
share of the map is met exactly. Valleys are then cut upstream: a cell stands above the next one downstream by
what it did before, less the more it drains. So no hollow is left but the flat lakes, and rivers fall all the
way.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from services.map.generation.stream import Stream
from services.map.kinds.region.compiled import kernel
from services.map.kinds.region.noise import Grid, fractal
from services.map.kinds.region.parameters import RegionParameters, wanted_land
from services.map.kinds.region.vocabulary import RegionRelief, RegionShape

_TOP = 16383
"""The highest raw height: the flood keeps one queue for each."""

_SUMMITS = {
    RegionRelief.FLAT: 700,
    RegionRelief.ROLLING: 2200,
    RegionRelief.HILLY: 4800,
    RegionRelief.MOUNTAINOUS: 9800,
}
"""Feet of the highest land."""

_RIDGES = {
    RegionRelief.FLAT: 0,
    RegionRelief.ROLLING: 40,
    RegionRelief.HILLY: 75,
    RegionRelief.MOUNTAINOUS: 120,
}
"""How much of the height is mountain chains, in hundredths."""

_SIDES = (
    (4096, 0),
    (2896, 2896),
    (0, 4096),
    (-2896, 2896),
    (-4096, 0),
    (-2896, -2896),
    (0, -4096),
    (2896, -2896),
)
_AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
_BIASES = {
    RegionShape.ISLAND: 0,
    RegionShape.COAST: 1,
    RegionShape.INLAND: 2,
    RegionShape.ARCHIPELAGO: 3,
    RegionShape.PENINSULA: 4,
}

Flat = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Land:
    """The ground and how water runs over it.

    Attributes:
        feet: Feet above the sea (height, width); at most -1 in the sea, at least 1 on land.
        sea: Whether a cell is sea (height, width).
        pooled: How deep, in raw steps, rising water would fill a hollow of the ground as it first was.
        downstream: For each cell, counted row by row, the cell its water runs to; -1 at the edge of the map.
        order: The cells in an order in which each comes after its downstream one.
    """

    feet: Grid
    sea: NDArray[np.bool_]
    pooled: Grid
    downstream: Flat
    order: Flat


@kernel
def _shaped(noise: Grid, crests: Grid, chains: Grid, shape: int, ux: int, uy: int, ridges: int) -> Grid:
    """Adds the shape and the mountain chains to the noise."""
    height, width = noise.shape
    raw = np.empty((height, width), np.int32)
    across_map = np.empty(width, np.int64)
    for x in range(width):
        across_map[x] = ((2 * x + 1) * 4096) // width - 4096
    for y in range(height):
        dy = ((2 * y + 1) * 4096) // height - 4096
        for x in range(width):
            dx = across_map[x]
            # Round corners: the rim is an octagon.
            edge = max(abs(dx), abs(dy), (abs(dx) + abs(dy)) * 45 >> 6)
            rim = max(0, edge - 2500)
            guard = ((rim * rim * 91) >> 12) + max(0, edge - 3900) * 40
            along = (dx * ux + dy * uy) >> 12
            across = abs(dx * uy - dy * ux) >> 12
            far = (dx * dx + dy * dy) >> 12
            if shape == 0:
                bias = -far * 2 - guard
            elif shape == 1:
                bias = along * 3
            elif shape == 2:
                bias = along * 2
            elif shape == 3:
                bias = -far // 2 - guard
            else:
                # Sea on three sides, and a neck that widens toward the fourth.
                wide = max(0, across - 1000 - max(0, along) // 4)
                bias = along * 2 - ((wide * wide) >> 10) - guard * min(1600, max(0, 3000 - along)) // 1600
            base = noise[y, x] + bias
            inner = min(4096, max(0, base + 6000) >> 1)
            chain = min(4096, max(0, chains[y, x] * 2 + 1200))
            rise = (max(0, crests[y, x] + 2500) * chain) >> 12
            raw[y, x] = base + ((rise * inner) >> 12) * ridges // 100
    return raw


@kernel
def _flood(raw: Grid) -> tuple[Flat, Flat, Flat]:
    """Lets water rise from the edges: fill level, next cell downstream, and order of each cell."""
    height, width = raw.shape
    count = height * width
    heights = raw.ravel()
    level = np.empty(count, np.int32)
    downstream = np.full(count, -2, np.int32)
    order = np.empty(count, np.int32)
    following = np.empty(count, np.int32)
    first = np.full(16384, -1, np.int32)
    last = np.full(16384, -1, np.int32)
    for y in range(height):
        step = 1 if y in (0, height - 1) else width - 1
        for x in range(0, width, step):
            cell = y * width + x
            at = raw[y, x]
            level[cell], downstream[cell], following[cell] = at, -1, -1
            if first[at] < 0:
                first[at] = cell
            else:
                following[last[at]] = cell
            last[at] = cell
    beside = np.empty(8, np.int64)
    for turn in range(8):
        beside[turn] = _AROUND[turn][1] * width + _AROUND[turn][0]
    done = 0
    for at in range(16384):
        while first[at] >= 0:
            cell = first[at]
            first[at] = following[cell]
            order[done] = cell
            done += 1
            # Only a cell on the edge has neighbors that are off the map.
            edge = downstream[cell] < 0
            # Straight neighbors first, so that water takes the straight way among equals.
            for turn in range(8):
                other = cell + beside[turn]
                if edge:
                    y, x = cell // width + _AROUND[turn][1], cell % width + _AROUND[turn][0]
                    if not (0 <= y < height and 0 <= x < width):
                        continue
                if downstream[other] != -2:
                    continue
                downstream[other] = cell
                ground = heights[other]
                up = max(at, ground)
                level[other] = up
                # Over a flat floor water would run dead straight; some cells jump the queue, so it winds.
                if first[up] < 0:
                    first[up] = last[up] = other
                    following[other] = -1
                elif up > ground and (other * 2654435761 >> 13) & 3 == 0:
                    following[other] = first[up]
                    first[up] = other
                else:
                    following[other] = -1
                    following[last[up]] = other
                    last[up] = other
    return level, downstream, order


@kernel
def _carved(raw: Grid, level: Flat, downstream: Flat, order: Flat, shore: int, summit: int) -> Grid:
    """Cuts the valleys and turns raw heights into feet."""
    height, width = raw.shape
    count = height * width
    drained = np.ones(count, np.int32)
    for i in range(count - 1, -1, -1):
        if downstream[order[i]] >= 0:
            drained[downstream[order[i]]] += drained[order[i]]
    # How much of a rise is kept, in 256 parts, by the root of what runs there: rivers cut, brooks hardly do.
    kept = np.empty(int(np.sqrt(float(count))) + 2, np.int64)
    for root in range(kept.size):
        kept[root] = 64 + ((256 * 9 // (8 + root)) * 3 >> 2)
    carved = np.zeros(count, np.int64)
    highest = 1
    for i in range(count):
        cell = order[i]
        if level[cell] < shore:
            continue
        below = downstream[cell]
        if below < 0:
            carved[cell] = (level[cell] - shore + 1) << 8
        else:
            gain = level[cell] - max(level[below], shore - 1)
            carved[cell] = carved[below] + gain * kept[int(np.sqrt(float(drained[cell])))]
        highest = max(highest, carved[cell])
    feet = np.empty((height, width), np.int32)
    scale = 4096.0 / highest
    for y in range(height):
        for x in range(width):
            cell = y * width + x
            if level[cell] < shore:
                feet[y, x] = -1 - (shore - raw[y, x]) // 8
            else:
                t = int(carved[cell] * scale)
                # Wide lowlands and steep heights: the mean of t and its square.
                feet[y, x] = max(1, (summit * (t * (4096 + 3 * t) >> 14)) >> 12)
    return feet


def raise_land(parameters: RegionParameters, stream: Stream) -> Land:
    """Raises the land of a region.

    Args:
        parameters: Of the region.
        stream: The stream `land` of the attempt.
    """
    height, width, shape = parameters.height, parameters.width, parameters.shape
    side = max(height, width)
    # An archipelago is made of smaller swells than a continent.
    period = max(8, side // 5 if shape is RegionShape.ARCHIPELAGO else side // 3)
    noise = fractal(stream, height, width, period, 6)
    crests = fractal(stream, height, width, max(8, side // 5), 4, ridged=True)
    chains = fractal(stream, height, width, max(8, side * 2 // 5), 2)
    ux, uy = _SIDES[stream.below(4) * 2 if shape is RegionShape.PENINSULA else stream.below(8)]
    raw = _shaped(noise, crests, chains, _BIASES[shape], ux, uy, _RIDGES[parameters.relief])
    low, high = int(raw.min()), int(raw.max())
    raw = ((raw - low).astype(np.int64) * _TOP // max(1, high - low)).astype(np.int32)
    level, downstream, order = _flood(raw)
    shore = _sea_level(level, wanted_land(parameters))
    feet = _carved(raw, level, downstream, order, shore, _SUMMITS[parameters.relief])
    filled = level.reshape(height, width)
    return Land(feet, filled < shore, filled - raw, downstream, order)


def _sea_level(level: Flat, land_percent: int) -> int:
    """The level at which the sea takes its share of the map, or comes nearest to it: basins fill at once."""
    wanted = level.size * (100 - land_percent) // 100
    if wanted == 0:
        return 0
    below = np.concatenate(([0], np.cumsum(np.bincount(level, minlength=_TOP + 1))))
    return int(np.argmin(np.abs(below - wanted)))
