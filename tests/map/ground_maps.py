"""Small maps by hand and by chance, for the tests of the ground."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from services.map.generation.grid.model import Cell, GridKind, GridMap, Wall, WallKind
from services.map.generation.grid.terrain import BY_LETTER, Terrain
from services.map.ground.model import MapGround
from tests.at_length import part_or_whole

SIDE = 8
unhurried = settings(max_examples=part_or_whole(25, 60))
"""The first question compiles what answers it, and that may take a second."""
thorough = settings(max_examples=part_or_whole(100, 300), deadline=None)
"""For what the compiled loops must compute as the rules do."""
each_cell = st.binary(min_size=SIDE**2, max_size=SIDE**2)
# Bytes by chance, made terrains and heights by tables: much faster than lists of one choice a cell.
_CHOICES = [Terrain.FLOOR] * 6 + [Terrain.WALL] * 2 + [Terrain.MUD, Terrain.WATER, Terrain.BRUSH]
_TERRAINS = bytes(_CHOICES[byte % len(_CHOICES)] for byte in range(256))
_LEVELS = bytes((0, 0, 0, 1, 2, 255)[byte % 6] for byte in range(256))
cells = st.tuples(st.integers(0, SIDE - 1), st.integers(0, SIDE - 1))


def map_of(*rows: str, **more: Any) -> GridMap:
    """A map drawn with the letters of the terrains."""
    codes = bytes(BY_LETTER[letter] for row in rows for letter in row)
    return GridMap(GridKind.BATTLE, 1, 0, 0, "", "", len(rows[0]), len(rows), codes, **more)


def cells_where(chosen: Any) -> set[Cell]:
    """The cells, (column, row), where an array is true."""
    return {(x, y) for y, row in enumerate(chosen.tolist()) for x, true in enumerate(row) if true}


def clear_cells(ground: MapGround) -> set[Cell]:
    """The cells that can be seen through."""
    return cells_where(~ground.opaque)


@st.composite
def straight_walls(draw: st.DrawFn) -> Wall:
    """A thin wall along a line of the grid."""
    x, y, long = draw(st.integers(0, SIDE)), draw(st.integers(0, SIDE)), draw(st.integers(1, 4))
    end = (float(x + long), float(y)) if draw(st.booleans()) else (float(x), float(y + long))
    return Wall(((float(x), float(y)), end), draw(st.sampled_from(WallKind)))


@st.composite
def maps(draw: st.DrawFn, walls: bool = True, heights: bool = False) -> GridMap:
    """A map with open, difficult, impassable and opaque cells in any order."""
    codes = draw(each_cell).translate(_TERRAINS)
    levels = draw(each_cell).translate(_LEVELS) if heights else b""
    thin = draw(st.lists(straight_walls(), max_size=6)) if walls else []
    return GridMap(
        GridKind.BATTLE,
        1,
        0,
        0,
        "",
        "",
        SIDE,
        SIDE,
        codes,
        walls=tuple(thin),
        heights=levels,
    )


@st.composite
def walkers(draw: st.DrawFn) -> tuple[Cell, int]:
    """A footprint of up to four cells a side that is on the map whole, one cell as often as not."""
    size = draw(st.sampled_from((1, 1, 1, 2, 3, 4)))
    corner = st.integers(0, SIDE - size)
    return (draw(corner), draw(corner)), size
