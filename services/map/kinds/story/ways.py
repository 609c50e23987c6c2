"""The ways between places: a light graph that hangs together, and what walks it."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np

from services.map.kinds.story.land import Pair, Water, to_segment
from services.rules.systems.fortunate_blades.story_map.model import StoryMap, StorySpot, StoryTerrain
from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryPathSort,
    StoryPlaceSort,
    StoryTerrainSort,
)

_SAMPLES = 14
_WET = 3.0
"""How much longer a way over water counts."""
_SHIP = 14.0
"""Units that going aboard counts."""
_CROWDED = 5.0
"""Units within which a way passes a third place."""
_DETOUR = 2.1
"""How much longer the way around may be before a way across is worth its while."""
_RIVER_REACH = 6.5

SETTLED = frozenset(
    (
        StoryPlaceSort.VILLAGE,
        StoryPlaceSort.TOWN,
        StoryPlaceSort.CITY,
        StoryPlaceSort.NATION,
        StoryPlaceSort.PORT,
        StoryPlaceSort.KEEP,
        StoryPlaceSort.MARKET,
        StoryPlaceSort.HALL,
        StoryPlaceSort.TAVERN,
        StoryPlaceSort.BRIDGE,
        StoryPlaceSort.HOUSE,
        StoryPlaceSort.SMITHY,
        StoryPlaceSort.TEMPLE,
        StoryPlaceSort.HOME_BASE,
    )
)
"""What roads lead to; to all else there are trails."""


@dataclass(frozen=True, slots=True)
class Join:
    """A way between two sites, by their numbers; the second is the later one.

    Attributes:
        start: Number of the one.
        end: Number of the other.
        wet: Whether it runs over water.
        unknown: Whether it leads to a place that players do not know.
    """

    start: int
    end: int
    wet: bool
    unknown: bool = False


def join(sites: Sequence[StorySpot], hidden: Collection[int], water: Water) -> list[Join]:
    """Joins all sites: the known ones by ways over known ones alone.

    Args:
        sites: Where the places lie, the start first.
        hidden: Numbers of those that players do not know.
        water: Where there is water.
    """
    known = [i for i in range(len(sites)) if i not in hidden]
    points = [(at.x, at.y) for at in sites]
    cost = _costs(points, water)
    chosen = _tree(known, cost)
    chosen += _loops(known, points, cost, chosen)
    joins = [Join(a, b, water.between(points[a], points[b])) for a, b in chosen]
    for i in sorted(hidden):
        nearest = min(known, key=lambda j: (cost[i][j], j))
        joins.append(Join(nearest, i, water.between(points[nearest], points[i]), unknown=True))
    return joins


def _costs(points: Sequence[Pair], water: Water) -> list[list[float]]:
    """What a straight way between any two sites costs, about."""
    at = np.array(points)
    count = len(at)
    first, second = np.triu_indices(count, 1)
    shares = np.linspace(0, 1, _SAMPLES)[None, :, None]
    spots = at[first][:, None, :] * (1 - shares) + at[second][:, None, :] * shares
    wet = water.over(spots.reshape(-1, 2)).reshape(-1, _SAMPLES).mean(axis=1)
    length = np.hypot(*(at[first] - at[second]).T)
    price = length * (1 + _WET * wet) + np.where(wet > 0, _SHIP, 0.0)
    cost = np.zeros((count, count))
    cost[first, second] = cost[second, first] = price
    table: list[list[float]] = cost.tolist()
    return table


def _tree(members: Sequence[int], cost: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """The cheapest tree over some sites, grown from the first (Prim)."""
    best = {i: (cost[members[0]][i], members[0]) for i in members[1:]}
    tree: list[tuple[int, int]] = []
    while best:
        nearest = min(best, key=lambda i: (best[i][0], i))
        tree.append((best.pop(nearest)[1], nearest))
        for i in best:
            if cost[nearest][i] < best[i][0]:
                best[i] = cost[nearest][i], nearest
    return tree


def _loops(
    members: Sequence[int],
    points: Sequence[Pair],
    cost: Sequence[Sequence[float]],
    tree: Sequence[tuple[int, int]],
) -> list[tuple[int, int]]:
    """A few more ways where the way around is long; they cross none and pass no third place."""
    pairs = sorted((cost[a][b], a, b) for a in members for b in members if a < b)
    chosen = list(tree)
    added: list[tuple[int, int]] = []
    most = max(1, len(members) // 4)
    for price, a, b in pairs[: 4 * len(members)]:
        if len(added) == most:
            break
        if (a, b) in chosen or (b, a) in chosen or any(_cross(points, (a, b), old) for old in chosen):
            continue
        if any(to_segment(points[i], points[a], points[b]) < _CROWDED for i in members if i not in (a, b)):
            continue
        if _around(a, b, cost, chosen) > _DETOUR * price:
            chosen.append((a, b))
            added.append((a, b))
    return added


def _cross(points: Sequence[Pair], one: tuple[int, int], other: tuple[int, int]) -> bool:
    if set(one) & set(other):
        return False
    a, b, c, d = (points[i] for i in (*one, *other))

    def turn(p: Pair, q: Pair, r: Pair) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


def _around(a: int, b: int, cost: Sequence[Sequence[float]], ways: Sequence[tuple[int, int]]) -> float:
    beside: dict[int, list[int]] = {}
    for i, j in ways:
        beside.setdefault(i, []).append(j)
        beside.setdefault(j, []).append(i)
    reached: set[int] = set()
    waiting = [(0.0, a)]
    while waiting:
        far, here = heapq.heappop(waiting)
        if here == b:
            return far
        if here not in reached:
            reached.add(here)
            for there in beside.get(here, ()):
                heapq.heappush(waiting, (far + cost[here][there], there))
    return float("inf")


def sort_of(
    wet: bool,
    start: tuple[StorySpot, StoryPlaceSort],
    end: tuple[StorySpot, StoryPlaceSort],
    terrains: Sequence[StoryTerrain],
) -> StoryPathSort:
    """How one travels between two places: by sea over water, along a river that passes both, by road between
    settled places, else by trail.

    Args:
        wet: Whether the way runs over water.
        start: Where the one place lies, and what it is.
        end: The same of the other.
        terrains: The terrain of the map.
    """
    if wet:
        return StoryPathSort.SEA
    for one in terrains:
        if one.sort is StoryTerrainSort.RIVER and all(
            min(hypot(at.x - p.x, at.y - p.y) for p in one.points) < _RIVER_REACH for at, _ in (start, end)
        ):
            return StoryPathSort.RIVER
    if start[1] in SETTLED and end[1] in SETTLED:
        return StoryPathSort.ROAD
    return StoryPathSort.TRAIL


@dataclass(frozen=True, slots=True)
class StoryRoute:
    """A way over the map.

    Attributes:
        places: Ids of the places it passes, both ends among them.
        length: Its length in units.
    """

    places: tuple[str, ...]
    length: float


def route(model: StoryMap, start: str, end: str) -> StoryRoute | None:
    """The shortest way between two places along paths; None when there is none.

    Args:
        model: The map.
        start: Id of the one place.
        end: Id of the other.

    Raises:
        KeyError: There is no such place.
    """
    at: Mapping[str, StorySpot] = {place.id: place.at for place in model.places}
    if start not in at or end not in at:
        raise KeyError(end if start in at else start)
    beside: dict[str, list[str]] = {}
    for path in model.paths:
        beside.setdefault(path.start, []).append(path.end)
        beside.setdefault(path.end, []).append(path.start)
    before: dict[str, str] = {}
    waiting = [(0.0, start, start)]
    while waiting:
        far, here, came = heapq.heappop(waiting)
        if here in before:
            continue
        before[here] = came
        if here == end:
            places = [here]
            while places[-1] != start:
                places.append(before[places[-1]])
            return StoryRoute(tuple(reversed(places)), round(far, 3))
        for there in beside.get(here, ()):
            if there not in before:
                step = hypot(at[here].x - at[there].x, at[here].y - at[there].y)
                heapq.heappush(waiting, (far + step, there, here))
    return None
