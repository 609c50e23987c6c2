"""The flat form of a ground, computed once: a number for each cell, bytes for what it is.

The number of a cell is `y * width + x`. `east` and `south` have the flags of `model` for the edge on a cell's
right and for the one below it, the doors on them as they stand.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from services.rules.engine.ground.kinds import (
    COVER,
    COVER_AT,
    DIFFICULT,
    IMPASSABLE,
    OPAQUE,
    Barrier,
    Terrain,
)
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.squares import Edge, Square

ENDLESS = 2**15 - 1
"""The top of what nobody looks over, in steps of height."""


STOPPED = 4
"""Quarters that what stops sight takes of a line: all of them."""

_EDGE_TAKES = bytes(STOPPED if flags & OPAQUE else (flags & COVER) >> COVER_AT for flags in range(256))


@dataclass(slots=True)
class Index:
    """What walking and sight read of a ground, by the numbers of its cells.

    Attributes:
        width: Columns.
        height: Rows.
        costs: Squares that entering each cell costs, 0 for never.
        opaque: Whether each cell stops sight.
        cover: Quarters that each cell covers.
        east: Flags of the edge on each cell's right.
        south: Flags of the edge below each cell.
        heights: How high each cell lies; None when all is flat.
        takes: Quarters that each cell takes of a line of sight through it, `STOPPED` for all.
        east_takes: The same of the edge on each cell's right.
        south_takes: The same of the edge below each cell.
        plain: Whether steps are stopped by cells alone: no edge and no height matters to them.
        steps: By the size of a footprint, the steps from each cell that were computed before.
        squares: By their numbers, the squares that were asked for before; see `square`.
        tops: How high what stops sight reaches in each cell; None when that is ENDLESS or 0 everywhere.
        blind: Whether anything stops sight.
        screened: Whether anything covers what can be seen.
        memory: Answers that were computed before, by question; see `keep`.
    """

    width: int
    height: int
    costs: bytes
    opaque: bytes
    cover: bytes
    east: bytes
    south: bytes
    heights: tuple[int, ...] | None
    tops: tuple[int, ...] | None
    blind: bool
    screened: bool
    takes: bytes
    east_takes: bytes
    south_takes: bytes
    plain: bool
    steps: dict[int, dict[int, Any]] = field(default_factory=dict)
    squares: dict[int, Square] = field(default_factory=dict)
    memory: dict[Any, Any] = field(default_factory=dict)

    def inside(self, x: int, y: int) -> bool:
        """Whether there is such a cell."""
        return 0 <= x < self.width and 0 <= y < self.height

    def square(self, number: int) -> Square:
        """The square of a cell, made once."""
        known = self.squares.get(number)
        if known is None:
            known = self.squares[number] = Square(number % self.width, number // self.width)
        return known

    def edge(self, x: int, y: int, dx: int, dy: int) -> int:
        """The flags of the edge that a straight step crosses; both cells are on the ground."""
        at = y * self.width + x
        if dx:
            return self.east[at if dx > 0 else at - 1]
        return self.south[at if dy > 0 else at - self.width]

    def keep(self, key: Any, value: Any) -> Any:
        """Keeps an answer until there are too many, and returns it."""
        if len(self.memory) >= _MOST:
            self.memory.clear()
        self.memory[key] = value
        return value


_MOST = 100_000
_ALL = bytes(min(quarters, STOPPED) for quarters in range(256))


def index_of(ground: Ground) -> Index:
    """The flat form of a ground."""
    costs = bytearray(_bytes(ground.cells, ground.terrains, "cost"))
    opaque = bytearray(_bytes(ground.cells, ground.terrains, "opaque"))
    cover = bytearray(_bytes(ground.cells, ground.terrains, "cover"))
    east = bytearray(_edges(ground.east, ground.barriers, len(costs)))
    south = bytearray(_edges(ground.south, ground.barriers, len(costs)))
    width = ground.width
    for door in ground.doors:
        flags = door.flags
        for square in door.squares:
            at = square.y * width + square.x
            costs[at] = 0 if flags & IMPASSABLE else max(1, costs[at])
            opaque[at] = bool(flags & OPAQUE)
            cover[at] = max(cover[at], flags >> COVER_AT)
        _hang(door.edges, flags, width, (east, south))
    tall = {terrain.sign: terrain.tall for terrain in ground.terrains if terrain.opaque}
    # What is looked over stops sight by its top, not by itself.
    low = any(top is not None for top in tall.values()) and not tall.keys().isdisjoint(ground.cells)
    heights = ground.heights if any(ground.heights) else None
    tops = _tops(ground, opaque, tall) if heights or low else None
    edges = set(east) | set(south)
    return Index(
        width=width,
        height=ground.height,
        costs=bytes(costs),
        opaque=bytes(opaque),
        cover=bytes(cover),
        east=bytes(east),
        south=bytes(south),
        heights=heights,
        tops=tops,
        blind=any(opaque) or tops is not None or any(flags & OPAQUE for flags in edges),
        screened=any(cover) or any(flags & COVER for flags in edges),
        takes=_takes(cover, opaque),
        east_takes=bytes(east.translate(_EDGE_TAKES)),
        south_takes=bytes(south.translate(_EDGE_TAKES)),
        plain=heights is None and not any(flags & (IMPASSABLE | DIFFICULT) for flags in edges),
    )


def _takes(cover: bytearray, opaque: bytearray) -> bytes:
    # Added as two long numbers: of a large map that is many times as fast as cell by cell.
    both = int.from_bytes(cover, "big") + STOPPED * int.from_bytes(opaque, "big")
    return both.to_bytes(len(cover), "big").translate(_ALL)


def _tops(ground: Ground, opaque: bytearray, tall: dict[str, int | None]) -> tuple[int, ...]:
    heights = ground.heights or (0,) * len(opaque)

    def top(at: int) -> int:
        if not opaque[at]:
            return heights[at]
        above = tall.get(ground.cells[at])
        return ENDLESS if above is None else heights[at] + above

    return tuple(map(top, range(len(opaque))))


def _bytes(signs: str, kinds: Iterable[Terrain], name: str) -> bytes:
    return signs.translate({ord(kind.sign): chr(getattr(kind, name)) for kind in kinds}).encode("latin-1")


def _edges(signs: str, kinds: Iterable[Barrier], size: int) -> bytes:
    if not signs:
        return bytes(size)
    return signs.translate({ord(kind.sign): chr(kind.flags) for kind in kinds}).encode("latin-1")


def _hang(edges: Iterable[Edge], flags: int, width: int, sheets: tuple[bytearray, bytearray]) -> None:
    """Puts a door on its edges: where a wall was drawn through the doorway, the door alone decides."""
    for one, other in edges:
        sheets[one.x == other.x][one.y * width + one.x] = flags
