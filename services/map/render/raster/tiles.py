"""Large pictures in square tiles, as map viewers ask for them: zoom, column, row.

At the highest zoom a pixel of a tile is a pixel of the picture; each zoom below halves it, until at zoom 0
one tile holds all of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image

from services.map.render.raster.flat import Indexed
from services.map.render.raster.painter import Recorded
from services.rules.engine.problem import KeyPath, RuleProblem

TILE = 256
"""Pixels along the side of a tile."""

_SAMPLES = 4
"""Pixels along a side that stand for all that go into one of a tile."""


@dataclass(frozen=True, slots=True)
class Pyramid:
    """The tiles of one picture.

    Attributes:
        width: Pixels of the picture across.
        height: Pixels down.
        size: Pixels along the side of a tile.
    """

    width: int
    height: int
    size: int = TILE

    @property
    def max_zoom(self) -> int:
        """The zoom that shows every pixel."""
        zoom = 0
        while self.size << zoom < max(self.width, self.height):
            zoom += 1
        return zoom

    def scale(self, z: int) -> float:
        """Pixels of a tile to one of the picture."""
        return 1 / (1 << (self.max_zoom - z))

    def grid(self, z: int) -> tuple[int, int]:
        """Columns and rows of tiles at a zoom."""
        span = self.size << (self.max_zoom - z)
        return -(-self.width // span), -(-self.height // span)

    def problem(self, z: int, x: int, y: int, path: KeyPath = ()) -> RuleProblem | None:
        """Why there is no such tile; None when there is.

        Args:
            z: Zoom.
            x: Column.
            y: Row.
            path: The part of the request that asks for it.
        """
        if not 0 <= z <= self.max_zoom:
            return RuleProblem(
                "tile_zoom",
                f"This picture has the zooms 0 to {self.max_zoom}.",
                "pictures",
                (*path, "z"),
                found=z,
                allowed=(0, self.max_zoom),
            )
        for name, found, count in zip("xy", (x, y), self.grid(z), strict=True):
            if not 0 <= found < count:
                return RuleProblem(
                    "tile_place",
                    f"At this zoom, {name} goes from 0 to {count - 1}.",
                    "pictures",
                    (*path, name),
                    found=found,
                    allowed=(0, count - 1),
                )
        return None

    def require(self, z: int, x: int, y: int) -> None:
        """Stops a tile that is not there.

        Raises:
            ValueError: It is not.
        """
        problem = self.problem(z, x, y)
        if problem is not None:
            raise ValueError(str(problem))


def pyramid(recorded: Recorded, size: int = TILE, native: float = 1.0) -> Pyramid:
    """The tiles of a recorded picture.

    Args:
        recorded: The picture.
        size: Pixels along the side of a tile.
        native: Pixels a user unit at the highest zoom.
    """
    return Pyramid(*recorded.size(native), size)


def tile(
    recorded: Recorded, z: int, x: int, y: int, size: int = TILE, native: float = 1.0
) -> npt.NDArray[np.uint8]:
    """Paints one tile.

    Args:
        recorded: The picture.
        z: Zoom, 0 for all of it in one tile.
        x: Column, from 0.
        y: Row, from 0.
        size: Pixels along the side of a tile.
        native: Pixels a user unit at the highest zoom.

    Returns:
        The tile, (size, size, 4); empty beyond the picture.

    Raises:
        ValueError: There is no such tile.
    """
    tiles = pyramid(recorded, size, native)
    tiles.require(z, x, y)
    return recorded.part(native * tiles.scale(z), x * size, y * size, size, size)


def indexed_tile(picture: Indexed, z: int, x: int, y: int, size: int = TILE) -> npt.NDArray[np.uint8]:
    """Cuts one tile out of a picture with a palette; colors are looked up for the tile's own part alone.

    Where many pixels go into one of the tile, some of them stand for all.

    Args:
        picture: The picture.
        z: Zoom, 0 for all of it in one tile.
        x: Column, from 0.
        y: Row, from 0.
        size: Pixels along the side of a tile.

    Returns:
        The tile, (size, size, 4); empty beyond the picture.

    Raises:
        ValueError: There is no such tile.
    """
    height, width = picture.indices.shape
    tiles = Pyramid(width, height, size)
    tiles.require(z, x, y)
    step = 1 << (tiles.max_zoom - z)
    skipped = max(1, step // _SAMPLES)
    part = picture.indices[
        y * size * step : (y + 1) * size * step : skipped, x * size * step : (x + 1) * size * step : skipped
    ]
    pixels = picture.palette[part]
    left = step // skipped
    small = np.asarray(Image.fromarray(pixels).reduce(left)) if left > 1 else pixels
    return laid(small, size)


def tile_of(pixels: npt.NDArray[np.uint8], z: int, x: int, y: int, size: int = TILE) -> npt.NDArray[np.uint8]:
    """Cuts one tile out of a finished picture, each pixel the mean of those it stands for.

    Args:
        pixels: The picture, three or four bytes a pixel.
        z: Zoom, 0 for all of it in one tile.
        x: Column, from 0.
        y: Row, from 0.
        size: Pixels along the side of a tile.

    Returns:
        The tile, (size, size, 4); empty beyond the picture.

    Raises:
        ValueError: There is no such tile.
    """
    height, width = pixels.shape[:2]
    tiles = Pyramid(width, height, size)
    tiles.require(z, x, y)
    step = 1 << (tiles.max_zoom - z)
    part = pixels[y * size * step : (y + 1) * size * step, x * size * step : (x + 1) * size * step]
    small = np.asarray(Image.fromarray(np.ascontiguousarray(part)).reduce(step)) if step > 1 else part
    return laid(small, size)


def laid(part: npt.NDArray[np.uint8], size: int = TILE) -> npt.NDArray[np.uint8]:
    """Lays a part of a picture into the top left of a tile that is empty beyond it.

    Args:
        part: Three or four bytes a pixel; three are opaque.
        size: Pixels along the side of the tile.

    Returns:
        The tile, (size, size, 4).
    """
    rows, columns, channels = part.shape
    cut = np.zeros((size, size, 4), np.uint8)
    cut[:rows, :columns, 3] = 255
    cut[:rows, :columns, :channels] = part
    return cut
