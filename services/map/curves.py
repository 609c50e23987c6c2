"""How the processor time of a map grows with its size.

The figures were measured on one core of a cloud machine as medians of `time.process_time()`, over sizes from
the smallest to the largest and over other parameters at random; those move a map by less than a factor of two
from its estimate. An estimate never falls as a map grows or gets further files.
"""

from __future__ import annotations

from dataclasses import dataclass

from services.map.render.raster.limits import DEFAULT_PIXELS, MAX_PIXELS


@dataclass(frozen=True, slots=True)
class Curve:
    """How long something takes, in milliseconds.

    Attributes:
        base: whatever the size.
        cell: for each cell, or each unit of a sheet's area.
        million_pixels: for each million of pixels.
        pixels: along a cell.
        bulk: for the square of each 100,000 cells: what takes memory in proportion is collected ever again.
    """

    base: float
    cell: float = 0.0
    million_pixels: float = 0.0
    pixels: int = DEFAULT_PIXELS
    bulk: float = 0.0

    def at(self, cells: int) -> float:
        """Computes the time for a map of so many cells."""
        pixels = min(cells * self.pixels**2, MAX_PIXELS)
        return (
            self.base
            + self.cell * cells
            + self.million_pixels * pixels / 1e6
            + self.bulk * (cells / 100_000) ** 2
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """What maps of one kind take.

    Attributes:
        making: generating a map, its gates included.
        drawing: drawing it as SVG.
        painting: painting a sheet as PNG or WebP, the drawing of it included; None for a kind of cells.
        geojson: writing a sheet as GeoJSON; None where there is no such export, and for a kind of cells.
        flat: how much longer than usual a flat picture of its cells takes as PNG.
        sizes: widths and heights, from the smallest to the largest, at which estimates are compared with
            what is measured.
    """

    making: Curve
    drawing: Curve
    sizes: tuple[tuple[int, int], ...]
    painting: Curve | None = None
    geojson: Curve | None = None
    flat: float = 1.0
