"""The processes that draw: how many, how long one picture may take, and what makes them ready."""

from services.map.render.raster.encode import warm as warm_encode
from services.map.render.raster.flat import warm as warm_flat
from services.map.render.raster.painter import warm as warm_painter

PROCESSES = 1
SECONDS = 20.0
PATIENCE = 50.0
"""By the clock: less than the 60 s that the gateway waits for the first byte of a picture."""
MEMORY = 6 * 2**30
"""Bytes of address space, of which compiled kernels and the drawing library take most without using them."""


def warm() -> None:
    """Compile and load what the first picture would have to wait for."""
    warm_encode()
    warm_flat()
    warm_painter()
