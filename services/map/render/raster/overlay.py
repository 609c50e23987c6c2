"""Light, doors and tokens laid over pictures that are not drawn, or over their tiles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from services.map.generation.grid.model import GridMap
from services.map.render.figures import Figure
from services.map.render.grid.outline import UNIT
from services.map.render.grid.overlay import light_overlay, piece_overlay
from services.map.render.grid.walls import rock_cells
from services.map.render.raster.flat import Indexed
from services.map.render.raster.painter import Recorded
from services.map.render.raster.tiles import Pyramid

Pixels = NDArray[np.uint8]

_ROWS = 256
"""Rows of a picture that are painted at a time: what holds opacity as well takes a third more room."""


class Overlay:
    """What lies over the pictures of one map, to be laid over them at any size.

    Args:
        model: The map as its reader may know it, as play has left it.
        figures: Who stands on it.
        brought: Whether the pictures are those that the map came with, or flat.
    """

    def __init__(self, model: GridMap, figures: Sequence[Figure], *, brought: bool) -> None:
        self._cells = model.width, model.height
        self._rock = rock_cells(model)
        light = light_overlay(model, brought=brought)
        pieces = piece_overlay(model, figures, brought=brought)
        self._light = Recorded(light) if light else None
        self._pieces = Recorded(pieces) if pieces else None

    def over(self, picture: Indexed | Pixels) -> Pixels:
        """All of it over a whole picture.

        Args:
            picture: Of the map's cells and nothing around them; it stays as it is.

        Returns:
            Three bytes a pixel.
        """
        whole = picture.rgb() if isinstance(picture, Indexed) else picture.copy()
        scale = whole.shape[1] / self._cells[0]
        rows = np.full((min(_ROWS, len(whole)), whole.shape[1], 4), 255, np.uint8)
        for top in range(0, len(whole), _ROWS):
            part = rows[: len(whole) - top]
            part[..., :3] = whole[top : top + _ROWS]
            self._lay(part, scale, 0, top)
            whole[top : top + _ROWS] = part[..., :3]
        return whole

    def over_tile(self, tile: Pixels, tiles: Pyramid, z: int, x: int, y: int) -> Pixels:
        """The part of it over a tile.

        Args:
            tile: The tile, (size, size, 4); it is painted on.
            tiles: Of the picture that the tile is a part of.
            z: Zoom, 0 for all of the picture in one tile.
            x: Column, from 0.
            y: Row, from 0.
        """
        scale = tiles.width * tiles.scale(z) / self._cells[0]
        self._lay(tile, scale, x * tiles.size, y * tiles.size)
        return tile

    def _lay(self, pixels: Pixels, scale: float, left: int, top: int) -> None:
        """Paint on a part of a picture, of `scale` pixels to a cell, whose corner lies there in the whole."""
        if self._light is not None:
            before = pixels.copy()
            self._light.paint_over(pixels, scale / UNIT, left, top)
            rock = self._rock_at(pixels, scale, left, top)
            pixels[rock] = before[rock]
        if self._pieces is not None:
            self._pieces.paint_over(pixels, scale / UNIT, left, top)

    def _rock_at(self, pixels: Pixels, scale: float, left: int, top: int) -> NDArray[np.bool_]:
        """Which pixels of a part lie in rock, where no light falls."""
        rows, columns = (
            np.minimum(((np.arange(count) + first + 0.5) / scale).astype(np.int64), cells - 1)
            for count, first, cells in zip(pixels.shape, (top, left), self._cells[::-1], strict=False)
        )
        found: NDArray[np.bool_] = self._rock[rows][:, columns]
        return found
