"""What a ground is: cells of some terrains, edges with barriers, doors, heights, lamps.

Cells and edges are written as signs in one text, row by row, as a map is drawn; `terrains` and `barriers` say
what each sign is. The text hashes at once and is the JSON form, so that a ground can be a key and be stored.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from services.rules.engine.ground.kinds import (
    BARRIERS,
    TERRAINS,
    Ambient,
    Barrier,
    Door,
    DoorState,
    Lamp,
    Terrain,
)
from services.rules.engine.ground.measure import PACES, Measure
from services.rules.engine.ground.squares import Edge, Square, edge

if TYPE_CHECKING:
    from services.rules.engine.ground.index import Index

MAX_GROUND_SIDE = 400
"""Squares along one side of the largest ground."""

LEDGE = 2
"""Steps of height between two squares that make a ledge: it is climbed, not walked."""


@dataclass(frozen=True)
class Ground:
    """Cells and edges, and everything on them that walking, sight, cover and light ask for.

    Attributes:
        width: Columns.
        height: Rows.
        cells: One sign a cell, row by row.
        terrains: What the signs of cells are.
        east: One sign a cell for the edge on its right; empty when there is nothing on any of them.
        south: One sign a cell for the edge below it; empty when there is nothing on any of them.
        barriers: What the signs of edges are.
        doors: Doors; each decides alone what its squares and edges stop.
        heights: How high each cell lies, in squares, row by row; empty when all is flat.
        ambient: Light where nothing shines.
        lamps: What shines.
        measure: The game's own measure.

    Raises:
        ValueError: The ground has no squares or too many, a text or the heights are not one a cell, a sign is
            not known, or a door or a lamp is beyond the ground.
    """

    width: int
    height: int
    cells: str
    terrains: tuple[Terrain, ...] = TERRAINS
    east: str = ""
    south: str = ""
    barriers: tuple[Barrier, ...] = BARRIERS
    doors: tuple[Door, ...] = ()
    heights: tuple[int, ...] = ()
    ambient: Ambient = Ambient.BRIGHT
    lamps: tuple[Lamp, ...] = ()
    measure: Measure = PACES

    def __post_init__(self) -> None:
        if not (1 <= self.width <= MAX_GROUND_SIDE and 1 <= self.height <= MAX_GROUND_SIDE):
            raise ValueError(f"a ground has 1 to {MAX_GROUND_SIDE} squares a side")
        size = self.width * self.height
        for signs, known in (
            (self.cells, self.terrains),
            (self.east, self.barriers),
            (self.south, self.barriers),
        ):
            if len(signs) != size and (signs or known is self.terrains):
                raise ValueError("a ground has one sign a cell")
            unknown = set(signs) - {one.sign for one in known}
            if unknown:
                raise ValueError(f"no terrain or barrier has the sign {min(unknown)!r}")
        if self.heights and len(self.heights) != size:
            raise ValueError("a ground has one height a cell, or none")
        hung = [side for door in self.doors for side in door.edges]
        if any(edge(*side) != side for side in hung):
            raise ValueError("an edge names its smaller square first")
        at = [square for door in self.doors for square in (*door.squares, *_ends(door.edges))]
        if not all(map(self.holds, (*at, *(lamp.at for lamp in self.lamps)))):
            raise ValueError("doors and lamps are on the ground")

    def holds(self, square: Square) -> bool:
        """Whether the square is on the ground."""
        return 0 <= square.x < self.width and 0 <= square.y < self.height

    @cached_property
    def index(self) -> Index:
        """Its flat form: computed once for every ground that is equal to this one."""
        return _index_of(self)

    @classmethod
    def drawn(cls, *rows: str, walls: Iterable[tuple[Edge, Barrier]] = (), **more: object) -> Ground:
        """A ground drawn with the signs of `TERRAINS`, and barriers on some edges.

        Args:
            rows: Its rows, of one length.
            walls: Edges, and what is on each.
            more: What else the ground has, by the names of its attributes.
        """
        plain = cls(len(rows[0]), len(rows), "".join(rows), **more)  # type: ignore[arg-type]
        for one, barrier in walls:
            plain = plain.with_barrier(one, barrier)
        return plain

    def with_barrier(self, where: Edge, barrier: Barrier) -> Ground:
        """The ground with something else on an edge.

        Raises:
            ValueError: The edge is not on the ground, or another barrier has the sign.
        """
        one, other = where
        if not (self.holds(one) and self.holds(other)):
            raise ValueError(f"the edge between {one} and {other} is not on the ground")
        known = self.barriers if barrier in self.barriers else (*self.barriers, barrier)
        if len({kind.sign for kind in known}) != len(known):
            raise ValueError(f"another barrier has the sign {barrier.sign!r}")
        at = one.y * self.width + one.x
        signs = self.east if one.y == other.y else self.south
        signs = signs or self._empty_sign * (self.width * self.height)
        signs = signs[:at] + barrier.sign + signs[at + 1 :]
        if one.y == other.y:
            return replace(self, barriers=known, east=signs)
        return replace(self, barriers=known, south=signs)

    def barrier_on(self, where: Edge) -> Barrier:
        """What is on an edge of the ground, doors left out."""
        one, other = where
        signs = self.east if one.y == other.y else self.south
        sign = signs[one.y * self.width + one.x] if signs else self._empty_sign
        return next(kind for kind in self.barriers if kind.sign == sign)

    @property
    def _empty_sign(self) -> str:
        return next(kind.sign for kind in self.barriers if not kind.flags)

    def with_door(self, door: str, state: DoorState) -> Ground:
        """The ground with a door that stands otherwise; doors it does not have change nothing."""
        return replace(
            self,
            doors=tuple(replace(one, state=state) if one.id == door else one for one in self.doors),
        )


@lru_cache(maxsize=64)
def _index_of(ground: Ground) -> Index:
    from services.rules.engine.ground.index import index_of

    return index_of(ground)


def _ends(edges: Iterable[Edge]) -> Iterable[Square]:
    return (square for one in edges for square in one)
