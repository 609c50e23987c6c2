"""Questions of travellers: what a cell is in the terms of Forge Engine's travel tables, and the quickest way.

The rows of the table of terrain are `TravelTerrain`. The book has no row for open country without a way, nor
for woods that are no jungle; this program decides (the first line that fits):

    water                                     WATER
    a peak                                    PEAK, nobody crosses it
    a road through swamp or jungle            ROAD, a causeway or a cutting; HILLY_ROAD in hills
    a track or path through jungle            JUNGLE_PATH
    any way through mountains                 MOUNTAIN_PATH
    any way through hills                     HILLY_ROAD
    any other way but through swamp           ROAD
    swamp                                     SWAMP
    jungle                                    JUNGLE
    mountains, glaciers                       MOUNTAIN
    woods (temperate or boreal)               JUNGLE_PATH: half speed on foot, hard for mounts, none for carts
    hills                                     MOUNTAIN_PATH: half speed
    level open land                           HILLY_ROAD: three quarters, a row below the open track

So a way is always worth finding, and open land never stops a cart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from services.map.kinds.region.model import FORESTS, WATER, Biome, Cell, Ground, RegionMap, line_miles
from services.map.kinds.region.noise import Grid
from services.map.kinds.region.vocabulary import CrossingKind, Mouth, WayKind
from services.map.kinds.region.ways import CHANNEL, Search, line_back, search

NAVIGABLE = 150
"""Flow, in cells drained, from which boats use a river."""


class TravelTerrain(StrEnum):
    """The rows of Forge Engine's Terrain Effects, and what no row is for.

    Attributes:
        ROAD: A road, or a track over open land.
        HILLY_ROAD: A way through hills, or open land off the road.
        MOUNTAIN_PATH: A way through mountains, or hills off the road.
        MOUNTAIN: Mountains or glaciers off every way.
        JUNGLE_PATH: A way through jungle, or other forest off the road.
        JUNGLE: Jungle off every way.
        SWAMP: Wet ground, with a path or without.
        WATER: River, lake or sea, by boat.
        PEAK: High peaks off every way, which the table has no row for: nobody travels there.
    """

    ROAD = "road or open track"
    HILLY_ROAD = "hilly road or track"
    MOUNTAIN_PATH = "mountain path or track"
    MOUNTAIN = "mountain off track"
    JUNGLE_PATH = "jungle path"
    JUNGLE = "jungle off path"
    SWAMP = "swamp"
    WATER = "water"
    PEAK = "peak"


Factors = Mapping[TravelTerrain, Fraction | None]
"""The share of full speed on each terrain; None, or no entry, where one cannot go."""


class Current(StrEnum):
    """Which way a boat goes on a river; `none` on lake, sea and land.

    Attributes:
        NONE: Still water, or no water.
        UPSTREAM: Against the current.
        DOWNSTREAM: With the current.
    """

    NONE = "none"
    UPSTREAM = "upstream"
    DOWNSTREAM = "downstream"


class Means(StrEnum):
    """How a journey is made: on land, with ferries, or by boat."""

    LAND = "land"
    BOAT = "boat"


@dataclass(frozen=True, slots=True)
class Ford:
    """A river on the way: a bridge, a ford, or water to wade or swim where no way crosses.

    Attributes:
        at: The cell.
        river: Id of the river.
        kind: Bridge or ford; None where there is neither.
    """

    at: Cell
    river: str
    kind: CrossingKind | None


@dataclass(frozen=True, slots=True)
class Leg:
    """A stretch of a journey over one terrain.

    Attributes:
        terrain: The row of the table.
        miles: Its length.
        line: Its cells; the first is the last of the leg before.
        way: The kind of way it follows; None off the roads.
        current: Which way a boat goes on a river.
    """

    terrain: TravelTerrain
    miles: float
    line: tuple[Cell, ...]
    way: WayKind | None = None
    current: Current = Current.NONE


@dataclass(frozen=True, slots=True)
class Journey:
    """A way from a start to an end.

    Attributes:
        legs: Its stretches in order; none when start and end are one cell.
        fords: The rivers crossed, in order.
    """

    legs: tuple[Leg, ...]
    fords: tuple[Ford, ...] = ()

    @property
    def miles(self) -> float:
        """Its length."""
        return round(sum(leg.miles for leg in self.legs), 3)


_RANKS = (WayKind.ROAD, WayKind.TRACK, WayKind.PATH)


class Travel:
    """The travel map of a region: made once, asked often."""

    def __init__(self, model: RegionMap) -> None:
        """Works out what is where.

        Args:
            model: The region.
        """
        self.model = model
        self._biomes, self._ground = model.biome_grid, model.ground_grid
        self._way: dict[Cell, WayKind] = {}
        for kind in reversed(_RANKS):
            for way in model.ways:
                if way.kind is kind:
                    self._way.update(dict.fromkeys(way.line, kind))
        self._crossings = {c.at: c.kind for way in model.ways for c in way.crossings}
        self._rivers = _own_cells(model)
        self._places = {home.id: home.at for home in model.settlements}
        self._places |= {site.id: site.at for site in model.sites}
        self._lines = {river.id: river.line for river in model.rivers}
        self._terrain = self._terrains()

    def terrain_at(self, cell: Cell) -> TravelTerrain:
        """What a cell is for a traveller.

        Raises:
            IndexError: The cell is not on the map.
        """
        return _ROWS[int(self._terrain[self._on_map(cell)])]

    def spot(self, place: str | Cell) -> Cell:
        """The cell of a settlement or site, or the cell itself.

        Raises:
            KeyError: There is no such place.
            IndexError: The cell is not on the map.
        """
        if isinstance(place, str):
            return self._places[place]
        self._on_map(place)
        return place

    def route(
        self, start: str | Cell, end: str | Cell, factors: Factors, means: Means = Means.LAND
    ) -> Journey | None:
        """The quickest journey between two places.

        Args:
            start: Id of a settlement or site, or a cell.
            end: The same.
            factors: Shares of full speed by terrain; on land that of WATER is for ferries.
            means: On land, or by boat; a boat starts and ends beside the places.

        Returns:
            The journey; None when there is none.

        Raises:
            KeyError: There is no such place.
            IndexError: The cell is not on the map.
        """
        first, last = self.spot(start), self.spot(end)
        if first == last:
            return Journey(())
        if means is Means.BOAT:
            line = self._sail(first, last)
            return self._told(line, afloat=True) if line else None
        line = self._walk(first, last, factors)
        return self._told(line) if line else None

    def _on_map(self, cell: Cell) -> tuple[int, int]:
        x, y = cell
        if not (0 <= x < self.model.width and 0 <= y < self.model.height):
            raise IndexError(f"there is no cell {x},{y}")
        return y, x

    def _terrains(self) -> NDArray[np.uint8]:
        """The index in `_ROWS` of each cell, roads and all."""
        terrain = _OFF_ROAD[self._biomes, self._ground]
        for (x, y), kind in self._way.items():
            row = _on_way(Biome(int(self._biomes[y, x])), Ground(int(self._ground[y, x])), kind)
            terrain[y, x] = _ROWS.index(row)
        return terrain

    def _walk(self, start: Cell, end: Cell, factors: Factors) -> list[Cell]:
        """The quickest line on land, over ferries where they help."""
        effort = _efforts(factors)[self._terrain]
        effort[(self._terrain == _ROWS.index(TravelTerrain.WATER))] = 0
        for cell in self._rivers:
            if cell not in self._crossings and effort[cell[1], cell[0]]:
                effort[cell[1], cell[0]] += 200
        effort[0], effort[-1], effort[:, 0], effort[:, -1] = 0, 0, 0, 0
        width = self.model.width
        sailing = _effort(factors.get(TravelTerrain.WATER))
        boats = [way for way in self.model.ways if way.kind is WayKind.FERRY and sailing]
        stops = list(dict.fromkeys([start, end, *(way.line[i] for way in boats for i in (0, -1))]))
        flat = np.zeros(effort.shape, np.int32)
        searches: dict[Cell, Search] = {}
        # A small search over start, end and quays; the long stretches between them come from the cells.
        best: dict[Cell, tuple[int, list[Cell]]] = {start: (0, [start])}
        waiting = set(best)
        while waiting:
            here = min(waiting, key=lambda stop: (best[stop][0], stop))
            waiting.remove(here)
            if here == end:
                return best[here][1]
            cost, line = best[here]
            found = searches.setdefault(here, search(effort, flat, [here]))
            nexts = [
                (int(found.cost[y * width + x]), list(reversed(line_back(found, y * width + x, width))))
                for x, y in stops
                if (x, y) != here and found.cost[y * width + x] >= 0
            ]
            nexts += [
                (sailing * len(way.line), list(way.line if way.line[0] == here else way.line[::-1]))
                for way in boats
                if here in (way.line[0], way.line[-1])
            ]
            for more, onward in nexts:
                stop = onward[-1]
                if stop not in best or cost + more < best[stop][0]:
                    best[stop] = cost + more, [*line, *onward[1:]]
                    waiting.add(stop)
        return []

    def _sail(self, start: Cell, end: Cell) -> list[Cell]:
        """The shortest line over sea, lakes and navigable rivers between the waters beside two places."""
        effort = np.where(np.isin(self._biomes, sorted(WATER)), 10, 0).astype(np.int32)
        for river in self.model.rivers:
            for (x, y), flow in zip(river.line, river.flow, strict=True):
                if flow >= NAVIGABLE:
                    effort[y, x] = CHANNEL + 10
        effort[0], effort[-1], effort[:, 0], effort[:, -1] = 0, 0, 0, 0
        quays, goals = self._waters_beside(start, effort), self._waters_beside(end, effort)
        if not quays or not goals:
            return []
        found = search(effort, np.zeros(effort.shape, np.int32), quays)
        width = self.model.width
        reached = [
            (int(found.cost[y * width + x]), (x, y)) for x, y in goals if found.cost[y * width + x] >= 0
        ]
        if not reached:
            return []
        _, (x, y) = min(reached)
        return list(reversed(line_back(found, y * width + x, width)))

    def _waters_beside(self, cell: Cell, effort: Grid) -> list[Cell]:
        x, y = cell
        near = [(x + dx, y + dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
        return [
            (i, j)
            for i, j in near
            if 0 <= i < self.model.width and 0 <= j < self.model.height and effort[j, i]
        ]

    def _told(self, line: list[Cell], *, afloat: bool = False) -> Journey:
        """A line as legs: steps of one terrain, way and current in a row are one leg."""
        steps = [(self._step(a, b, afloat=afloat), (a, b)) for a, b in pairwise(line)]
        legs: list[Leg] = []
        for (terrain, way, current), run in groupby(steps, key=lambda step: step[0]):
            pairs = [pair for _, pair in run]
            cells = (pairs[0][0], *(b for _, b in pairs))
            legs.append(Leg(terrain, line_miles(cells, self.model.furlongs), cells, way, current))
        if afloat:
            return Journey(tuple(legs))
        crossed = [cell for cell in line if cell in self._rivers]
        fords = tuple(Ford(cell, self._rivers[cell][0], self._crossings.get(cell)) for cell in crossed)
        return Journey(tuple(legs), fords)

    def _step(self, a: Cell, b: Cell, *, afloat: bool) -> tuple[TravelTerrain, WayKind | None, Current]:
        if afloat:
            return TravelTerrain.WATER, None, self._current(a, b)
        here, there = self.terrain_at(a), self.terrain_at(b)
        if TravelTerrain.WATER in (here, there):
            return TravelTerrain.WATER, WayKind.FERRY, Current.NONE
        way = self._way.get(b) if a in self._way else None
        # The step onto a way is still off it.
        row = (
            there
            if way or b not in self._way
            else _ROWS[_OFF_ROAD[self._biomes[b[1], b[0]], self._ground[b[1], b[0]]]]
        )
        return row, way, Current.NONE

    def _current(self, a: Cell, b: Cell) -> Current:
        for up, down, current in ((a, b, Current.DOWNSTREAM), (b, a, Current.UPSTREAM)):
            if up in self._rivers:
                river, place = self._rivers[up]
                line = self._lines[river]
                if place + 1 < len(line) and line[place + 1] == down:
                    return current
        return Current.NONE


def hours(journey: Journey, miles_an_hour: Fraction, factors: Factors) -> Fraction:
    """How long a journey takes.

    Args:
        journey: The journey.
        miles_an_hour: Full speed.
        factors: Shares of full speed by terrain, as for `route`.

    Raises:
        ValueError: The journey leads over terrain that cannot be crossed, or the speed is not positive.
    """
    if miles_an_hour <= 0:
        raise ValueError("a speed is positive")
    total = Fraction(0)
    for leg in journey.legs:
        factor = factors.get(leg.terrain)
        if not factor:
            raise ValueError(f"nobody crosses {leg.terrain.value} like that")
        total += Fraction(str(leg.miles)) / (miles_an_hour * factor)
    return total


def _own_cells(model: RegionMap) -> dict[Cell, tuple[str, int]]:
    """For each cell of a river the river and its place in the line; a mouth belongs to what it runs into."""
    cells: dict[Cell, tuple[str, int]] = {}
    biomes = model.biome_grid
    for river in model.rivers:
        last = len(river.line) if river.mouth is Mouth.EDGE else len(river.line) - 1
        for place, (x, y) in enumerate(river.line[:last]):
            if biomes[y, x] not in WATER:
                cells[x, y] = (river.id, place)
    return cells


_ROWS = tuple(TravelTerrain)


def _off_road(biome: Biome, ground: Ground) -> TravelTerrain:
    if biome in WATER:
        return TravelTerrain.WATER
    if ground is Ground.PEAK:
        return TravelTerrain.PEAK
    if biome is Biome.SWAMP:
        return TravelTerrain.SWAMP
    if biome is Biome.JUNGLE:
        return TravelTerrain.JUNGLE
    if ground is Ground.MOUNTAINS or biome is Biome.GLACIER:
        return TravelTerrain.MOUNTAIN
    if biome in FORESTS:
        return TravelTerrain.JUNGLE_PATH
    return TravelTerrain.MOUNTAIN_PATH if ground is Ground.HILLS else TravelTerrain.HILLY_ROAD


def _on_way(biome: Biome, ground: Ground, way: WayKind) -> TravelTerrain:
    if biome is Biome.JUNGLE and way is not WayKind.ROAD:
        return TravelTerrain.JUNGLE_PATH
    if ground is Ground.MOUNTAINS or ground is Ground.PEAK:
        return TravelTerrain.MOUNTAIN_PATH
    if ground is Ground.HILLS:
        return TravelTerrain.HILLY_ROAD
    return TravelTerrain.SWAMP if biome is Biome.SWAMP and way is not WayKind.ROAD else TravelTerrain.ROAD


_OFF_ROAD = np.array(
    [[_ROWS.index(_off_road(biome, ground)) for ground in Ground] for biome in Biome], np.uint8
)


def _effort(factor: Fraction | None) -> int:
    """What a cell costs a search: ten at full speed; 0 where one cannot go."""
    return min(199, max(1, round(10 / factor))) if factor else 0


def _efforts(factors: Factors) -> Grid:
    return np.array([_effort(factors.get(row)) for row in _ROWS], np.int32)
