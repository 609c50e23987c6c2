"""How a game measures its ground: what a square is, how diagonals count, what rough ground costs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import isqrt


class Diagonal(StrEnum):
    """What a slanting step counts.

    Attributes:
        EQUAL: One square, as a straight one (DungeonTeller, Forge Engine).
        ALTERNATING: One square and two squares by turns: three for two.
        ORTHOGONAL: Two squares: only straight steps are counted.
        EUCLIDEAN: The square root of two, rounded up at the end.
    """

    EQUAL = "equal"
    ALTERNATING = "alternating"
    ORTHOGONAL = "orthogonal"
    EUCLIDEAN = "euclidean"


class Rough(StrEnum):
    """What rough ground costs more than open ground.

    Attributes:
        ADDS: One square for each degree of roughness, on a slanting step too.
        MULTIPLIES: The step itself once more for each degree.
    """

    ADDS = "adds"
    MULTIPLIES = "multiplies"


_STRAIGHT, _SLANTING = 70, 99
"""Points of a straight and of a slanting step by euclidean measure: 99/70 is just above the root of two."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A game's own measure. Walking is counted in whole points, of which `square` are one square.

    Attributes:
        units: Units along one side of a square: 1 pace, 5 feet.
        unit: The unit's name.
        diagonal: What a slanting step counts.
        rough: What rough ground costs more.

    Raises:
        ValueError: A square is less than one unit.
    """

    units: int = 1
    unit: str = "pace"
    diagonal: Diagonal = Diagonal.EQUAL
    rough: Rough = Rough.ADDS

    def __post_init__(self) -> None:
        if self.units < 1:
            raise ValueError(f"a square measures at least one unit, not {self.units}")

    def distance(self, across: int, down: int, up: int = 0) -> int:
        """Units between two squares that lie so many squares apart in each direction.

        By alternating diagonals two ways of one diagonal each count less than one way of two, as the rule has
        it: each way begins anew. All other measures are metrics.
        """
        if self.diagonal is Diagonal.EQUAL:
            return max(abs(across), abs(down), abs(up)) * self.units
        far = sorted((abs(across), abs(down), abs(up)))
        match self.diagonal:
            case Diagonal.ORTHOGONAL:
                return sum(far) * self.units
            case Diagonal.ALTERNATING:
                return (far[2] + (far[0] + far[1]) // 2) * self.units
            case Diagonal.EUCLIDEAN:
                return _root_up(sum(leg * leg for leg in far) * self.units * self.units)

    @property
    def square(self) -> int:
        """Points that one square is."""
        return _STRAIGHT if self.diagonal is Diagonal.EUCLIDEAN else 1

    def points(self, units: int) -> int:
        """Points that may be spent with some units."""
        return units * self.square // self.units

    def spent(self, points: int) -> int:
        """Units that some points are; a part of one counts as a whole one."""
        return -(-points * self.units // self.square)

    def step(self, slanting: bool, odd: bool, rough: int) -> int:
        """Points that one step costs.

        Args:
            slanting: Whether it slants.
            odd: Whether an odd number of slanting steps was taken before.
            rough: Degrees of roughness: 0 on open ground, 1 where it is difficult.
        """
        if not slanting:
            base = self.square
        elif self.diagonal is Diagonal.EUCLIDEAN:
            base = _SLANTING
        elif self.diagonal is Diagonal.EQUAL:
            base = 1
        else:
            base = 2 if odd or self.diagonal is Diagonal.ORTHOGONAL else 1
        return base * (1 + rough) if self.rough is Rough.MULTIPLIES else base + self.square * rough


def _root_up(value: int) -> int:
    root = isqrt(value)
    return root + (root * root < value)


PACES = Measure()
"""One pace a square, diagonals as straight steps: DungeonTeller's, and that of questions to maps."""

FEET = Measure(5, "foot")
"""Five feet a square, diagonals as straight steps: Forge Engine's (Combat Movement; Origin)."""
