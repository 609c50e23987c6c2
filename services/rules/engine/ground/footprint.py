"""Where creatures stand that fill n by n squares, and how far apart they are.

Forge Engine, Size Traits: Huge fills ten feet by ten with a reach of ten, Titanic twenty by twenty.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.squares import Square

MAX_SIZE = 20
"""Squares along one side of the largest creature."""


@dataclass(frozen=True, slots=True, order=True)
class Footprint:
    """The squares a creature fills, and how high above the floor it is. It is as tall as it is wide.

    Attributes:
        at: Its top left square.
        size: Squares along one side.
        altitude: Squares above the floor it stands over.

    Raises:
        ValueError: The size is out of its range.
    """

    at: Square
    size: int = 1
    altitude: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.size <= MAX_SIZE:
            raise ValueError(f"a footprint has 1 to {MAX_SIZE} squares a side, not {self.size}")

    def squares(self) -> Iterator[Square]:
        """Its squares, row by row."""
        for y in range(self.at.y, self.at.y + self.size):
            for x in range(self.at.x, self.at.x + self.size):
                yield Square(x, y)

    def holds(self, square: Square) -> bool:
        """Whether the square is one of its own."""
        return 0 <= square.x - self.at.x < self.size and 0 <= square.y - self.at.y < self.size


def floor(ground: Ground, footprint: Footprint) -> int:
    """How high the floor under a footprint lies at its highest; 0 beyond the ground."""
    heights = ground.index.heights
    if heights is None:
        return 0
    under = [heights[one.y * ground.width + one.x] for one in footprint.squares() if ground.holds(one)]
    return max(under, default=0)


def apart(ground: Ground, one: Footprint, other: Footprint) -> tuple[int, int, int]:
    """Squares between the nearest ones of two footprints: across, down, and up, by floors and altitudes."""
    low, other_low = one.altitude, other.altitude
    if ground.index.heights is not None:
        low, other_low = low + floor(ground, one), other_low + floor(ground, other)
    return (
        _gap(one.at.x, one.size, other.at.x, other.size),
        _gap(one.at.y, one.size, other.at.y, other.size),
        _gap(low, one.size, other_low, other.size),
    )


def distance(ground: Ground, one: Footprint, other: Footprint) -> int:
    """Units between two footprints, from their nearest squares, heights and altitudes counted."""
    return ground.measure.distance(*apart(ground, one, other))


def _gap(low: int, long: int, other_low: int, other_long: int) -> int:
    """Steps from the nearest square of one stretch to that of another; 0 where they overlap."""
    if other_low >= low + long:
        return other_low - (low + long - 1)
    return low - (other_low + other_long - 1) if low >= other_low + other_long else 0


def reaches(ground: Ground, one: Footprint, other: Footprint, units: int) -> bool:
    """Whether a creature reaches another with a reach of some units."""
    return distance(ground, one, other) <= units


def within(ground: Ground, footprint: Footprint, units: int) -> frozenset[Square]:
    """The squares on the ground up to some units away from a footprint, its own included."""
    far = units // ground.measure.units
    x, y, size = footprint.at.x, footprint.at.y, footprint.size
    measure = ground.measure.distance
    return frozenset(
        Square(column, row)
        for row in range(max(0, y - far), min(ground.height, y + size + far))
        for column in range(max(0, x - far), min(ground.width, x + size + far))
        if measure(_gap(x, size, column, 1), _gap(y, size, row, 1)) <= units
    )
