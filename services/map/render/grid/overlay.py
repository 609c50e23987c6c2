"""What play puts over a picture of a grid map that is not drawn: light, doors as they stand, and tokens.

A flat picture has its doors by itself. The picture that a map came with has the lights of the map in it, as
whoever painted it saw them, and its doors as they stood then: over it lie the lights that play has brought
and the signs of all doors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from services.map.generation.grid.model import PLAYED_LIGHTS, GridMap
from services.map.render.figures import Figure
from services.map.render.grid.look import Style
from services.map.render.grid.outline import UNIT
from services.map.render.grid.palette import palette_for
from services.map.render.grid.picture import door_signs, sign_strokes
from services.map.render.grid.scenery import glows, night
from services.map.render.grid.tokens import standing
from services.map.render.svg import element, group

STYLE = Style.PAINTED
"""The style whose colours light and doors have here."""


def light_overlay(model: GridMap, *, brought: bool) -> str:
    """The light on a map, as an SVG file in hundredths of a cell; empty without any.

    Args:
        model: The map as its reader may know it, its lights as they are now.
        brought: Whether it lies over the picture that the map came with.
    """
    lit = model
    if brought:
        lit = replace(model, lights=tuple(one for one in model.lights if one.kind in PLAYED_LIGHTS))
    definitions, shine = glows(lit, STYLE)
    return _file(model, element("defs", definitions) if shine else "", night(lit, STYLE), shine)


def piece_overlay(model: GridMap, figures: Sequence[Figure], *, brought: bool) -> str:
    """Doors and tokens, as an SVG file in hundredths of a cell; empty without any.

    Args:
        model: The map as its reader may know it, its doors as they stand now.
        figures: Who stands on it.
        brought: Whether it lies over the picture that the map came with.
    """
    paint = palette_for(STYLE, model.theme)
    doors = group(door_signs(model, paint), **sign_strokes(paint)) if brought else ""
    return _file(model, doors, standing(figures))


def _file(model: GridMap, *markup: str) -> str:
    if not any(markup):
        return ""
    return element(
        "svg",
        *markup,
        xmlns="http://www.w3.org/2000/svg",
        width=model.width * UNIT,
        height=model.height * UNIT,
    )
