"""Terrain scribbled around the places of a new map: what fits the scale of the sheet."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import atan2, cos, hypot, pi, sin

from services.map.generation.stream import Stream
from services.map.kinds.story.land import Pair, Ring, Water, blob, spot, spread, to_segment
from services.rules.systems.fortunate_blades.story_map.model import StorySpot
from services.rules.systems.fortunate_blades.story_map.vocabulary import StoryScale, StoryTerrainSort

_SORT = StoryTerrainSort

_RECIPES: dict[StoryScale, tuple[tuple[StoryTerrainSort, int, int, float], ...]] = {
    StoryScale.VILLAGE: (
        (_SORT.FIELDS, 2, 4, 8.5),
        (_SORT.WOODS, 2, 3, 11.0),
        (_SORT.LAKE, 0, 1, 5.0),
        (_SORT.HILLS, 0, 1, 10.0),
        (_SORT.MARSH, 0, 1, 6.5),
    ),
    StoryScale.TOWN: (
        (_SORT.HOUSES, 5, 7, 9.0),
        (_SORT.FIELDS, 1, 2, 8.0),
        (_SORT.WOODS, 1, 2, 8.5),
        (_SORT.LAKE, 0, 1, 4.5),
    ),
    StoryScale.REGION: (
        (_SORT.WOODS, 2, 4, 12.0),
        (_SORT.HILLS, 1, 2, 11.0),
        (_SORT.MOUNTAINS, 1, 1, 13.0),
        (_SORT.LAKE, 0, 1, 6.0),
        (_SORT.MARSH, 0, 1, 8.0),
        (_SORT.FIELDS, 1, 2, 7.0),
    ),
    StoryScale.NATION: (
        (_SORT.MOUNTAINS, 1, 2, 13.0),
        (_SORT.WOODS, 2, 4, 11.0),
        (_SORT.HILLS, 1, 2, 9.0),
        (_SORT.LAKE, 0, 1, 5.0),
        (_SORT.MARSH, 0, 1, 8.0),
        (_SORT.DESERT, 0, 1, 10.0),
    ),
    StoryScale.CONTINENT: (
        (_SORT.MOUNTAINS, 2, 3, 12.0),
        (_SORT.WOODS, 2, 3, 11.0),
        (_SORT.DESERT, 1, 1, 11.0),
        (_SORT.HILLS, 1, 1, 8.0),
        (_SORT.MARSH, 0, 1, 7.0),
    ),
    StoryScale.WORLD: (
        (_SORT.MOUNTAINS, 2, 4, 10.0),
        (_SORT.WOODS, 2, 4, 9.0),
        (_SORT.DESERT, 1, 2, 8.5),
        (_SORT.MARSH, 0, 1, 6.0),
    ),
}
"""For each scale what is scribbled: least and most stretches on a sheet of 120 by 90, and their size."""

_RIVERS = {
    StoryScale.VILLAGE: (0, 1),
    StoryScale.TOWN: (1, 1),
    StoryScale.REGION: (1, 2),
    StoryScale.NATION: (1, 2),
    StoryScale.CONTINENT: (1, 2),
    StoryScale.WORLD: (0, 2),
}
_USUAL_AREA = 120.0 * 90.0
_TRIES = 14
_BANK = 3.4
"""Units between a river and any place."""
_BESIDE = 7.0
_SHORE = 3.6
"""Units between a lake and any place."""

Stretch = tuple[StoryTerrainSort, Ring]


def scribble(
    scale: StoryScale,
    width: float,
    height: float,
    water: Water,
    sites: Sequence[StorySpot],
    joins: Sequence[tuple[int, int]],
    stream: Stream,
) -> list[Stretch]:
    """Scribbles terrain.

    Args:
        scale: How much of the world the sheet shows.
        width: Width of the sheet in units.
        height: Height of the sheet in units.
        water: Where there is sea.
        sites: Where places lie.
        joins: Pairs of sites that have a way between them.
        stream: Of the terrain.
    """
    stretches: list[Stretch] = []
    middles: list[tuple[Pair, float]] = []
    points = [(at.x, at.y) for at in sites]
    lines = [(points[a], points[b]) for a, b in joins]
    share = width * height / _USUAL_AREA
    for sort, least, most, size in _RECIPES[scale]:
        for _ in range(round(stream.between(least, most) * share)):
            found = _stretch(sort, size, width, height, water, points, lines, middles, stream)
            if found is not None:
                at, reach, ring = found
                middles.append((at, reach))
                stretches.append((sort, ring))
    heights = [at for (at, _), (sort, _) in zip(middles, stretches, strict=True) if sort in _SPRINGS]
    for number in range(stream.between(*_RIVERS[scale])):
        river = _river(
            heights[number] if number < len(heights) else None, width, height, water, points, stream
        )
        if river:
            stretches.append((_SORT.RIVER, river))
    return stretches


_SPRINGS = frozenset((_SORT.MOUNTAINS, _SORT.HILLS))


def _stretch(
    sort: StoryTerrainSort,
    size: float,
    width: float,
    height: float,
    water: Water,
    points: Sequence[Pair],
    lines: Sequence[tuple[Pair, Pair]],
    others: Sequence[tuple[Pair, float]],
    stream: Stream,
) -> tuple[Pair, float, Ring] | None:
    """One stretch on land and beside the others; a lake beside all places and ways too."""
    long = spread(stream, 1.0, 1.55)
    wide, tall = size * long, size / long**0.6
    for _ in range(_TRIES):
        at = spread(stream, 6, width - 6), spread(stream, 6, height - 6)
        if any(hypot(at[0] - x, at[1] - y) < 0.8 * (wide + r) for (x, y), r in others) or water.at(*at):
            continue
        if sort is _SORT.LAKE:
            from_places = min(hypot(at[0] - x, at[1] - y) for x, y in points)
            from_ways = min((to_segment(at, *line) for line in lines), default=from_places)
            room = min(from_places, from_ways)
            if room < wide * 1.25 + _SHORE or _wet_around(water, at, wide + 3):
                continue
        if sort is _SORT.MOUNTAINS and min(hypot(at[0] - x, at[1] - y) for x, y in points[:1]) < size:
            continue
        if sort in (_SORT.FIELDS, _SORT.HOUSES) and _wet_around(water, at, wide):
            continue
        return at, wide, blob(stream, at, (wide, tall), 16, 0.13)
    return None


def _wet_around(water: Water, at: Pair, reach: float) -> bool:
    return any(
        water.at(at[0] + reach * cos(turn * pi / 4), at[1] + reach * sin(turn * pi / 4)) for turn in range(8)
    )


def _river(
    source: Pair | None, width: float, height: float, water: Water, points: Sequence[Pair], stream: Stream
) -> Ring:
    """A winding line from its source to the sea or off the sheet, past all places; empty for none."""
    for _ in range(_TRIES):
        start = source or _on_edge(width, height, stream)
        if source is None:
            inward = atan2(height / 2 - start[1], width / 2 - start[0])
            heading = inward + spread(stream, -0.75, 0.75)
        else:
            heading = spread(stream, 0, 2 * pi)
        line = _flow(start, heading, width, height, water, stream)
        if len(line) < 8:
            continue
        # Steps are short: only those beside a place need a closer look.
        if not any(
            abs(at[0] - a[0]) < _BESIDE and abs(at[1] - a[1]) < _BESIDE and to_segment(at, a, b) < _BANK
            for at in points
            for a, b in pairwise(line)
        ):
            return tuple(spot(*at) for at in line)
    return ()


def _on_edge(width: float, height: float, stream: Stream) -> Pair:
    along = spread(stream, 0.15, 0.85)
    return (
        (-2, along * height),
        (width + 2, along * height),
        (along * width, -2),
        (along * width, height + 2),
    )[stream.below(4)]


def _flow(
    start: Pair, heading: float, width: float, height: float, water: Water, stream: Stream
) -> list[Pair]:
    wave, phase, swing = spread(stream, 0.35, 0.6), spread(stream, 0, 2 * pi), spread(stream, 0.35, 0.8)
    line = [start]
    x, y = start
    for step in range(90):
        turn = heading + swing * sin(wave * step + phase) + 0.25 * sin(0.21 * step)
        x, y = x + 2.6 * cos(turn), y + 2.6 * sin(turn)
        line.append((x, y))
        if not (-2 <= x <= width + 2 and -2 <= y <= height + 2):
            return line
        if water.at(x, y):
            return line if step > 2 else []
    return line
