"""Grids, as DungeonTeller's scenes are stored: squares that are solid, on plain floor or on a map's ground.

All that is asked of one is asked of its `ground`; see `services.rules.engine.ground`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from services.rules.engine.ground import sight, steps, walking
from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.kinds import FLOOR, WALLED
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.squares import Square, block, distance, joined, line

__all__ = [
    "MAX_SIDE",
    "Grid",
    "Square",
    "around",
    "block",
    "distance",
    "is_way",
    "joined",
    "line",
    "sees",
    "within_reach",
]

MAX_SIDE = 200
"""Squares along one side of the largest grid."""


@dataclass(frozen=True)
class Grid:
    """A grid and what is solid on it.

    Attributes:
        width: Columns.
        height: Rows.
        solid: Squares nobody can stand in or see through, whatever the ground is there.
        base: The ground of a map: thin walls, heights, rough squares, doors, lamps; None for plain floor.

    Raises:
        ValueError: The grid has no squares or too many, or the ground has another size.
    """

    width: int
    height: int
    solid: tuple[Square, ...] = ()
    base: Ground | None = None

    def __post_init__(self) -> None:
        if not (1 <= self.width <= MAX_SIDE and 1 <= self.height <= MAX_SIDE):
            raise ValueError(f"a grid has 1 to {MAX_SIDE} squares a side")
        if self.base is not None and (self.base.width, self.base.height) != (self.width, self.height):
            raise ValueError("the ground of a grid is as large as the grid")

    @cached_property
    def ground(self) -> Ground:
        """The same as a ground."""
        base = self.base or _floor(self.width, self.height)
        if not self.solid:
            return base
        cells = bytearray(base.cells.encode())
        wall = ord(WALLED.sign)
        for square in self.solid:
            if self.holds(square):
                cells[square.y * self.width + square.x] = wall
        known = base.terrains if WALLED in base.terrains else (*base.terrains, WALLED)
        return replace(base, cells=cells.decode(), terrains=known)

    def holds(self, square: Square) -> bool:
        """Whether the square is on the grid."""
        return 0 <= square.x < self.width and 0 <= square.y < self.height

    def open(self, square: Square) -> bool:
        """Whether the square is on the grid and not solid."""
        return steps.opened(self.ground, square)


@lru_cache(maxsize=64)
def _floor(width: int, height: int) -> Ground:
    return Ground(width, height, FLOOR.sign * (width * height), (FLOOR, WALLED))


def is_way(grid: Grid, start: Square, way: Iterable[Square], taken: Collection[Square] = ()) -> bool:
    """Whether this way can be walked; see `walking.is_way`."""
    return walking.is_way(grid.ground, start, way, taken)


def within_reach(
    grid: Grid, start: Square, paces: int, taken: Collection[Square] = ()
) -> Mapping[Square, int]:
    """Every square that can be walked to with at most this many paces, and how many it takes."""
    return walking.reach(grid.ground, Footprint(start), paces, taken).costs()


def sees(grid: Grid, one: Square, other: Square) -> bool:
    """Whether there is a line of sight between two squares; see `sight.sees`."""
    return sight.sees(grid.ground, one, other)


def around(grid: Grid, middle: Square, paces: int) -> frozenset[Square]:
    """Every open square within so many paces of another, that one included."""
    return steps.around(grid.ground, middle, paces)
