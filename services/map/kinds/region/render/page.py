"""Where a region lies on its page, and which spots of the page are taken."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from services.map.kinds.region.compiled import kernel
from services.map.kinds.region.model import Cell, RegionMap
from services.map.render.shapes import Box, Disc, Spot

LONG_SIDE = 1400.0
"""Pixels of the longer side of the frame."""

BORDER = 52.0
HEAD = 112.0
ENTRY, ROW = 66, 50
"""Room of an entry of the legend."""

_MOST_ENTRIES = 22

_GRAIN = 3.0
"""Pixels of a square of the record of taken spots."""


@dataclass(frozen=True, slots=True)
class Page:
    """The page.

    Attributes:
        frame: The map's frame.
        scale: Pixels in a cell.
        width: Width of the page.
        height: Height of the page.
    """

    frame: Box
    scale: float
    width: float
    height: float

    @classmethod
    def of(cls, model: RegionMap) -> Page:
        """The page that a region needs."""
        scale = LONG_SIDE / max(model.width, model.height)
        right, bottom = BORDER + model.width * scale, HEAD + model.height * scale
        # A tall, narrow region stands in the middle of a page that is wide enough for title and legend.
        spare = max(0.0, 760.0 - model.width * scale)
        frame = Box(BORDER + spare / 2, HEAD, right + spare / 2, bottom)
        rows = -(-_MOST_ENTRIES * ENTRY // int(frame.width))
        return cls(frame, scale, right + spare + BORDER, bottom + 74 + rows * ROW)

    def spot(self, cell: Cell) -> Spot:
        """The pixel of a cell's middle."""
        return (
            self.frame.left + (cell[0] + 0.5) * self.scale,
            self.frame.top + (cell[1] + 0.5) * self.scale,
        )

    def spots(self, line: tuple[Cell, ...]) -> NDArray[np.float64]:
        """The pixels of the middles of cells, (cells, 2)."""
        return (np.array(line, np.float64) + 0.5) * self.scale + (self.frame.left, self.frame.top)

    def placed(self, loop: NDArray[np.float64]) -> NDArray[np.float64]:
        """Points in cells as pixels."""
        return loop * self.scale + (self.frame.left, self.frame.top)

    def cell(self, spot: Spot) -> Cell:
        """The cell under a pixel."""
        return (
            int((spot[0] - self.frame.left) // self.scale),
            int((spot[1] - self.frame.top) // self.scale),
        )


@kernel
def _mark(marks: NDArray[np.int32], spots: NDArray[np.float64]) -> None:
    """Marks the squares that a line runs through."""
    rows, columns = marks.shape
    for n in range(len(spots) - 1):
        ax, ay = spots[n, 0], spots[n, 1]
        dx, dy = spots[n + 1, 0] - ax, spots[n + 1, 1] - ay
        steps = int(max(abs(dx), abs(dy))) + 1
        for step in range(steps + 1):
            column, row = int(ax + dx * step / steps), int(ay + dy * step / steps)
            if 0 <= column < columns and 0 <= row < rows:
                marks[row, column] = 1


class Taken:
    """Which spots of the page are taken, for boxes that look for room."""

    def __init__(self, page: Page) -> None:
        """An empty page."""
        self._columns = int(page.width / _GRAIN) + 2
        self._rows = int(page.height / _GRAIN) + 2
        self._marks = np.zeros((self._rows, self._columns), np.int32)
        self._sums: list[list[int]] = []

    def line(self, spots: NDArray[np.float64]) -> None:
        """Takes the spots along a line."""
        _mark(self._marks, spots / _GRAIN)
        self._sums = []

    def box(self, box: Box) -> None:
        """Takes a box."""
        top, left = max(0, int(box.top / _GRAIN)), max(0, int(box.left / _GRAIN))
        self._marks[top : int(box.bottom / _GRAIN) + 1, left : int(box.right / _GRAIN) + 1] = 1
        self._sums = []

    def disc(self, disc: Disc) -> None:
        """Takes a round area, as the box around it."""
        self.box(disc.box)

    def free(self, left: float, top: float, right: float, bottom: float) -> bool:
        """Whether nothing in a box is taken."""
        if not self._sums:
            sums = np.zeros((self._rows + 1, self._columns + 1), np.int64)
            sums[1:, 1:] = self._marks.cumsum(axis=0).cumsum(axis=1)
            self._sums = sums.tolist()
        x0, x1 = max(0, int(left / _GRAIN)), min(self._columns, int(right / _GRAIN) + 1)
        y0, y1 = max(0, int(top / _GRAIN)), min(self._rows, int(bottom / _GRAIN) + 1)
        low, high = self._sums[y1], self._sums[y0]
        return low[x1] - low[x0] - high[x1] + high[x0] == 0
