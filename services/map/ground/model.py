"""The ground of a map as arrays, and as the rules' own ground.

Every array is row by row, `[y, x]`. `east[y, x]` is the edge between cell (x, y) and the one to its right,
`south[y, x]` the one below it; an edge is a sum of the flags below.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from services.map.generation.grid.model import Cell
from services.rules.engine.grid import Edge, Ground, Square

U8 = NDArray[np.uint8]
I8 = NDArray[np.int8]
I32 = NDArray[np.int32]
Bools = NDArray[np.bool_]

IMPASSABLE = 1
"""An edge nobody walks through."""
OPAQUE = 2
"""An edge nobody sees through."""
DIFFICULT = 4
"""An edge that costs one pace more."""
COVER = 8
"""An edge that grants partial cover."""

DIRECTIONS = ((0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1))
"""Columns right and rows down for each of the eight steps: the straight ones first, clockwise from north."""


@dataclass(frozen=True, slots=True, eq=False)
class MapGround:
    """What walking, sight and cover ask of a map, its doors standing as they do.

    Attributes:
        width: Columns.
        height: Rows.
        feet: Feet along one side of a cell.
        paces: What entering each cell costs: 1, 2 on difficult ground, 0 where nobody stands.
        opaque: Cells nobody sees through.
        cover: Cells that grant partial cover.
        east: Flags of the edge on each cell's right.
        south: Flags of the edge below each cell.
        heights: How high each cell lies, in steps of five feet.
        steps: What each of the eight steps of `DIRECTIONS` costs from each cell, 0 where it cannot be
            walked: `[y, x, direction]`.
        thin: Whether there are thin walls, or opaque cells that touch at a corner alone: then sight is more
            than a matter of opaque cells.
    """

    width: int
    height: int
    feet: int
    paces: U8
    opaque: Bools
    cover: Bools
    east: U8
    south: U8
    heights: I8
    steps: U8
    thin: bool

    def holds(self, cell: Cell) -> bool:
        """Whether the cell is on the map."""
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height

    def require(self, *cells: Cell) -> None:
        """Checks that cells are on the map.

        Raises:
            ValueError: One is not.
        """
        for x, y in cells:
            if not self.holds((x, y)):
                raise ValueError(f"cell {x}, {y} is not on a map of {self.width} by {self.height}")

    def rules_ground(self) -> Ground:
        """The same ground as the rules have it; slow for large maps."""
        return self.patch((0, 0), (self.width - 1, self.height - 1))

    def patch(self, first: Cell, last: Cell) -> Ground:
        """A part of the map as the rules' ground, its squares counted from the part's own corner.

        Args:
            first: Its top left cell.
            last: Its bottom right cell, included.
        """
        self.require(first, last)
        rows, columns = slice(first[1], last[1] + 1), slice(first[0], last[0] + 1)
        paces, heights = self.paces[rows, columns], self.heights[rows, columns]
        # Edges on the rim lead out of the part.
        east, south = self.east[rows, columns][:, :-1], self.south[rows, columns][:-1]

        def edges(flag: int) -> frozenset[Edge]:
            beside = ((one, Square(one.x + 1, one.y)) for one in _squares(east & flag != 0))
            below = ((one, Square(one.x, one.y + 1)) for one in _squares(south & flag != 0))
            return frozenset((*beside, *below))

        return Ground(
            width=paces.shape[1],
            height=paces.shape[0],
            impassable=_squares(paces == 0),
            opaque=_squares(self.opaque[rows, columns]),
            difficult=_squares(paces > 1),
            cover=_squares(self.cover[rows, columns]),
            impassable_edges=edges(IMPASSABLE),
            opaque_edges=edges(OPAQUE),
            difficult_edges=edges(DIFFICULT),
            cover_edges=edges(COVER),
            heights=tuple(heights.ravel().tolist()) if heights.any() else (),
        )


def _squares(cells: Bools) -> frozenset[Square]:
    return frozenset(Square(x, y) for y, x in np.argwhere(cells).tolist())
