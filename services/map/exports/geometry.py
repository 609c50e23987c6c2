"""What stops sight and walking on a grid map, as lines in cells: what every virtual table is told.

Walls run where rock or wall meets open cells, and along the thin walls of the map; lines in one direction are
merged, doors are cut out, and a wall ends where a door's does. A door that fills its cell is the line across
the middle of it: the walls of the doorway run on along both sides of the cell, so that with the door shut
nothing passes, not even slantwise. The edge of the map itself is no wall: nobody looks in from outside.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from services.map.exports.outlines import rings
from services.map.generation.grid.cells import Mask
from services.map.generation.grid.model import Door, DoorKind, GridMap, Spot, Wall, WallKind
from services.map.generation.grid.terrain import Terrain

Line = tuple[Spot, Spot]
Polyline = tuple[Spot, ...]
Interval = tuple[float, float]

THICK = (Terrain.ROCK, Terrain.WALL)
"""What fills its cell from side to side and goes on: the inside of walls."""

STANDING = (Terrain.PILLAR, Terrain.TREE, Terrain.BOULDER)
"""What stands by itself and stops sight through it, though it is seen itself."""


@dataclass(frozen=True, slots=True)
class Barriers:
    """All that stands in the way on a map.

    Attributes:
        walls: Lines that stop walking and sight; joined end to end where just two of them meet.
        objects: Outlines of pillars, trees and boulders, closed: the last point is the first; those of
            imported maps as they were drawn.
        windows: Straight lines that stop walking alone: windows.
        fences: Straight lines that stop walking alone: fences.
        low: Low walls, which stop nothing and give cover.
        doors: The doors that can be shut; an arch is only a gap in the walls.
    """

    walls: tuple[Polyline, ...]
    objects: tuple[Polyline, ...]
    windows: tuple[Line, ...]
    fences: tuple[Line, ...]
    low: tuple[Line, ...]
    doors: tuple[Door, ...]


class _Track(NamedTuple):
    """A grid-parallel line that runs of wall lie on: upright at x = `at`, or level at y = `at`."""

    upright: bool
    at: float


@dataclass(frozen=True, slots=True)
class _Openings:
    """Where doors interrupt the lines.

    Attributes:
        gaps: What doors take out of each track.
        ends: Where a run on a track has to end because a door's line ends there.
    """

    gaps: dict[_Track, list[Interval]] = field(default_factory=lambda: defaultdict(list))
    ends: dict[_Track, list[float]] = field(default_factory=lambda: defaultdict(list))

    def parts(self, track: _Track, runs: Iterable[Interval]) -> Iterator[Interval]:
        """Runs without the gaps, parted at the ends."""
        gaps = self.gaps.get(track)
        ends = self.ends.get(track)
        for run in runs:
            left = _without(run, gaps) if gaps else [run]
            for start, end in left:
                stops = sorted({at for at in ends if start < at < end}) if ends else []
                yield from pairwise((start, *stops, end))


def barriers(model: GridMap) -> Barriers:
    """Every line that stops something, in cells from the top left of the map, y down."""
    openings = _openings(model.doors)
    by_kind: dict[WallKind, list[Wall]] = defaultdict(list)
    for wall in model.walls:
        by_kind[wall.kind].append(wall)
    thick = _thick(model)
    ends = {end for door in model.doors if door.kind is not DoorKind.ARCH for end in door.bounds}
    return Barriers(
        walls=_joined(_lines(by_kind[WallKind.WALL], openings, thick), ends),
        objects=(*_objects(model), *(wall.points for wall in by_kind[WallKind.OBJECT])),
        windows=tuple(_lines(by_kind[WallKind.WINDOW], openings)),
        fences=tuple(_lines(by_kind[WallKind.FENCE], openings)),
        low=tuple(_lines(by_kind[WallKind.LOW], openings)),
        doors=tuple(door for door in model.doors if door.kind is not DoorKind.ARCH),
    )


def wall_runs(model: GridMap) -> tuple[Line, ...]:
    """The walls as straight runs, each as long as it can be between corners and doors."""
    walls = [wall for wall in model.walls if wall.kind is WallKind.WALL]
    return tuple(_lines(walls, _openings(model.doors), _thick(model)))


def segments(polylines: Iterable[Polyline]) -> Iterator[Line]:
    """The straight pieces of lines."""
    for polyline in polylines:
        yield from pairwise(polyline)


def _thick(model: GridMap) -> Mask:
    """Cells of rock or wall; a door's own cells are none."""
    cells = np.frombuffer(model.cells, dtype=np.uint8).reshape(model.height, model.width)
    thick: Mask = np.isin(cells, THICK)
    for door in model.doors:
        if door.edge is None:
            for x, y in door.cells:
                if 0 <= x < model.width and 0 <= y < model.height:
                    thick[y, x] = False
    return thick


def _openings(doors: Iterable[Door]) -> _Openings:
    openings = _Openings()
    for door in doors:
        (x0, y0), (x1, y1) = door.bounds
        if x0 == x1:
            openings.gaps[_Track(True, x0)].append((min(y0, y1), max(y0, y1)))
        elif y0 == y1:
            openings.gaps[_Track(False, y0)].append((min(x0, x1), max(x0, x1)))
        if door.kind is not DoorKind.ARCH:
            for x, y in door.bounds:
                openings.ends[_Track(True, x)].append(y)
                openings.ends[_Track(False, y)].append(x)
    return openings


def _runs(thick: Mask) -> Iterator[tuple[_Track, Interval]]:
    """Where thick cells meet others, as maximal straight runs."""
    for upright, cells in ((True, thick), (False, thick.T)):
        height, width = cells.shape
        steps = np.zeros((width - 1, height + 2), dtype=np.int8)
        steps[:, 1:-1] = (cells[:, :-1] != cells[:, 1:]).T
        turns = np.diff(steps, axis=1)
        lines, starts = np.nonzero(turns == 1)
        _, ends = np.nonzero(turns == -1)
        for line, start, end in zip(lines.tolist(), starts.tolist(), ends.tolist(), strict=True):
            yield _Track(upright, float(line + 1)), (float(start), float(end))


def _lines(walls: Iterable[Wall], openings: _Openings, thick: Mask | None = None) -> list[Line]:
    """Straight lines of walls: merged where they lie on one grid-parallel line, without the doors."""
    tracks: dict[_Track, list[Interval]] = defaultdict(list)
    if thick is not None:
        for track, run in _runs(thick):
            tracks[track].append(run)
    slanting: list[Line] = []
    touched: set[_Track] = set()
    for wall in walls:
        for (x0, y0), (x1, y1) in pairwise(wall.points):
            if x0 == x1 and y0 == y1:
                continue
            if x0 != x1 and y0 != y1:
                slanting.append(((x0, y0), (x1, y1)))
                continue
            track = _Track(True, x0) if x0 == x1 else _Track(False, y0)
            ends = (y0, y1) if track.upright else (x0, x1)
            tracks[track].append((min(ends), max(ends)))
            touched.add(track)
    found: list[Line] = []
    for track, runs in tracks.items():
        merged = _merged(runs) if track in touched else runs
        at = track.at
        for start, end in openings.parts(track, merged):
            found.append(((at, start), (at, end)) if track.upright else ((start, at), (end, at)))
    return found + slanting


def _merged(runs: Iterable[Interval]) -> list[Interval]:
    found: list[Interval] = []
    for start, end in sorted(runs):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def _without(run: Interval, gaps: Iterable[Interval]) -> list[Interval]:
    left = [run]
    for low, high in gaps:
        left = [
            part
            for start, end in left
            for part in ((start, min(end, low)), (max(start, high), end))
            if part[0] < part[1]
        ]
    return left


def _joined(lines: Sequence[Line], stops: set[Spot]) -> tuple[Polyline, ...]:
    """Lines joined end to end wherever exactly two meet, but not at the ends of doors."""
    at: dict[Spot, list[int]] = defaultdict(list)
    for index, (start, end) in enumerate(lines):
        at[start].append(index)
        at[end].append(index)
    used = [False] * len(lines)

    def follow(index: int, spot: Spot) -> list[Spot]:
        """The spots after this line's far end, walking on as long as just one line goes on."""
        spots: list[Spot] = []
        while True:
            start, end = lines[index]
            spot = end if spot == start else start
            spots.append(spot)
            meeting = at[spot]
            if len(meeting) != 2 or spot in stops:
                return spots
            index = meeting[0] if meeting[1] == index else meeting[1]
            if used[index]:
                return spots
            used[index] = True

    found: list[Polyline] = []
    for index, (start, end) in enumerate(lines):
        if used[index]:
            continue
        used[index] = True
        ahead = follow(index, start)
        if ahead[-1] == start:
            found.append((start, *ahead))
            continue
        behind = follow(index, end)[1:] if len(at[start]) == 2 and start not in stops else []
        found.append((*reversed(behind), start, *ahead))
    return tuple(found)


def _objects(model: GridMap) -> tuple[Polyline, ...]:
    cells = np.frombuffer(model.cells, dtype=np.uint8).reshape(model.height, model.width)
    standing: Mask = np.isin(cells, STANDING)
    return tuple(tuple((float(x), float(y)) for x, y in (*ring, ring[0])) for ring in rings(standing))
