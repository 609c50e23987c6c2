"""The plan of a dungeon room: the hall's shape, its ways out, side rooms and niches, all cut from rock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from services.map.generation.grid.model import Axis, Door, DoorKind, DoorState
from services.map.generation.grid.terrain import Terrain
from services.map.generation.stream import Stream
from services.map.kinds.battle.buildings import Piece, furnish
from services.map.kinds.battle.draft import WALL, Draft, grown
from services.map.kinds.battle.kernels import Bools
from services.map.kinds.battle.names import place

PURPOSES: Mapping[str, tuple[Piece, ...]] = MappingProxyType(
    {
        "crypt": (
            Piece("sarcophagus", 1, 2, middle=True, count=3),
            Piece("sarcophagus", 2, 1),
            Piece("statue", count=2),
            Piece("bones", count=2),
        ),
        "temple": (
            Piece("bench", 3, 1, middle=True, count=3),
            Piece("statue", count=2),
            Piece("cauldron", middle=True),
        ),
        "barracks": (
            Piece("bed", 1, 2, count=3),
            Piece("table", 3, 1, middle=True, seats=4),
            Piece("chest", count=2),
            Piece("barrel", count=2),
        ),
        "library": (
            Piece("bookshelf", 3, 1, middle=True, count=3),
            Piece("bookshelf", 2, 1, count=3),
            Piece("table", 2, 1, middle=True, seats=2),
        ),
        "store": (
            Piece("crate", 2, 2, middle=True, count=2),
            Piece("crate", count=3),
            Piece("barrel", count=4),
            Piece("sack", count=2),
        ),
        "lair": (
            Piece("bones", count=2),
            Piece("web"),
            Piece("rock", middle=True, count=2),
            Piece("chest"),
            Piece("hay", 2, 2),
        ),
    }
)
"""What a hall is for, and what stands there for each 150 cells or so."""

SIDES = "nesw"
STEP = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}
_DOORS = (
    (DoorKind.WOODEN, DoorState.CLOSED),
    (DoorKind.WOODEN, DoorState.CLOSED),
    (DoorKind.IRON, DoorState.CLOSED),
    (DoorKind.ARCH, DoorState.OPEN),
    (DoorKind.PORTCULLIS, DoorState.OPEN),
    (DoorKind.STONE, DoorState.CLOSED),
    (DoorKind.WOODEN, DoorState.LOCKED),
)


@dataclass(frozen=True, slots=True)
class Hall:
    """The hall: its cells, the box around them (right and bottom beyond it), its sides once asked for."""

    mask: Bools
    left: int
    top: int
    right: int
    bottom: int
    sides: dict[str, list[tuple[int, int]]] = field(default_factory=dict)

    @property
    def level(self) -> bool:
        """Whether its longer side runs from west to east."""
        return self.right - self.left >= self.bottom - self.top


def lay_out(draft: Draft, stream: Stream) -> Hall:
    """The shape of the hall: a box, its corners left out, cut off or rounded."""
    width, height = draft.width, draft.height

    def margins(side: int) -> tuple[int, int]:
        if side < 16:
            return 1, 1
        most = side * 26 // 100
        if side == max(width, height):
            # The starts have to fit into the hall at their distance.
            most = max(2, min(most, (side - draft.parameters.apart - 6) // 2))
        return 2 + stream.below(most - 1), 2 + stream.below(most - 1)

    (west, east), (north, south) = margins(width), margins(height)
    left, right = west, width - east
    top, bottom = north, height - south
    mask = np.zeros_like(draft.free)
    mask[top:bottom, left:right] = True
    wide, high = right - left, bottom - top
    cut = max(1, min(wide, high) * stream.between(14, 28) // 100)
    ys, xs = np.mgrid[:height, :width]
    dx = np.minimum(xs - left, right - 1 - xs)
    dy = np.minimum(ys - top, bottom - 1 - ys)
    match stream.below(5):
        case 0:
            pass
        case 1:
            mask &= dx + dy >= cut
        case 2:
            mask &= (dx >= cut) | (dy >= cut)
        case 3:
            corner = stream.below(4)
            mask[
                top + (corner // 2) * (high - high // 3) : top
                + high // 3
                + (corner // 2) * (high - high // 3),
                left + (corner % 2) * (wide - wide // 3) : left
                + wide // 3
                + (corner % 2) * (wide - wide // 3),
            ] = False
        case _:
            mask &= (np.maximum(0, cut - dx) ** 2 + np.maximum(0, cut - dy) ** 2) <= cut * cut
    return Hall(mask, left, top, right, bottom)


def along(hall: Hall, side: str) -> list[tuple[int, int]]:
    """Hall cells on one side with nothing of the hall beyond them, corners left out."""
    if side in hall.sides:
        return hall.sides[side]
    mask = hall.mask
    found = []
    if side in "ns":
        for x in range(hall.left + 1, hall.right - 1):
            rows = np.nonzero(mask[:, x])[0]
            y = int(rows[0] if side == "n" else rows[-1])
            dy = -1 if side == "n" else 1
            if not mask[y + dy, x - 1 : x + 2].any() and mask[y, x - 1 : x + 2].all():
                found.append((x, y))
    else:
        for y in range(hall.top + 1, hall.bottom - 1):
            columns = np.nonzero(mask[y])[0]
            x = int(columns[0] if side == "w" else columns[-1])
            dx = -1 if side == "w" else 1
            if not mask[y - 1 : y + 2, x + dx].any() and mask[y - 1 : y + 2, x].all():
                found.append((x, y))
    hall.sides[side] = found
    return found


def exits(draft: Draft, stream: Stream, hall: Hall) -> None:
    """Corridors to the edges of the map, behind doors."""
    sides = list(SIDES)
    stream.shuffle(sides)
    sides.sort(key=lambda side: (side in "ns") == hall.level)
    count = 2 + stream.below(3)
    many = max(1, max(draft.width, draft.height) // 40)
    for side in sides[:count]:
        for _ in range(many):
            spot = _way_out(draft, stream, along(hall, side), side)
            if spot is None:
                continue
            x, y = spot
            dx, dy = STEP[side]
            door = (x + dx, y + dy)
            cx, cy = door
            while draft.holds(cx, cy):
                draft.cells[cy, cx] = Terrain.CORRIDOR
                draft.roofed[cy, cx] = True
                end = (cx, cy)
                cx, cy = cx + dx, cy + dy
            draft.ends.append((end, "corridor"))
            if end != door:
                _fill_door(draft, stream, door, side)


def _way_out(draft: Draft, stream: Stream, cells: list[tuple[int, int]], side: str) -> tuple[int, int] | None:
    """One of some cells from which a corridor to the edge of the map runs through untouched rock."""
    for _ in range(min(20, 2 * len(cells))):
        x, y = stream.choice(cells)
        rows, columns = slice(max(0, y - 1), y + 2), slice(max(0, x - 1), x + 2)
        match side:
            case "n":
                rows = slice(0, y)
            case "s":
                rows = slice(y + 1, draft.height)
            case "w":
                columns = slice(0, x)
            case _:
                columns = slice(x + 1, draft.width)
        if (draft.cells[rows, columns] == Terrain.ROCK).all():
            return x, y
    return None


def _fill_door(draft: Draft, stream: Stream, at: tuple[int, int], side: str) -> None:
    axis = Axis.NORTH_SOUTH if side in "ns" else Axis.EAST_WEST
    kind, state = stream.choice(_DOORS)
    draft.doors.append(Door(f"door-{len(draft.doors) + 1}", at, axis, kind, state))


def doorways(draft: Draft) -> Bools:
    """Cells of doors and next to them."""
    found = np.zeros_like(draft.free)
    for door in draft.doors:
        found[door.at[1], door.at[0]] = True
    return grown(found)


def side_rooms(draft: Draft, stream: Stream, hall: Hall) -> None:
    """Rooms in the rock beside the hall, each behind a door of its own."""
    for _ in range(2 + draft.width * draft.height // 500):
        side = stream.choice(SIDES)
        cells = along(hall, side)
        if not cells:
            continue
        x, y = stream.choice(cells)
        dx, dy = STEP[side]
        depth = {"n": y, "s": draft.height - 1 - y, "w": x, "e": draft.width - 1 - x}[side] - 2
        if depth < 3:
            continue
        deep, wide = min(depth, 3 + stream.below(5)), 3 + stream.below(5)
        first = stream.between(1, wide - 2)
        if side in "ns":
            box = (x - first, y - 1 - deep if dy < 0 else y + 2, wide, deep)
        else:
            box = (x - 1 - deep if dx < 0 else x + 2, y - first, deep, wide)
        left, top, width, height = box
        # Rock has to be left all round, and at the edge of the map.
        if left < 1 or top < 1 or left + width > draft.width - 1 or top + height > draft.height - 1:
            continue
        around = draft.cells[top - 1 : top + height + 1, left - 1 : left + width + 1]
        ring = draft.cells[y + dy - abs(dx) : y + dy + abs(dx) + 1, x + dx - abs(dy) : x + dx + abs(dy) + 1]
        if (around != Terrain.ROCK).any():
            continue
        if (ring != Terrain.ROCK).any():
            continue
        draft.cells[top : top + height, left : left + width] = Terrain.FLOOR
        draft.roofed[top : top + height, left : left + width] = True
        draft.cells[y + dy, x + dx] = Terrain.FLOOR
        _fill_door(draft, stream, (x + dx, y + dy), side)
        mask = np.zeros_like(draft.free)
        mask[top : top + height, left : left + width] = True
        kept = np.zeros_like(mask)
        kept[y + 2 * dy, x + 2 * dx] = True
        furnish(draft, stream, mask, kept, PURPOSES[stream.choice(tuple(PURPOSES))])
        draft.place(place(stream, "side"), box, ("side room",))


def niches(draft: Draft, stream: Stream, hall: Hall) -> None:
    """Shallow niches in the walls: a statue, a sarcophagus, a bench behind a curtain."""
    wanted = 1 + stream.below(3) + int(hall.mask.sum()) // 160
    named = 0
    for _ in range(wanted * 3):
        side = stream.choice(SIDES)
        cells = along(hall, side)
        if not cells or wanted == 0:
            continue
        x, y = stream.choice(cells)
        dx, dy = STEP[side]
        wide = 1 + stream.below(3)
        run = [(x + i * abs(dy), y + i * abs(dx)) for i in range(wide)]
        inside = [(cx + dx, cy + dy) for cx, cy in run]
        left, top = min(c[0] for c in inside), min(c[1] for c in inside)
        right, bottom = max(c[0] for c in inside), max(c[1] for c in inside)
        if left < 1 or top < 1 or right > draft.width - 2 or bottom > draft.height - 2:
            continue
        if not all(cell in cells for cell in run):
            continue
        mask = np.zeros_like(hall.mask)
        mask[top : bottom + 1, left : right + 1] = True
        if (draft.cells[grown(mask) & ~hall.mask] != Terrain.ROCK).any():
            continue
        wanted -= 1
        draft.cells[mask] = Terrain.FLOOR
        if wide == 1 and stream.below(2):
            (draft.across if side in "ns" else draft.down)[y + (side == "s"), x + (side == "e")] = WALL
            draft.hang(x, y, side, DoorKind.CURTAIN)
            draft.put("chest", float(x + dx), float(y + dy))
        else:
            cx, cy = inside[wide // 2]
            kind = stream.choice(("statue", "sarcophagus", "altar", "bookshelf", "bench"))
            draft.stand(kind, cx, cy)
        if named < 3:
            named += 1
            draft.place(place(stream, "alcove"), (left, top, right - left + 1, bottom - top + 1), ("niche",))
