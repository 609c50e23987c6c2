"""What the cells of a flat picture look like from near: tiles of the grounds, stamps of what stands on them.

Everything is worked out once for a size of cell and kept: a picture is put together from these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from services.map.generation.grid.terrain import OPAQUE, PACES, Terrain
from services.map.generation.stream import Stream
from services.map.render.raster.compiled import CLEAR, SHADOWED
from services.map.render.raster.floor_palette import GRID, Ink

Indices = npt.NDArray[np.uint8]
"""Ink of each pixel, row by row."""

Mask = npt.NDArray[np.bool_]
_Field = npt.NDArray[np.float64]

VARIANTS = 4
"""Tiles of each ground."""

SOLID: Mask = np.array(
    [OPAQUE[t] == 1 and PACES[t] == 0 and t in (Terrain.ROCK, Terrain.WALL) for t in Terrain]
)
"""Whether a code is wall through and through."""

STANDING = frozenset(
    {Terrain.PILLAR, Terrain.OBSTACLE, Terrain.BRUSH, Terrain.TREE, Terrain.BOULDER, Terrain.FUNGUS}
) | {Terrain.RUBBLE}
"""Codes of what stands on a ground that is not told: it is that of the cells around."""


class _Board:
    """A cell being drawn, in parts of its side from 0 to 1."""

    def __init__(self, px: int, ink: int, *name: str | int) -> None:
        self.x, self.y = np.meshgrid((np.arange(px) + 0.5) / px, (np.arange(px) + 0.5) / px)
        self.pixel = 1.0 / px
        self.cells: Indices = np.full((px, px), ink, np.uint8)
        self._stream = Stream(0, "texture", *name)

    def share(self) -> float:
        """A random number from 0 to 1."""
        return self._stream.below(1 << 20) / (1 << 20)

    def between(self, low: float, high: float) -> float:
        """A random number between two."""
        return low + (high - low) * self.share()

    def disc(self, x: float, y: float, radius: float, flat: float = 1.0) -> Mask:
        """The pixels of a disc, or of an ellipse that is `flat` times as high as wide."""
        inside: Mask = (self.x - x) ** 2 + ((self.y - y) / flat) ** 2 < radius**2
        return inside

    def blob(self, x: float, y: float, radius: float, roughness: float) -> Mask:
        """The pixels of a rounded lump."""
        turn = np.arctan2(self.y - y, self.x - x)
        reach: _Field = np.full_like(turn, radius)
        for waves in (2, 3, 5):
            reach += radius * roughness / waves * np.sin(waves * turn + self.between(0, 6.3))
        inside: Mask = np.hypot(self.x - x, self.y - y) < reach
        return inside

    def line(self, x0: float, y0: float, x1: float, y1: float, width: float) -> Mask:
        """The pixels of a line, at least one pixel wide."""
        dx, dy = x1 - x0, y1 - y0
        long = max(1e-9, float(np.hypot(dx, dy)))
        along = ((self.x - x0) * dx + (self.y - y0) * dy) / long
        across = ((self.x - x0) * dy - (self.y - y0) * dx) / long
        inside: Mask = (np.abs(across) < max(width, self.pixel) / 2) & (along >= 0) & (along <= long)
        return inside

    def crack(self, ink: int, steps: int, width: float) -> None:
        """A jagged line that stays off the edges."""
        x, y = self.between(0.15, 0.85), self.between(0.15, 0.85)
        turn = self.between(0, 6.3)
        for _ in range(steps):
            turn += self.between(-0.9, 0.9)
            to_x = min(0.92, max(0.08, x + 0.18 * float(np.cos(turn))))
            to_y = min(0.92, max(0.08, y + 0.18 * float(np.sin(turn))))
            self.cells[self.line(x, y, to_x, to_y, width)] = ink
            x, y = to_x, to_y

    def flecks(self, ink: int, count: int, radius: float, flat: float = 1.0) -> None:
        """Scattered dots."""
        for _ in range(count):
            x, y = self.between(radius, 1 - radius), self.between(radius, 1 - radius)
            self.cells[self.disc(x, y, max(radius * self.between(0.6, 1.2), self.pixel * 0.6), flat)] = ink

    def waves(self, ink: int, count: int) -> None:
        """Short ripples."""
        for _ in range(count):
            x, y, long = self.between(0.05, 0.6), self.between(0.12, 0.88), self.between(0.2, 0.36)
            level = y + 0.025 * np.sin((self.x - x) / long * 9.4)
            self.cells[
                (np.abs(self.y - level) < max(0.022, self.pixel * 0.55))
                & (self.x > x)
                & (self.x < min(0.97, x + long))
            ] = ink


def _flags(dark: Ink, plain: Ink, light: Ink) -> Callable[[_Board, int], None]:
    def draw(board: _Board, variant: int) -> None:
        board.cells[:] = (plain, plain, light, dark)[variant]
        if variant == 1:
            board.crack(dark, 3, 0.02)
        if variant == 3:
            board.flecks(plain, 3, 0.035)

    return draw


def _speckled(light: Ink, dark: Ink, count: int, radius: float) -> Callable[[_Board, int], None]:
    def draw(board: _Board, variant: int) -> None:
        board.flecks(dark, count + variant, radius, 0.7)
        board.flecks(light, count - variant // 2, radius, 0.7)

    return draw


def _rock(board: _Board, variant: int) -> None:
    """Plain: what lies beyond the walls is nothing to look at."""


def _masonry(board: _Board, variant: int) -> None:
    width = max(0.03, board.pixel)
    for row, y in enumerate((0.0, 0.5)):
        board.cells[np.abs(board.y - y) < width] = Ink.WALL_JOINT
        start = (0.25 if row else 0.75) + 0.1 * (variant - 1.5)
        board.cells[(np.abs(board.x - start) < width / 2) & (board.y >= y) & (board.y < y + 0.5)] = (
            Ink.WALL_JOINT
        )


def _water(light: Ink, count: int) -> Callable[[_Board, int], None]:
    def draw(board: _Board, variant: int) -> None:
        board.waves(light, count if variant % 2 else count - 1)

    return draw


def _lava(board: _Board, variant: int) -> None:
    for _ in range(2 + variant % 2):
        x, y = board.between(0.2, 0.8), board.between(0.2, 0.8)
        board.cells[board.blob(x, y, board.between(0.1, 0.2), 0.5)] = Ink.LAVA_DARK
    board.crack(Ink.LAVA_LIGHT, 4, 0.05)


def _ice(board: _Board, variant: int) -> None:
    board.crack(Ink.ICE_DARK, 3 + variant, 0.015)
    x = board.between(0.1, 0.5)
    board.cells[board.line(x, 0.3, x + 0.25, 0.15, 0.03)] = Ink.ICE_LIGHT


def _grass(board: _Board, variant: int) -> None:
    for ink, count in ((Ink.GRASS_DARK, 3 + variant), (Ink.GRASS_LIGHT, 3)):
        for _ in range(count):
            x, y, tall = board.between(0.08, 0.92), board.between(0.16, 0.9), board.between(0.06, 0.11)
            board.cells[board.line(x, y, x + board.between(-0.04, 0.04), y - tall, 0.025)] = ink


def _planks(board: _Board, variant: int) -> None:
    for n in range(4):
        if (n * 7 + variant * 5) % 3 == 0:
            board.cells[(board.y >= n / 4) & (board.y < (n + 1) / 4)] = Ink.PLANK_DARK
        board.cells[np.abs(board.y - n / 4) < max(0.012, board.pixel * 0.6)] = Ink.PLANK_GAP
    n, x = variant, 0.2 + 0.2 * variant
    joint = (np.abs(board.x - x) < max(0.01, board.pixel * 0.6)) & (np.floor(board.y * 4) == n)
    board.cells[joint] = Ink.PLANK_GAP


_GROUNDS: Mapping[Terrain, tuple[Ink, Callable[[_Board, int], None]]] = MappingProxyType(
    {
        Terrain.ROCK: (Ink.ROCK, _rock),
        Terrain.WALL: (Ink.WALL, _masonry),
        Terrain.FLOOR: (Ink.FLOOR, _flags(Ink.FLOOR_DARK, Ink.FLOOR, Ink.FLOOR_LIGHT)),
        Terrain.CORRIDOR: (Ink.PASSAGE, _flags(Ink.PASSAGE_DARK, Ink.PASSAGE, Ink.PASSAGE)),
        Terrain.SHALLOWS: (Ink.SHALLOWS, _water(Ink.SHALLOWS_LIGHT, 2)),
        Terrain.WATER: (Ink.WATER, _water(Ink.WATER_LIGHT, 2)),
        Terrain.CHASM: (Ink.CHASM, _rock),
        Terrain.LAVA: (Ink.LAVA, _lava),
        Terrain.ICE: (Ink.ICE, _ice),
        Terrain.GRASS: (Ink.GRASS, _grass),
        Terrain.EARTH: (Ink.EARTH, _speckled(Ink.EARTH_LIGHT, Ink.EARTH_DARK, 3, 0.035)),
        Terrain.ROAD: (Ink.ROAD, _speckled(Ink.ROAD_LIGHT, Ink.ROAD_DARK, 2, 0.045)),
        Terrain.MUD: (Ink.MUD, _speckled(Ink.MUD_DARK, Ink.MUD_DARK, 2, 0.07)),
        Terrain.SAND: (Ink.SAND, _speckled(Ink.SAND_DARK, Ink.SAND_DARK, 3, 0.02)),
        Terrain.PLANKS: (Ink.PLANK, _planks),
    }
)

FIRM = np.array(
    [
        2 if SOLID[t] or t is Terrain.PLANKS else 1 if t in (Terrain.FLOOR, Terrain.CORRIDOR) else 0
        for t in Terrain
    ],
    np.uint8,
)
"""By code: 0 a ground whose edges waver, 1 one that only such a one may run into, 2 one with hard edges."""


def _rims() -> Indices:
    rims = np.full((len(Terrain), len(Terrain)), CLEAR, np.uint8)
    wet = (Terrain.SHALLOWS, Terrain.WATER)
    for dry in Terrain:
        if dry not in wet:
            rims[list(wet), dry] = Ink.SHORE
    for code, ink in (
        (Terrain.CHASM, Ink.CHASM_RIM),
        (Terrain.LAVA, Ink.LAVA_DARK),
        (Terrain.ICE, Ink.ICE_DARK),
    ):
        rims[code] = ink
        rims[code, code] = CLEAR
    rims[Terrain.ROAD, [Terrain.GRASS, Terrain.EARTH]] = Ink.ROAD_DARK
    return rims


RIMS = _rims()
"""The ink of the first ground's rim where it meets the second; `CLEAR` for none."""


@dataclass(frozen=True, slots=True)
class Textures:
    """Tiles and stamps for one size of cell.

    Attributes:
        grounds: Tiles: `VARIANTS` of each code in turn, (tiles, px, px).
        stamps: What stands in a cell, likewise; (stamps, px, px).
        canopies: Crowns of trees, larger than a cell.
        drift: How far the border of soft grounds wavers, across and down, repeating.
    """

    grounds: Indices
    stamps: Indices
    canopies: Indices
    drift: npt.NDArray[np.int16]


STAMPED = (Terrain.RUBBLE, Terrain.PILLAR, Terrain.BRUSH, Terrain.BOULDER, Terrain.FUNGUS)
"""The codes that `Textures.stamps` holds `VARIANTS` stamps of, in this order."""


@lru_cache(maxsize=4)
def textures(px: int, grid: bool) -> Textures:
    """The textures for cells of a size, kept for the sizes used last.

    Args:
        px: Pixels a cell.
        grid: Whether open grounds have grid lines.
    """
    grounds = np.zeros((len(Terrain) * VARIANTS, px, px), np.uint8)
    for code, (ink, draw) in _GROUNDS.items():
        for variant in range(VARIANTS):
            board = _Board(px, ink, code.name, variant)
            draw(board, variant)
            if grid and not SOLID[code]:
                line = max(1, px // 48)
                board.cells[:line] |= GRID
                board.cells[:, :line] |= GRID
            grounds[code * VARIANTS + variant] = board.cells
    stamps = np.stack([_stamp(code, px, n) for code in STAMPED for n in range(VARIANTS)])
    canopies = np.stack([_canopy(max(px + 1, round(px * 1.7)), n) for n in range(VARIANTS)])
    return Textures(grounds, stamps, canopies, _drift(px))


def _drift(px: int) -> npt.NDArray[np.int16]:
    """Smooth noise that repeats every four cells, up to a third of a cell."""
    size = 4 * px
    place = np.arange(size) / size * 2 * np.pi
    stream = Stream(0, "texture", "drift")
    fields = np.zeros((2, size, size))
    for direction in range(2):
        for waves, weight in ((2, 0.05), (4, 0.045), (6, 0.03)):
            for _ in range(3):
                across, down = stream.between(-waves, waves), stream.between(-waves, waves)
                turn = stream.below(628) / 100
                fields[direction] += (
                    weight * px * np.sin(place[None, :] * across + place[:, None] * down + turn)
                )
    limit = px // 3
    return np.clip(np.rint(fields), -limit, limit).astype(np.int16)


def _stamp(code: Terrain, px: int, variant: int) -> Indices:
    board = _Board(px, CLEAR, code.name, "stamp", variant)
    cells = board.cells
    match code:
        case Terrain.RUBBLE:
            for _ in range(5 + variant):
                x, y, radius = board.between(0.15, 0.85), board.between(0.15, 0.85), board.between(0.05, 0.13)
                lump = board.blob(x, y, radius, 0.35)
                cells[board.disc(x + 0.03, y + 0.04, radius)] = SHADOWED
                cells[lump] = Ink.STONE_DARK
                cells[board.blob(x - 0.01, y - 0.01, radius * 0.75, 0.3) & lump] = Ink.STONE
        case Terrain.PILLAR:
            cells[board.disc(0.56, 0.57, 0.37)] = SHADOWED
            cells[board.disc(0.5, 0.5, 0.38)] = Ink.OUTLINE
            cells[board.disc(0.5, 0.5, 0.33)] = Ink.STONE
            cells[board.disc(0.46, 0.45, 0.2)] = Ink.STONE_LIGHT
        case Terrain.BRUSH:
            for n in range(4):
                x, y = (
                    0.3 + 0.4 * (n % 2) + board.between(-0.1, 0.1),
                    0.3 + 0.4 * (n // 2) + board.between(-0.1, 0.1),
                )
                _bush(board, x, y, board.between(0.15, 0.22))
        case Terrain.BOULDER:
            cells[board.blob(0.56, 0.58, 0.4, 0.2)] = SHADOWED
            lump = board.blob(0.5, 0.5, 0.42, 0.22)
            cells[lump] = Ink.OUTLINE
            cells[lump & _shrunk(lump)] = Ink.STONE
            cells[board.blob(0.43, 0.41, 0.22, 0.3) & lump] = Ink.STONE_LIGHT
        case _:
            for _ in range(4 + variant):
                x, y, radius = board.between(0.15, 0.85), board.between(0.15, 0.85), board.between(0.06, 0.12)
                cells[board.disc(x + 0.03, y + 0.04, radius)] = SHADOWED
                cells[board.disc(x, y, radius)] = Ink.FUNGUS
                cells[board.disc(x - radius * 0.25, y - radius * 0.25, radius * 0.4)] = Ink.FUNGUS_LIGHT
    return cells


def _bush(board: _Board, x: float, y: float, radius: float) -> None:
    cells = board.cells
    under = board.disc(x + 0.04, y + 0.05, radius) & (cells == CLEAR)
    cells[under] = SHADOWED
    cells[board.blob(x, y, radius, 0.3)] = Ink.LEAF_DARK
    cells[board.blob(x - 0.02, y - 0.02, radius * 0.75, 0.3)] = Ink.LEAF
    cells[board.disc(x - radius * 0.3, y - radius * 0.3, radius * 0.3)] = Ink.LEAF_LIGHT


def _shrunk(mask: Mask) -> Mask:
    """A shape without its outermost pixels, about a thirtieth of its side."""
    inner = mask.copy()
    for _ in range(max(1, mask.shape[0] // 28)):
        inner[1:-1, 1:-1] &= inner[:-2, 1:-1] & inner[2:, 1:-1] & inner[1:-1, :-2] & inner[1:-1, 2:]
        inner[[0, -1]] = False
        inner[:, [0, -1]] = False
    return inner


def _canopy(px: int, variant: int) -> Indices:
    board = _Board(px, CLEAR, "canopy", variant)
    cells = board.cells
    cells[board.blob(0.55, 0.56, 0.38, 0.12)] = SHADOWED
    crown = np.zeros_like(cells, dtype=np.bool_)
    leaves = [(0.5, 0.5, 0.27)]
    for n in range(8):
        turn = 2 * np.pi * (n + board.between(-0.2, 0.2)) / 8
        leaves.append(
            (0.5 + 0.24 * float(np.cos(turn)), 0.5 + 0.24 * float(np.sin(turn)), board.between(0.13, 0.17))
        )
    for leaf in leaves:
        crown |= board.disc(*leaf)
    cells[crown] = Ink.LEAF_EDGE
    inner = _shrunk(crown)
    cells[inner] = Ink.LEAF_DARK
    for x, y, radius in leaves:
        cells[board.disc(x - 0.03, y - 0.03, radius * 0.78) & inner] = Ink.LEAF
    for x, y, radius in leaves[::2]:
        cells[board.disc(x - 0.05, y - 0.06, radius * 0.4) & inner] = Ink.LEAF_LIGHT
    return cells
