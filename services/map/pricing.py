"""What maps cost: an estimate of the processor time of each before it is ordered, and the points for it.

    milliseconds = making the map + writing each of its files, by kind and size

The figures of each kind are its own (`MapKind.making.costs`); `curves` tells how they were measured.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import fsum
from types import MappingProxyType

from services.map.curves import Costs, Curve
from services.map.registry import KINDS, making_of
from services.map.render.raster.limits import VTT_PIXELS
from services.map.wishes import Order
from services.shared.jobs import Job
from services.shared.limits.meter import points_for

JOB_MILLISECONDS = 30.0
"""What a job takes whatever it makes: a process, its rows, its events."""

SINGLE_MILLISECONDS = 60.0
"""What a job takes that makes a single map: as above, its message, its files, and telling who waits."""

SINGLE_FORMATS = ("json", "svg")
"""The files that a single map is made with."""


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


def milliseconds_of(order: Order, formats: Iterable[str]) -> float:
    """Estimates the processor time that one map takes with its files.

    Args:
        order: what map.
        formats: the files, by their names in `FORMATS`.
    """
    cells = cells_of(order)
    costs = making_of(order.kind).costs
    file = _grid_file if KINDS[order.kind].cells else _sheet_file
    files = (0.0 if name == "json" else file(costs, name, cells) for name in set(formats))
    return fsum((costs.making.at(cells), *files))


def points_not_begun(parts: Iterable[Job]) -> int:
    """Adds up what was charged for parts of a batch that no worker has begun."""
    return sum(part.points for part in parts if part.attempt == 0)


def points_of_map(order: Order) -> int:
    """Computes the points that a single map costs."""
    return points_for(SINGLE_MILLISECONDS + milliseconds_of(order, SINGLE_FORMATS))


def cells_of(order: Order) -> int:
    """Computes the size of a map: its cells, or the area of its sheet in units."""
    return int(order.parameters.width) * int(order.parameters.height)


def _grid_file(costs: Costs, name: str, cells: int) -> float:
    if name == "svg":
        return costs.drawing.at(cells)
    factor = costs.flat if name in ("png", "uvtt") else 1.0
    return factor * GRID_FILES[name].at(cells)


def _sheet_file(costs: Costs, name: str, cells: int) -> float:
    curves = {"svg": costs.drawing, "geojson": costs.geojson}
    curve = curves.get(name, costs.painting)
    if curve is None:
        raise LookupError(f"no map of this kind is written as {name}")
    return curve.at(cells)
