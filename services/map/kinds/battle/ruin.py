"""A ruin: thick outer walls with breaches, inner walls that stand, lean or lie, and what grew since."""

from __future__ import annotations

import numpy as np

from services.map.generation.grid.terrain import Terrain
from services.map.generation.stream import Stream
from services.map.kinds.battle import landscape, scenes
from services.map.kinds.battle.buildings import FURNITURE, broken_wall, furnish
from services.map.kinds.battle.draft import Draft, grown, spans_of
from services.map.kinds.battle.kernels import Bools
from services.map.kinds.battle.names import place
from services.map.kinds.battle.parameters import BattleParameters, Hour


def ruin(parameters: BattleParameters, seed: int, attempt: int) -> Draft:
    """A ruin, grown over."""
    draft = Draft(parameters, seed, attempt, Terrain.GRASS)
    stream = draft.stream("layout")
    level = stream.below(2) == 0
    landscape.hills(draft)
    landscape.waters(draft, draft.stream("water"), level, stream.choice((0.12, 0.88)))
    path = landscape.curve(draft, stream, not level, 0.2, stream.between(25, 75) / 100)
    landscape.road(draft, "path", path, 0.8, Terrain.EARTH, ruts=False)
    works = _works(draft, draft.stream("works"))
    if stream.below(3) or not works.any():
        _tower(draft, draft.stream("tower"))
    landscape.settle(draft)
    landscape.knolls(draft, draft.stream("knolls"))
    outside = ~grown(works) & (draft.track > 0.4)
    if draft.parameters.water.value == "pond":
        landscape.pond(draft, draft.stream("pond"))
    events = draft.stream("events")
    for _ in range(1 + draft.width * draft.height // 2000):
        events.choice((scenes.camp, scenes.stones, scenes.shrine))(draft, events)
    _fires(draft, draft.stream("fires"), works)
    factor = landscape.COVER_FACTOR[parameters.cover]
    landscape.trees(draft, 0.045 * factor, landscape.clumped(draft, "woods", 7, 0.35), outside)
    landscape.boulders(draft, 0.01 * factor, outside)
    landscape.undergrowth(draft, 0.055 * factor, landscape.clumped(draft, "brush", 5, 0.3), draft.track > 0.3)
    landscape.fallen(
        draft, "column-broken", max(1, round(draft.width * draft.height / 400)), draft.stream("drums")
    )
    landscape.fallen(draft, "stump", 2, draft.stream("stumps"))
    grass = (draft.cells == Terrain.GRASS) & draft.free
    draft.cells[grass & (draft.noise("bare", 6, 3) > 660)] = Terrain.EARTH
    landscape.trifles(draft, 6)
    return draft


def _works(draft: Draft, stream: Stream) -> Bools:
    """Lays out the buildings: one in the middle of a small map, several on a large one.

    Returns:
        The cells of the buildings, walls and all.
    """
    whole = np.zeros_like(draft.free)
    columns, rows = max(1, draft.width // 34), max(1, draft.height // 34)
    for row in range(rows):
        for column in range(columns):
            left, right = column * draft.width // columns, (column + 1) * draft.width // columns
            top, bottom = row * draft.height // rows, (row + 1) * draft.height // rows
            wide, high = right - left, bottom - top
            width = min(wide - 4, max(7, wide * stream.between(48, 68) // 100))
            height = min(high - 4, max(7, high * stream.between(48, 68) // 100))
            x = left + 2 + stream.below(max(1, wide - width - 3))
            y = top + 2 + stream.below(max(1, high - height - 3))
            _building(draft, stream, (x, y, width, height), whole)
    return whole


def _building(draft: Draft, stream: Stream, box: tuple[int, int, int, int], whole: Bools) -> None:
    x, y, width, height = box
    mask = np.zeros_like(draft.free)
    mask[y : y + height, x : x + width] = True
    for _ in range(stream.below(3)):
        # A wing less: the plan is rarely a plain box.
        cw, ch = stream.between(2, max(2, width // 3)), stream.between(2, max(2, height // 3))
        cx, cy = stream.choice((x, x + width - cw)), stream.choice((y, y + height - ch))
        mask[cy : cy + ch, cx : cx + cw] = False
    mask &= ~grown(np.isin(draft.cells, (Terrain.WATER, Terrain.SHALLOWS, Terrain.PLANKS)))
    if mask.sum() < 25:
        return
    draft.heights[grown(mask)] = draft.heights[y + height // 2, x + width // 2]
    draft.level.append(grown(mask))
    inside = mask & ~grown(~mask)
    shell = mask & ~inside
    draft.cells[inside] = Terrain.FLOOR
    _shell(draft, stream, shell)
    _columns(draft, stream, inside, box)
    rooms = _divide(draft, stream, inside, box)
    for room in rooms:
        furnish(draft, stream, room & (draft.cells == Terrain.FLOOR), shell, FURNITURE["ruined"])
    _overgrow(draft, inside)
    for number, room in enumerate(sorted(rooms, key=lambda cells: -int(cells.sum()))):
        ys, xs = np.nonzero(room)
        if len(ys) < 4:
            continue
        left, top = int(xs.min()), int(ys.min())
        size = (int(xs.max()) - left + 1, int(ys.max()) - top + 1)
        kind = "nave" if number == 0 else stream.choice(("chamber", "chamber", "court"))
        draft.place(place(stream, kind), (left, top, *size), ("ruin",), spans_of(room))
    draft.free[shell] = False
    # Only what took root between the stones grows in here.
    draft.free[inside] &= draft.cells[inside] == Terrain.GRASS
    whole |= mask


def _shell(draft: Draft, stream: Stream, shell: Bools) -> None:
    """The outer wall: some of it stands, some lies as rubble, some is gone."""
    field = draft.noise(f"shell {stream.below(1 << 30)}", 6, 2)
    values = field[shell]
    if len(values) == 0:
        return
    decay = stream.between(30, 46)
    gone, fallen = np.quantile(values, (decay / 200, decay / 100))
    near = draft.track < 0.6
    draft.cells[shell] = Terrain.WALL
    draft.cells[shell & ((field < fallen) | near)] = Terrain.RUBBLE
    draft.cells[shell & ((field < gone) | near)] = Terrain.EARTH
    _gates(draft, stream, shell)
    spill = grown(shell & (draft.cells == Terrain.RUBBLE)) & (draft.noise("spill", 1, 1) < 300)
    plain = np.isin(draft.cells, (Terrain.GRASS, Terrain.FLOOR)) & draft.free
    draft.cells[spill & plain & ~shell] = Terrain.RUBBLE


def _gates(draft: Draft, stream: Stream, shell: Bools) -> None:
    """Two gateways at least, two cells wide, on different sides: nobody is shut in."""
    ys, xs = np.nonzero(shell)
    left, right, top, bottom = int(xs.min()), int(xs.max()), int(ys.min()), int(ys.max())
    sides = [(left, None), (right, None), (None, top), (None, bottom)]
    stream.shuffle(sides)
    for x, y in sides[:3]:
        if x is not None:
            run = [int(row) for row in ys[xs == x]]
            at = run[len(run) // 4 + stream.below(max(1, len(run) // 2))]
            draft.cells[max(0, at - 1) : at + 1, x][shell[max(0, at - 1) : at + 1, x]] = Terrain.EARTH
        else:
            run = [int(column) for column in xs[ys == y]]
            at = run[len(run) // 4 + stream.below(max(1, len(run) // 2))]
            draft.cells[y, max(0, at - 1) : at + 1][shell[y, max(0, at - 1) : at + 1]] = Terrain.EARTH


def _columns(draft: Draft, stream: Stream, inside: Bools, box: tuple[int, int, int, int]) -> None:
    """Two rows of columns along the longer side; some have fallen."""
    x, y, width, height = box
    level = width >= height
    short, long = (height, width) if level else (width, height)
    if short < 9:
        return
    pace = 3 + stream.below(2)
    for line in (3, short - 4):
        for step in range(3, long - 3, pace):
            cx, cy = (x + step, y + line) if level else (x + line, y + step)
            if not inside[cy, cx] or draft.cells[cy, cx] != Terrain.FLOOR:
                continue
            fate = stream.below(10)
            if fate < 5:
                draft.cells[cy, cx] = Terrain.PILLAR
            elif fate < 8:
                draft.stand("column-broken", cx, cy, turn=stream.below(4) * 90)
            else:
                draft.cells[cy, cx] = Terrain.RUBBLE


def _divide(draft: Draft, stream: Stream, inside: Bools, box: tuple[int, int, int, int]) -> list[Bools]:
    """Parts the inside by thin broken walls, each with an opening two cells wide."""
    x, y, width, height = box
    level = width >= height
    long = width if level else height
    if long < 9:
        return [inside]
    cuts = [stream.between(long * 55 // 100, long * 75 // 100)]
    if long >= 20:
        cuts.append(stream.between(long * 22 // 100, long * 38 // 100))
    rooms: list[Bools] = []
    left = inside.copy()
    for cut in sorted(cuts):
        part = left.copy()
        if level:
            part[:, x + cut :] = False
        else:
            part[y + cut :, :] = False
        rooms.append(part)
        left &= ~part
    rooms.append(left)
    for cut in cuts:
        _inner_wall(draft, stream, inside, level, (x if level else y) + cut)
    return [room for room in rooms if room.any()]


def _inner_wall(draft: Draft, stream: Stream, inside: Bools, level: bool, at: int) -> None:
    """A broken wall across a building, with an opening two cells wide."""
    if level:
        pieces = [(at, int(row)) for row in np.flatnonzero(inside[:, at - 1] & inside[:, at])]
    else:
        pieces = [(int(column), at) for column in np.flatnonzero(inside[at - 1] & inside[at])]
    if len(pieces) > 2:
        gap = stream.below(len(pieces) - 1)
        del pieces[gap : gap + 2]
        broken_wall(draft, stream, not level, pieces, 45)


def _overgrow(draft: Draft, inside: Bools) -> None:
    """Grass and rubble on the old floor."""
    floor = inside & (draft.cells == Terrain.FLOOR)
    field = draft.noise("overgrown", 6, 3)
    draft.cells[floor & (field > 610)] = Terrain.GRASS
    draft.cells[floor & (field < 290)] = Terrain.RUBBLE


def _tower(draft: Draft, stream: Stream) -> None:
    """A round tower stump with two breaches."""
    reach = 2.4 + stream.below(2)
    spot = landscape.open_spot(draft, stream, int(reach) + 2, 40)
    if spot is None:
        return
    x, y = spot
    middle = x + 0.5, y + 0.5
    disc = draft.around(middle, reach + 0.6)
    inside = draft.around(middle, reach - 0.5)
    ring = disc & ~inside
    draft.heights[grown(disc)] = draft.heights[y, x]
    draft.level.append(grown(disc))
    draft.cells[inside] = Terrain.FLOOR
    draft.cells[ring] = Terrain.WALL
    cells = np.flatnonzero(ring)
    first = int(cells[stream.below(len(cells))])
    fx, fy = first % draft.width, first // draft.width
    for bx, by, wide in ((fx, fy, 1.6), (2 * x - fx, 2 * y - fy, 1.2)):
        breach = ring & draft.around((bx + 0.5, by + 0.5), wide)
        draft.cells[breach] = Terrain.RUBBLE
    draft.put(stream.choice(("bones", "web", "rope")), float(x), float(y))
    draft.free[disc] = False
    size = 2 * int(reach) + 3
    draft.place(
        place(stream, "tower"), (x - size // 2, y - size // 2, size, size), ("tower",), spans_of(disc)
    )


def _fires(draft: Draft, stream: Stream, works: Bools) -> None:
    """At night somebody burns a fire within the walls."""
    if draft.parameters.hour is Hour.DAY:
        return
    floor = np.flatnonzero(works & (draft.cells == Terrain.FLOOR))
    for _ in range(min(len(floor), 1 + draft.width * draft.height // 1500)):
        cell = int(floor[stream.below(len(floor))])
        x, y = cell % draft.width, cell // draft.width
        if draft.cells[y, x] == Terrain.FLOOR:
            draft.stand("fire", x, y)
            draft.light("campfire", (x + 0.5, y + 0.5), 4, 8, "#ff9340")
