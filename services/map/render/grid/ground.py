"""The grounds of a map, from the earth upward: meadows, roads, floors, waters and chasms.

Each ground is one area with one outline. It is continued under the grounds painted after it and under the
rock, so that no gap shows where soft outlines leave the square of a cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from services.map.generation.grid.cells import Mask
from services.map.generation.grid.model import GridKind, GridMap, Wall
from services.map.generation.grid.terrain import Terrain
from services.map.render.grid.noise import shares, swings
from services.map.render.grid.outline import (
    UNIT,
    Loops,
    Outline,
    cell_codes,
    closed_path,
    crisp,
    curved_path,
    normals,
    smooth,
    trace,
)
from services.map.render.grid.palette import Palette
from services.map.render.grid.textures import texture
from services.map.render.svg import element, group

Codes = NDArray[np.uint8]

_STANDING = tuple(
    int(terrain)
    for terrain in (
        Terrain.RUBBLE,
        Terrain.PILLAR,
        Terrain.OBSTACLE,
        Terrain.BRUSH,
        Terrain.TREE,
        Terrain.BOULDER,
    )
)
"""What stands on a ground: the ground itself is that of its neighbours."""

_BOTTOMLESS = (int(Terrain.WATER), int(Terrain.CHASM), int(Terrain.LAVA))

_ORDER = (
    Terrain.EARTH,
    Terrain.GRASS,
    Terrain.SAND,
    Terrain.MUD,
    Terrain.ROAD,
    Terrain.FLOOR,
    Terrain.FUNGUS,
    Terrain.ICE,
    Terrain.SHALLOWS,
    Terrain.WATER,
    Terrain.LAVA,
    Terrain.CHASM,
    Terrain.PLANKS,
)
_MARGIN = 2


@dataclass(frozen=True, slots=True)
class Ground:
    """The painted grounds.

    Attributes:
        definitions: Textures.
        floor: What lies under everything.
        markup: The grounds above it.
        voids: Chasms, which no grid line crosses.
    """

    definitions: str
    floor: str
    markup: str
    voids: str


def grounds(model: GridMap, paint: Palette) -> Ground:
    """Paints all grounds of a map."""
    codes = cell_codes(model)
    outdoors = model.kind is GridKind.BATTLE
    present = np.bincount(codes.ravel(), minlength=len(Terrain)) > 0
    base = _base(codes) if outdoors else Terrain.FLOOR
    texture_of_floor = _floor_texture(model, paint)
    reach = _MARGIN * UNIT
    sheet = {
        "x": -reach,
        "y": -reach,
        "width": model.width * UNIT + 2 * reach,
        "height": model.height * UNIT + 2 * reach,
    }
    defs: dict[str, str] = {}
    fill, pattern = _looks(base, paint, floor=texture_of_floor)
    layers = [element("rect", **sheet, fill=fill)]
    if pattern:
        defs[pattern] = texture(pattern, paint)
        layers.append(element("rect", **sheet, fill=f"url(#hf-{pattern})"))
    floor = "".join(layers)
    wanted = [terrain for terrain in _ORDER if terrain is not base and present[terrain]]
    if not wanted:
        return Ground("".join(defs.values()), floor, "", "")
    below, rock = _under(codes, base, model.walls), codes <= int(Terrain.WALL)
    drawn: list[str] = []
    voids = ""
    for terrain in wanted:
        if terrain is Terrain.CHASM:
            voids = _chasm(_continued(below, rock, (terrain,), (Terrain.PLANKS,)), paint)
            continue
        markup, textures = _area(terrain, below, rock, paint, floor=texture_of_floor)
        drawn.append(markup)
        defs |= {name: texture(name, paint) for name in textures}
    return Ground("".join(defs.values()), floor, "".join(drawn), voids)


def _base(codes: Codes) -> Terrain:
    """The ground there is most of: everything else is painted upon it."""
    counts = np.bincount(codes.ravel(), minlength=len(Terrain))
    grounds_ = (Terrain.GRASS, Terrain.EARTH, Terrain.SAND, Terrain.MUD, Terrain.FLOOR, Terrain.WATER)
    return max(grounds_, key=lambda terrain: int(counts[terrain]))


def _under(codes: Codes, base: Terrain, walls: Sequence[Wall]) -> Codes:
    """What lies under the things that stand there: the ground beside them, this side of thin walls."""
    below = codes.copy()
    below[below == int(Terrain.CORRIDOR)] = int(Terrain.FLOOR)
    solid = below <= int(Terrain.WALL)
    unknown = np.isin(below, _STANDING)
    level, upright = _walled(codes.shape, walls)
    north, south = np.s_[:-1, :], np.s_[1:, :]
    west, east = np.s_[:, :-1], np.s_[:, 1:]
    for turn in range(4):
        if not unknown.any():
            break
        found, is_known = below.copy(), ~unknown & ~solid
        # Nothing stands upon a drop or deep water as long as there is firmer ground beside it.
        fit = is_known & ~np.isin(below, _BOTTOMLESS) if turn < 3 else is_known
        for to, of, open_edge in (
            (south, north, level),
            (north, south, level),
            (east, west, upright),
            (west, east, upright),
        ):
            take = unknown[to] & fit[of] & open_edge
            found[to][take] = below[of][take]
            unknown[to] &= ~take
        below = found
    below[unknown] = int(base)
    return below


def _walled(shape: tuple[int, ...], walls: Sequence[Wall]) -> tuple[Mask, Mask]:
    """Edges that no thin wall stands on: between a cell and the one south of it, and the one east of it."""
    height, width = shape
    level = np.ones((height - 1, width), bool)
    upright = np.ones((height, width - 1), bool)
    for wall in walls:
        for (x0, y0), (x1, y1) in pairwise(wall.points):
            if y0 == y1 and 0 < y0 < height and y0 == int(y0):
                level[int(y0) - 1, max(0, int(min(x0, x1))) : max(0, int(max(x0, x1)))] = False
            elif x0 == x1 and 0 < x0 < width and x0 == int(x0):
                upright[max(0, int(min(y0, y1))) : max(0, int(max(y0, y1))), int(x0) - 1] = False
    return level, upright


def _floor_texture(model: GridMap, paint: Palette) -> str | None:
    """Slabs in buildings, grit in caves; nothing where the style leaves floors white."""
    match model.kind:
        case GridKind.BATTLE:
            return "flags"
        case GridKind.CAVE if paint.paved:
            return "earth"
        case GridKind.DUNGEON if paint.paved:
            return "flags"
        case _:
            return None


def _looks(terrain: Terrain, paint: Palette, *, floor: str | None) -> tuple[str, str | None]:
    """What an area is filled with: a colour, and a texture upon it."""
    match terrain:
        case Terrain.GRASS:
            return paint.grass, "grass"
        case Terrain.EARTH:
            return paint.earth, "earth"
        case Terrain.SAND:
            return paint.sand, "sand"
        case Terrain.MUD:
            return paint.mud, "mud"
        case Terrain.ROAD:
            return paint.road, "earth"
        case Terrain.PLANKS:
            return paint.planks, "planks"
        case Terrain.FUNGUS:
            return paint.fungus, "fungus"
        case Terrain.WATER:
            return paint.deep, "ripples"
        case Terrain.LAVA:
            return paint.lava, "bubbles"
        case Terrain.FLOOR if floor:
            return paint.flags, floor
        case _:
            return paint.floor, None


def swatch(terrain: Terrain, paint: Palette) -> str:
    """A small piece of a ground for the key, around its middle; its texture must be defined by the map."""
    fill, pattern = _looks(terrain, paint, floor=None)
    match terrain:
        case Terrain.SHALLOWS:
            fill = paint.water
        case Terrain.CHASM:
            fill = paint.chasm_deep
        case Terrain.ICE:
            fill = paint.ice
    data = "M-46-30H46V30H-46z"
    drawn = element("path", d=data, fill=fill)
    if pattern:
        drawn += element("path", d=data, fill=f"url(#hf-{pattern})", stroke="none")
    return drawn


def _area(
    terrain: Terrain, below: Codes, rock: Mask, paint: Palette, *, floor: str | None
) -> tuple[str, tuple[str, ...]]:
    """One ground, and the textures it uses."""
    later = _ORDER[_ORDER.index(terrain) + 1 :]
    mask = _continued(
        below, rock, (terrain, Terrain.WATER) if terrain is Terrain.SHALLOWS else (terrain,), later
    )
    outline = trace(mask, _MARGIN)
    fill, pattern = _looks(terrain, paint, floor=floor)
    textures = () if pattern is None else (pattern,)
    if terrain in (Terrain.PLANKS, Terrain.FLOOR):
        boards = terrain is Terrain.PLANKS
        data = closed_path(crisp(outline, 2.0, 0.3) if boards else crisp(outline, 7.0, 0.9))
        edge = element(
            "path",
            d=data,
            fill="none",
            stroke=paint.plank_line if boards else paint.flag_line,
            stroke_width=7.0 if boards else 5.0,
            stroke_linejoin="round",
        )
        return _filled(data, fill, pattern) + edge, textures
    salt = 2 * _ORDER.index(terrain)
    loops = smooth(outline, wobble=14.0, salt=salt)
    data = curved_path(loops)
    match terrain:
        case Terrain.SHALLOWS:
            return _pool(data, outline, salt, paint, paint.water, None), ()
        case Terrain.WATER:
            shallow_too = bool((below == int(Terrain.SHALLOWS)).any())
            return _pool(data, outline, salt, paint, fill, pattern, bank=not shallow_too), textures
        case Terrain.LAVA:
            return _lava(data, outline, salt, paint), textures
        case Terrain.ICE:
            return _ice(data, mask, paint), ()
        case Terrain.ROAD:
            return _road(data, fill, outline, salt, paint), textures
        case _:
            rim = element("path", d=data, stroke=paint.earth_mark, stroke_width=5.0, stroke_opacity=0.45)
            return _filled(data, fill, pattern) + group(rim, fill="none"), textures


def _continued(below: Codes, rock: Mask, terrains: tuple[Terrain, ...], later: tuple[Terrain, ...]) -> Mask:
    """The cells of a ground, and the neighbouring ones that later grounds or rock will cover."""
    area: Mask = np.isin(below, [int(terrain) for terrain in terrains])
    grown = area.copy()
    grown[1:] |= area[:-1]
    grown[:-1] |= area[1:]
    wide = grown.copy()
    wide[:, 1:] |= grown[:, :-1]
    wide[:, :-1] |= grown[:, 1:]
    covered = rock | np.isin(below, [int(terrain) for terrain in later])
    return area | (wide & covered)


def _filled(data: str, fill: str, pattern: str | None) -> str:
    drawn = element("path", d=data, fill=fill)
    return drawn + element("path", d=data, fill=f"url(#hf-{pattern})") if pattern else drawn


def _inner(outline: Outline, salt: int, inward: float) -> str:
    return curved_path(smooth(outline, wobble=14.0, salt=salt, inward=inward))


def _pool(
    data: str,
    outline: Outline,
    salt: int,
    paint: Palette,
    fill: str,
    pattern: str | None,
    *,
    bank: bool = True,
) -> str:
    """Water: a bank, and lines along it that grow fainter inward."""
    line = paint.water_line
    drawn = [_filled(data, fill, pattern)]
    if bank:
        drawn.append(element("path", d=data, stroke=line, stroke_width=6.0, fill="none"))
        for inward, width, opacity in ((13, 3.4, 0.75), (25, 2.6, 0.45)):
            inner = _inner(outline, salt, inward)
            drawn.append(
                element(
                    "path",
                    d=inner,
                    stroke=line,
                    stroke_width=width,
                    stroke_opacity=opacity,
                    stroke_dasharray="150 26 60 18",
                    fill="none",
                )
            )
    return "".join(drawn)


def _lava(data: str, outline: Outline, salt: int, paint: Palette) -> str:
    return (
        element("path", d=data, fill=paint.lava_crust)
        + element("path", d=_inner(outline, salt, 7), fill=paint.lava)
        + element("path", d=_inner(outline, salt, 20), fill=paint.lava_line, fill_opacity=0.35)
        + element("path", d=data, fill="url(#hf-bubbles)")
        + element("path", d=data, stroke=paint.line, stroke_width=5.0, fill="none")
    )


def _chasm(mask: Mask, paint: Palette) -> str:
    """A drop: darker inward, with strokes down its edge."""
    outline = trace(mask, _MARGIN)
    loops = smooth(outline, wobble=14.0, salt=40)
    data = curved_path(loops)
    nx, ny = normals(loops)
    after = _following(loops)
    key_x, key_y = np.rint(loops.x).astype(np.int64), np.rint(loops.y).astype(np.int64)
    strokes: list[str] = []
    for part in (0.0, 0.2, 0.4, 0.6, 0.8):
        x = loops.x + (loops.x[after] - loops.x) * part
        y = loops.y + (loops.y[after] - loops.y) * part
        long = 15 + 22 * shares(key_x, key_y, 131 + round(part * 5))
        lean = swings(key_x, key_y, 141 + round(part * 5)) * 5
        ends = np.stack((x, y, nx * long + lean, ny * long - lean), axis=1)
        strokes += [f"M{sx} {sy}l{dx} {dy}" for sx, sy, dx, dy in np.rint(ends).astype(np.int64).tolist()]
    deeper = mask.copy()
    deeper[1:] &= mask[:-1]
    deeper[:-1] &= mask[1:]
    deeper[:, 1:] &= mask[:, :-1]
    deeper[:, :-1] &= mask[:, 1:]
    # Cells with the drop on all four sides, and half a cell around them: the depth nobody sees into.
    depth = curved_path(smooth(trace(deeper, _MARGIN), wobble=12.0, salt=44, inward=-38))
    return (
        element("path", d=data, fill=paint.chasm)
        + element("path", d=_inner(outline, 40, 20), fill=paint.chasm_deep, fill_opacity=0.45)
        + element("path", d=depth, fill=paint.chasm_deep, fill_opacity=0.75)
        + element(
            "path",
            d="".join(strokes),
            stroke=paint.line,
            stroke_width=4.0,
            stroke_linecap="round",
            fill="none",
        )
        + element("path", d=data, stroke=paint.line, stroke_width=7.0, fill="none")
    )


def _following(loops: Loops) -> NDArray[np.int64]:
    after = np.arange(1, len(loops.x) + 1)
    after[loops.bounds[1:] - 1] = loops.bounds[:-1]
    return after


def _ice(data: str, mask: Mask, paint: Palette) -> str:
    """Pale ice with a crack through every other cell."""
    rows, columns = np.nonzero(mask)
    chance = shares(columns, rows, 151)
    chosen = chance < 0.55
    turn = swings(columns, rows, 152)
    cracks = [
        f"M{x * UNIT + 15} {y * UNIT + 30 + round(40 * a)}l{22 + round(8 * b)}"
        f" {round(20 * b)}l26 {-round(14 * a) - 6}l18 {round(16 * b)}m-44-4l{round(10 * b)} 24"
        for x, y, a, b in zip(
            columns[chosen].tolist(),
            rows[chosen].tolist(),
            (chance[chosen] / 0.55).tolist(),
            turn[chosen].tolist(),
            strict=True,
        )
    ]
    return (
        element("path", d=data, fill=paint.ice)
        + element(
            "path",
            d="".join(cracks),
            stroke=paint.ice_line,
            stroke_width=3.2,
            stroke_linejoin="round",
            fill="none",
        )
        + element("path", d=data, stroke=paint.ice_line, stroke_width=6.0, fill="none")
    )


def _road(data: str, fill: str, outline: Outline, salt: int, paint: Palette) -> str:
    """A trodden way: its edge is worn, its middle is paler."""
    return (
        element("path", d=data, stroke=paint.road_edge, stroke_width=9.0, stroke_opacity=0.55, fill=fill)
        + element("path", d=_inner(outline, salt, 16), fill=paint.plate, fill_opacity=0.13)
        + element("path", d=data, fill="url(#hf-earth)")
        + element(
            "path",
            d=_inner(outline, salt, 9),
            stroke=paint.road_edge,
            stroke_width=3.4,
            stroke_opacity=0.6,
            stroke_dasharray="34 30 12 44 60 52",
            stroke_linecap="round",
            fill="none",
        )
    )
