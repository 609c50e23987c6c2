"""A village: houses along its roads, a square with a well, gardens, fences and carts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from services.map.generation.grid.model import Spot
from services.map.generation.grid.terrain import Terrain
from services.map.generation.stream import Stream
from services.map.kinds.battle import landscape, scenes
from services.map.kinds.battle.buildings import SIZES, house
from services.map.kinds.battle.draft import FENCE, Draft, grown
from services.map.kinds.battle.names import place
from services.map.kinds.battle.parameters import BattleParameters, Hour, Water

_TRADES = ("tavern", "smithy", "barn", "store", "chapel", "barn")


def village(parameters: BattleParameters, seed: int, attempt: int) -> Draft:
    """A village."""
    draft = Draft(parameters, seed, attempt, Terrain.GRASS)
    stream = draft.stream("layout")
    level = draft.width >= draft.height if stream.below(4) else draft.width < draft.height
    landscape.hills(draft)
    np.minimum(draft.heights, 2, out=draft.heights)
    aside = stream.choice((0.12, 0.88)) if parameters.water is Water.RIVER else stream.choice((0.2, 0.8))
    landscape.waters(draft, draft.stream("water"), level, aside)
    lines = _roads(draft, stream, level, aside)
    square = _square(draft, draft.stream("square"), lines)
    if parameters.water is Water.POND:
        landscape.pond(draft, stream)
    _houses(draft, draft.stream("houses"), lines)
    events = draft.stream("events")
    for _ in range(1 + draft.width * draft.height // 1200):
        scenes.field(draft, events)
    if stream.below(2):
        scenes.wagon(draft, events)
    _yards(draft, draft.stream("yards"))
    landscape.settle(draft)
    _lamps(draft, draft.stream("lamps"), square)
    factor = landscape.COVER_FACTOR[parameters.cover]
    beside = draft.track > 0.6
    landscape.trees(draft, 0.022 * factor, landscape.clumped(draft, "trees", 6, 0.6), beside)
    _hedges(draft, draft.stream("hedges"), factor)
    landscape.undergrowth(draft, 0.025 * factor, landscape.clumped(draft, "brush", 4, 0.4), beside)
    landscape.boulders(draft, 0.003 * factor, beside)
    grass = (draft.cells == Terrain.GRASS) & draft.free
    draft.cells[grass & (draft.noise("bare", 5, 3) > 640)] = Terrain.EARTH
    landscape.trifles(draft, 5)
    return draft


def _roads(draft: Draft, stream: Stream, level: bool, aside: float) -> list[landscape.Line]:
    """The main road, and one across it where there is room."""
    half = 1.0 + stream.below(4) / 10
    low, high = (40, 60) if draft.parameters.water not in landscape.HALF_WIDTHS else (45, 55)
    around = stream.between(low, high) / 100 + (0.5 - aside) * 0.25 * (low == 45)
    main = landscape.curve(draft, stream, level, 0.06, around)
    landscape.road(draft, "main", main, half)
    lines = [main]
    long = draft.width if level else draft.height
    count = max(stream.below(2), long // 36)
    for number in range(count):
        around = (number + 0.5) / count + stream.between(-12, 12) / 100
        cross = landscape.curve(draft, stream, not level, 0.1, min(0.85, max(0.15, around)))
        landscape.road(draft, f"cross {number}", cross, 0.9, Terrain.ROAD, ruts=False)
        lines.append(cross)
    wide = draft.height if level else draft.width
    for number in range(wide // 36):
        around = 0.18 if aside > 0.5 else 0.82
        if number:
            around = 0.33 if aside > 0.5 else 0.67
        lane = landscape.curve(draft, stream, level, 0.06, around)
        landscape.road(draft, f"lane {number}", lane, 0.8, Terrain.EARTH, ruts=False)
        lines.append(lane)
    return lines


def _square(draft: Draft, stream: Stream, lines: list[landscape.Line]) -> Spot:
    """The square: trodden ground beside the road, a well, stalls and a cart."""
    main = lines[0]
    inside = [
        (x, y)
        for x, y in zip(main.xs.tolist(), main.ys.tolist(), strict=True)
        if draft.width * 0.25 <= x <= draft.width * 0.75 and draft.height * 0.25 <= y <= draft.height * 0.75
    ]
    x, y = stream.choice(inside) if inside else (draft.width / 2, draft.height / 2)
    reach = 2.2 + min(draft.width, draft.height) / 14
    ground = draft.around((x, y), reach) & ~np.isin(
        draft.cells, (Terrain.WATER, Terrain.SHALLOWS, Terrain.PLANKS)
    )
    rough = draft.noise("square", 3, 2) > 330
    draft.cells[ground & rough] = Terrain.ROAD
    draft.cells[ground & ~rough] = Terrain.EARTH
    draft.heights[ground] = draft.heights[int(y), int(x)]
    draft.level.append(ground)
    draft.free[ground] = False
    np.minimum(draft.track, np.where(ground, 0.0, draft.track), out=draft.track)
    wx, wy = int(x) + stream.between(-1, 1), int(y) + stream.between(-1, 1)
    if ground[wy, wx]:
        draft.cells[wy, wx] = Terrain.OBSTACLE
        draft.put("well", float(wx), float(wy))
    for kind, width in (("stall", 2), ("stall", 2), ("cart", 2), ("crate", 1), ("barrel", 1)):
        for _ in range(8):
            cx = int(x) + stream.between(-int(reach), int(reach))
            cy = int(y) + stream.between(-int(reach), int(reach))
            box = (slice(max(0, cy), cy + 1), slice(max(0, cx), cx + width))
            if (
                ground[box].shape == (1, width)
                and ground[box].all()
                and (draft.cells[box] != Terrain.OBSTACLE).all()
            ):
                draft.stand(kind, cx, cy, width, 1)
                break
    size = 2 * int(reach) + 1
    draft.place(place(stream, "square"), (int(x - reach), int(y - reach), size, size), ("square",))
    return x, y


def _houses(draft: Draft, stream: Stream, lines: list[landscape.Line]) -> None:
    """Builds houses along the roads, their doors towards them."""
    area = draft.width * draft.height
    # A large map is a hamlet with fields round it rather than a town.
    wanted = max(2, min(round(area / 125), 10 + area // 500))
    trades = list(_TRADES)
    stream.shuffle(trades)
    points = [
        (x, y)
        for line in lines
        for x, y in zip(line.xs.tolist(), line.ys.tolist(), strict=True)
        if 0 <= x < draft.width and 0 <= y < draft.height
    ]
    built = 0
    for attempt in range(wanted * 22):
        if built >= wanted:
            break
        kind = "cottage"
        if built % 3 == 1 and attempt < wanted * 8:
            # One tavern, one smithy, one chapel; after them only barns and stores.
            kind = trades[built // 3] if built // 3 < len(trades) else stream.choice(("barn", "store"))
        (low, high), (shallow, deep) = SIZES[kind]
        front, depth = stream.between(low, high), stream.between(shallow, deep)
        if min(draft.width, draft.height) < 18 or attempt > wanted * 12:
            front, depth = min(front, 5), min(depth, 4)
        x, y = stream.choice(points)
        side = stream.choice("nesw")
        gap = stream.between(2, 5)
        box, door = _beside(x, y, side, front, depth, gap)
        left, top, width, height = box
        if left < 1 or top < 1 or left + width > draft.width - 1 or top + height > draft.height - 1:
            continue
        if not draft.free[top - 1 : top + height + 1, left - 1 : left + width + 1].all():
            continue
        threshold = house(draft, stream, kind, box, door)
        _footpath(draft, threshold, (x, y))
        built += 1


def _beside(
    x: float, y: float, side: str, front: int, depth: int, gap: int
) -> tuple[tuple[int, int, int, int], str]:
    """A box on one side of a point of the road, and the side of its door."""
    cx, cy = int(x), int(y)
    match side:
        case "n":
            return (cx - front // 2, cy - gap - depth, front, depth), "s"
        case "s":
            return (cx - front // 2, cy + gap, front, depth), "n"
        case "w":
            return (cx - gap - depth, cy - front // 2, depth, front), "e"
        case _:
            return (cx + gap, cy - front // 2, depth, front), "w"


def _footpath(draft: Draft, door: Spot, to: Spot) -> None:
    """Treads a path from a door to the road."""
    (ax, ay), (bx, by) = door, to
    count = max(1, int(abs(bx - ax) + abs(by - ay)) * 2)
    for step in range(count + 1):
        x, y = int(ax + (bx - ax) * step / count), int(ay + (by - ay) * step / count)
        if draft.holds(x, y) and draft.cells[y, x] == Terrain.GRASS:
            draft.cells[y, x] = Terrain.EARTH
            draft.free[y, x] = False


def _outside(draft: Draft) -> Iterator[tuple[int, int, int, int]]:
    for room in draft.rooms:
        if "indoors" in room.tags:
            yield room.x, room.y, room.width, room.height


def _yards(draft: Draft, stream: Stream) -> None:
    """Woodpiles, barrels and fenced gardens beside the houses."""
    doors = np.zeros_like(draft.free)
    for door in draft.doors:
        doors[door.at[1], door.at[0]] = True
    doors = grown(doors, 1)
    for x, y, width, height in list(_outside(draft)):
        around = np.zeros_like(draft.free)
        around[max(0, y - 1) : y + height + 1, max(0, x - 1) : x + width + 1] = True
        around[y : y + height, x : x + width] = False
        around &= ~doors & np.isin(draft.cells, (Terrain.GRASS, Terrain.EARTH))
        cells = np.flatnonzero(around)
        for _ in range(min(stream.below(3), len(cells))):
            cell = int(cells[stream.below(len(cells))])
            kind = stream.choice(("barrel", "crate", "log", "cart", "hay", "sack"))
            cx, cy = cell % draft.width, cell // draft.width
            if draft.cells[cy, cx] != Terrain.OBSTACLE:
                draft.stand("log" if kind == "cart" else kind, cx, cy)
        if stream.below(2):
            _garden(draft, stream, (x, y, width, height))


def _garden(draft: Draft, stream: Stream, box: tuple[int, int, int, int]) -> None:
    """Fences in a small garden that leans against a house."""
    x, y, width, height = box
    size = 3 + stream.below(2)
    corners = ((x + width + 1, y), (x - size - 1, y), (x, y + height + 1), (x, y - size - 1))
    gx, gy = stream.choice(corners)
    if gx < 1 or gy < 1 or gx + size > draft.width - 1 or gy + size > draft.height - 1:
        return
    if not draft.free[gy : gy + size, gx : gx + size].all():
        return
    mask = np.zeros_like(draft.free)
    mask[gy : gy + size, gx : gx + size] = True
    draft.outline(mask, FENCE)
    gap = stream.below(size)
    if stream.below(2):
        draft.across[gy + size * stream.below(2), gx + gap] = 0
    else:
        draft.down[gy + gap, gx + size * stream.below(2)] = 0
    draft.cells[gy : gy + size : 2, gx : gx + size] = Terrain.EARTH
    for row in range(gy, gy + size, 2):
        draft.put("bush", gx + stream.below(size) + 0.1, row + 0.1, 0.7, 0.7)
    draft.put("flowers", float(gx), gy + 1.0)
    draft.free[mask] = False
    draft.place(place(stream, "garden"), (gx, gy, size, size), ("garden",))


def _hedges(draft: Draft, stream: Stream, factor: float) -> None:
    """Plants rows of brush, each with a gap."""
    for _ in range(max(1, round(draft.width * draft.height / 260 * factor))):
        long = stream.between(4, 9)
        level = stream.below(2) == 0
        width, height = (long, 1) if level else (1, long)
        x, y = stream.below(max(1, draft.width - width)), stream.below(max(1, draft.height - height))
        if not draft.free[y : y + height, x : x + width].all() or draft.track[y, x] < 1:
            continue
        gap = 1 + stream.below(long - 2)
        for i in range(long):
            cx, cy = (x + i, y) if level else (x, y + i)
            if i != gap:
                draft.cells[cy, cx] = Terrain.BRUSH
                draft.free[cy, cx] = False


def _lamps(draft: Draft, stream: Stream, square: Spot) -> None:
    """Lights the square, and a window of some houses."""
    if draft.parameters.hour is Hour.DAY:
        return
    draft.light("lantern", (round(square[0], 1), round(square[1], 1)), 4, 8)
    if draft.parameters.hour is not Hour.NIGHT:
        return
    for x, y, width, height in list(_outside(draft)):
        if stream.below(3):
            spot = x + 0.5 + stream.below(width), y + 0.5 + stream.below(height)
            draft.light("lantern", spot, 2, 4, "#ffc777")
