"""The picture that an imported map came with, as large as it is wanted, or a part of it.

It covers the map's cells as far as the map's `extent` says, and keeps their scale: beyond it, and where the
reader has not been, it is black.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from services.map.generation.grid.model import GridMap, Spot
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
    covered = _covered(model)
    size = max(1, round(covered[0] * pixels)), max(1, round(covered[1] * pixels))
    drawn = np.array(Image.fromarray(picture).resize(size, reducing_gap=3.0))
    beyond = (0, model.height * pixels - size[1]), (0, model.width * pixels - size[0]), (0, 0)
    if np.any(beyond):
        drawn = np.pad(drawn, beyond)
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
    covered = _covered(model)
    # Where the picture ends, in pixels of the whole as large as it is wanted.
    end_x, end_y = covered[0] * tiles.width / model.width, covered[1] * tiles.height / model.height
    wide, high = columns / end_x, rows / end_y
    shown_x = min(across, max(0, round((end_x - left) / step)))
    shown_y = min(down, max(0, round((end_y - top) / step)))
    small = np.zeros((down, across, 3), np.uint8)
    if shown_x and shown_y:
        box = left * wide, top * high, min(right, end_x) * wide, min(bottom, end_y) * high
        small[:shown_y, :shown_x] = _part(picture, box, (shown_x, shown_y))
    cells_x = ((left + (np.arange(across) + 0.5) * step) * model.width / tiles.width).astype(np.int64)
    cells_y = ((top + (np.arange(down) + 0.5) * step) * model.height / tiles.height).astype(np.int64)
    dark = _dark(model)
    small[dark[np.minimum(cells_y, model.height - 1)][:, np.minimum(cells_x, model.width - 1)]] = 0
    return laid(small, tiles.size)


def _part(picture: Pixels, box: tuple[float, float, float, float], size: tuple[int, int]) -> Pixels:
    """A part of the picture, from left, top, right and bottom in its own pixels, at another size."""
    rows, columns = picture.shape[:2]
    left, top, right, bottom = box
    # The part first, by whole pixels: to make a picture object of all of them copies them.
    first_x, first_y = int(left), int(top)
    after_x, after_y = min(columns, int(right) + 2), min(rows, int(bottom) + 2)
    part = Image.fromarray(np.ascontiguousarray(picture[first_y:after_y, first_x:after_x]))
    inner = (
        min(left - first_x, part.width - 1),
        min(top - first_y, part.height - 1),
        min(right - first_x, part.width),
        min(bottom - first_y, part.height),
    )
    return np.asarray(part.resize(size, box=inner, reducing_gap=3.0))


def _covered(model: GridMap) -> Spot:
    return model.extent or (float(model.width), float(model.height))


def _dark(model: GridMap) -> NDArray[np.bool_]:
    dark: NDArray[np.bool_] = (
        np.frombuffer(model.cells, np.uint8).reshape(model.height, model.width) == Terrain.ROCK
    )
    return dark
