"""Where there is land and where there is water on a sheet, and the rings both are drawn with."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, pi, sin

import numpy as np
from numpy.typing import NDArray

from services.map.generation.stream import Stream
from services.rules.systems.fortunate_blades.story_map.model import WATERS, StoryMap, StorySpot, StoryTerrain
from services.rules.systems.fortunate_blades.story_map.vocabulary import StoryLandform, StoryTerrainSort

Pair = tuple[float, float]
Ring = tuple[StorySpot, ...]
Spots = NDArray[np.float64]
Mask = NDArray[np.bool_]

_COAST_STEPS = 54
_SOFT = (2, 3, 4, 6, 9)
_RUGGED = (2, 3, 5, 8, 13, 21, 29)
_NARROWEST = 4.5
"""Units of sea between isles."""
_SMALLEST = 0.5
"""Share of its usual size that an isle may shrink to, to have room."""
_RIVERSIDE = 7.5
"""Units within which a river counts as near."""


def spot(x: float, y: float) -> StorySpot:
    """A spot, to the tenth of a unit."""
    return StorySpot(round(x, 1), round(y, 1))


def fraction(stream: Stream) -> float:
    """A number from 0 to 1, of a thousand and one."""
    return stream.below(1001) / 1000


def spread(stream: Stream, low: float, high: float) -> float:
    """A number between two others."""
    return low + (high - low) * fraction(stream)


def blob(
    stream: Stream, at: Pair, radii: Pair, corners: int, rough: float, tones: tuple[int, ...] = _SOFT
) -> Ring:
    """A round, uneven outline.

    Args:
        stream: Of its shape.
        at: Its middle.
        radii: Half its width and height, about.
        corners: How many points it has.
        rough: How uneven it is, as a share of its size.
        tones: How many times each of its waves goes around.
    """
    waves = [(k, rough * spread(stream, 0.3, 1.0) / k**0.7, spread(stream, 0, 2 * pi)) for k in tones]
    points: list[StorySpot] = []
    for i in range(corners):
        angle = 2 * pi * i / corners
        reach = 1 + sum(height * sin(k * angle + phase) for k, height, phase in waves)
        reach = max(0.45, reach)
        points.append(spot(at[0] + cos(angle) * radii[0] * reach, at[1] + sin(angle) * radii[1] * reach))
    return tuple(points)


def shores(
    landform: StoryLandform, width: float, height: float, stream: Stream
) -> tuple[bool, tuple[Ring, ...]]:
    """Land and sea of a sheet.

    Returns:
        Whether sea is all around; and the rings of land in it, or of sea in the land.
    """
    middle = width / 2, height / 2
    match landform:
        case StoryLandform.INLAND:
            return False, ()
        case StoryLandform.COAST:
            return False, (_coast(width, height, stream),)
        case StoryLandform.ISLAND:
            return True, (blob(stream, middle, (width * 0.4, height * 0.39), 84, 0.12, _RUGGED),)
        case StoryLandform.ISLES:
            return True, _isles(width, height, stream)


def _coast(width: float, height: float, stream: Stream) -> Ring:
    """The sea along one side of the sheet."""
    angle = spread(stream, 0, 2 * pi)
    ux, uy = cos(angle), sin(angle)
    # How far the edge is in this direction: the coast lies a little more than half-way to it.
    reach = min(width / 2 / max(abs(ux), 1e-6), height / 2 / max(abs(uy), 1e-6))
    off = reach * spread(stream, 0.5, 0.66)
    far = width + height
    waves = [
        (k, spread(stream, 0.35, 1.0) * 7 / k**0.8, spread(stream, 0, 2 * pi))
        for k in (1, 2, 3, 5, 8, 13, 21)
    ]
    points: list[StorySpot] = []
    span = hypot(width, height) * 0.75
    for i in range(_COAST_STEPS + 1):
        t = 2 * i / _COAST_STEPS - 1
        bend = sum(high * sin(k * pi * t + phase) for k, high, phase in waves)
        # Never past the middle, where the story starts.
        d = max(off * 0.55, off + bend)
        points.append(spot(width / 2 + ux * d - uy * t * span, height / 2 + uy * d + ux * t * span))
    points.append(spot(width / 2 + ux * far - uy * span, height / 2 + uy * far + ux * span))
    points.append(spot(width / 2 + ux * far + uy * span, height / 2 + uy * far - ux * span))
    return tuple(points)


def _isles(width: float, height: float, stream: Stream) -> tuple[Ring, ...]:
    """One large land around the start, and smaller ones around it."""
    rings = [blob(stream, (width * 0.5, height * 0.5), (width * 0.235, height * 0.3), 76, 0.13, _RUGGED)]
    count = stream.between(4, 6)
    turn = spread(stream, 0, 2 * pi)
    for i in range(count):
        angle = turn + 2 * pi * (i + spread(stream, -0.15, 0.15)) / count
        size = spread(stream, 0.8, 1.05)
        at = width * (0.5 + 0.4 * cos(angle)), height * (0.5 + 0.4 * sin(angle))
        while size > _SMALLEST:
            ring = blob(stream, at, (width * 0.105 * size, height * 0.13 * size), 44, 0.15, _RUGGED[:5])
            if all(_strait(ring, other) >= _NARROWEST for other in rings):
                rings.append(ring)
                break
            size *= 0.86
    return tuple(rings)


def _strait(ring: Ring, other: Ring) -> float:
    """Least distance between corners of two outlines; 0 where one reaches into the other."""
    a, b = (np.array([(at.x, at.y) for at in one]) for one in (ring, other))
    if Outline(other).holds(a).any() or Outline(ring).holds(b).any():
        return 0.0
    return float(np.hypot(*(a[:, None, :] - b[None, :, :]).transpose(2, 0, 1)).min())


class Outline:
    """An outline that spots lie inside or outside of: a ray to the east crosses it an odd number of times."""

    __slots__ = ("_box", "_edges", "_ring", "_rows")

    def __init__(self, ring: Sequence[StorySpot]) -> None:
        """Takes the corners of the outline."""
        self._ring = ring
        self._rows: list[tuple[float, float, float, float]] = []
        self._edges: Spots | None = None
        xs, ys = [at.x for at in ring], [at.y for at in ring]
        self._box = min(xs), min(ys), max(xs), max(ys)

    def _sides(self) -> list[tuple[float, float, float, float]]:
        """Each side: a corner, the height of the next, and how far the side leans; made when asked for."""
        if not self._rows:
            before = [self._ring[-1], *self._ring[:-1]]
            # The lean of a level side is never asked for, as no ray to the east crosses one.
            self._rows = [
                (b.x, b.y, a.y, (a.x - b.x) / ((a.y - b.y) or 1.0))
                for b, a in zip(before, self._ring, strict=True)
            ]
        return self._rows

    def has(self, x: float, y: float) -> bool:
        """Whether a spot lies inside."""
        left, top, right, bottom = self._box
        if not (left <= x <= right and top <= y <= bottom):
            return False
        odd = False
        for x1, y1, y2, slope in self._sides():
            if (y1 > y) != (y2 > y) and x < slope * (y - y1) + x1:
                odd = not odd
        return odd

    def holds(self, spots: Spots) -> Mask:
        """Which spots, (n, 2), lie inside."""
        left, top, right, bottom = self._box
        across, down = spots[:, 0], spots[:, 1]
        odd: Mask = (across >= left) & (across <= right) & (down >= top) & (down <= bottom)
        near = spots[odd]
        if len(near):
            if self._edges is None:
                self._edges = np.array(self._sides()).T
            x, y = near[:, 0, None], near[:, 1, None]
            x1, y1, y2, slope = self._edges
            crossed: Mask = ((y1 > y) != (y2 > y)) & (x < slope * (y - y1) + x1)
            odd[odd] = crossed.sum(axis=1) % 2 == 1
        return odd


class Water:
    """Tells water from land on a sheet."""

    __slots__ = ("_outlines", "_sea_around")

    def __init__(self, sea_around: bool, terrains: Sequence[StoryTerrain]) -> None:
        """Keeps what matters of some terrain.

        Args:
            sea_around: Whether the sheet is sea where no land is scribbled.
            terrains: In the order in which they were drawn.
        """
        self._sea_around = sea_around
        wet = WATERS | {StoryTerrainSort.LAND}
        self._outlines = [(one.sort in WATERS, Outline(one.points)) for one in terrains if one.sort in wet]

    @classmethod
    def of(cls, model: StoryMap) -> Water:
        """The waters of a map."""
        return cls(model.sea_around, model.terrains)

    def over(self, spots: Spots) -> Mask:
        """Which spots, (n, 2), are water."""
        wet = np.full(len(spots), self._sea_around)
        for water, outline in self._outlines:
            wet[outline.holds(spots)] = water
        return wet

    def at(self, x: float, y: float) -> bool:
        """Whether a spot is water."""
        for water, outline in reversed(self._outlines):
            if outline.has(x, y):
                return water
        return self._sea_around

    def between(self, start: Pair, end: Pair) -> bool:
        """Whether a straight line runs over water anywhere, looked at every half unit."""
        if not self._outlines:
            return self._sea_around
        count = int(2 * hypot(end[0] - start[0], end[1] - start[1])) + 2
        shares = np.linspace(0, 1, count)[:, None]
        return bool(self.over(np.array(start) + (np.array(end) - np.array(start)) * shares).any())


def to_segment(at: Pair, start: Pair, end: Pair) -> float:
    """Distance from a spot to a straight line between two others."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy
    share = 0.0 if length == 0 else ((at[0] - start[0]) * dx + (at[1] - start[1]) * dy) / length
    share = min(1.0, max(0.0, share))
    return hypot(at[0] - start[0] - dx * share, at[1] - start[1] - dy * share)


def around(at: StorySpot, terrains: Sequence[StoryTerrain]) -> frozenset[StoryTerrainSort]:
    """The terrain that a spot lies in, a river if one is near."""
    return frozenset(
        one.sort
        for one in terrains
        if (
            min(hypot(at.x - p.x, at.y - p.y) for p in one.points) < _RIVERSIDE
            if one.sort is StoryTerrainSort.RIVER
            else Outline(one.points).has(at.x, at.y)
        )
    )
