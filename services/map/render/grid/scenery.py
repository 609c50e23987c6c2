"""What the cells show: grid lines, trees, boulders, bushes, pillars, zones, and the shine of lights."""

from __future__ import annotations

import numpy as np

from services.map.generation.grid.cells import mask_of
from services.map.generation.grid.model import GridKind, GridMap, Light, Prop, Zone
from services.map.generation.grid.terrain import Terrain
from services.map.render.grid.look import Style
from services.map.render.grid.noise import hashed, swings
from services.map.render.grid.outline import UNIT, cell_codes, closed_path, crisp, trace
from services.map.render.grid.palette import Palette
from services.map.render.grid.props.library import FLAT, Stamps
from services.map.render.svg import element, group, number

_SCATTERED = (
    (Terrain.RUBBLE, "rubble", 100, 0, 6, False),
    (Terrain.BRUSH, "bush", 92, 9, 15, False),
    (Terrain.PILLAR, "pillar", 96, 0, 0, True),
    (Terrain.OBSTACLE, "heap", 96, 4, 3, True),
    (Terrain.BOULDER, "rock", 98, 6, 6, True),
    (Terrain.TREE, "tree", 164, 14, 14, True),
)
"""Terrain, its glyph, the size and by how much it grows, how far off it may be, and whether it stands up."""

_GLOW_MOST = 9.0

_SHINING = frozenset(
    {"torch", "brazier", "fire", "candle", "hearth", "forge", "crystal", "altar", "mushroom", "cauldron"}
)
"""Kinds of props that a light belongs to."""


def scattered(model: GridMap, stamps: Stamps) -> tuple[str, str]:
    """The glyphs of terrains that are things, low and high ones; a prop in their place stands for them."""
    codes = cell_codes(model)
    present = np.bincount(codes.ravel(), minlength=len(Terrain)) > 0
    covered: np.ndarray[tuple[int, ...], np.dtype[np.bool_]] | None = None
    low: list[str] = []
    high: list[str] = []
    for terrain, kind, size, grows, off, stands in _SCATTERED:
        if not present[terrain]:
            continue
        if covered is None:
            covered = _covered(model)
        rows, columns = np.nonzero((codes == int(terrain)) & ~covered)
        if not len(rows):
            continue
        variants = (hashed(columns, rows, 311) & 3).tolist()
        xs = np.rint(columns * UNIT + 50 + swings(columns, rows, 312) * off).astype(np.int64).tolist()
        ys = np.rint(rows * UNIT + 50 + swings(columns, rows, 313) * off).astype(np.int64).tolist()
        drawn = [
            stamps.stamp((kind, size + variant * grows, size + variant * grows, variant), x, y)
            for x, y, variant in zip(xs, ys, variants, strict=True)
        ]
        (high if stands else low).extend(drawn)
    return "".join(low), "".join(high)


def _covered(model: GridMap) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Cells whose middle a standing prop covers, rows first."""
    covered = np.zeros((model.height, model.width), bool)
    for prop in model.props:
        if prop.kind in FLAT and prop.kind != "rubble":
            continue
        w, h = (prop.height, prop.width) if prop.turn % 180 == 90 else (prop.width, prop.height)
        mx, my = prop.x + prop.width / 2, prop.y + prop.height / 2
        if prop.kind == "tree":
            # A canopy is wider than the trunk it hides.
            w, h = 0.9, 0.9
        left, top = max(0, round(mx - w / 2 - 0.01)), max(0, round(my - h / 2 - 0.01))
        right, bottom = max(left + 1, round(mx + w / 2)), max(top + 1, round(my + h / 2))
        covered[top:bottom, left:right] = True
        if 0 <= int(my) < model.height and 0 <= int(mx) < model.width:
            covered[int(my), int(mx)] = True
    return covered


def grid_lines(model: GridMap, paint: Palette, style: Style) -> str:
    """The lines between the cells; the rock is painted over those that cross it."""
    right, bottom = model.width * UNIT, model.height * UNIT
    data = "".join(f"M{x * UNIT} 0V{bottom}" for x in range(1, model.width))
    data += "".join(f"M0 {y * UNIT}H{right}" for y in range(1, model.height))
    painted = style is Style.PAINTED
    return element(
        "path",
        d=data,
        fill="none",
        stroke=paint.grid,
        stroke_width=2.6 if painted else 3.2,
        stroke_opacity=0.22 if painted else None,
        stroke_dasharray=None if painted or style is Style.BLUEPRINT else "6 6.5",
    )


def zones(model: GridMap, paint: Palette) -> str:
    """Named parts of a map as faint dashed outlines."""
    return "".join(_zone(zone, model, paint) for zone in model.zones if zone.kind != "approach")


def _zone(zone: Zone, model: GridMap, paint: Palette) -> str:
    mask = mask_of(zone.spans, model.width, model.height)
    if not mask.any():
        return ""
    data = closed_path(crisp(trace(mask)))
    hazard = zone.kind == "hazard"
    colour = paint.master if zone.secret or zone.side == "foes" or hazard else paint.plate
    rim = paint.line if colour == paint.plate else colour
    area = "" if hazard else element("path", d=data, fill=colour, fill_opacity=0.12, stroke="none")
    return group(
        area,
        element("path", d=data, stroke=rim, stroke_opacity=0.5 if hazard else 0.75),
        fill="none",
        stroke_width=3.4 if hazard else 5.0,
        stroke_dasharray="10 12" if hazard else "24 14",
        stroke_linejoin="round",
    )


def glows(model: GridMap, style: Style) -> tuple[str, str]:
    """The shine of lights on the floor, in the styles that have colours: definitions and circles."""
    if style not in (Style.PAINTED, Style.PARCHMENT):
        return "", ""
    strength = 0.5 if style is Style.PAINTED else 0.3
    if model.ambient == "bright":
        strength *= 0.5
    colours = sorted({light.color for light in model.lights})
    defs = "".join(
        element(
            "radialGradient",
            element("stop", offset=0.0, stop_color=colour, stop_opacity=strength),
            element("stop", offset=0.45, stop_color=colour, stop_opacity=strength * 0.45),
            element("stop", offset=1.0, stop_color=colour, stop_opacity=0.0),
            id=f"hf-glow{index}",
        )
        for index, colour in enumerate(colours)
    )
    drawn = [
        f'<circle cx="{number(light.at[0] * UNIT)}" cy="{number(light.at[1] * UNIT)}"'
        f' r="{number(_reach(light) * UNIT)}" fill="url(#hf-glow{colours.index(light.color)})"/>'
        for light in model.lights
        if _reach(light) > 0
    ]
    return defs, "".join(drawn)


def night(model: GridMap, style: Style) -> str:
    """The dark that lies over a painted battle map where nothing shines."""
    if style is not Style.PAINTED or model.kind is not GridKind.BATTLE or model.ambient == "bright":
        return ""
    return element(
        "rect",
        width=model.width * UNIT,
        height=model.height * UNIT,
        fill="#10182c",
        fill_opacity=0.3 if model.ambient == "dark" else 0.17,
    )


def _reach(light: Light) -> float:
    return min(light.bright or light.dim, _GLOW_MOST)


def lamps(model: GridMap, stamps: Stamps) -> str:
    """A sign for each light that no prop explains already."""
    shining = [prop for prop in model.props if prop.kind in _SHINING]
    drawn: list[str] = []
    for light in model.lights:
        x, y = light.at
        if light.kind in ("daylight", "window") or any(_stands_at(prop, x, y) for prop in shining):
            continue
        kind = {"brazier": "brazier", "crystal": "crystal", "campfire": "fire", "candle": "candle"}.get(
            light.kind, "torch"
        )
        drawn.append(stamps.put(kind, x, y, 0.8, 0.8))
    return "".join(drawn)


def _stands_at(prop: Prop, x: float, y: float) -> bool:
    half_w, half_h = prop.width / 2 + 0.3, prop.height / 2 + 0.3
    return abs(prop.x + prop.width / 2 - x) <= half_w and abs(prop.y + prop.height / 2 - y) <= half_h
