"""Reads Universal VTT files of other programs: Dungeondraft, DungeonFog, Arkenforge, our own, anybody's.

Such a file tells lines, not cells: every cell becomes floor and every line a thin wall, or the outline of an
object. A closed portal becomes a door on the edge of a cell, or one that fills its cell, whichever lies
nearest to it; it keeps its own ends beside that, for exports and pictures. A portal that slants, or is too
short for a door, becomes wall, with a note for the game master. A portal that is not closed is a window. The
range of a light is what it lights at all, the inner half of it brightly, as other readers take it. What lies
beyond the map (a cropped export keeps it) is cut off. A map that ends inside a cell has all of the cell, and
its picture keeps its scale.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from services.map.exports.refusals import refusal, refused
from services.map.exports.soundness import MAX_WALL_LENGTH, MOST
from services.map.exports.uvtt_file import NOISE, RULE, File, read_file
from services.map.generation.grid.model import (
    Axis,
    Cell,
    Door,
    GridKind,
    GridMap,
    KeyNote,
    Light,
    Spot,
    Wall,
    WallKind,
)
from services.map.generation.grid.terrain import Terrain
from services.rules.engine.problem import Problems, RuleProblem

_OFF_TRACK = 0.25
"""Cells a portal may lie beside the grid lines and the middles of cells and still be read as a door."""


_SAME = 1e-6
"""Cells by which two ends may miss each other and still be one: corners are read to about as much in play."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What a Universal VTT file held.

    Attributes:
        model: The map.
        image: Its picture; None when the file had none.
        media_type: Of the picture: `image/png`, `image/webp` or `image/jpeg`.
        pixels_per_grid: Pixels along one cell of the picture.
        origin: Where the picture's top left lies, in the cells the file counts in.
        pixels: That the picture has by its header.
        warnings: What is odd about single parts that were left out or read as usual ones; the first of them.
        odd: How many such parts there are.
    """

    model: GridMap
    image: bytes | None
    media_type: str | None
    pixels_per_grid: int
    origin: Spot
    pixels: int = 0
    warnings: tuple[RuleProblem, ...] = ()
    odd: int = 0


def from_uvtt(data: bytes, title: str = "Imported map") -> Imported | Problems:
    """The map of a Universal VTT file, or everything that is wrong with the file.

    Args:
        data: The file, as it was uploaded: trusted in nothing.
        title: Name of the map, since the format has none.
    """
    file = read_file(data)
    if isinstance(file, Problems):
        return file
    model = _map(file, title)
    length = sum(math.dist(*ends) for wall in model.walls for ends in pairwise(wall.points))
    if length > MAX_WALL_LENGTH:
        message = f"All lines together are at most {MAX_WALL_LENGTH:,} cells long."
        return refused([refusal("out_of_range", message, RULE, ("line_of_sight",), length, MAX_WALL_LENGTH)])
    if len(model.lights) > MOST["lights"]:
        message = f"A map has at most {MOST['lights']:,} lights."
        found = len(model.lights)
        return refused([refusal("out_of_range", message, RULE, ("lights",), found, MOST["lights"])])
    return Imported(
        model,
        file.image,
        file.media_type,
        file.pixels_per_grid,
        file.origin,
        file.image_pixels,
        file.warnings,
        file.odd,
    )


def _map(file: File, title: str) -> GridMap:
    walls = [Wall(part) for line in file.lines for part in _inside(line, file)]
    walls += [Wall(part, WallKind.OBJECT) for line in file.objects for part in _inside(line, file)]
    doors: list[Door] = []
    notes: list[KeyNote] = []
    for portal in file.portals:
        (x0, y0), (x1, y1) = portal.bounds
        middle = (x0 + x1) / 2, (y0 + y1) / 2
        if not (0 <= middle[0] <= file.extent[0] and 0 <= middle[1] <= file.extent[1]):
            continue
        if not portal.closed:
            walls += [Wall(part, WallKind.WINDOW) for part in _inside(portal.bounds, file)]
            continue
        door = _door(f"door-{len(doors) + 1}", portal.bounds, file)
        if door is None:
            walls += [Wall(part) for part in _inside(portal.bounds, file)]
            text = "A door of the imported file that lies along no row or column of cells: read as wall."
            notes.append(KeyNote(f"note-{len(notes) + 1}", middle, text))
        else:
            doors.append(door)
    spots = [(lamp, _on_map(lamp.at, file)) for lamp in file.lamps]
    lights = [
        Light(f"light-{index}", at, lamp.range / 2, lamp.range, lamp.color)
        for index, (lamp, at) in enumerate(((lamp, at) for lamp, at in spots if at is not None), 1)
    ]
    return GridMap(
        kind=GridKind.IMPORTED,
        generator_version=1,
        seed=0,
        attempt=0,
        title=title,
        theme="imported",
        width=file.width,
        height=file.height,
        cells=bytes([Terrain.FLOOR]) * (file.width * file.height),
        ambient=file.ambient,
        doors=tuple(doors),
        walls=tuple(walls),
        lights=tuple(lights),
        notes=tuple(notes),
        extent=None if file.extent == (file.width, file.height) else file.extent,
        baked_lighting=file.baked_lighting,
    )


def _on_map(at: Spot, file: File) -> Spot | None:
    """Where a light stands; None beyond the map. On its far rims, the light is in the last cells."""
    if not all(-NOISE <= part <= most + NOISE for part, most in zip(at, file.extent, strict=True)):
        return None
    x, y = (
        max(part, 0.0) if part < most else most - NOISE for part, most in zip(at, file.extent, strict=True)
    )
    return x, y


def _door(name: str, bounds: tuple[Spot, Spot], file: File) -> Door | None:
    """The door nearest to a portal, on a grid line or across the middle of cells; None when none is near."""
    cut = _clipped(*bounds, *file.extent)
    if cut is None:
        return None
    (x0, y0), (x1, y1) = cut
    upright = abs(x1 - x0) <= abs(y1 - y0)
    track = (x0 + x1) / 2 if upright else (y0 + y1) / 2
    start, end = sorted((y0, y1) if upright else (x0, x1))
    across, along = (file.width, file.height) if upright else (file.height, file.width)
    skew = abs(x1 - x0) if upright else abs(y1 - y0)
    nearest = min(max(round(track * 2) / 2, 0.0), float(across))
    if skew > _OFF_TRACK or abs(nearest - track) > _OFF_TRACK or end - start <= _OFF_TRACK:
        return None
    span = min(max(round(end - start), 1), along)
    first = min(max(round((start + end - span) / 2), 0), along - span)
    axis = Axis.EAST_WEST if upright else Axis.NORTH_SOUTH
    line = math.floor(nearest)
    edge: str | None = None
    if line == nearest:
        before, after = ("w", "e") if upright else ("n", "s")
        edge = before if line < across else after
        line = min(line, across - 1)
    at: Cell = (line, first) if upright else (first, line)
    door = Door(name, at, axis, edge=edge, span=span)
    low, high = sorted(cut, key=lambda spot: spot[upright])
    apart = max(map(math.dist, (low, high), door.grid_bounds))
    return door if apart <= _SAME else replace(door, ends=(low, high))


def _inside(line: tuple[Spot, ...], file: File) -> Iterator[tuple[Spot, ...]]:
    """The parts of a line within the map."""
    part: list[Spot] = []
    for start, end in pairwise(line):
        if start == end:
            continue
        cut = _clipped(start, end, *file.extent)
        if cut is None or (part and part[-1] != cut[0]):
            if part:
                yield tuple(part)
            part = []
        if cut is not None:
            part += cut if not part else cut[1:]
    if part:
        yield tuple(part)


def _clipped(start: Spot, end: Spot, width: float, height: float) -> tuple[Spot, Spot] | None:
    """A straight line within the map (Liang and Barsky), None when there is nothing of it."""
    (x0, y0), (x1, y1) = start, end
    if 0 <= x0 <= width and 0 <= x1 <= width and 0 <= y0 <= height and 0 <= y1 <= height:
        return start, end
    dx, dy = x1 - x0, y1 - y0
    first, last = 0.0, 1.0
    for step, room in ((-dx, x0), (dx, width - x0), (-dy, y0), (dy, height - y0)):
        if step == 0:
            if room < 0:
                return None
        elif step < 0:
            first = max(first, room / step)
        else:
            last = min(last, room / step)
    if first >= last:
        return None
    ends = ((x0 + first * dx, y0 + first * dy), (x0 + last * dx, y0 + last * dy))
    clamped = [(min(max(x, 0.0), width), min(max(y, 0.0), height)) for x, y in ends]
    return None if clamped[0] == clamped[1] else (clamped[0], clamped[1])
