"""Where people settle: by water, on good soil, away from each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from services.map.generation.stream import Stream
from services.map.kinds.region.climate import Codes
from services.map.kinds.region.compiled import kernel
from services.map.kinds.region.model import Biome, Ground
from services.map.kinds.region.noise import Grid
from services.map.kinds.region.vocabulary import SettlementKind, Siting
from services.map.kinds.region.water import Water, connected_parts

LEAST_SPACING = 4
"""Cells between two settlements, at least."""

_SMALLEST_LAND = 60

_SOIL = np.zeros(16, np.int64)
for _biome, _good in {
    Biome.TUNDRA: 10,
    Biome.TAIGA: 34,
    Biome.HEATH: 40,
    Biome.GRASSLAND: 78,
    Biome.WOODLAND: 62,
    Biome.SAVANNA: 58,
    Biome.DESERT: 8,
    Biome.JUNGLE: 30,
    Biome.SWAMP: 6,
}.items():
    _SOIL[_biome] = _good

_PEOPLE = {
    SettlementKind.HAMLET: (40, 150),
    SettlementKind.VILLAGE: (180, 900),
    SettlementKind.TOWN: (1200, 4500),
    SettlementKind.PORT: (1500, 6000),
    SettlementKind.CITY: (8000, 26000),
    SettlementKind.KEEP: (60, 350),
}


@dataclass(frozen=True, slots=True)
class Home:
    """A settlement without its name."""

    kind: SettlementKind
    cell: tuple[int, int]
    population: int
    siting: Siting


@kernel
def _worth(
    biomes: Codes,
    ground: Codes,
    river: Grid,
    drained: NDArray[np.int32],
    coast: NDArray[np.bool_],
    lake: NDArray[np.bool_],
    noise: Grid,
    parts: Grid,
    settled: Codes,
) -> Grid:
    """How good a cell is to live in; 0 where nobody can.

    Whether a part of the land is settled: 0 for not, 1 for its coast alone, 2 for all of it.
    """
    height, width = biomes.shape
    worth = np.zeros((height, width), np.int32)
    flows, meeting = np.zeros((height, width), np.int32), np.zeros((height, width), np.int64)
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            if river[y, x] > 0:
                for dy in range(-1, 2):
                    for dx in range(-1, 2):
                        flows[y + dy, x + dx] = max(flows[y + dy, x + dx], drained[y * width + x])
                        meeting[y + dy, x + dx] |= 1 << (river[y, x] & 31)
    for y in range(2, height - 2):
        for x in range(2, width - 2):
            biome, rough = biomes[y, x], ground[y, x]
            if biome <= 3 or biome == 14 or rough >= 2 or river[y, x] > 0:
                continue
            if settled[parts[y, x]] == 0 or (settled[parts[y, x]] == 1 and not coast[y, x]):
                continue
            value = 40 + _SOIL[biome] - 25 * rough + noise[y, x] // 300
            flow, banks = flows[y, x], meeting[y, x]
            if flow > 0:
                value += 26 + min(40, int(np.sqrt(float(flow))))
                if banks & (banks - 1):
                    value += 25
            if coast[y, x]:
                value += 45 if flow > 0 else 24
            elif lake[y, x]:
                value += 22
            worth[y, x] = max(1, value)
    return worth


@kernel
def _spread(worth: Grid, wanted: int, spacing: int, cells: NDArray[np.int32]) -> int:
    """Takes the best cell, then the best `spacing` away from all taken, and so on; answers how many."""
    height, width = worth.shape
    rows, columns = (height + 3) // 4, (width + 3) // 4
    best = np.zeros(rows * columns, np.int64)
    for y in range(height):
        for x in range(width):
            block = (y // 4) * columns + x // 4
            value = np.int64(worth[y, x]) << 32 | np.int64(y * width + x)
            if worth[y, x] > 0 and value > best[block]:
                best[block] = value
    taken = 0
    while taken < wanted:
        block = np.argmax(best)
        if best[block] == 0:
            break
        cell = best[block] & 0xFFFFFFFF
        y, x = cell // width, cell % width
        cells[taken] = cell
        taken += 1
        for row in range(max(0, (y - spacing) // 4), min(rows, (y + spacing) // 4 + 1)):
            for column in range(max(0, (x - spacing) // 4), min(columns, (x + spacing) // 4 + 1)):
                there = best[row * columns + column] & 0xFFFFFFFF
                dy, dx = there // width - y, there % width - x
                if dy * dy + dx * dx < spacing * spacing:
                    best[row * columns + column] = 0
    return taken


def spread_out(worth: Grid, wanted: int, spacing: int) -> list[tuple[int, int]]:
    """The best cells that lie `spacing` apart, best first; fewer than wanted when there is no room.

    Args:
        worth: How good each cell is, 0 for never (height, width).
        wanted: How many are looked for.
        spacing: Least distance of two, in cells.
    """
    cells = np.zeros(max(1, wanted), np.int32)
    count = _spread(worth, wanted, spacing, cells) if wanted else 0
    return [(int(cell) % worth.shape[1], int(cell) // worth.shape[1]) for cell in cells[:count]]


def settle(
    wanted: int, biomes: Codes, ground: Codes, feet: Grid, water: Water, noise: Grid, stream: Stream
) -> tuple[Home, ...]:
    """Finds the settlements of a region, the best sited first.

    Only land that hangs together over at least 60 passable cells is settled, and beside the largest such land
    only the coast: a settlement on an island needs a harbor.

    Args:
        wanted: How many are looked for.
        biomes: `Biome` codes (height, width).
        ground: `Ground` codes.
        feet: Feet above the sea.
        water: Rivers and lakes.
        noise: Breaks ties.
        stream: Draws how many people live where.
    """
    sea = biomes <= Biome.SHALLOWS
    coast, lake = _beside(sea), _beside(water.lakes > 0)
    open_land = ((biomes > Biome.LAKE) & (ground < Ground.PEAK)).astype(np.uint8)
    # No way leads along the very edge of the map, so nothing hangs together there.
    open_land[0], open_land[-1], open_land[:, 0], open_land[:, -1] = 0, 0, 0, 0
    parts, sizes = connected_parts(open_land)
    if wanted == 0 or sizes.size < 2:
        return ()
    main = int(np.argmax(sizes))
    settled = (sizes >= _SMALLEST_LAND).astype(np.uint8)
    settled[0], settled[main] = 0, 2 * settled[main]
    worth = _worth(biomes, ground, water.river, water.drained, coast, lake, noise, parts, settled)
    keeps = wanted // 9
    cells = _apart(worth, wanted)
    strong = spread_out(_strongholds(ground, feet, worth, cells), keeps, 2 * LEAST_SPACING)
    cells = cells[: wanted - len(strong)]
    cells = _with_harbor(cells, worth, parts, main, coast)
    homes = [
        _home(rank, cell, biomes, ground, water, coast, lake, len(cells), stream)
        for rank, cell in enumerate(cells)
    ]
    homes += [
        Home(SettlementKind.KEEP, cell, _people(SettlementKind.KEEP, stream), Siting.HEIGHTS)
        for cell in strong
    ]
    return tuple(homes)


def _beside(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The cells that touch a marked cell, and these themselves."""
    tall = mask.copy()
    tall[1:] |= mask[:-1]
    tall[:-1] |= mask[1:]
    wide = tall.copy()
    wide[:, 1:] |= tall[:, :-1]
    wide[:, :-1] |= tall[:, 1:]
    return wide


def _apart(worth: Grid, wanted: int) -> list[tuple[int, int]]:
    """Spreads the settlements over the land, nearer together when they are many."""
    room = int(np.count_nonzero(worth))
    spacing = max(LEAST_SPACING, int((room / max(1, wanted)) ** 0.5 * 0.9))
    while True:
        cells = spread_out(worth, wanted, spacing)
        if len(cells) == wanted or spacing == LEAST_SPACING:
            return cells
        spacing = max(LEAST_SPACING, spacing * 3 // 4)


def _with_harbor(
    cells: list[tuple[int, int]], worth: Grid, parts: Grid, main: int, coast: NDArray[np.bool_]
) -> list[tuple[int, int]]:
    """Gives the main land a harbor when islands are settled; the last settlement there moves."""
    inner = [cell for cell in cells if parts[cell[1], cell[0]] == main]
    if len(inner) == len(cells) or not inner or any(coast[y, x] for x, y in inner):
        return cells
    rest = [cell for cell in cells if cell != inner[-1]]
    shores = np.where((parts == main) & coast, worth, 0).astype(np.int32)
    for x, y in rest:
        shores[
            max(0, y - LEAST_SPACING) : y + LEAST_SPACING + 1,
            max(0, x - LEAST_SPACING) : x + LEAST_SPACING + 1,
        ] = 0
    found = spread_out(shores, 1, LEAST_SPACING)
    if found:
        return [*rest, *found]
    return inner


def _strongholds(ground: Codes, feet: Grid, worth: Grid, cells: list[tuple[int, int]]) -> Grid:
    """Where a keep may stand: hills, the higher the better, not beside a settlement."""
    heights = np.where((ground == Ground.HILLS) & (worth > 0), 1 + feet, 0).astype(np.int32)
    room = LEAST_SPACING + 2
    for x, y in cells:
        heights[max(0, y - room) : y + room + 1, max(0, x - room) : x + room + 1] = 0
    return heights


def _home(
    rank: int,
    cell: tuple[int, int],
    biomes: Codes,
    ground: Codes,
    water: Water,
    coast: NDArray[np.bool_],
    lake: NDArray[np.bool_],
    count: int,
    stream: Stream,
) -> Home:
    x, y = cell
    siting = _siting(cell, biomes, ground, water, coast, lake)
    harbor = bool(coast[y, x])
    if rank == 0 and count >= 6:
        kind = SettlementKind.CITY
    elif rank <= count // 5:
        kind = SettlementKind.PORT if harbor else SettlementKind.TOWN
    elif rank <= count * 3 // 5:
        kind = SettlementKind.VILLAGE
    else:
        kind = SettlementKind.HAMLET
    return Home(kind, cell, _people(kind, stream), siting)


def _siting(
    cell: tuple[int, int],
    biomes: Codes,
    ground: Codes,
    water: Water,
    coast: NDArray[np.bool_],
    lake: NDArray[np.bool_],
) -> Siting:
    x, y = cell
    rivers = {int(n) for n in water.river[y - 1 : y + 2, x - 1 : x + 2].ravel() if n}
    biome = int(biomes[y, x])
    if coast[y, x]:
        return Siting.RIVER_MOUTH if rivers else Siting.HARBOR
    if len(rivers) > 1:
        return Siting.CONFLUENCE
    if biome == Biome.DESERT:
        return Siting.OASIS
    if rivers:
        return Siting.RIVERSIDE
    if lake[y, x]:
        return Siting.LAKESIDE
    if ground[y, x] == Ground.HILLS:
        return Siting.MINES
    if biome in (Biome.WOODLAND, Biome.TAIGA, Biome.JUNGLE):
        return Siting.TIMBER
    return Siting.FERTILE_LAND if biome == Biome.GRASSLAND else Siting.PASTURE


def _people(kind: SettlementKind, stream: Stream) -> int:
    """A number of people, in tens."""
    low, high = _PEOPLE[kind]
    return stream.between(low // 10, high // 10) * 10
