"""Cells as arrays: rows of a room or a zone, as the map file has them, as a mask over the map."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
"""One value a cell, rows first."""


def mask_of(rows: Iterable[tuple[int, int, int]], width: int, height: int) -> Mask:
    """Rows of cells, (row, first column, column after the last), as an array, without what is off the map."""
    mask = np.zeros((height, width), dtype=np.bool_)
    for y, first, last in rows:
        if 0 <= y < height:
            mask[y, max(first, 0) : max(last, 0)] = True
    return mask
