"""The games' measures over many cells at once: `engine.ground.measure` for arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from services.map.ground.model import Bools
from services.rules.engine.ground.measure import Diagonal

_Ints = NDArray[np.int64]


def near(diagonal: Diagonal, across: _Ints, down: _Ints, squares: int) -> Bools:
    """Whether cells are at most some squares away, by `Measure.distance`.

    Args:
        diagonal: What a slanting step counts.
        across: Columns to each cell; spread over the rows.
        down: Rows to each cell.
        squares: How far.

    Returns:
        Of the shape that both have together.
    """
    wide, tall = abs(across), abs(down)
    far, less = np.maximum(wide, tall), np.minimum(wide, tall)
    match diagonal:
        case Diagonal.EQUAL:
            inside: Bools = far <= squares
        case Diagonal.ORTHOGONAL:
            inside = far + less <= squares
        case Diagonal.ALTERNATING:
            inside = far + less // 2 <= squares
        case Diagonal.EUCLIDEAN:
            # Rounded up, a root is at most a whole number where what it is of is at most its square.
            inside = far * far + less * less <= squares * squares
    return inside
