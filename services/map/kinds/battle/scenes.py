"""Small scenes in open country: a stranded wagon, a camp, a shrine, a fenced field, standing stones."""

from __future__ import annotations

import numpy as np

from services.map.generation.grid.terrain import Terrain
from services.map.generation.stream import Stream
from services.map.kinds.battle.draft import FENCE, Draft
from services.map.kinds.battle.landscape import open_spot
from services.map.kinds.battle.names import place
from services.map.kinds.battle.parameters import Hour, Season

_ROUND = ((0, -2), (1, -1), (2, 0), (1, 1), (0, 2), (-1, 1), (-2, 0), (-1, -1))


def wagon(draft: Draft, stream: Stream) -> bool:
    """Strands a wagon on the road, its load strewn about; whether there was a road for it."""
    near = np.flatnonzero((draft.track < -0.4).ravel())
    inner = [
        cell
        for cell in near.tolist()
        if 4 <= cell % draft.width < draft.width - 5 and 4 <= cell // draft.width < draft.height - 5
    ]
    if not inner:
        return False
    cell = inner[stream.below(len(inner))]
    x, y = cell % draft.width, cell // draft.width
    level = stream.below(2) == 0
    width, height = (2, 1) if level else (1, 2)
    if (draft.cells[y - 1 : y + 3, x - 1 : x + 3] == Terrain.PLANKS).any():
        return False
    draft.stand(stream.choice(("wagon", "cart")), x, y, width, height, 0 if level else 90)
    for _ in range(2 + stream.below(3)):
        cx, cy = x + stream.between(-2, 3), y + stream.between(-2, 3)
        if draft.cells[cy, cx] in (Terrain.ROAD, Terrain.EARTH, Terrain.GRASS):
            draft.stand(stream.choice(("crate", "barrel", "sack", "crate")), cx, cy)
    draft.put_middle("tracks", (x + 0.5, y + 2.2), 2.4, 1.0, stream.below(180))
    draft.place(place(stream, "wagon"), (x - 2, y - 2, 6, 5), ("wagon",))
    return True


def camp(draft: Draft, stream: Stream) -> bool:
    """Pitches tents and logs round a fire; whether there was room for it."""
    spot = open_spot(draft, stream, 3, 24)
    if spot is None:
        return False
    x, y = spot
    patch = draft.around((x + 0.5, y + 0.5), 3.4)
    draft.heights[patch] = draft.heights[y, x]
    draft.level.append(patch)
    ground = draft.around((x + 0.5, y + 0.5), 2.3 + stream.below(8) / 10)
    draft.cells[ground] = Terrain.EARTH
    draft.free[patch] = False
    draft.stand("fire", x, y)
    if draft.parameters.hour is not Hour.DAY or stream.below(2):
        draft.light("campfire", (x + 0.5, y + 0.5), 4, 8, "#ff9340")
    seats = list(_ROUND)
    stream.shuffle(seats)
    for dx, dy in seats[: 2 + stream.below(2)]:
        if (dx == 0) != (dy == 0):
            draft.stand("log", x + dx, y + dy, 1, 1, 0 if dx == 0 else 90)
    corners = [(-3, -3), (2, -3), (2, 2), (-3, 2)]
    stream.shuffle(corners)
    for dx, dy in corners[: 1 + stream.below(3)]:
        draft.stand("tent", x + dx, y + dy, 2, 2, stream.below(4) * 90)
    draft.stand(stream.choice(("crate", "barrel", "chest")), x + 1, y - 1)
    draft.place(place(stream, "camp"), (x - 3, y - 3, 7, 7), ("camp",))
    return True


def shrine(draft: Draft, stream: Stream) -> bool:
    """Sets a shrine near the road; whether there was room for it."""
    for _ in range(16):
        spot = open_spot(draft, stream, 1, 2)
        if spot is None or not 0.8 < draft.track[spot[1], spot[0]] < 5:
            continue
        x, y = spot
        draft.cells[y - 1 : y + 2, x - 1 : x + 2] = Terrain.EARTH
        draft.free[y - 1 : y + 2, x - 1 : x + 2] = False
        draft.cells[y, x] = Terrain.PILLAR
        draft.put("statue", float(x), float(y))
        if draft.parameters.season is not Season.WINTER:
            draft.put_middle("flowers", (x + 0.5, y + 1.4), 0.7, 0.5)
        if draft.parameters.hour is Hour.NIGHT:
            draft.light("lantern", (x + 0.5, y + 1.2), 2, 4)
        draft.place(place(stream, "shrine"), (x - 1, y - 1, 3, 3), ("shrine",))
        return True
    return False


def field(draft: Draft, stream: Stream) -> bool:
    """Fences a field in, with two gaps; whether there was room for it."""
    longer = max(draft.width, draft.height)
    for _ in range(24):
        width, height = 5 + stream.below(2 + longer // 8), 4 + stream.below(2 + longer // 10)
        if width > draft.width - 4 or height > draft.height - 4:
            continue
        x, y = stream.between(1, draft.width - width - 1), stream.between(1, draft.height - height - 1)
        if draft.free[y : y + height, x : x + width].all():
            _fence(draft, stream, x, y, width, height)
            draft.place(place(stream, "field"), (x, y, width, height), ("field",))
            return True
    return False


def _fence(draft: Draft, stream: Stream, x: int, y: int, width: int, height: int) -> None:
    mask = np.zeros_like(draft.free)
    mask[y : y + height, x : x + width] = True
    draft.outline(mask, FENCE)
    for gap in range(2):
        # One gap in the north or south, one in the west or east, two cells wide.
        if gap:
            column, at = (x if stream.below(2) else x + width), y + stream.below(height - 1)
            draft.down[at : at + 2, column] = 0
        else:
            row, at = (y if stream.below(2) else y + height), x + stream.below(width - 1)
            draft.across[row, at : at + 2] = 0
    tilled = stream.below(3) != 0
    for row in range(y, y + height):
        if tilled and (row - y) % 2 == 0:
            draft.cells[row, x : x + width] = Terrain.EARTH
            draft.put("tracks", float(x), float(row), float(width), 1.0)
    for _ in range(1 + stream.below(3)):
        cx, cy = stream.between(x, x + width - 1), stream.between(y, y + height - 1)
        draft.stand("hay", cx, cy)
    draft.free[mask] = False


def stones(draft: Draft, stream: Stream) -> bool:
    """Raises a ring of standing stones; whether there was room for it."""
    spot = open_spot(draft, stream, 3, 24)
    if spot is None:
        return False
    x, y = spot
    draft.free[draft.around((x + 0.5, y + 0.5), 3.5)] = False
    for dx, dy in ((0, -3), (2, -2), (3, 0), (2, 2), (0, 3), (-2, 2), (-3, 0), (-2, -2)):
        match stream.below(5):
            case 0:
                draft.cells[y + dy, x + dx] = Terrain.RUBBLE
            case 1:
                draft.stand("rock", x + dx, y + dy)
            case _:
                draft.cells[y + dy, x + dx] = Terrain.PILLAR
    draft.stand(stream.choice(("altar", "statue", "rock")), x, y)
    draft.place(place(stream, "stones"), (x - 3, y - 3, 7, 7), ("stones",))
    return True
