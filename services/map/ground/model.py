"""The ground of a map: the rules' own ground, and the arrays that answer for a whole map at once.

Every array is row by row, `[y, x]`. `east[y, x]` is the edge between cell (x, y) and the one to its right,
`south[y, x]` the one below it; an edge is a sum of the flags of `engine.ground.kinds`. What the rules keep as
bytes in the ground's own index, numpy reads there.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from services.map.generation.grid.model import Cell
from services.rules.engine.ground.model import Ground

U8 = NDArray[np.uint8]
I8 = NDArray[np.int8]
I32 = NDArray[np.int32]
Bools = NDArray[np.bool_]

DIRECTIONS = ((0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1))
"""Columns right and rows down for each of the eight steps: the straight ones first, clockwise from north."""


@dataclass(frozen=True, slots=True, eq=False)
class MapGround:
    """What walking, sight and cover ask of a map, its doors standing as they do.

    Attributes:
        width: Columns.
        height: Rows.
        rules: The same ground as the rules have it.
        paces: What entering each cell costs: 1, 2 on difficult ground, 0 where nobody stands.
        opaque: Cells nobody sees through.
        cover: Quarters that each cell covers.
        east: Flags of the edge on each cell's right.
        south: Flags of the edge below each cell.
        heights: How high each cell lies, in cells.
        tops: How high what stops sight reaches in each cell.
        steps: What each of the eight steps of `DIRECTIONS` costs from each cell, 0 where it cannot be
            walked: `[y, x, direction]`.
        thin: Whether there are thin walls, or opaque cells that touch at a corner alone: then sight is more
            than a matter of opaque cells.
        sized: The same as `steps` for the larger footprints that were asked for last, by size.
    """

    width: int
    height: int
    rules: Ground
    paces: U8
    opaque: Bools
    cover: U8
    east: U8
    south: U8
    heights: I32
    tops: I32
    steps: U8
    thin: bool
    sized: dict[int, U8] = field(default_factory=dict)

    def holds(self, cell: Cell) -> bool:
        """Whether the cell is on the map."""
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height

    def require_block(self, cell: Cell, size: int) -> None:
        """Checks that a footprint is on the map whole.

        Raises:
            ValueError: It is not.
        """
        x, y = cell
        if not (0 <= x <= self.width - size and 0 <= y <= self.height - size):
            self.require(cell, (x + size - 1, y + size - 1))

    def require(self, *cells: Cell) -> None:
        """Checks that cells are on the map.

        Raises:
            ValueError: One is not.
        """
        for x, y in cells:
            if not self.holds((x, y)):
                raise ValueError(f"cell {x}, {y} is not on a map of {self.width} by {self.height}")
