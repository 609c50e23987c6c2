"""The colors of flat pictures: a few dozen inks, in a palette for each theme.

An index is an ink from 0 to 63, plus `GRID` where a grid line runs and `SHADE` where something throws its
shadow.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

Palette = npt.NDArray[np.uint8]
"""Red, green and blue of each index: (256, 3)."""

GRID = 64
"""Added to an ink on a grid line."""

SHADE = 128
"""Added to an ink in shadow."""

_GRID_LIGHT = 0.86
_SHADE_LIGHT = 0.72


class Ink(IntEnum):
    """What a pixel shows."""

    ROCK = 0
    OUTLINE = 1
    WALL = 2
    WALL_JOINT = 3
    FLOOR = 4
    FLOOR_LIGHT = 5
    FLOOR_DARK = 6
    PASSAGE = 7
    PASSAGE_DARK = 8
    STONE = 9
    STONE_LIGHT = 10
    STONE_DARK = 11
    SHALLOWS = 12
    SHALLOWS_LIGHT = 13
    WATER = 14
    WATER_LIGHT = 15
    SHORE = 16
    CHASM = 17
    CHASM_RIM = 18
    LAVA = 19
    LAVA_LIGHT = 20
    LAVA_DARK = 21
    ICE = 22
    ICE_LIGHT = 23
    ICE_DARK = 24
    GRASS = 25
    GRASS_LIGHT = 26
    GRASS_DARK = 27
    EARTH = 28
    EARTH_LIGHT = 29
    EARTH_DARK = 30
    ROAD = 31
    ROAD_LIGHT = 32
    ROAD_DARK = 33
    LEAF = 34
    LEAF_LIGHT = 35
    LEAF_DARK = 36
    LEAF_EDGE = 37
    MUD = 38
    MUD_DARK = 39
    SAND = 40
    SAND_DARK = 41
    PLANK = 42
    PLANK_DARK = 43
    PLANK_GAP = 44
    FUNGUS = 45
    FUNGUS_LIGHT = 46
    WOOD = 47
    WOOD_LIGHT = 48
    WOOD_DARK = 49
    IRON = 50
    IRON_LIGHT = 51
    CLOTH = 52
    CLOTH_LIGHT = 53
    FLAME = 54
    FLAME_LIGHT = 55
    GOLD = 56
    BONE = 57
    GLASS = 58
    ALARM = 59
    BLOSSOM = 60


_COLORS: MappingProxyType[Ink, int] = MappingProxyType(
    {
        Ink.ROCK: 0x2B2A2E,
        Ink.OUTLINE: 0x17161A,
        Ink.WALL: 0x6F6A66,
        Ink.WALL_JOINT: 0x59544F,
        Ink.FLOOR: 0xC9C2B4,
        Ink.FLOOR_LIGHT: 0xD1CABD,
        Ink.FLOOR_DARK: 0xC3BBAC,
        Ink.PASSAGE: 0xBDB5A6,
        Ink.PASSAGE_DARK: 0xB6AD9D,
        Ink.STONE: 0x96908A,
        Ink.STONE_LIGHT: 0xB2ACA4,
        Ink.STONE_DARK: 0x615C58,
        Ink.SHALLOWS: 0x86B9C4,
        Ink.SHALLOWS_LIGHT: 0xA6D0D6,
        Ink.WATER: 0x3E7FA3,
        Ink.WATER_LIGHT: 0x5C9ABB,
        Ink.SHORE: 0x3B6478,
        Ink.CHASM: 0x121016,
        Ink.CHASM_RIM: 0x5E5763,
        Ink.LAVA: 0xE2571C,
        Ink.LAVA_LIGHT: 0xFFC247,
        Ink.LAVA_DARK: 0x7A2312,
        Ink.ICE: 0xCFE6EE,
        Ink.ICE_LIGHT: 0xF0FAFC,
        Ink.ICE_DARK: 0x9CC3D2,
        Ink.GRASS: 0x8DA85B,
        Ink.GRASS_LIGHT: 0x9DB76A,
        Ink.GRASS_DARK: 0x7A964B,
        Ink.EARTH: 0xA88A63,
        Ink.EARTH_LIGHT: 0xB6996F,
        Ink.EARTH_DARK: 0x937752,
        Ink.ROAD: 0xC2AC86,
        Ink.ROAD_LIGHT: 0xCEBA97,
        Ink.ROAD_DARK: 0xAB9470,
        Ink.LEAF: 0x5B7F3B,
        Ink.LEAF_LIGHT: 0x779C4C,
        Ink.LEAF_DARK: 0x46662D,
        Ink.LEAF_EDGE: 0x2B401D,
        Ink.MUD: 0x7B6347,
        Ink.MUD_DARK: 0x665138,
        Ink.SAND: 0xDDCB9B,
        Ink.SAND_DARK: 0xCDB985,
        Ink.PLANK: 0xA67C4F,
        Ink.PLANK_DARK: 0x9A7147,
        Ink.PLANK_GAP: 0x6E4E2E,
        Ink.FUNGUS: 0x8A6A9A,
        Ink.FUNGUS_LIGHT: 0xC9A8D6,
        Ink.WOOD: 0x8A5A2F,
        Ink.WOOD_LIGHT: 0xB07C45,
        Ink.WOOD_DARK: 0x4F3118,
        Ink.IRON: 0x5A626B,
        Ink.IRON_LIGHT: 0x8F99A3,
        Ink.CLOTH: 0x963B34,
        Ink.CLOTH_LIGHT: 0xC06A5A,
        Ink.FLAME: 0xE0701E,
        Ink.FLAME_LIGHT: 0xFFD35C,
        Ink.GOLD: 0xD7AC3C,
        Ink.BONE: 0xE6DEC6,
        Ink.GLASS: 0x9AD0E0,
        Ink.ALARM: 0xB3261E,
        Ink.BLOSSOM: 0xE0A0B4,
    }
)

_FLOORS = (Ink.FLOOR, Ink.FLOOR_LIGHT, Ink.FLOOR_DARK, Ink.PASSAGE, Ink.PASSAGE_DARK)
_WALLS = (Ink.WALL, Ink.WALL_JOINT)
_STONES = (Ink.STONE, Ink.STONE_LIGHT, Ink.STONE_DARK)
_WATERS = (Ink.SHALLOWS, Ink.SHALLOWS_LIGHT, Ink.WATER, Ink.WATER_LIGHT, Ink.SHORE)
_GRASSES = (Ink.GRASS, Ink.GRASS_LIGHT, Ink.GRASS_DARK)
_LEAVES = (Ink.LEAF, Ink.LEAF_LIGHT, Ink.LEAF_DARK)
_EARTHS = (Ink.EARTH, Ink.EARTH_LIGHT, Ink.EARTH_DARK)
_ROADS = (Ink.ROAD, Ink.ROAD_LIGHT, Ink.ROAD_DARK)

_Tint = tuple[float, float, float]

_THEMES: MappingProxyType[str, tuple[tuple[tuple[Ink, ...], _Tint], ...]] = MappingProxyType(
    {
        "crypt": ((_FLOORS, (0.93, 0.94, 0.97)), (_WALLS, (0.92, 0.95, 1.04))),
        "temple": ((_FLOORS, (1.06, 1.03, 0.95)), (_WALLS, (1.15, 1.08, 0.95))),
        "mine": ((_FLOORS, (0.9, 0.8, 0.66)), (_WALLS, (0.98, 0.84, 0.7)), (_STONES, (0.98, 0.88, 0.76))),
        "prison": ((_FLOORS, (0.85, 0.87, 0.9)), (_WALLS, (0.85, 0.88, 0.92))),
        "sewer": ((_FLOORS, (0.84, 0.88, 0.76)), (_WATERS, (0.82, 0.86, 0.56)), (_WALLS, (0.9, 0.97, 0.85))),
        "laboratory": ((_FLOORS, (0.95, 1.0, 1.02)), (_WALLS, (0.95, 1.02, 1.05))),
        "keep": ((_FLOORS, (1.0, 0.97, 0.92)), (_WALLS, (1.04, 1.0, 0.96))),
        "natural": ((_FLOORS, (0.87, 0.82, 0.74)), (_WALLS, (0.9, 0.85, 0.78)), (_STONES, (0.95, 0.9, 0.84))),
        "ice": ((_FLOORS, (0.96, 1.05, 1.15)), (_WALLS, (1.05, 1.2, 1.35)), (_STONES, (1.0, 1.1, 1.2))),
        "fire": ((_FLOORS, (0.72, 0.66, 0.64)), (_WALLS, (0.9, 0.72, 0.66)), (_STONES, (0.75, 0.68, 0.66))),
        "autumn": ((_GRASSES, (1.22, 0.96, 0.8)), (_LEAVES, (1.75, 0.86, 0.55))),
        "winter": (
            (_GRASSES, (1.6, 1.39, 2.62)),
            (_LEAVES, (1.62, 1.38, 2.6)),
            (_EARTHS, (1.16, 1.3, 1.66)),
            (_ROADS, (1.12, 1.21, 1.48)),
            ((Ink.MUD, Ink.MUD_DARK), (1.1, 1.2, 1.4)),
        ),
    }
)

_LIKE = MappingProxyType(
    {
        "tomb": "crypt",
        "catacomb": "crypt",
        "shrine": "temple",
        "chapel": "temple",
        "dungeon": "keep",
        "castle": "keep",
        "fort": "keep",
        "library": "temple",
        "lab": "laboratory",
        "cave": "natural",
        "cavern": "natural",
        "warren": "natural",
        "frozen": "ice",
        "glacier": "ice",
        "snow": "winter",
        "volcanic": "fire",
        "lava": "fire",
        "jail": "prison",
    }
)


def _family(theme: str) -> str:
    """The palette for a theme: one of its words, or a word like it; the plain one for any other."""
    for word in theme.lower().replace("-", " ").replace("_", " ").split():
        family = _LIKE.get(word, word)
        if family in _THEMES:
            return family
    return ""


def palette_of(theme: str) -> Palette:
    """The palette of a theme.

    Args:
        theme: Any word; unknown ones have the plain colors.

    Returns:
        The colors, not to be written to.
    """
    return _palette(_family(theme))


@lru_cache(maxsize=32)
def _palette(family: str) -> Palette:
    inks = np.zeros((64, 3), np.float64)
    for ink, rgb in _COLORS.items():
        inks[ink] = (rgb >> 16, rgb >> 8 & 255, rgb & 255)
    for some, tint in _THEMES.get(family, ()):
        inks[list(some)] *= tint
    lights = np.array([1.0, _GRID_LIGHT, _SHADE_LIGHT, _SHADE_LIGHT * _GRID_LIGHT])
    colors = (lights[:, None, None] * inks[None]).reshape(256, 3)
    palette = np.clip(np.rint(colors), 0, 255).astype(np.uint8)
    palette.setflags(write=False)
    return palette
