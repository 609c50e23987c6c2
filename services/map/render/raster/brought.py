"""The picture that an imported map came with, as large as it is wanted, or a part of it.

It covers the map's cells exactly; where the reader has not been it is black.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from services.map.generation.grid.model import GridMap
from services.map.generation.grid.terrain import Terrain
from services.map.render.raster.tiles import Pyramid, laid

Pixels = NDArray[np.uint8]


def brought_whole(model: GridMap, pixels: int, picture: Pixels) -> Pixels:
    """All of the picture.

    Args:
        model: The map as its reader may know it.
        pixels: Along one cell.
        picture: Its pixels, three bytes each.
    """
    size = model.width * pixels, model.height * pixels
    drawn = np.array(Image.fromarray(picture).resize(size, reducing_gap=3.0))
    dark = np.repeat(np.repeat(_dark(model), pixels, 0), pixels, 1)
    drawn[dark] = 0
    return drawn


def brought_tile(model: GridMap, picture: Pixels, tiles: Pyramid, z: int, x: int, y: int) -> Pixels:
    """One tile of the picture, made of the part of it that the tile shows and of nothing else.

    Args:
        model: The map as its reader may know it.
        picture: Its pixels, three bytes each.
        tiles: Of the picture as large as it is wanted.
        z: Zoom, 0 for all of it in one tile.
        x: Column, from 0.
        y: Row, from 0.

    Returns:
        The tile, (size, size, 4); empty beyond the picture.

    Raises:
        ValueError: There is no such tile.
    """
    tiles.require(z, x, y)
    span, step = tiles.size << (tiles.max_zoom - z), 1 << (tiles.max_zoom - z)
    left, top = x * span, y * span
    right, bottom = min(left + span, tiles.width), min(top + span, tiles.height)
    across, down = max(1, (right - left) // step), max(1, (bottom - top) // step)
    rows, columns = picture.shape[:2]
    wide, high = columns / tiles.width, rows / tiles.height
    # The part first, by whole pixels: to make a picture object of all of them copies them.
    first_x, first_y = int(left * wide), int(top * high)
    after_x, after_y = min(columns, int(right * wide) + 2), min(rows, int(bottom * high) + 2)
    part = Image.fromarray(np.ascontiguousarray(picture[first_y:after_y, first_x:after_x]))
    box = (
        min(left * wide - first_x, part.width - 1),
        min(top * high - first_y, part.height - 1),
        min(right * wide - first_x, part.width),
        min(bottom * high - first_y, part.height),
    )
    small = np.array(part.resize((across, down), box=box, reducing_gap=3.0))
    cells_x = ((left + (np.arange(across) + 0.5) * step) * model.width / tiles.width).astype(np.int64)
    cells_y = ((top + (np.arange(down) + 0.5) * step) * model.height / tiles.height).astype(np.int64)
    dark = _dark(model)
    small[dark[np.minimum(cells_y, model.height - 1)][:, np.minimum(cells_x, model.width - 1)]] = 0
    return laid(small, tiles.size)


def _dark(model: GridMap) -> NDArray[np.bool_]:
    dark: NDArray[np.bool_] = (
        np.frombuffer(model.cells, np.uint8).reshape(model.height, model.width) == Terrain.ROCK
    )
    return dark
