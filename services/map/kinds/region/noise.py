"""Fractal gradient noise in whole numbers, so that it is the same on every machine.

Gradients come from an integer hash of the lattice point; the place within a lattice cell is a fraction of
4096.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from services.map.generation.stream import Stream
from services.map.kinds.region.compiled import kernel

Grid = NDArray[np.int32]


@kernel
def _lattice(key: np.uint64, x: int, y: int) -> np.int64:
    """32 random bits for a lattice point."""
    value = (
        key ^ (np.uint64(x) * np.uint64(0x9E3779B97F4A7C15)) ^ (np.uint64(y) * np.uint64(0xC2B2AE3D27D4EB4F))
    )
    value = (value ^ (value >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(32))) * np.uint64(0x94D049BB133111EB)
    return np.int64(value >> np.uint64(40))


@kernel
def _eased(t: int) -> int:
    """The quintic ease of Perlin (2002) on fractions of 4096."""
    return (((t * t * t) >> 12) * (6 * t * t - 61440 * t + 167772160)) >> 36


@kernel
def _fractal(key: np.uint64, height: int, width: int, period: int, octaves: int, ridged: bool) -> Grid:
    # Sums of products of small whole numbers and powers of two, exact in floats, which the processor does in
    # rows.
    total = np.zeros((height, width), np.int32)
    part, eased = np.empty(width, np.float64), np.empty(width, np.float64)
    line = np.empty(width, np.float64)
    for octave in range(octaves):
        key = key * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        for x in range(width):
            t = ((x << (12 + octave)) // period) & 4095
            part[x] = t
            eased[x] = _eased(t) / 4096.0
        for y in range(height):
            v = (y << (12 + octave)) // period
            row, dy = v >> 12, v & 4095
            ease_y = _eased(dy) / 65536.0
            column, start = 0, 0
            a, c = _lattice(key, 0, row), _lattice(key, 0, row + 1)
            while start < width:
                b, d = _lattice(key, column + 1, row), _lattice(key, column + 1, row + 1)
                # The gradients rise by their low byte eastward and by the next byte southward.
                ax, bx = float((a & 255) - 128), float((b & 255) - 128)
                cx, dx = float((c & 255) - 128), float((d & 255) - 128)
                top_a, top_b = float(((a >> 8 & 255) - 128) * dy), float(((b >> 8 & 255) - 128) * dy)
                low_c = float(((c >> 8 & 255) - 128) * (dy - 4096))
                low_d = float(((d >> 8 & 255) - 128) * (dy - 4096))
                end = min(width, ((column + 1) * period + (1 << octave) - 1) >> octave)
                for x in range(start, end):
                    fraction, ease = part[x], eased[x]
                    top = ax * fraction + top_a
                    top += (bx * (fraction - 4096.0) + top_b - top) * ease
                    low = cx * fraction + low_c
                    low += (dx * (fraction - 4096.0) + low_d - low) * ease
                    line[x] = top * 0.0625 + (low - top) * ease_y
                a, c = b, d
                start = end
                column += 1
            if ridged:
                for x in range(width):
                    total[y, x] += (5000 - 2 * abs(int(line[x]))) >> octave
            else:
                for x in range(width):
                    total[y, x] += int(line[x]) >> octave
    return total


def fractal(
    stream: Stream, height: int, width: int, period: int, octaves: int, *, ridged: bool = False
) -> Grid:
    """A field of noise.

    Args:
        stream: Where its key comes from.
        height: Rows.
        width: Columns.
        period: Cells from one lattice point of the first octave to the next.
        octaves: How many layers, each of half the size and height of the one before; fewer when a layer would
            be finer than two cells.
        ridged: Whether each layer is folded at 0, so that it has sharp crests.

    Returns:
        (height, width), mostly within 15000 of 0.
    """
    while octaves > 1 and period >> (octaves - 1) < 2:
        octaves -= 1
    return _fractal(np.uint64(stream.word()), height, width, period, octaves, ridged)
