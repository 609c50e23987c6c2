"""Open country: how the ground lies, water, roads, and what grows.

The stages come in this order: `hills`, water, `road`s, what people built, `settle` (the ground under it all),
`knoll`s, and last what grows where there is room left.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import atan2, degrees

import numpy as np

from services.map.generation.grid.model import Cell
from services.map.generation.grid.terrain import Terrain
from services.map.generation.stream import Stream
from services.map.kinds.battle.draft import LOW, Draft, grown, spans_of
from services.map.kinds.battle.kernels import F64, I32, Bools, gentle, spaced, to_line
from services.map.kinds.battle.names import place
from services.map.kinds.battle.parameters import Cover, Relief, Season, Water

_SAMPLES = 6
"""Points of a curve between two knots."""

_REACH = 12
"""Cells from a line that anything asks about."""

_WET = (Terrain.WATER, Terrain.SHALLOWS)
HALF_WIDTHS = {Water.STREAM: 0.5, Water.RIVER: 1.5}
COVER_FACTOR = {Cover.SPARSE: 0.45, Cover.NORMAL: 1.0, Cover.DENSE: 1.6}


@dataclass(frozen=True, slots=True)
class Line:
    """A curve across the map.

    Attributes:
        xs: Of its points, in cells.
        ys: Of its points.
        level: Whether it runs from west to east; else from north to south.
    """

    xs: F64
    ys: F64
    level: bool


def curve(draft: Draft, stream: Stream, level: bool, sway: float, around: float = 0.5) -> Line:
    """A winding line from edge to edge.

    Args:
        draft: The map.
        stream: To draw from.
        level: Whether it runs from west to east.
        sway: How far it strays from one knot to the next, as a share of the side across.
        around: Where about it runs, as a share of the side across.
    """
    long, wide = (draft.width, draft.height) if level else (draft.height, draft.width)
    count = max(3, long // 10 + 2)
    reach = max(1, int(sway * wide * 10))
    at = around * wide
    middles = [at]
    for _ in range(count + 1):
        # It strays, but is drawn back to where it is meant to run.
        at += stream.between(-reach, reach) / 10 + (around * wide - at) * 0.35
        at = min(max(at, 2.5), wide - 2.5)
        middles.append(at)
    knots = [(-1.5 + (long + 3) * (i - 1) / (count - 1), middle) for i, middle in enumerate(middles)]
    us: list[float] = []
    vs: list[float] = []
    for p, q, r, s in zip(knots, knots[1:], knots[2:], knots[3:], strict=False):
        for step in range(_SAMPLES):
            t = step / _SAMPLES
            for k, out in ((0, us), (1, vs)):
                a, b, c, d = p[k], q[k], r[k], s[k]
                out.append(
                    b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
                )
    first, last = np.array(us), np.array(vs)
    # The ends run straight out of the map, whatever the outer knots were.
    first = np.concatenate(([-3.0], first, [long + 3.0]))
    last = np.concatenate(([last[0]], last, [last[-1]]))
    return Line(first, last, True) if level else Line(last, first, False)


def distance(draft: Draft, line: Line) -> F64:
    """Of each cell's middle to a line, in cells."""
    found: F64 = to_line(line.xs, line.ys, draft.width, draft.height, _REACH)
    return found


def hills(draft: Draft) -> None:
    """Raises gentle hills where the relief is hilly."""
    if draft.parameters.relief is not Relief.HILLY:
        return
    field = draft.noise("hills", max(7, min(24, (draft.width + draft.height) // 4)))
    bounds = np.quantile(field, (0.42, 0.68, 0.88))
    draft.heights[:] = np.searchsorted(bounds, field).astype(np.int8)


def flow(draft: Draft, line: Line, half: float) -> F64:
    """Lets water run along a line, in a valley of its own.

    Args:
        draft: The map.
        line: Its middle.
        half: Half the width of the deep water, in cells.

    Returns:
        The distance of each cell from the middle.
    """
    away = distance(draft, line)
    ragged = away + (draft.noise("banks", 3, 2) - 512) / 900
    deep, shallow = ragged < half, ragged < half + 0.85
    draft.cells[ragged < half + 1.7] = Terrain.MUD if half < 1 else Terrain.SAND
    draft.cells[shallow] = Terrain.SHALLOWS
    draft.cells[deep] = Terrain.WATER
    draft.free[shallow] = False
    bed = np.clip(np.floor(away - half - 0.9), 0, 9).astype(np.int8)
    np.minimum(draft.heights, bed, out=draft.heights)
    draft.heights[grown(shallow)] = 0
    return away


def fords(draft: Draft, line: Line, half: float, stream: Stream) -> None:
    """Makes places to wade through, about one for every dozen cells of the water."""
    inside = [
        (x, y)
        for x, y in zip(line.xs.tolist(), line.ys.tolist(), strict=True)
        if 2 <= x < draft.width - 2 and 2 <= y < draft.height - 2
    ]
    if not inside:
        return
    long = draft.width if line.level else draft.height
    count = max(2, long // (10 if half < 1 else 16))
    found: list[Cell] = []
    for number in range(count):
        low, high = number * len(inside) // count, (number + 1) * len(inside) // count - 1
        x, y = inside[stream.between(low, max(low, high))]
        shoal = draft.around((x, y), half + 1.4) & (draft.cells == Terrain.WATER)
        draft.cells[shoal] = Terrain.SHALLOWS
        found.append((int(x), int(y)))
        if half >= 1:
            draft.put_middle("rock", (round(x, 1), round(y, 1)), 0.8, 0.6, stream.below(360))
    left, top = stream.choice(found)
    draft.place(place(stream, "ford"), (left - 2, top - 2, 5, 5), ("ford",))


def pond(draft: Draft, stream: Stream, terrain: Terrain = Terrain.WATER) -> None:
    """Digs one pond for every thousand cells or so, away from what is there."""
    rough = draft.noise("ponds", 4, 2)
    for _ in range(max(1, draft.width * draft.height // 1600)):
        reach = 2.2 + stream.below(18) / 10 + min(draft.width, draft.height) / 40
        spot = open_spot(draft, stream, int(reach) + 1, 14)
        if spot is None:
            return
        x, y = spot
        ys, xs = np.ogrid[: draft.height, : draft.width]
        squeeze = 0.7 + stream.below(60) / 100
        away = np.sqrt((xs - x) ** 2 * squeeze + (ys - y) ** 2 / squeeze)
        ragged = away + (rough - 512) / 420
        draft.cells[(ragged < reach + 0.9) & draft.free] = Terrain.MUD
        draft.cells[(ragged < reach) & draft.free] = Terrain.SHALLOWS
        water = (ragged < reach - 0.9) & draft.free
        draft.cells[water] = terrain
        wet = (ragged < reach) & draft.free
        if not wet.any():
            continue
        draft.heights[grown(wet)] = draft.heights[y, x]
        draft.level.append(grown(wet))
        draft.free[wet] = False
        size = 2 * int(reach) + 1
        draft.place(
            place(stream, "water"), (x - int(reach), y - int(reach), size, size), ("water",), spans_of(wet)
        )


def road(
    draft: Draft, name: str, line: Line, half: float, ground: Terrain = Terrain.ROAD, ruts: bool = True
) -> None:
    """Lays a road along a line, with verges, ruts, and bridges where it meets water.

    Args:
        draft: The map.
        name: Of its random stream.
        line: Its middle.
        half: Half its width, in cells.
        ground: What it is made of.
        ruts: Whether wheels have cut into it.
    """
    stream = draft.stream("road", name)
    away = distance(draft, line)
    rough = (draft.noise(f"road {name}", 3, 2) - 512) / 512
    wet = np.isin(draft.cells, _WET)
    core = away + rough * 0.25 < half
    verge = (away + rough * 0.9 < half + 0.75) & ~core
    draft.cells[verge & ~wet & draft.free] = Terrain.EARTH
    draft.cells[core & ~wet] = ground
    over = (away < half + 0.35) & wet
    _bridge(draft, stream, over, name)
    draft.free &= ~(away < half + 0.4)
    np.minimum(draft.track, away - half, out=draft.track)
    for x, y in (_end(draft, line, last=False), _end(draft, line, last=True)):
        draft.ends.append(((x, y), name))
    if ruts:
        _ruts(draft, stream, line, core & ~wet)


def _bridge(draft: Draft, stream: Stream, over: Bools, name: str) -> None:
    if not over.any():
        return
    ys, xs = np.nonzero(over)
    box = (slice(int(ys.min()), int(ys.max()) + 1), slice(int(xs.min()), int(xs.max()) + 1))
    if over[box].size < 1.9 * over.sum():
        # A short bridge is straight, whatever the road does.
        over = over.copy()
        over[box] |= np.isin(draft.cells[box], _WET)
        draft.free &= ~over
    draft.cells[over] = Terrain.PLANKS
    wet = np.isin(draft.cells, _WET)
    # Low railings between the planks and the water.
    rails = over[1:, :] & wet[:-1, :] | over[:-1, :] & wet[1:, :]
    draft.across[1:-1][rails] = LOW
    rails = over[:, 1:] & wet[:, :-1] | over[:, :-1] & wet[:, 1:]
    draft.down[:, 1:-1][rails] = LOW
    ys, xs = np.nonzero(over)
    left, top, right, bottom = int(xs.min()), int(ys.min()), int(xs.max()), int(ys.max())
    if (right - left) < draft.width // 2 and (bottom - top) < draft.height // 2:
        size = right - left + 1, bottom - top + 1
        draft.place(place(stream, "bridge"), (left, top, *size), ("bridge",), spans_of(over))


def _end(draft: Draft, line: Line, last: bool) -> tuple[int, int]:
    x, y = (line.xs[-1], line.ys[-1]) if last else (line.xs[0], line.ys[0])
    return min(max(int(x), 0), draft.width - 1), min(max(int(y), 0), draft.height - 1)


def _ruts(draft: Draft, stream: Stream, line: Line, core: Bools) -> None:
    gone = 0.0
    points = list(zip(line.xs.tolist(), line.ys.tolist(), strict=True))
    for (ax, ay), (bx, by) in pairwise(points):
        gone += abs(bx - ax) + abs(by - ay)
        x, y = (ax + bx) / 2, (ay + by) / 2
        if gone < 3 or not (1 <= x < draft.width - 1 and 1 <= y < draft.height - 1):
            continue
        gone = 0.0
        if core[int(y), int(x)] and stream.below(4):
            turn = round(degrees(atan2(by - ay, bx - ax)))
            draft.put_middle("tracks", (x, y), 3.0, 1.2, turn)


def open_spot(draft: Draft, stream: Stream, reach: int, tries: int) -> tuple[int, int] | None:
    """A cell with nothing in the way within so many cells; None when none was met."""
    if draft.width <= 2 * reach + 2 or draft.height <= 2 * reach + 2:
        return None
    for _ in range(tries):
        x = stream.between(reach + 1, draft.width - reach - 2)
        y = stream.between(reach + 1, draft.height - reach - 2)
        if draft.free[y - reach : y + reach + 1, x - reach : x + reach + 1].all():
            return x, y
    return None


def settle(draft: Draft) -> None:
    """Evens the ground out, so that nothing but a knoll has ledges."""
    if draft.parameters.relief is not Relief.HILLY:
        return
    while True:
        gentle(draft.heights)
        uneven = [patch for patch in draft.level if np.ptp(draft.heights[patch])]
        if not uneven:
            return
        for patch in uneven:
            draft.heights[patch] = draft.heights[patch].min()


def knolls(draft: Draft, stream: Stream) -> None:
    """Raises knolls with ledges all round but for two ramps."""
    if draft.parameters.relief is not Relief.HILLY:
        return
    found: list[tuple[int, int, int, Bools]] = []
    ys, xs = np.ogrid[: draft.height, : draft.width]
    rough = draft.noise("knolls", 3, 2)
    for _ in range(max(1, draft.width * draft.height // 900)):
        reach = 2 + stream.below(2) + (min(draft.width, draft.height) >= 40) * stream.below(3)
        spot = open_spot(draft, stream, reach + 2, 20)
        if spot is None:
            continue
        x, y = spot
        ragged = np.hypot(xs - x, ys - y) + (rough - 512) / 420
        top = ragged < reach + 0.3
        draft.heights[grown(top, 2)] = draft.heights[y, x]
        draft.free[top & grown(~top)] = False
        found.append((x, y, reach, top))
    # The ground below is evened out once for all, or the ledges would go with it.
    settle(draft)
    for x, y, reach, top in found:
        rim = top & grown(~top)
        draft.heights[top] += 2
        edge = np.flatnonzero(rim)
        first = int(edge[stream.below(len(edge))])
        fx, fy = first % draft.width, first // draft.width
        for ax, ay in ((fx, fy), (2 * x - fx, 2 * y - fy)):
            draft.heights[rim & draft.around((ax + 0.5, ay + 0.5), 1.6)] -= 1
        size = 2 * reach + 1
        draft.place(
            place(stream, "hill"), (x - reach, y - reach, size, size), ("high ground",), spans_of(top)
        )


def clumped(draft: Draft, name: str, scale: int, loose: float = 0.45) -> I32:
    """A score for each cell by which things grow in clumps.

    Args:
        draft: The map.
        name: Of the random stream.
        scale: Cells from one clump to the next.
        loose: How much chance there is beside the clumps, 0 to 1.
    """
    field = draft.noise(name, scale, 2) * (1 - loose) + draft.noise(f"{name} loose", 1, 1) * loose
    return np.asarray(field, np.int32)


def best(score: I32, allowed: Bools, gap: int, count: int) -> list[tuple[int, int]]:
    """The cells with the best scores, as (x, y), so many clear cells between them."""
    width = score.shape[1]
    flat = score.ravel()
    # Enough of the best to choose from; sorting everything would cost more than all the rest.
    wanted = np.flatnonzero(allowed.ravel())
    order = wanted[np.argsort(-flat[wanted], kind="stable")].astype(np.int32)
    taken = spaced(order, allowed.copy(), gap, count).tolist()
    return [(cell % width, cell // width) for cell in taken]


def trees(draft: Draft, share: float, score: I32, allowed: Bools) -> None:
    """Plants trees: trunks that never touch, under canopies that may.

    Args:
        draft: The map.
        share: Of the map's cells that get a trunk.
        score: Where they grow first.
        allowed: Where they may grow at all.
    """
    stream = draft.stream("canopies")
    count = round(share * draft.width * draft.height)
    mask = draft.free & allowed
    for x, y in best(score, mask, 1, count):
        draft.cells[y, x] = Terrain.TREE
        draft.free[y, x] = False
        size = 2.0 + stream.below(17) / 10
        draft.put_middle("tree", (x + 0.5, y + 0.5), size, size, stream.below(12) * 30)


def boulders(draft: Draft, share: float, allowed: Bools) -> None:
    """Strews boulders of one to three cells."""
    stream = draft.stream("boulders")
    count = round(share * draft.width * draft.height)
    # A boulder of more cells keeps its distance, so that no pocket is closed off.
    for x, y in best(clumped(draft, "boulders", 8, 0.7), draft.free & allowed, 3, max(1, count)):
        draft.cells[y, x] = Terrain.BOULDER
        draft.free[y, x] = False
        for dx, dy in ((1, 0), (0, 1)):
            nx, ny = x + dx, y + dy
            if stream.below(5) < 2 and draft.holds(nx, ny) and draft.free[ny, nx] and allowed[ny, nx]:
                draft.cells[ny, nx] = Terrain.BOULDER
                draft.free[ny, nx] = False
        if stream.below(2) and x + 2 < draft.width:
            draft.put_middle("rock", (x + 1.6, y + 0.4), 0.6, 0.5, stream.below(360))


def undergrowth(draft: Draft, share: float, score: I32, allowed: Bools) -> None:
    """Lets brush grow over part of the cells, the best scores first."""
    mask = draft.free & allowed
    count = round(share * draft.width * draft.height)
    values = score[mask]
    if count <= 0 or len(values) == 0:
        return
    least = np.partition(values, -min(count, len(values)))[-min(count, len(values))]
    brush = mask & (score >= least)
    draft.cells[brush] = Terrain.BRUSH
    draft.free[brush] = False


def fallen(draft: Draft, kind: str, count: int, stream: Stream) -> None:
    """Lays logs of two to four cells, or stumps of one."""
    for _ in range(count):
        long = 1 if kind == "stump" else 2 + stream.below(3)
        spot = open_spot(draft, stream, 1, 6)
        if spot is None:
            continue
        x, y = spot
        level = stream.below(2) == 0
        width, height = (long, 1) if level else (1, long)
        if draft.free[y : y + height, x : x + width].all() and draft.holds(x + width - 1, y + height - 1):
            draft.stand(kind, x, y, width, height, 0 if level else 90)


_TRIFLES = {
    Season.SPRING: ("flowers", "flowers", "mushroom", "rock"),
    Season.SUMMER: ("flowers", "rock", "bush", "mushroom"),
    Season.AUTUMN: ("mushroom", "mushroom", "rock", "bush"),
    Season.WINTER: ("rock", "rock", "bush"),
}


def trifles(draft: Draft, per_hundred: float) -> None:
    """Strews what is only looked at: flowers, pebbles, reeds and lilies at the water."""
    stream = draft.stream("trifles")
    kinds = _TRIFLES[draft.parameters.season]
    grass = np.flatnonzero(draft.free.ravel() & (draft.cells.ravel() == Terrain.GRASS))
    if len(grass):
        for _ in range(round(per_hundred * len(grass) / 100)):
            cell = int(grass[stream.below(len(grass))])
            spot = cell % draft.width + 0.2 + stream.below(7) / 10, cell // draft.width + 0.5
            size = 0.5 + stream.below(4) / 10
            draft.put_middle(stream.choice(kinds), spot, size, size, stream.below(360))
    wet = draft.cells == Terrain.SHALLOWS
    if wet.any() and draft.parameters.season is not Season.WINTER:
        shore = np.flatnonzero((wet & grown(~np.isin(draft.cells, _WET))).ravel())
        for cell in shore.tolist():
            if stream.below(4) == 0:
                spot = cell % draft.width + 0.5, cell // draft.width + 0.5
                draft.put_middle("reeds" if stream.below(4) else "lilies", spot, 0.9, 0.9, stream.below(360))


def freeze(draft: Draft) -> None:
    """Shallow water is ice in winter."""
    if draft.parameters.season is Season.WINTER:
        draft.cells[draft.cells == Terrain.SHALLOWS] = Terrain.ICE


def waters(draft: Draft, stream: Stream, level: bool, around: float = 0.5) -> Line | None:
    """The running water of the parameters, if any, across the map; its fords come with it.

    Args:
        draft: The map.
        stream: To draw from.
        level: Whether it runs from west to east.
        around: Where about, as a share of the side across.
    """
    kind = draft.parameters.water
    if kind not in HALF_WIDTHS:
        return None
    line = curve(draft, stream, level, 0.12, around)
    half = HALF_WIDTHS[kind] + (0.02 * min(draft.width, draft.height) if kind is Water.RIVER else 0.0)
    flow(draft, line, half)
    fords(draft, line, half, stream)
    return line
