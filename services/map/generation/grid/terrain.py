"""What a cell of a grid map can be: a code in the cells, a letter in the map file, and how it is walked.

The grid rules of the games read nothing but `pace`, `opaque` and `cover`; how it looks is the renderers' own.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType


class Terrain(IntEnum):
    """The terrains; their values are what `GridMap.cells` holds."""

    ROCK = 0
    WALL = 1
    FLOOR = 2
    CORRIDOR = 3
    RUBBLE = 4
    SHALLOWS = 5
    WATER = 6
    CHASM = 7
    LAVA = 8
    ICE = 9
    PILLAR = 10
    OBSTACLE = 11
    GRASS = 12
    EARTH = 13
    ROAD = 14
    BRUSH = 15
    TREE = 16
    BOULDER = 17
    MUD = 18
    SAND = 19
    PLANKS = 20
    FUNGUS = 21


@dataclass(frozen=True, slots=True)
class Trait:
    """What a terrain is.

    Attributes:
        letter: Stands for it in the map file, and in no other's place.
        name: For people.
        pace: Paces that entering it costs: 1 open, 2 difficult, 0 when nobody walks there.
        opaque: Whether it stops sight and light.
        cover: What a line that passes over it grants: 0 nothing, 1 partial cover.
        indoors: Whether it is drawn as the floor of a building or a cave.
    """

    letter: str
    name: str
    pace: int
    opaque: bool = False
    cover: int = 0
    indoors: bool = True


TRAITS: MappingProxyType[Terrain, Trait] = MappingProxyType(
    {
        Terrain.ROCK: Trait(" ", "solid rock", 0, opaque=True),
        Terrain.WALL: Trait("#", "wall", 0, opaque=True),
        Terrain.FLOOR: Trait(".", "floor", 1),
        Terrain.CORRIDOR: Trait(",", "passage", 1),
        Terrain.RUBBLE: Trait("%", "rubble", 2),
        Terrain.SHALLOWS: Trait("-", "shallow water", 2),
        Terrain.WATER: Trait("~", "deep water", 0),
        Terrain.CHASM: Trait("v", "chasm", 0),
        Terrain.LAVA: Trait("l", "lava", 0),
        Terrain.ICE: Trait("i", "ice", 2),
        Terrain.PILLAR: Trait("o", "pillar", 0, opaque=True, cover=1),
        Terrain.OBSTACLE: Trait("n", "obstacle", 2, cover=1),
        Terrain.GRASS: Trait("g", "grass", 1, indoors=False),
        Terrain.EARTH: Trait("e", "bare earth", 1, indoors=False),
        Terrain.ROAD: Trait("r", "road", 1, indoors=False),
        Terrain.BRUSH: Trait("b", "undergrowth", 2, cover=1, indoors=False),
        Terrain.TREE: Trait("T", "tree", 0, opaque=True, cover=1, indoors=False),
        Terrain.BOULDER: Trait("B", "boulder", 0, opaque=True, cover=1, indoors=False),
        Terrain.MUD: Trait("m", "mud", 2, indoors=False),
        Terrain.SAND: Trait("s", "sand", 1, indoors=False),
        Terrain.PLANKS: Trait("p", "planks", 1),
        Terrain.FUNGUS: Trait("f", "fungus", 2, cover=1),
    }
)

BY_LETTER: MappingProxyType[str, Terrain] = MappingProxyType(
    {trait.letter: terrain for terrain, trait in TRAITS.items()}
)

LETTERS = "".join(TRAITS[Terrain(code)].letter for code in range(len(Terrain)))
"""The letter of each code, in the order of the codes."""

PACES = bytes(TRAITS[Terrain(code)].pace for code in range(len(Terrain)))
"""Paces by code; as bytes it is a table for `bytes.translate` and for numpy."""

OPAQUE = bytes(TRAITS[Terrain(code)].opaque for code in range(len(Terrain)))
"""1 where a code stops sight."""

COVER = bytes(TRAITS[Terrain(code)].cover for code in range(len(Terrain)))
"""Cover by code."""
