"""Roads, tracks, paths and ferries: the cheapest ways between neighbors.

One search from all settlements at once (Dijkstra with a circular bucket queue) tells for every cell the
settlement that is nearest in effort, and the way there. Two settlements whose realms touch are neighbors,
joined where that costs least; ways to the same settlement share their last miles. A spanning tree of the
cheapest joins, and some more where the tree would be a long way around, make the network. Ferries are found
the same way over the sea.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from services.map.kinds.region.climate import Codes
from services.map.kinds.region.compiled import kernel
from services.map.kinds.region.model import Biome, Cell
from services.map.kinds.region.noise import Grid
from services.map.kinds.region.water import Water

_BUCKETS = 2048
CHANNEL = 400
"""More effort than this marks the channel of a boat: it may slant between the banks."""
_DETOUR = 2.3
"""A join is built besides the tree's when the tree's way costs this many times as much."""

_AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))

_EFFORT = np.zeros(16, np.int32)
for _biome, _cost in {
    Biome.GLACIER: 70,
    Biome.TUNDRA: 13,
    Biome.TAIGA: 17,
    Biome.HEATH: 11,
    Biome.GRASSLAND: 10,
    Biome.FARMLAND: 10,
    Biome.WOODLAND: 16,
    Biome.SAVANNA: 10,
    Biome.DESERT: 15,
    Biome.JUNGLE: 30,
    Biome.SWAMP: 40,
    Biome.ROCK: 30,
}.items():
    _EFFORT[_biome] = _cost
_ROUGH = np.array((0, 9, 45, 0), np.int32)


@dataclass(frozen=True, slots=True)
class Search:
    """What one search from several starts found.

    Attributes:
        cost: Effort from the nearest start, -1 where none leads (row by row).
        source: Index of that start, -1 where there is none.
        before: The cell before on the way from the start, -1 at a start.
        joins: For each two starts with touching realms (the lower index first) the least effort of a way
            between them, and the two cells where it passes from one realm into the other.
    """

    cost: NDArray[np.int32]
    source: NDArray[np.int32]
    before: NDArray[np.int32]
    joins: dict[tuple[int, int], tuple[int, int, int]]


@kernel
def _searched(
    effort: Grid, feet: Grid, starts: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
    height, width = effort.shape
    count = height * width
    efforts, heights = effort.ravel(), feet.ravel()
    cost = np.full(count, -1, np.int32)
    source = np.full(count, -1, np.int32)
    before = np.full(count, -1, np.int32)
    # An entry of the queue is a cell with the cost it was entered at; a later, cheaper entry makes it stale.
    room = 4 * count + starts.size
    entry_cell = np.empty(room, np.int32)
    entry_next = np.empty(room, np.int32)
    head = np.full(_BUCKETS, -1, np.int32)
    entries = pending = 0
    for i in range(starts.size):
        cell = starts[i]
        cost[cell], source[cell] = 0, i
        entry_cell[entries], entry_next[entries] = cell, head[0]
        head[0] = entries
        entries += 1
        pending += 1
    offsets, flanks = np.empty(8, np.int64), np.empty(8, np.int64)
    for turn in range(8):
        offsets[turn], flanks[turn] = _AROUND[turn][1] * width + _AROUND[turn][0], _AROUND[turn][0]
    now = 0
    joins = np.full((starts.size, starts.size, 3), -1, np.int64)
    while pending > 0:
        bucket = now & (_BUCKETS - 1)
        while head[bucket] >= 0:
            entry = head[bucket]
            head[bucket] = entry_next[entry]
            pending -= 1
            cell = entry_cell[entry]
            if cost[cell] != now:
                continue
            here, height_here, own = efforts[cell], heights[cell], source[cell]
            bare = here % 200
            for turn in range(8):
                other = cell + offsets[turn]
                there = efforts[other]
                if there <= 0:
                    continue
                known = cost[other]
                settled = 0 <= known <= now
                # Nearly half of all looks go back to where the search came from.
                if settled and source[other] == own:
                    continue
                slanting = turn >= 4
                # A slanting step never cuts a corner that cannot be stepped on, nor slips between two river
                # cells.
                if slanting and (here < CHANNEL or there < CHANNEL):
                    beside, below = efforts[cell + flanks[turn]], efforts[other - flanks[turn]]
                    if beside <= 0 or below <= 0 or (beside >= 200 and below >= 200):
                        continue
                # Half of both cells' efforts, the more for a slanting step; shifts, for division is slow
                # here.
                step = (bare + (there - CHANNEL if there >= CHANNEL else there)) * (
                    181 if slanting else 128
                ) >> 8
                step += min(200, (abs(heights[other] - height_here) * 21) >> 8)
                step = max(1, min(_BUCKETS - 1, step))
                if settled:
                    a, b = own, source[other]
                    if a != b:
                        whole = now + step + known
                        low, high = min(a, b), max(a, b)
                        if joins[low, high, 0] < 0 or whole < joins[low, high, 0]:
                            joins[low, high, 0] = whole
                            joins[low, high, 1] = cell if a == low else other
                            joins[low, high, 2] = other if a == low else cell
                elif known < 0 or now + step < known:
                    if entries == room:
                        continue
                    cost[other], source[other], before[other] = now + step, own, cell
                    slot = (now + step) & (_BUCKETS - 1)
                    entry_cell[entries], entry_next[entries] = other, head[slot]
                    head[slot] = entries
                    entries += 1
                    pending += 1
        now += 1
    return cost, source, before, joins


def search(effort: Grid, feet: Grid, starts: Sequence[Cell]) -> Search:
    """Finds the cheapest ways from some starts to everywhere.

    Args:
        effort: What a cell costs, 1 to 199; 200 more for a river cell, whose crossing costs as much;
            `CHANNEL` more in a channel; 0 where nobody goes, and so all around the edge (height, width).
        feet: Feet above the sea.
        starts: The starting cells.
    """
    width = effort.shape[1]
    cells = np.array([y * width + x for x, y in starts], np.int32)
    cost, source, before, table = _searched(effort, feet, cells)
    joins = {
        (int(a), int(b)): (int(table[a, b, 0]), int(table[a, b, 1]), int(table[a, b, 2]))
        for a, b in zip(*np.nonzero(table[:, :, 0] >= 0), strict=True)
    }
    return Search(cost, source, before, joins)


def line_back(found: Search, cell: int, width: int) -> list[Cell]:
    """The way from a cell back to its start."""
    line: list[Cell] = []
    while cell >= 0:
        line.append((cell % width, cell // width))
        cell = int(found.before[cell])
    return line


def land_effort(biomes: Codes, ground: Codes, water: Water) -> Grid:
    """What a cell costs a road builder: 0 for water and peaks, 200 more for a river to bridge."""
    return _bounded(_land_effort(biomes, ground, water.river, _EFFORT, _ROUGH))


@kernel
def _land_effort(
    biomes: Codes, ground: Codes, river: Grid, cover: NDArray[np.int32], rough: NDArray[np.int32]
) -> Grid:
    height, width = biomes.shape
    effort = np.zeros((height, width), np.int32)
    for y in range(height):
        for x in range(width):
            if biomes[y, x] > 2 and ground[y, x] < 3:
                bridge = 200 if river[y, x] > 0 else 0
                effort[y, x] = cover[biomes[y, x]] + rough[ground[y, x]] + bridge
    return effort


def _bounded(effort: Grid) -> Grid:
    """The efforts with nobody going along the very edge, so that no search looks beyond it."""
    effort[0], effort[-1], effort[:, 0], effort[:, -1] = 0, 0, 0, 0
    return np.ascontiguousarray(effort, np.int32)


@dataclass(frozen=True, slots=True)
class Join:
    """A way between two starts of a search, by index, and its effort."""

    start: int
    end: int
    line: tuple[Cell, ...]
    cost: int


def network(found: Search, count: int, width: int) -> list[Join]:
    """The ways between settlements: the cheapest spanning tree of each land, and shortcuts.

    Args:
        found: The search from all settlements.
        count: How many there are.
        width: Cells in a row.
    """
    group = list(range(count))

    def root(i: int) -> int:
        while group[i] != i:
            i = group[i]
        return i

    ranked = sorted((cost, pair) for pair, (cost, _, _) in found.joins.items())
    chosen: list[tuple[int, int]] = []
    spare: list[tuple[int, tuple[int, int]]] = []
    for cost, (a, b) in ranked:
        if root(a) == root(b):
            spare.append((cost, (a, b)))
            continue
        group[root(b)] = root(a)
        chosen.append((a, b))
    costs = {pair: found.joins[pair][0] for pair in chosen}
    for cost, (a, b) in spare:
        if _effort_between(a, b, costs, count) > _DETOUR * cost:
            costs[a, b] = cost
    return [_join(found, pair, width) for pair in costs]


def _effort_between(start: int, end: int, costs: dict[tuple[int, int], int], count: int) -> int:
    """Least effort from one settlement to another over the ways built so far (Bellman and Ford)."""
    far = 1 << 60
    best = [far] * count
    best[start] = 0
    changed = True
    while changed:
        changed = False
        for (a, b), cost in costs.items():
            for here, there in ((a, b), (b, a)):
                if best[here] + cost < best[there]:
                    best[there] = best[here] + cost
                    changed = True
    return best[end]


def _join(found: Search, pair: tuple[int, int], width: int) -> Join:
    cost, first, second = found.joins[pair]
    line = [*reversed(line_back(found, first, width)), *line_back(found, second, width)]
    return Join(*pair, tuple(line), cost)


def main_roads(joins: Sequence[Join], important: frozenset[int]) -> set[tuple[int, int]]:
    """The joins between important settlements: what is left when all other dead ends are cut off."""
    left = {(join.start, join.end) for join in joins}
    while True:
        ends: dict[int, int] = {}
        for pair in left:
            for end in pair:
                ends[end] = ends.get(end, 0) + 1
        dead = {pair for pair in left if any(ends[e] == 1 and e not in important for e in pair)}
        if not dead:
            return left
        left -= dead


def ferries(
    joins: Sequence[Join], homes: Sequence[Cell], harbors: Sequence[int], sea: NDArray[np.bool_], feet: Grid
) -> list[Join]:
    """The shortest ferries that tie together what roads leave apart, from harbor to harbor.

    Args:
        joins: The roads.
        homes: The cells of all settlements.
        harbors: Indices of those by the sea.
        sea: Whether a cell is sea (height, width).
        feet: Feet above the sea.
    """
    group = list(range(len(homes)))

    def root(i: int) -> int:
        while group[i] != i:
            i = group[i]
        return i

    for join in joins:
        group[root(join.end)] = root(join.start)
    if len({root(i) for i in range(len(homes))}) < 2 or len(harbors) < 2:
        return []
    effort = _bounded(np.where(sea, 20, 0).astype(np.int32))
    starts = [homes[i] for i in harbors]
    quays = _quays(starts, sea)
    if not quays:
        return []
    found = search(effort, np.zeros_like(feet), [quay for _, quay in quays])
    built: list[Join] = []
    for cost, pair in sorted((cost, pair) for pair, (cost, _, _) in found.joins.items()):
        a, b = (harbors[quays[i][0]] for i in pair)
        if root(a) == root(b):
            continue
        group[root(b)] = root(a)
        join = _join(found, pair, sea.shape[1])
        built.append(Join(a, b, (homes[a], *join.line, homes[b]), cost))
    return built


def _quays(starts: Sequence[Cell], sea: NDArray[np.bool_]) -> list[tuple[int, Cell]]:
    """For each harbor the sea cell beside it; two harbors never share one."""
    height, width = sea.shape
    quays: list[tuple[int, Cell]] = []
    taken: set[Cell] = set()
    for index, (x, y) in enumerate(starts):
        for dx, dy in _AROUND:
            quay = (x + dx, y + dy)
            if 0 <= quay[0] < width and 0 <= quay[1] < height and sea[quay[1], quay[0]] and quay not in taken:
                taken.add(quay)
                quays.append((index, quay))
                break
    return quays
