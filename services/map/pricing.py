"""What maps cost: an estimate of the processor time of each before it is ordered, and the points for it.

    milliseconds = making the map + writing each of its files, by kind and size

The figures were measured on one core of a cloud machine as medians of `time.process_time()`, over sizes from
the smallest to the largest and over other parameters at random; those move a map by less than a factor of two
from its estimate. An estimate never falls as a map grows or gets further files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import fsum
from types import MappingProxyType

from services.map.filed import is_grid
from services.map.outputs import DEFAULT_PIXELS, VTT_PIXELS
from services.map.render.raster.limits import MAX_PIXELS
from services.map.wishes import Order
from services.shared.limits.meter import points_for

JOB_MILLISECONDS = 30.0
"""What a job takes whatever it makes: a process, its rows, its events."""

SINGLE_MILLISECONDS = 60.0
"""What a job takes that makes a single map: as above, its message, its files, and telling who waits."""

SINGLE_FORMATS = ("json", "svg")
"""The files that a single map is made with."""


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


MAKING: Mapping[str, Curve] = MappingProxyType(
    {
        "forgeborn_realm": Curve(15, 0.001),
        "story": Curve(30),
        "dungeon": Curve(1.5, 0.0005),
        "cave": Curve(1, 0.0004),
        "battle": Curve(20, 0.006),
        "region": Curve(130, 0.0007),
    }
)
"""Generating a map of each kind, its gates included."""

DRAWING: Mapping[str, Curve] = MappingProxyType(
    {
        "forgeborn_realm": Curve(18, 0.0018),
        "story": Curve(35),
        "dungeon": Curve(4, 0.002),
        "cave": Curve(3.5, 0.0015),
        "battle": Curve(22, 0.006),
        "region": Curve(160, 0.00025),
    }
)
"""Drawing a map of each kind as SVG."""

PAINTING: Mapping[str, Curve] = MappingProxyType(
    {
        "forgeborn_realm": Curve(60, 0.0085),
        "story": Curve(140),
        "region": Curve(360, 0.00025),
    }
)
"""Painting a sheet's picture as PNG or WebP, the drawing of it included."""

GRID_FILES: Mapping[str, Curve] = MappingProxyType(
    {
        "png": Curve(2, million_pixels=5),
        "webp": Curve(3, million_pixels=38),
        "uvtt": Curve(3, 0.0009, million_pixels=5, pixels=VTT_PIXELS),
        "uvtt-lines": Curve(0.3, 0.0007),
        "foundry-v13": Curve(0.6, 0.0014),
        "foundry-v14": Curve(0.6, 0.0014),
        "tiled": Curve(1.5, 0.0012, bulk=320),
        "owlbear": Curve(0.4, 0.0009),
        "geojson": Curve(1.5, 0.0028, bulk=400),
    }
)
"""Writing the file of a map with cells, its picture flat as in batches."""

OUTDOORS = 2.4
"""How much longer a flat picture of a battle map takes as PNG: few of its cells are bare rock."""

SHEET_GEOJSON: Mapping[str, Curve] = MappingProxyType(
    {"forgeborn_realm": Curve(0.3), "region": Curve(10, 0.0009)}
)


def milliseconds_of(order: Order, formats: Iterable[str]) -> float:
    """Estimates the processor time that one map takes with its files.

    Args:
        order: what map.
        formats: the files, by their names in `FORMATS`.
    """
    cells = cells_of(order)
    files = (_file(order.kind, name, cells) for name in set(formats))
    return fsum((MAKING[order.kind].at(cells), *files))


def points_of_map(order: Order) -> int:
    """Computes the points that a single map costs."""
    return points_for(SINGLE_MILLISECONDS + milliseconds_of(order, SINGLE_FORMATS))


def cells_of(order: Order) -> int:
    """Computes the size of a map: its cells, or the area of its sheet in units."""
    return int(order.parameters.width) * int(order.parameters.height)


def _file(kind: str, name: str, cells: int) -> float:
    match name:
        case "json":
            return 0.0
        case "svg":
            return DRAWING[kind].at(cells)
        case _ if is_grid(kind):
            factor = OUTDOORS if kind == "battle" and name in ("png", "uvtt") else 1.0
            return factor * GRID_FILES[name].at(cells)
        case "geojson":
            return SHEET_GEOJSON[kind].at(cells)
        case _:
            return PAINTING[kind].at(cells)
