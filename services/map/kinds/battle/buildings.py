"""Houses: thin walls on the lines of the grid, doors and windows in them, and what stands inside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from services.map.generation.grid.model import Cell, Door, DoorKind, DoorState, Spot
from services.map.generation.grid.terrain import Terrain
from services.map.generation.stream import Stream
from services.map.kinds.battle.draft import LOW, WALL, WINDOW, Draft, spans_of
from services.map.kinds.battle.kernels import U8, Bools
from services.map.kinds.battle.names import place
from services.map.kinds.battle.parameters import Hour

_OUT = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}
_OPPOSITE = {"n": "s", "e": "w", "s": "n", "w": "e"}


@dataclass(frozen=True, slots=True)
class Piece:
    """Something to furnish with.

    Attributes:
        kind: Of the prop.
        width: Cells along it.
        height: Cells across it.
        middle: Whether it stands free in the room, else along a wall.
        seats: Chairs beside it, at most.
        count: How many of it.
    """

    kind: str
    width: int = 1
    height: int = 1
    middle: bool = False
    seats: int = 0
    count: int = 1


FURNITURE: Mapping[str, tuple[Piece, ...]] = MappingProxyType(
    {
        "cottage": (
            Piece("hearth"),
            Piece("bed", 1, 2),
            Piece("table", 2, 1, middle=True, seats=3),
            Piece("chest"),
            Piece("barrel"),
        ),
        "tavern": (
            Piece("hearth"),
            Piece("table", 2, 1, middle=True, seats=4, count=4),
            Piece("barrel", count=4),
            Piece("bench", 2, 1, count=2),
            Piece("crate", count=2),
        ),
        "smithy": (
            Piece("hearth"),
            Piece("anvil", middle=True),
            Piece("barrel", count=2),
            Piece("table", 2, 1),
            Piece("crate", count=2),
        ),
        "barn": (
            Piece("hay", 2, 2),
            Piece("hay", count=3),
            Piece("cart", 2, 1, middle=True),
            Piece("sack", count=3),
            Piece("ladder"),
        ),
        "chapel": (
            Piece("altar", 2, 1),
            Piece("bench", 2, 1, middle=True, count=4),
            Piece("statue"),
            Piece("brazier", count=2),
        ),
        "store": (
            Piece("crate", 2, 1, middle=True),
            Piece("crate", count=4),
            Piece("barrel", count=3),
            Piece("sack", count=3),
            Piece("bookshelf", 2, 1),
        ),
        "chamber": (Piece("bed", 1, 2), Piece("chest"), Piece("rug", 2, 1, middle=True)),
        "ruined": (Piece("crate"), Piece("barrel"), Piece("column-broken", middle=True), Piece("bones")),
    }
)
_SOFT = frozenset({"rug", "bones", "ladder"})
"""What nobody has to climb over."""

SIZES: Mapping[str, tuple[tuple[int, int], tuple[int, int]]] = MappingProxyType(
    {
        "cottage": ((4, 7), (4, 6)),
        "tavern": ((7, 10), (6, 8)),
        "smithy": ((5, 7), (4, 6)),
        "barn": ((5, 8), (4, 6)),
        "chapel": ((5, 7), (7, 9)),
        "store": ((4, 6), (4, 6)),
    }
)
"""Cells along the front and in depth, least and most."""


def furnish(
    draft: Draft,
    stream: Stream,
    inside: Bools,
    kept: Bools,
    pieces: tuple[Piece, ...],
    corner: Cell = (0, 0),
) -> list[Spot]:
    """Puts furniture into a room.

    Args:
        draft: The map.
        stream: To draw from.
        inside: The cells of the room, in the whole map or a part of it.
        kept: Cells of the same part that stay clear: in front of doors.
        pieces: What to put.
        corner: The top left cell of that part.

    Returns:
        Where a hearth or a brazier burns.
    """
    rows, columns = np.nonzero(inside.any(axis=1))[0], np.nonzero(inside.any(axis=0))[0]
    if len(rows) == 0:
        return []
    # Only the box around the room is looked at.
    top, left = int(rows[0]), int(columns[0])
    part = (slice(top, int(rows[-1]) + 1), slice(left, int(columns[-1]) + 1))
    top, left = top + corner[1], left + corner[0]
    room = inside[part]
    clear = room & ~kept[part]
    seats = clear.copy()
    by_wall = _beside_wall(room)
    allowed = {True: clear & ~by_wall, False: clear & by_wall}
    cells = {middle: np.flatnonzero(mask).tolist() for middle, mask in allowed.items()}
    fires: list[Spot] = []
    for piece in pieces:
        for _ in range(piece.count):
            found = _fit(stream, allowed[piece.middle], cells[piece.middle], piece)
            if found is None:
                continue
            x, y, width, height, turn = found
            box = (slice(top + y, top + y + height), slice(left + x, left + x + width))
            if piece.kind in _SOFT:
                draft.put(piece.kind, left + x, top + y, width, height)
                draft.free[box] = False
            else:
                draft.stand(piece.kind, left + x, top + y, width, height, turn)
            # One walks round what stands free.
            gap = int(piece.middle)
            for mask in allowed.values():
                mask[max(0, y - gap) : y + height + gap, max(0, x - gap) : x + width + gap] = False
            seats[y : y + height, x : x + width] = False
            _seat(draft, stream, seats, piece.seats, (x, y, width, height), (left, top))
            if piece.kind in ("hearth", "brazier"):
                fires.append((left + x + 0.5, top + y + 0.5))
    return fires


def _beside_wall(inside: Bools) -> Bools:
    padded = np.pad(inside, 1)
    beside: Bools = ~(padded[:-2, 1:-1] & padded[2:, 1:-1] & padded[1:-1, :-2] & padded[1:-1, 2:])
    return beside


def _fit(
    stream: Stream, allowed: Bools, cells: list[int], piece: Piece
) -> tuple[int, int, int, int, int] | None:
    """A box of allowed cells for a piece, as (x, y, columns, rows, turn), begun in one of some flat cells."""
    wide = allowed.shape[1]
    for _ in range(min(14, len(cells))):
        cell = cells[stream.below(len(cells))]
        x, y = cell % wide, cell // wide
        if not allowed[y, x]:
            continue
        turned = stream.below(2)
        for turn in (turned, 1 - turned):
            width, height = (piece.height, piece.width) if turn else (piece.width, piece.height)
            box = allowed[y : y + height, x : x + width]
            if box.shape == (height, width) and box.all():
                return x, y, width, height, 90 if turn and width != height else 0
    return None


def _seat(
    draft: Draft,
    stream: Stream,
    seats: Bools,
    count: int,
    box: tuple[int, int, int, int],
    corner: Cell,
) -> None:
    """Puts chairs beside a piece of furniture, turned towards it."""
    if count == 0:
        return
    x, y, width, height = box
    if width >= height:
        sides = [(x + i, y + d, 0) for i in range(width) for d in (-1, height)]
    else:
        sides = [(x + d, y + i, 90) for i in range(height) for d in (-1, width)]
    stream.shuffle(sides)
    high, wide = seats.shape
    for cx, cy, turn in sides[:count]:
        if 0 <= cx < wide and 0 <= cy < high and seats[cy, cx]:
            flip = 180 if (cy > y if turn == 0 else cx < x) else 0
            middle = corner[0] + cx + 0.5, corner[1] + cy + 0.5
            draft.put_middle("chair", middle, 0.6, 0.6, turn + flip)


@dataclass(slots=True)
class _House:
    """One house while it is built.

    Attributes:
        draft: The map.
        stream: To draw from.
        kind: What it is.
        x: Left column of the part of the map looked at, one cell wider than the house on each side.
        y: Top row of it.
        mask: Cells of the house in that part.
        kept: Cells there that stay clear.
    """

    draft: Draft
    stream: Stream
    kind: str
    x: int
    y: int
    mask: Bools
    kept: Bools

    @property
    def part(self) -> tuple[slice, slice]:
        """The part of the map looked at."""
        height, width = self.mask.shape
        return slice(self.y, self.y + height), slice(self.x, self.x + width)

    def lines(self, level: bool) -> U8:
        """The codes of thin walls in that part: above its cells, or left of them."""
        height, width = self.mask.shape
        if level:
            return self.draft.across[self.y : self.y + height, self.x : self.x + width]
        return self.draft.down[self.y : self.y + height, self.x : self.x + width]

    def edges(self, level: bool) -> Bools:
        """Which pieces of those lines are outer wall."""
        found = np.zeros_like(self.mask)
        if level:
            found[1:] = self.mask[1:] != self.mask[:-1]
        else:
            found[:, 1:] = self.mask[:, 1:] != self.mask[:, :-1]
        return found

    def door(self, side: str, kind: DoorKind, state: DoorState, span: int = 1) -> Spot | None:
        """Hangs a door near the middle of a side; None when the side has no room for it."""
        dx, dy = _OUT[side]
        # The mask has an empty rim, so that rolling it brings nothing in from the other side.
        beyond = np.roll(self.mask, (-dy, -dx), (0, 1))
        cells = {(int(x), int(y)) for y, x in np.argwhere(self.mask & ~beyond)}
        along = (1, 0) if dx == 0 else (0, 1)
        runs = sorted(
            (x, y)
            for x, y in cells
            if all((x + i * along[0], y + i * along[1]) in cells for i in range(-1, span + 1))
        )
        if not runs:
            return None
        x, y = runs[min(len(runs) - 1, len(runs) // 4 + self.stream.below(max(1, (len(runs) + 1) // 2)))]
        self.draft.hang(self.x + x, self.y + y, side, kind, state, span)
        for i in range(span):
            cx, cy = x + i * along[0], y + i * along[1]
            self.kept[cy, cx] = self.kept[cy + dy, cx + dx] = True
        return self.x + x + 0.5 + dx, self.y + y + 0.5 + dy

    def windows(self, doors: list[Door]) -> None:
        """Breaks windows into every third piece of wall or so, not beside the doors."""
        hung = [door.middle for door in doors]
        for level in (True, False):
            lines = self.lines(level)
            for row, column in np.argwhere(self.edges(level)).tolist():
                x, y = self.x + column, self.y + row
                if (x if level else y) % 3 != 1 or not self.stream.below(3):
                    continue
                mx, my = (x + 0.5, float(y)) if level else (float(x), y + 0.5)
                if all(abs(mx - a) + abs(my - b) > 1.6 for a, b in hung):
                    lines[row, column] = WINDOW

    def divide(self) -> list[Bools]:
        """Parts a large house by an inner wall with a doorway; gives its rooms."""
        draft, stream, mask = self.draft, self.stream, self.mask
        height, width = mask.shape[0] - 2, mask.shape[1] - 2
        long, upright = max(width, height), width >= height
        if long < 7 or self.kind in ("barn", "chapel", "store"):
            return [mask]
        cut = 1 + (3 + stream.below(max(1, long - 6)) if stream.below(2) else long - 3)
        one = mask.copy()
        if upright:
            one[:, cut:] = False
            line = [(cut, row) for row in range(1, height + 1) if mask[row, cut - 1 : cut + 1].all()]
        else:
            one[cut:, :] = False
            line = [(column, cut) for column in range(1, width + 1) if mask[cut - 1 : cut + 1, column].all()]
        if len(line) < 2 or not one.any():
            return [mask]
        lines = self.lines(not upright)
        for cx, cy in line:
            lines[cy, cx] = WALL
        cx, cy = line[stream.below(len(line))]
        kind = stream.choice((DoorKind.WOODEN, DoorKind.WOODEN, DoorKind.ARCH, DoorKind.CURTAIN))
        state = DoorState.OPEN if kind is DoorKind.ARCH else DoorState.CLOSED
        edge, (dx, dy) = ("w", (-1, 0)) if upright else ("n", (0, -1))
        draft.hang(self.x + cx, self.y + cy, edge, kind, state)
        self.kept[cy, cx] = self.kept[cy + dy, cx + dx] = True
        return sorted((one, mask & ~one), key=lambda room: -int(room.sum()))


def house(draft: Draft, stream: Stream, kind: str, box: tuple[int, int, int, int], front: str) -> Spot:
    """Builds a house; one cell all round it has to be on the map.

    Args:
        draft: The map.
        stream: To draw from.
        kind: `cottage`, `tavern`, `smithy`, `barn`, `chapel` or `store`.
        box: Left column, top row, columns, rows.
        front: The side of its door: "n", "e", "s" or "w".

    Returns:
        The middle of the cell before its door.
    """
    x, y, width, height = box
    mask = np.zeros((height + 2, width + 2), np.bool_)
    mask[1:-1, 1:-1] = True
    if kind in ("cottage", "tavern", "smithy") and width >= 6 and height >= 5 and stream.below(2):
        # An angled house: one corner at the back is left out.
        cw, ch = width // 2 - stream.below(2), height // 2
        left = front == "e" or (front != "w" and stream.below(2) == 0)
        top = front == "s" or (front != "n" and stream.below(2) == 0)
        cx, cy = (1 if left else 1 + width - cw), (1 if top else 1 + height - ch)
        mask[cy : cy + ch, cx : cx + cw] = False
    built = _House(draft, stream, kind, x - 1, y - 1, mask, np.zeros_like(mask))
    part = built.part
    earthen = kind in ("barn", "smithy")
    ground = Terrain.EARTH if earthen else (Terrain.FLOOR if kind == "chapel" else Terrain.PLANKS)
    draft.cells[part][mask] = ground
    for level in (True, False):
        built.lines(level)[built.edges(level)] = WALL
    draft.heights[part] = draft.heights[y + height // 2, x + width // 2]
    draft.level.append(part)
    draft.roofed[part] |= mask
    draft.free[part] = False
    hung = len(draft.doors)
    if kind == "barn":
        threshold = built.door(front, DoorKind.GATE, DoorState.OPEN, 2)
    else:
        state = DoorState.LOCKED if stream.below(5) == 0 else DoorState.CLOSED
        threshold = built.door(front, DoorKind.WOODEN, state)
    if threshold is None:
        threshold = built.door(_OPPOSITE[front], DoorKind.WOODEN, DoorState.CLOSED)
    if kind == "tavern" or (width * height >= 30 and stream.below(2)):
        back = stream.choice([side for side in "nesw" if side != front])
        built.door(back, DoorKind.WOODEN, DoorState.CLOSED)
    rooms = built.divide()
    if kind != "barn":
        built.windows(draft.doors[hung:])
    for number, room in enumerate(rooms):
        pieces = FURNITURE["chamber" if number else kind]
        fires = furnish(draft, stream, room, built.kept, pieces, (x - 1, y - 1))
        if draft.parameters.hour is not Hour.DAY or kind == "smithy":
            for spot in fires[:1]:
                draft.light("hearth", spot, 3, 6, "#ff9a4a")
    spot = threshold or (x + 0.5, y + 0.5)
    if draft.parameters.hour is Hour.NIGHT and kind in ("tavern", "chapel", "smithy"):
        draft.light("lantern", spot, 3, 6)
    inside = tuple((y - 1 + row, x - 1 + first, x - 1 + last) for row, first, last in spans_of(mask))
    draft.place(place(stream, kind), box, ("indoors", kind), inside)
    return spot


def broken_wall(draft: Draft, stream: Stream, level: bool, pieces: list[Cell], decay: int) -> None:
    """Draws a thin wall that time has gnawed at: whole, low, or a heap of stones.

    Args:
        draft: The map.
        stream: To draw from.
        level: Whether it runs from west to east, above its pieces' cells; else left of them.
        pieces: Its pieces, one after the other.
        decay: How much of it has fallen, in percent.
    """
    lines = draft.across if level else draft.down
    state = 100
    for x, y in pieces:
        # Neighbouring pieces fare alike.
        if stream.below(3) == 0:
            state = stream.below(100)
        if state >= decay:
            lines[y, x] = WALL
        elif state >= decay // 2:
            lines[y, x] = LOW
        else:
            _spill(draft, stream, x, y)


def _spill(draft: Draft, stream: Stream, x: int, y: int) -> None:
    """Leaves the stones of a fallen piece of wall beside it."""
    if stream.below(3) and draft.cells[y, x] in (Terrain.FLOOR, Terrain.EARTH, Terrain.GRASS):
        draft.cells[y, x] = Terrain.RUBBLE
