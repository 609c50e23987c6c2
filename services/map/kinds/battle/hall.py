"""A dungeon room: one great hall with pillars, a dais, pits and pools, niches, side rooms and ways out."""

from __future__ import annotations

import numpy as np

from services.map.generation.grid.terrain import Terrain
from services.map.generation.stream import Stream
from services.map.kinds.battle import landscape
from services.map.kinds.battle.buildings import Piece, furnish
from services.map.kinds.battle.draft import LOW, Draft, grown, spans_of
from services.map.kinds.battle.hall_plan import (
    PURPOSES,
    SIDES,
    STEP,
    Hall,
    along,
    doorways,
    exits,
    lay_out,
    niches,
    side_rooms,
)
from services.map.kinds.battle.names import place
from services.map.kinds.battle.parameters import BattleParameters, Cover, Relief, Water

_LARGE = 600
"""Cells from which a hall is a large one."""


def dungeon_room(parameters: BattleParameters, seed: int, attempt: int) -> Draft:
    """A dungeon room with all that belongs to it."""
    draft = Draft(parameters, seed, attempt, Terrain.ROCK)
    stream = draft.stream("layout")
    hall = lay_out(draft, stream)
    draft.cells[hall.mask] = Terrain.FLOOR
    purpose = stream.choice(tuple(PURPOSES))
    name = place(draft.stream("hall"), "hall")
    size = hall.right - hall.left, hall.bottom - hall.top
    draft.place(name, (hall.left, hall.top, *size), ("hall", purpose), spans_of(hall.mask))
    exits(draft, draft.stream("exits"), hall)
    side_rooms(draft, draft.stream("side rooms"), hall)
    niches(draft, draft.stream("niches"), hall)
    draft.free[:] = hall.mask & ~doorways(draft)
    if parameters.relief is Relief.HILLY:
        _gallery(draft, draft.stream("gallery"), hall)
    if parameters.water is Water.STREAM:
        _channel(draft, draft.stream("water"), hall)
    _dais(draft, draft.stream("dais"), hall)
    if parameters.water is Water.POND:
        _basin(draft, draft.stream("water"), hall)
    pits = draft.stream("pits")
    if pits.below(5) < 2 or (hall.mask.sum() > 900 and pits.below(3)):
        _pit(draft, pits, hall)
    _pillars(draft, draft.stream("pillars"), hall)
    _decay(draft)
    _pieces(draft, draft.stream("pieces"), hall, PURPOSES[purpose])
    _fires(draft, draft.stream("fires"), hall)
    draft.cells[(draft.cells == Terrain.ROCK) & grown(draft.cells != Terrain.ROCK)] = Terrain.WALL
    draft.free &= draft.cells == Terrain.FLOOR
    return draft


def _gallery(draft: Draft, stream: Stream, hall: Hall) -> None:
    """A raised walk along one of the longer sides, ten feet up, with a ramp at each end."""
    depth = 2 + (min(hall.right - hall.left, hall.bottom - hall.top) >= 14) * stream.below(2)
    far = stream.below(2)
    mask = np.zeros_like(hall.mask)
    if hall.level:
        row = hall.bottom - depth if far else hall.top
        mask[row : row + depth] = True
    else:
        column = hall.right - depth if far else hall.left
        mask[:, column : column + depth] = True
    mask &= hall.mask
    beyond = mask & ~doorways(draft)
    if beyond.sum() < 8:
        return
    axis = 0 if hall.level else 1
    used = np.nonzero(mask.any(axis=axis))[0]
    first, last = int(used[0]), int(used[-1])
    # The ends, and the ground before every door, come down to the floor by steps.
    low = ~mask | doorways(draft)
    draft.heights[mask] = 2
    ramp = np.zeros_like(mask)
    for at in (first, last):
        if hall.level:
            ramp[:, max(0, at - 1) : at + 2] = True
        else:
            ramp[max(0, at - 1) : at + 2, :] = True
    draft.heights[mask & ramp] = 1
    draft.heights[mask & grown(mask & low)] = 1
    draft.heights[low & mask] = 0
    up = draft.heights == 2
    rows = up[1:] != up[:-1]
    draft.across[1:-1][
        rows & (hall.mask[1:] & hall.mask[:-1]) & (np.diff(draft.heights, axis=0) ** 2 > 1)
    ] = LOW
    columns = up[:, 1:] != up[:, :-1]
    steep = np.diff(draft.heights, axis=1) ** 2 > 1
    draft.down[:, 1:-1][columns & (hall.mask[:, 1:] & hall.mask[:, :-1]) & steep] = LOW
    ys, xs = np.nonzero(up)
    if len(ys):
        box = (int(xs.min()), int(ys.min()), int(np.ptp(xs)) + 1, int(np.ptp(ys)) + 1)
        draft.place(place(stream, "gallery"), box, ("high ground",), spans_of(up))
    draft.free &= ~grown(mask, 1)


def _dais(draft: Draft, stream: Stream, hall: Hall) -> None:
    """A dais of one or two steps at one end or in the middle, with something on it."""
    wide, high = hall.right - hall.left, hall.bottom - hall.top
    short = min(wide, high)
    half = max(1, min(5, short // 5))
    deep = max(2, min(6, short // 4))
    mx, my = (hall.left + hall.right) // 2, (hall.top + hall.bottom) // 2
    boxes = {
        "n": (mx - half, hall.top, 2 * half + 1, deep),
        "s": (mx - half, hall.bottom - deep, 2 * half + 1, deep),
        "w": (hall.left, my - half, deep, 2 * half + 1),
        "e": (hall.right - deep, my - half, deep, 2 * half + 1),
        "middle": (mx - half, my - half, 2 * half + 1, 2 * half + 1),
    }
    names = list(boxes)
    stream.shuffle(names)
    for name in names:
        left, top, width, height = boxes[name]
        part = (slice(top, top + height), slice(left, left + width))
        if not draft.free[part].all():
            continue
        draft.heights[part] = 1
        if half >= 2 and stream.below(3):
            draft.heights[top + 1 : top + height - 1, left + 1 : left + width - 1] = 2
        cx, cy = left + width // 2, top + height // 2
        kind = stream.choice(("altar", "statue", "chair", "sarcophagus", "cauldron", "crystal"))
        if kind == "statue":
            draft.cells[cy, cx] = Terrain.PILLAR
            draft.put("statue", float(cx), float(cy))
        else:
            draft.stand(kind, cx, cy)
        if kind == "crystal":
            draft.light("crystal", (cx + 0.5, cy + 0.5), 3, 6, "#8fd0ff")
        else:
            draft.put("rug", float(cx - 1), cy + 1.0, 3.0, 1.0)
        draft.free[max(0, top - 1) : top + height + 1, max(0, left - 1) : left + width + 1] = False
        draft.place(place(stream, "dais"), boxes[name], ("high ground",))
        return


def _basin(draft: Draft, stream: Stream, hall: Hall) -> None:
    """A basin in the floor, shallow at its rim."""
    wide, high = hall.right - hall.left, hall.bottom - hall.top
    rx = max(1.6, wide * stream.between(12, 20) / 100)
    ry = max(1.6, high * stream.between(12, 20) / 100)
    x = hall.left + wide * stream.between(30, 70) / 100
    y = hall.top + high * stream.between(30, 70) / 100
    ys, xs = np.mgrid[: draft.height, : draft.width]
    ragged = ((xs + 0.5 - x) / rx) ** 2 + ((ys + 0.5 - y) / ry) ** 2
    ragged = ragged + (draft.noise("basin", 3, 2) - 512) / 1300
    basin = (ragged < 1.25) & draft.free & (draft.heights == 0)
    if not basin.any():
        return
    draft.cells[basin] = Terrain.SHALLOWS
    draft.cells[(ragged < 0.6) & basin] = Terrain.WATER
    draft.free[grown(basin)] = False
    box = (int(x - rx), int(y - ry), int(2 * rx) + 1, int(2 * ry) + 1)
    draft.place(place(stream, "pool"), box, ("water",), spans_of(basin))


def _channel(draft: Draft, stream: Stream, hall: Hall) -> None:
    """A channel across the hall, with planks over it."""
    long = draft.width if hall.level else draft.height
    first, last = (hall.left, hall.right) if hall.level else (hall.top, hall.bottom)
    at = first + (last - first) * stream.between(35, 60) // 100
    wide = 1 + (long >= 20)
    part = np.zeros_like(hall.mask)
    if hall.level:
        part[:, at : at + wide] = True
    else:
        part[at : at + wide, :] = True
    part &= hall.mask & (draft.heights == 0)
    cells = np.argwhere(part)
    draft.cells[part & draft.free] = Terrain.WATER
    run = sorted({int(cell[0 if hall.level else 1]) for cell in cells})
    for number in range(2 + len(run) // 14):
        low, high = number * len(run) // (2 + len(run) // 14), (number + 1) * len(run) // (2 + len(run) // 14)
        middle = run[min(len(run) - 2, max(1, stream.between(low, max(low, high - 1))))]
        across = slice(middle - 1, middle + 1)
        box = (across, slice(at, at + wide)) if hall.level else (slice(at, at + wide), across)
        wet = draft.cells[box] == Terrain.WATER
        draft.cells[box] = np.where(wet, Terrain.PLANKS, draft.cells[box])
    draft.free &= ~grown(part)


def _pit(draft: Draft, stream: Stream, hall: Hall) -> None:
    """A pit in the floor: square-cut, or a crack."""
    wide, high = hall.right - hall.left, hall.bottom - hall.top
    if stream.below(2):
        width, height = 1 + stream.below(max(1, wide // 4)), 1 + stream.below(max(1, high // 4))
        x, y = (
            stream.between(hall.left + 1, hall.right - width - 1),
            stream.between(hall.top + 1, hall.bottom - height - 1),
        )
        pit = np.zeros_like(hall.mask)
        pit[y : y + height, x : x + width] = True
    else:
        length = max(2, min(wide, high) * 2 // 5)
        x, y = stream.between(hall.left + 2, hall.right - 3), stream.between(hall.top + 2, hall.bottom - 3)
        pit = np.zeros_like(hall.mask)
        cx, cy = x, y
        for _ in range(length):
            pit[cy, cx] = True
            if stream.below(2):
                cx += 1
            else:
                cy += 1
            if not draft.holds(cx, cy):
                break
            pit[cy, cx] = True
    pit &= draft.free & ~grown(~hall.mask)
    if not pit.any():
        return
    draft.cells[pit] = Terrain.CHASM
    draft.free &= ~grown(pit)
    ys, xs = np.nonzero(pit)
    box = (int(xs.min()), int(ys.min()), int(np.ptp(xs)) + 1, int(np.ptp(ys)) + 1)
    draft.place(place(stream, "pit"), box, ("danger",), spans_of(pit))


def _pillars(draft: Draft, stream: Stream, hall: Hall) -> None:
    """Pillars in rows, in pairs along the walls, or in a ring; a few have fallen."""
    wide, high = hall.right - hall.left, hall.bottom - hall.top
    inset, pace = 1 + stream.below(3), 2 + stream.below(3)
    if draft.parameters.cover is Cover.DENSE:
        pace = max(2, pace - 1)
    if draft.parameters.cover is Cover.SPARSE:
        pace += 2
    xs = _spread(hall.left + inset + 1, hall.right - inset - 1, pace)
    ys = _spread(hall.top + inset + 1, hall.bottom - inset - 1, pace)
    match stream.below(4):
        case 0:
            spots = [(x, y) for x in xs for y in (ys[0], ys[-1])]
        case 1:
            spots = [(x, y) for y in ys for x in (xs[0], xs[-1])]
        case 2:
            spots = [(x, y) for x in xs for y in ys if x in (xs[0], xs[-1]) or y in (ys[0], ys[-1])]
        case _:
            spots = [(x, y) for x in xs for y in ys]
    if min(wide, high) < 6:
        spots = spots[:4]
    for x, y in dict.fromkeys(spots):
        if not draft.free[y, x]:
            continue
        draft.free[y, x] = False
        if stream.below(9) == 0:
            draft.stand("column-broken", x, y, turn=stream.below(4) * 90)
        else:
            draft.cells[y, x] = Terrain.PILLAR


def _spread(first: int, last: int, pace: int) -> list[int]:
    """Positions from both ends towards the middle, so that rows are even."""
    if last <= first:
        return [(first + last) // 2]
    half = range(0, (last - first) // 2 + 1, pace + 1)
    return sorted(
        {first + step for step in half} | {last - 1 - step for step in half if last - 1 - step > first}
    )


def _decay(draft: Draft) -> None:
    """Fallen stones in one part of the hall, moss and dust in others."""
    floor = (draft.cells == Terrain.FLOOR) & draft.free
    field = draft.noise("decay", 6, 3)
    stones = floor & (field > 690)
    draft.cells[stones] = Terrain.RUBBLE
    stream = draft.stream("moss")
    cells = np.flatnonzero((floor & ~stones).ravel())
    for _ in range(len(cells) // 45):
        cell = int(cells[stream.below(len(cells))])
        kind = stream.choice(("bones", "mushroom", "rock", "web"))
        spot = cell % draft.width + 0.5, cell // draft.width + 0.5
        draft.put_middle(kind, spot, 0.7, 0.7, stream.below(360))


def _pieces(draft: Draft, stream: Stream, hall: Hall, pieces: tuple[Piece, ...]) -> None:
    """What stands about, more of it where cover is dense: by the walls, and in rows in the middle."""
    factor = landscape.COVER_FACTOR[draft.parameters.cover]
    size = int(hall.mask.sum())
    rounds = max(1, round(size / 130 * factor))
    rowed = [piece for piece in pieces if piece.middle and piece.width * piece.height > 1]
    if size >= _LARGE and rowed:
        # What is strewn about a small hall stands in ranks in a large one.
        for _ in range(rounds):
            _rows(draft, stream, hall, stream.choice(rowed))
        pieces = tuple(piece for piece in pieces if piece not in rowed)
    kept = ~(draft.free & (draft.cells == Terrain.FLOOR))
    furnish(draft, stream, hall.mask, kept, pieces * (rounds if size < _LARGE else max(1, rounds // 4)))


def _rows(draft: Draft, stream: Stream, hall: Hall, piece: Piece) -> None:
    """Sets one kind of piece up in even rows with aisles between, where a block of the floor is free."""
    width, height = (piece.width, piece.height) if stream.below(2) else (piece.height, piece.width)
    columns, rows = 1 + stream.below(3), 2 + stream.below(3)
    wide, high = columns * (width + 1) + 1, rows * (height + 1) + 1
    if wide > hall.right - hall.left or high > hall.bottom - hall.top:
        return
    for _ in range(10):
        x = stream.between(hall.left, hall.right - wide)
        y = stream.between(hall.top, hall.bottom - high)
        if not draft.free[y : y + high, x : x + wide].all():
            continue
        for row in range(rows):
            for column in range(columns):
                at = x + 1 + column * (width + 1), y + 1 + row * (height + 1)
                turn = 90 if width != piece.width else 0
                draft.stand(piece.kind, *at, width, height, turn)
        draft.free[y : y + high, x : x + wide] = False
        return


def _fires(draft: Draft, stream: Stream, hall: Hall) -> None:
    """Braziers on the floor and torches on the walls."""
    for _ in range(1 + int(hall.mask.sum()) // 220):
        cells = np.flatnonzero(draft.free & (draft.cells == Terrain.FLOOR))
        if len(cells) == 0:
            break
        cell = int(cells[stream.below(len(cells))])
        x, y = cell % draft.width, cell // draft.width
        draft.stand("brazier", x, y)
        draft.light("brazier", (x + 0.5, y + 0.5), 4, 8)
    for side in SIDES:
        cells_along = along(hall, side)
        for _ in range(min(len(cells_along) // 6, 1 + stream.below(3))):
            x, y = stream.choice(cells_along)
            dx, dy = STEP[side]
            spot = x + 0.5 + dx * 0.4, y + 0.5 + dy * 0.4
            if draft.cells[y + dy, x + dx] == Terrain.ROCK:
                draft.put_middle("torch", (x + 0.5 + dx * 0.35, y + 0.5 + dy * 0.35), 0.4, 0.4)
                draft.light("torch", spot, 3, 6)
