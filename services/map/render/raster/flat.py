"""Grid maps as flat pictures for virtual tabletops: quick to make, small as PNG, exact to the pixel.

One index a pixel and a palette. Walls, doors and the edges of the cells lie where the map has them, so that
the walls a tabletop adds by itself meet what is drawn. Nothing is lettered: the tabletop and the game master
do that.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from services.map.generation.grid.model import GridKind, GridMap, Wall, WallKind
from services.map.generation.grid.terrain import Terrain
from services.map.render.raster.compiled import lay, press, rim, soften, stroke
from services.map.render.raster.floor_palette import SHADE, Ink, Palette, palette_of
from services.map.render.raster.furnishings import WALL_INKS, draw_door, draw_prop, draw_stairs, draw_trap
from services.map.render.raster.limits import require_size
from services.map.render.raster.textures import (
    FIRM,
    RIMS,
    SOLID,
    STAMPED,
    STANDING,
    VARIANTS,
    Indices,
    Textures,
    textures,
)

MIN_PIXELS = 4
"""Pixels of the smallest cell."""

MAX_PIXELS_PER_CELL = 256
"""Pixels of the largest."""

_Codes = npt.NDArray[np.uint8]
_Mask = npt.NDArray[np.bool_]
_IS_STANDING = np.array([t in STANDING for t in Terrain])
_NO_FOOTING = SOLID | np.isin(np.arange(len(Terrain)), (Terrain.WATER, Terrain.CHASM, Terrain.LAVA))
"""Grounds that something stands on only where there is no other around."""


@dataclass(frozen=True, slots=True, eq=False)
class Indexed:
    """A picture of at most 256 colors.

    Attributes:
        indices: Index of each pixel's color: (height, width).
        palette: Red, green and blue of each index: (256, 3).
    """

    indices: Indices
    palette: Palette

    def rgb(self) -> npt.NDArray[np.uint8]:
        """The same picture with its colors at each pixel: (height, width, 3)."""
        return self.palette[self.indices]


def flat(model: GridMap, px: int, grid: bool = True) -> Indexed:
    """Draws a grid map.

    Args:
        model: The map, as the one who sees the picture may know it.
        px: Pixels a cell, `MIN_PIXELS` to `MAX_PIXELS_PER_CELL`.
        grid: Whether the lines between open cells show.

    Raises:
        PictureTooLargeError: The picture would be over the limits.
        ValueError: The cells are too small or too large.
    """
    if not MIN_PIXELS <= px <= MAX_PIXELS_PER_CELL:
        raise ValueError(f"{px} pixels a cell; {MIN_PIXELS} to {MAX_PIXELS_PER_CELL} are drawn")
    require_size(model.width * px, model.height * px)
    codes = np.frombuffer(model.cells, np.uint8).reshape(model.height, model.width)
    looks = textures(px, grid)
    ground = _ground(codes, model)
    variants = _hashed(model.height, model.width)
    tiles = (ground.astype(np.int16) * VARIANTS + variants).astype(np.int16)
    image: Indices = np.empty((model.height * px, model.width * px), np.uint8)
    lay(image, tiles, looks.grounds, px)
    soften(image, ground, tiles, looks.grounds, px, FIRM, RIMS, looks.drift)
    _ledges(image, model, px)
    solid = SOLID[codes]
    rim(
        image,
        solid.view(np.uint8),
        px,
        max(1, round(0.16 * px)),
        max(1, round(0.13 * px)),
        Ink.OUTLINE,
        SHADE,
    )
    _stand(image, codes, variants, looks, px)
    for stairs in model.stairs:
        draw_stairs(image, px, stairs)
    for prop in model.props:
        if prop.kind != "tree":
            draw_prop(image, px, prop)
    for trap in model.traps:
        draw_trap(image, px, trap)
    _thin_walls(image, model, px)
    for door in model.doors:
        draw_door(image, px, door)
    _crowns(image, model, codes, variants, looks, px)
    return Indexed(image, palette_of(f"{model.theme} {model.kind.value}"))


def warm(px: int = 8) -> None:
    """Compiles what is compiled, and makes the textures for cells of this size."""
    cells = bytes(Terrain)
    wall = Wall(((0.0, 0.0), (1.0, 0.0)))
    flat(GridMap(GridKind.BATTLE, 1, 0, 0, "", "", len(cells), 1, cells, walls=(wall,)), px)


def _hashed(rows: int, columns: int) -> npt.NDArray[np.int16]:
    """A variant for each cell, the same at a spot in every map."""
    y, x = np.indices((rows, columns), dtype=np.uint32)
    mixed = (x * np.uint32(0x9E3779B1)) ^ (y * np.uint32(0x85EBCA77))
    mixed = (mixed ^ (mixed >> 15)) * np.uint32(0x2C1B3C6D)
    variants: npt.NDArray[np.int16] = ((mixed ^ (mixed >> 13)) % VARIANTS).astype(np.int16)
    return variants


def _ground(codes: _Codes, model: GridMap) -> _Codes:
    """The ground of every cell: what stands somewhere has that of a cell beside it, on its side of a wall."""
    ground = codes.copy()
    unknown = _IS_STANDING[codes]
    if not unknown.any():
        return ground
    north, west = _walled(model)
    for refused in (_NO_FOOTING, SOLID):
        for _ in range(4):
            _spread(ground, unknown, refused, north, west)
            if not unknown.any():
                return ground
    ground[unknown] = Terrain.GRASS if model.kind is GridKind.BATTLE else Terrain.FLOOR
    return ground


def _spread(ground: _Codes, unknown: _Mask, refused: _Mask, north: _Mask, west: _Mask) -> None:
    """Gives unknown cells the ground that most of their neighbours have; writes `ground` and `unknown`."""
    rows, columns = np.nonzero(unknown)
    last_row, last_column = ground.shape[0] - 1, ground.shape[1] - 1
    grounds = np.empty((4, len(rows)), np.uint8)
    known = np.empty((4, len(rows)), np.bool_)
    for n, (down, right) in enumerate(((0, -1), (0, 1), (-1, 0), (1, 0))):
        # Beyond the edge of the map there is a wall too, so it does not matter what is looked up there.
        y, x = np.clip(rows + down, 0, last_row), np.clip(columns + right, 0, last_column)
        walled = north[rows + (down > 0), columns] if down else west[rows, columns + (right > 0)]
        grounds[n] = ground[y, x]
        known[n] = ~unknown[y, x] & ~refused[grounds[n]] & ~walled
    votes = ((grounds[:, None] == grounds[None]) & known[None]).sum(axis=1) * known
    best = votes.argmax(axis=0)
    found = known.any(axis=0)
    chosen = grounds[best, np.arange(len(rows))]
    ground[rows[found], columns[found]] = chosen[found]
    unknown[rows[found], columns[found]] = False


def _walled(model: GridMap) -> tuple[_Mask, _Mask]:
    """Which northern and which western edges of cells nothing of the ground crosses.

    Returns:
        The northern edges, (height + 1, width + 1), and the western ones likewise; the map's own edges among
        them.
    """
    north = np.zeros((model.height + 1, model.width + 1), np.bool_)
    west = np.zeros_like(north)
    north[[0, -1]] = True
    west[:, [0, -1]] = True
    lines = [
        line
        for wall in model.walls
        if wall.kind in (WallKind.WALL, WallKind.WINDOW, WallKind.OBJECT)
        for line in pairwise(wall.points)
    ]
    lines += [door.grid_bounds for door in model.doors if door.edge is not None]
    for (x0, y0), (x1, y1) in lines:
        if x0 == x1:
            west[round(min(y0, y1)) : round(max(y0, y1)), round(x0)] = True
        elif y0 == y1:
            north[round(y0), round(min(x0, x1)) : round(max(x0, x1))] = True
    return north, west


def _ledges(image: Indices, model: GridMap, px: int) -> None:
    """Shades the lower side of every step in the ground, and draws its edge."""
    if not model.heights:
        return
    heights = np.frombuffer(model.heights, np.int8).reshape(model.height, model.width).astype(np.int16)
    edge, fall = max(1, px // 24), max(1, px // 7)
    for row, column in np.argwhere(heights[1:] != heights[:-1]):
        y, x = int(row + 1) * px, int(column) * px
        below = heights[row + 1, column] < heights[row, column]
        image[(slice(y, y + fall) if below else slice(y - fall, y)), x : x + px] |= SHADE
        image[(slice(y - edge, y) if below else slice(y, y + edge)), x : x + px] = Ink.STONE_DARK
    for row, column in np.argwhere(heights[:, 1:] != heights[:, :-1]):
        y, x = int(row) * px, int(column + 1) * px
        below = heights[row, column + 1] < heights[row, column]
        image[y : y + px, (slice(x, x + fall) if below else slice(x - fall, x))] |= SHADE
        image[y : y + px, (slice(x - edge, x) if below else slice(x, x + edge))] = Ink.STONE_DARK


def _stand(image: Indices, codes: _Codes, variants: npt.NDArray[np.int16], looks: Textures, px: int) -> None:
    """Puts what stands in the cells onto their ground."""
    first = np.full(len(Terrain), -1, np.int16)
    for place, code in enumerate(STAMPED):
        first[code] = place * VARIANTS
    rows, columns = np.nonzero(first[codes] >= 0)
    which = (first[codes[rows, columns]] + variants[rows, columns]).astype(np.int16)
    press(image, looks.stamps, which, (columns * px).astype(np.int32), (rows * px).astype(np.int32), SHADE)


def _crowns(
    image: Indices,
    model: GridMap,
    codes: _Codes,
    variants: npt.NDArray[np.int16],
    looks: Textures,
    px: int,
) -> None:
    """Trees over all else, for their crowns reach beyond their cells."""
    spots = [(int(row) + 0.5, int(column) + 0.5) for row, column in np.argwhere(codes == Terrain.TREE)]
    taken = {(int(row), int(column)) for row, column in spots}
    for prop in model.props:
        if prop.kind == "tree":
            row, column = prop.y + prop.height / 2, prop.x + prop.width / 2
            if (int(row), int(column)) not in taken:
                spots.append((row, column))
    if not spots:
        return
    middles = np.array(sorted(spots))
    half = looks.canopies.shape[1] / 2
    rows = np.clip(middles[:, 0].astype(np.int64), 0, model.height - 1)
    columns = np.clip(middles[:, 1].astype(np.int64), 0, model.width - 1)
    press(
        image,
        looks.canopies,
        variants[rows, columns],
        np.rint(middles[:, 1] * px - half).astype(np.int32),
        np.rint(middles[:, 0] * px - half).astype(np.int32),
        SHADE,
    )


def _thin_walls(image: Indices, model: GridMap, px: int) -> None:
    """Draws the thin walls, the low ones first."""
    for kind, (ink, thick) in reversed(tuple(WALL_INKS.items())):
        ends = [
            (*start, *end)
            for wall in model.walls
            if wall.kind is kind
            for start, end in pairwise(wall.points)
        ]
        if ends:
            stroke(image, np.array(ends, np.float64) * px, max(1.0, thick * px / 2), int(ink))
