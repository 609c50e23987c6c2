"""Rock and walls: the hatched rock around floors, its shadow and outline, masonry, and thin walls."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from services.map.generation.grid.cells import Mask, mask_of
from services.map.generation.grid.model import GridKind, GridMap, Room, Spot, Wall, WallKind
from services.map.generation.grid.terrain import Terrain
from services.map.render.grid.hatching import MARGIN, fraying, hatch_pattern
from services.map.render.grid.look import Style
from services.map.render.grid.outline import UNIT, cell_codes, closed_path, crisp, curved_path, smooth, trace
from services.map.render.grid.palette import Palette
from services.map.render.svg import element, group, number

ROUGH_THEMES = frozenset({"mine", "natural", "sewer", "lair", "warren"})
SOFT_TAGS = frozenset({"round", "octagon", "octagonal", "rough"})


def rock_cells(model: GridMap) -> Mask:
    """Cells drawn as one mass of rock: on battle maps thick walls are masonry instead."""
    last = Terrain.ROCK if model.kind is GridKind.BATTLE else Terrain.WALL
    rock: Mask = cell_codes(model) <= int(last)
    return rock


def soft_cells(rooms: Sequence[Room], shape: tuple[int, int]) -> Mask | None:
    """Cells of round and eight-sided rooms, whose steps are drawn aslant."""
    rows = [row for room in rooms if room.spans and not SOFT_TAGS.isdisjoint(room.tags) for row in room.spans]
    height, width = shape
    return mask_of(rows, width, height) if rows else None


def floor_path(model: GridMap, rock: Mask) -> str:
    """The outline of everything that is no rock: soft in caves, ruled by hand in built places."""
    margin = MARGIN if model.kind in (GridKind.BATTLE, GridKind.IMPORTED) else 0
    outline = trace(~rock, margin)
    if model.kind is GridKind.CAVE:
        return curved_path(smooth(outline, wobble=13.0, ragged=15.0))
    rough = model.theme in ROUGH_THEMES
    soft = soft_cells(model.rooms, rock.shape)
    return closed_path(crisp(outline, 8.0 if rough else 2.6, 0.9 if rough else 0.25, soft))


def rock_layers(model: GridMap, rock: Mask, paint: Palette, style: Style) -> tuple[str, str]:
    """The rock over everything that lies on the floor.

    It is painted after the floors, so that water, shadows and light end at the walls without any clipping.

    Returns:
        Definitions, and the layers.
    """
    if not rock.any():
        return "", ""
    reach = MARGIN * UNIT
    right, bottom = model.width * UNIT + reach, model.height * UNIT + reach
    page = f"M{-reach}{-reach}H{right}V{bottom}H{-reach}z"
    area = floor_path(model, rock)
    defs = element("path", d=page + area, id="hf-rock", fill_rule="evenodd") + hatch_pattern(paint.hatch)
    shadow = element(
        "use", href="#hf-rock", transform="translate(13 16)", fill=paint.shadow, fill_opacity=_shade(style)
    )
    if style is Style.PAINTED:
        cover = paint.rock
        body = element("use", href="#hf-rock", fill=paint.band)
    else:
        cover = "url(#hf-paper)"
        body = element("use", href="#hf-rock", fill=paint.band)
    hatching = element("use", href="#hf-rock", fill="url(#hf-hatch)")
    covered, rim = fraying(~rock, paint, cover)
    line = element(
        "use",
        href="#hf-rock",
        fill="none",
        stroke=paint.line,
        stroke_width=11.0,
        stroke_linejoin="round",
    )
    return defs, shadow + body + hatching + covered + rim + line


def _shade(style: Style) -> float:
    return {Style.PAINTED: 0.38, Style.BLUEPRINT: 0.35}.get(style, 0.17)


def masonry(model: GridMap, paint: Palette) -> str:
    """Thick walls of a battle map: blocks with a dark edge and a shadow on the ground."""
    if model.kind is not GridKind.BATTLE:
        return ""
    wall = cell_codes(model) == int(Terrain.WALL)
    if not wall.any():
        return ""
    data = closed_path(crisp(trace(wall), 5.0, 0.5))
    rows, columns = np.nonzero(wall)
    joints = "".join(
        f"M{x * UNIT} {y * UNIT + 50}h100M{x * UNIT + 34} {y * UNIT}v50m{34 if (x + y) % 2 else -18} 0v50"
        for x, y in zip(columns.tolist(), rows.tolist(), strict=True)
    )
    return group(
        element("path", d=data, fill=paint.shadow, fill_opacity=0.3, transform="translate(14 18)"),
        element("path", d=data, fill=paint.masonry),
        element(
            "path", d=joints, fill="none", stroke=paint.masonry_line, stroke_width=3.0, stroke_opacity=0.55
        ),
        element(
            "path",
            d=data,
            fill="none",
            stroke=paint.masonry_line,
            stroke_width=9.0,
            stroke_linejoin="round",
        ),
    )


def thin_walls(walls: Sequence[Wall], paint: Palette) -> str:
    """Walls along lines, each kind drawn in one path; windows over walls, so that they show."""
    by_kind: dict[WallKind, list[str]] = {}
    for wall in walls:
        by_kind.setdefault(wall.kind, []).append(_way(wall.points))
    drawn: list[str] = []
    if low := "".join(by_kind.get(WallKind.LOW, ())):
        drawn += [
            _line(low, paint.shadow, 26, opacity=0.22, transform="translate(7 9)"),
            _line(low, paint.masonry_line, 24),
            _line(low, paint.stone, 16),
            _line(low, paint.masonry_line, 16, dash="4 28", cap="butt"),
        ]
    if fence := "".join(by_kind.get(WallKind.FENCE, ())):
        drawn += [
            _line(fence, paint.shadow, 9, opacity=0.22, transform="translate(6 8)"),
            _line(fence, paint.line, 8),
            _line(fence, paint.wood, 4),
            _line(fence, paint.line, 17, dash="0.1 49.9"),
            _line(fence, paint.wood, 10, dash="0.1 49.9"),
        ]
    if wall_data := "".join(by_kind.get(WallKind.WALL, ())):
        drawn += [
            _line(wall_data, paint.shadow, 26, opacity=0.3, transform="translate(10 13)"),
            _line(wall_data, paint.masonry_line, 25, cap="square"),
            _line(wall_data, paint.masonry, 14, cap="square"),
        ]
    if standing := "".join(by_kind.get(WallKind.OBJECT, ())):
        drawn += [
            _line(standing, paint.masonry_line, 13, cap="square"),
            _line(standing, paint.masonry, 5, cap="square"),
        ]
    if window := "".join(by_kind.get(WallKind.WINDOW, ())):
        drawn += [
            _line(window, paint.masonry_line, 25, cap="butt"),
            _line(window, paint.glass, 15, cap="butt"),
            _line(window, paint.masonry_line, 3.4, cap="butt"),
        ]
    return group(*drawn, fill="none", stroke_linejoin="miter")


def _way(spots: Sequence[Spot]) -> str:
    """Path data from one spot to the next; level and upright pieces in their short forms."""
    (x, y), *others = spots
    data = f"M{number(x * UNIT)} {number(y * UNIT)}"
    for nx, ny in others:
        if ny == y:
            data += f"H{number(nx * UNIT)}"
        elif nx == x:
            data += f"V{number(ny * UNIT)}"
        else:
            data += f"L{number(nx * UNIT)} {number(ny * UNIT)}"
        x, y = nx, ny
    return data


def _line(
    d: str,
    colour: str,
    width: float,
    *,
    cap: str = "round",
    dash: str | None = None,
    opacity: float | None = None,
    transform: str | None = None,
) -> str:
    return element(
        "path",
        d=d,
        stroke=colour,
        stroke_width=width,
        stroke_linecap=cap,
        stroke_dasharray=dash,
        stroke_opacity=opacity,
        transform=transform,
    )
