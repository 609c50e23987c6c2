"""Where each side starts, how they can come at each other, and what else the game master wants marked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from services.map.generation.grid.model import Cell, KeyNote, Zone
from services.map.generation.grid.terrain import COVER, Terrain
from services.map.kinds.battle.draft import Draft, grown, spans_of
from services.map.kinds.battle.kernels import U8, Bools, cheapest, parts
from services.map.kinds.battle.names import HAZARDS
from services.map.kinds.battle.parameters import Site

I64 = NDArray[np.int64]

LEAST_CELLS = 8
_COVER_OF = np.frombuffer(COVER, np.uint8)
_MOST_PAIRS = 5
_MOST_TRIES = 24
_NEVER = 1 << 20
_NEAR = 6
"""Cells around a start within which cover counts as near."""

_HINTS = (
    (Terrain.PLANKS, "Over the bridge"),
    (Terrain.SHALLOWS, "Through the ford"),
    (Terrain.ICE, "Across the ice"),
    (Terrain.ROAD, "Along the road"),
    (Terrain.RUBBLE, "Over the rubble"),
    (Terrain.BRUSH, "Through the brush"),
    (Terrain.EARTH, "Along the track"),
)
_PLAIN_WAYS = {
    Site.DUNGEON_ROOM: ("Down the middle", "Along the wall"),
    Site.ROAD: ("Across the open", "Past the trees"),
    Site.VILLAGE: ("Between the houses", "Round the back"),
    Site.RUIN: ("Through the works", "Round the walls"),
    Site.FOREST: ("Through the glade", "From tree to tree"),
}


def mark(draft: Draft) -> bool:
    """Marks starts, approaches, exits, hazards and an ambush; whether there was room for the starts."""
    ways = draft.steps()
    pace = draft.pace()
    numbers, sizes = parts(pace, ways)
    if len(sizes) == 0:
        return False
    main: Bools = numbers == int(np.argmax(sizes))
    for heroes, foes in islice(_starts(draft, main, ways), _MOST_PAIRS):
        approaches = _approaches(draft, ways, pace, heroes, foes)
        if len(approaches) >= 2:
            break
    else:
        return False
    draft.zones.append(Zone("start-heroes", "start", "The heroes' start", spans_of(heroes), "heroes"))
    draft.zones.append(Zone("start-foes", "start", "The foes' start", spans_of(foes), "foes"))
    taken = np.zeros_like(main)
    for number, (name, way) in enumerate(approaches, 1):
        draft.zones.append(Zone(f"approach-{number}", "approach", name, spans_of(way)))
        taken |= way
    _exits(draft, main)
    _hazards(draft)
    _ambush(draft, main, heroes, foes, taken)
    return True


def _starts(draft: Draft, main: Bools, ways: U8) -> Iterator[tuple[Bools, Bools]]:
    """Fair pairs of starts, the best first, out of doors where there is room for them."""
    open_cells = main & (draft.pace() == 1)
    yield from _fair_starts(draft, open_cells & ~draft.roofed, ways)
    yield from _fair_starts(draft, open_cells, ways)


def _fair_starts(draft: Draft, open_cells: Bools, ways: U8) -> Iterator[tuple[Bools, Bools]]:
    """Starts far enough apart, alike in cover near by and in distance to the middle."""
    stream = draft.stream("starts")
    apart = draft.parameters.apart
    sums = _sums(open_cells)
    cover = _sums(_COVER_OF[draft.cells] > 0)
    cells = np.argwhere(open_cells)
    most = 150
    if len(cells) > most:
        # An even sample: every pair of all the cells would be too many.
        skip = len(cells) // most
        cells = cells[stream.below(skip) :: skip][: most + 40]
    ys, xs = cells[:, 0], cells[:, 1]
    roomy = _inside(sums, xs, ys, 2) >= LEAST_CELLS
    xs, ys = xs[roomy], ys[roomy]
    if len(xs) < 2:
        return
    near = _inside(cover, xs, ys, _NEAR)
    middle = np.maximum(np.abs(2 * xs + 1 - draft.width), np.abs(2 * ys + 1 - draft.height)) // 2
    far = np.maximum(np.abs(xs[:, None] - xs[None, :]), np.abs(ys[:, None] - ys[None, :]))
    unfair = np.abs(middle[:, None] - middle[None, :]) * 3 + np.abs(near[:, None] - near[None, :]) * 2
    wanted = draft.parameters.start_cells
    room = min(isqrt(wanted) + 1, (max(draft.width, draft.height) - apart) // 3)
    short = np.maximum(0, apart + room - far) * 6
    taste = np.array([stream.below(7) for _ in range(len(xs))])
    score = unfair + short + taste[:, None] + taste[None, :]
    score[far < apart] = _NEVER
    smaller: list[tuple[Bools, Bools]] = []
    for _ in range(_MOST_TRIES):
        best = int(np.argmin(score))
        one, other = best // len(xs), best % len(xs)
        if score[one, other] >= _NEVER:
            break
        found = _pair(draft, open_cells, ways, (int(xs[one]), int(ys[one])), (int(xs[other]), int(ys[other])))
        if found is not None and _fair(draft, cover, *found):
            if min(int(found[0].sum()), int(found[1].sum())) >= wanted:
                yield found
            else:
                smaller.append(found)
        # This pair is out; others with the same cells are tried later.
        score[one, other] = score[other, one] = _NEVER
        score[one] += 8
        score[:, other] += 8
    yield from smaller


def _fair(draft: Draft, cover: I64, heroes: Bools, foes: Bools) -> bool:
    """Whether two starts are large enough, alike in cover near by and as far from the middle."""
    spots = [np.argwhere(mask) for mask in (heroes, foes)]
    if min(len(cells) for cells in spots) < LEAST_CELLS:
        return False
    (ay, ax), (by, bx) = (cells.mean(axis=0) for cells in spots)
    near = _inside(cover, np.array([int(ax), int(bx)]), np.array([int(ay), int(by)]), _NEAR)
    width, height = draft.width / 2, draft.height / 2
    one = max(abs(ax + 0.5 - width), abs(ay + 0.5 - height))
    other = max(abs(bx + 0.5 - width), abs(by + 0.5 - height))
    alike = abs(int(near[0]) - int(near[1])) <= max(8, int(near.max()) // 2)
    return bool(alike and abs(one - other) <= max(2.5, 0.15 * max(draft.width, draft.height)))


def _sums(mask: Bools) -> I64:
    return np.pad(mask.astype(np.int64).cumsum(0).cumsum(1), ((1, 0), (1, 0)))


def _inside(
    sums: I64,
    xs: I64,
    ys: I64,
    reach: int,
) -> I64:
    """How many cells of a mask lie within so many cells of each spot."""
    high, wide = sums.shape
    top, bottom = np.maximum(ys - reach, 0), np.minimum(ys + reach + 1, high - 1)
    left, right = np.maximum(xs - reach, 0), np.minimum(xs + reach + 1, wide - 1)
    counts: I64 = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
    return counts


def _pair(draft: Draft, open_cells: Bools, ways: U8, one: Cell, other: Cell) -> tuple[Bools, Bools] | None:
    apart, wanted = draft.parameters.apart, draft.parameters.start_cells
    ys, xs = np.ogrid[: draft.height, : draft.width]

    def beyond(box: tuple[int, int, int, int]) -> Bools:
        left, top, right, bottom = box
        gap_x = np.maximum(np.maximum(left - xs, xs - right), 0)
        gap_y = np.maximum(np.maximum(top - ys, ys - bottom), 0)
        return np.asarray(np.maximum(gap_x, gap_y) >= apart)

    heroes = _grow(ways, open_cells & beyond((*other, *other)), one, wanted)
    rows, columns = np.nonzero(heroes)
    if len(rows) == 0:
        return None
    box = int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max())
    return heroes, _grow(ways, open_cells & beyond(box), other, wanted)


def _grow(ways: U8, allowed: Bools, at: Cell, count: int) -> Bools:
    """Allowed cells around one, joined by straight steps, the nearest first."""
    found = np.zeros_like(allowed)
    x, y = at
    if not allowed[y, x]:
        return found
    queue, seen = [(x, y)], {(x, y)}
    for cx, cy in queue:
        if len(queue) > 4 * count:
            break
        for bit, dx, dy in ((1, 0, -1), (4, 1, 0), (16, 0, 1), (64, -1, 0)):
            to = cx + dx, cy + dy
            if ways[cy, cx] & bit and to not in seen and allowed[to[1], to[0]]:
                seen.add(to)
                queue.append(to)
    for cx, cy in queue[:count]:
        found[cy, cx] = True
    return found


def _approaches(draft: Draft, ways: U8, pace: U8, heroes: Bools, foes: Bools) -> list[tuple[str, Bools]]:
    """Up to three ways from start to start that share no cell, as far from each other as they can be."""
    cost = (pace * 10).astype(np.uint8)
    cost[np.isin(draft.cells, (Terrain.ROAD, Terrain.PLANKS))] = 7
    both = heroes | foes
    found: list[tuple[str, Bools]] = []
    for _ in range(3):
        mask = np.zeros_like(heroes)
        mask.ravel()[cheapest(ways, cost, heroes, foes)] = True
        mask &= ~both
        if not mask.any():
            break
        found.append((_way_name(draft, mask, {name for name, _ in found}), mask))
        near = grown(mask, 3) & (cost > 0)
        cost[near] = np.minimum(cost[near] + 40, 200)
        cost[mask] = 0
    return found


def _way_name(draft: Draft, mask: Bools, names: set[str]) -> str:
    under = draft.cells[mask]
    for terrain, name in _HINTS:
        least = 0.02 if terrain in (Terrain.PLANKS, Terrain.SHALLOWS, Terrain.ICE) else 0.3
        if name not in names and (under == terrain).mean() > least:
            return name
    for name in _PLAIN_WAYS[draft.parameters.site]:
        if name not in names:
            return name
    return f"Way {len(names) + 1}"


def _exits(draft: Draft, main: Bools) -> None:
    """Marks where one leaves: the ends of roads, else the side one can walk off most easily."""
    found = 0
    for (x, y), name in draft.ends:
        mask = main & draft.around((x + 0.5, y + 0.5), 2.6)
        rim = np.zeros_like(mask)
        rim[0], rim[-1], rim[:, 0], rim[:, -1] = True, True, True, True
        mask &= rim
        if mask.any() and found < 8:
            found += 1
            where = "Corridor" if name == "corridor" else "Road" if name == "main" else "Path"
            draft.zones.append(Zone(f"exit-{found}", "exit", f"{where} {_side(draft, x, y)}", spans_of(mask)))
    if found:
        return
    for side, rim_cells in (
        ("north", (0, slice(None))),
        ("south", (-1, slice(None))),
        ("west", (slice(None), 0)),
        ("east", (slice(None), -1)),
    ):
        mask = np.zeros_like(main)
        mask[rim_cells] = main[rim_cells]
        if mask.sum() >= 3:
            draft.zones.append(Zone("exit-1", "exit", f"Off to the {side}", spans_of(mask)))
            return


def _side(draft: Draft, x: int, y: int) -> str:
    gaps = {"west": x, "east": draft.width - 1 - x, "north": y, "south": draft.height - 1 - y}
    return f"to the {min(gaps, key=lambda side: gaps[side])}"


def _hazards(draft: Draft) -> None:
    """Marks what is dangerous by its ground."""
    stream = draft.stream("hazards")
    fires = np.zeros_like(draft.free)
    for prop in draft.props:
        if prop.kind in ("fire", "brazier", "hearth"):
            fires[int(prop.y + prop.height / 2), int(prop.x + prop.width / 2)] = True
    masks: Iterator[tuple[str, Bools]] = iter(
        (
            ("water", draft.cells == Terrain.WATER),
            ("chasm", draft.cells == Terrain.CHASM),
            ("ice", draft.cells == Terrain.ICE),
            ("mud", draft.cells == Terrain.MUD),
            ("rubble", draft.cells == Terrain.RUBBLE),
            ("fire", fires),
            ("brush", draft.cells == Terrain.BRUSH),
        )
    )
    found = 0
    for kind, mask in masks:
        if mask.any() and found < 3 and not (kind == "brush" and found):
            found += 1
            name = stream.choice(HAZARDS[kind])
            draft.zones.append(Zone(f"hazard-{found}", "hazard", name, spans_of(mask)))


def _ambush(draft: Draft, main: Bools, heroes: Bools, foes: Bools, ways: Bools) -> None:
    """Marks, for the game master alone, where somebody could lie in wait beside an approach."""
    stream = draft.stream("ambush")
    cover = _COVER_OF[draft.cells] > 0
    hiding = grown(cover) & main & grown(ways, 5) & ~ways & ~grown(heroes, 3) & ~foes
    cells = np.argwhere(hiding)
    if len(cells) == 0:
        cells = np.argwhere(main & ~ways & ~heroes & ~foes)
    if len(cells) == 0:
        return
    y, x = (int(value) for value in cells[stream.below(len(cells))])
    mask = main & ~heroes & ~foes & ~ways & draft.around((x + 0.5, y + 0.5), 1.6)
    mask[y, x] = True
    zone = Zone("ambush", "ambush", stream.choice(_LURKING), spans_of(mask), secret=True)
    draft.zones.append(zone)
    draft.notes.append(
        KeyNote(f"note-{len(draft.notes) + 1}", (x + 0.5, y + 0.5), stream.choice(_AMBUSHES), secret=True)
    )


_LURKING = ("Place to lie in wait", "Hidden watcher", "Blind corner", "Good cover near the way")
_AMBUSHES = (
    "Whoever waits here without a sound sees the others first.",
    "A third party has been watching from here since before either side came.",
    "A rope, a stack of stones or a lit torch kept here would turn the fight.",
    "From here somebody can close the way behind those who have passed.",
)
