"""A grid map as an SVG picture that people would print.

The same model and look give the same bytes. Everything on the cells is drawn in hundredths of a cell inside
one scaled group; what is around them, in pixels. The rock is painted after what lies on the floors, so
nothing needs clipping.
"""

from __future__ import annotations

from collections.abc import Sequence

from services.map.generation.grid.model import GridKind, GridMap
from services.map.generation.grid.terrain import Terrain
from services.map.render.figures import Figure
from services.map.render.font.faces import Face, font_face
from services.map.render.grid.ground import grounds
from services.map.render.grid.lettering import NOTHING, Lettering, letter, lettering_layer
from services.map.render.grid.look import Look, style_of
from services.map.render.grid.outline import UNIT
from services.map.render.grid.palette import Palette, palette_for
from services.map.render.grid.props.library import Stamps, props_in_layers
from services.map.render.grid.relief import contours
from services.map.render.grid.scenery import glows, grid_lines, lamps, night, scattered, zones
from services.map.render.grid.sheet import Sheet, lay_out, page_back, page_front
from services.map.render.grid.signs import (
    door_sign,
    door_title,
    door_turn,
    secret_letter,
    stairs_sign,
    stairs_turn,
    trap_sign,
    trap_title,
)
from services.map.render.grid.tokens import standing
from services.map.render.grid.walls import masonry, rock_cells, rock_layers, thin_walls
from services.map.render.svg import Value, element, escaped, group, number

RENDER_VERSION = 1
"""Raised whenever the same model would give another picture."""


def render(
    model: GridMap, look: Look | None = None, *, embed: bool = True, figures: Sequence[Figure] = ()
) -> str:
    """The picture of a grid map as the text of an SVG file.

    It shows whatever the model holds: for players, hand in what `for_players` left.

    Args:
        model: The map.
        look: How it is drawn; pixels from 8 to 200 (see `look.check`).
        embed: Whether the picture brings the faces of its font along, about 20 KB each.
        figures: Who stands on it, above all else.
    """
    look = look or Look()
    paint = palette_for(style_of(model, look), model.theme)
    lettering = letter(model, look.pixels) if look.labels else NOTHING
    sheet = lay_out(model, look)
    definitions, cells = draw_cells(model, look, paint, lettering)
    scale = f"{look.pixels / UNIT:g}"
    x, y = number(sheet.map_box.left), number(sheet.map_box.top)
    width, height = number(sheet.width), number(sheet.height)
    placed = f'<g transform="translate({x} {y}) scale({scale})">{cells}{standing(figures)}</g>'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" aria-labelledby="hf-title hf-desc">'
    )
    body = (
        element("title", escaped(model.title), id="hf-title"),
        element("desc", escaped(describe(model)), id="hf-desc"),
        f"<defs>{_paper(sheet, paint, look)}{definitions}</defs>",
        page_back(sheet, paint),
        placed,
        page_front(model, sheet, look, paint),
    )
    font = font_face(_faces("".join(body))) if embed else ""
    return "\n".join(
        ('<?xml version="1.0" encoding="UTF-8"?>', head, font, *filter(None, body), "</svg>", "")
    )


def _faces(markup: str) -> list[Face]:
    """The faces that the words of a picture are set in."""
    bold, italic = markup.count(' font-weight="bold"'), markup.count(' font-style="italic"')
    plain = markup.count("<text ") - bold - italic
    return [
        face for face, count in ((Face.REGULAR, plain), (Face.BOLD, bold), (Face.ITALIC, italic)) if count > 0
    ]


def draw_cells(model: GridMap, look: Look, paint: Palette, lettering: Lettering) -> tuple[str, str]:
    """What is on the cells, in drawing units: definitions and layers."""
    style = style_of(model, look)
    ground = grounds(model, paint)
    rock = rock_cells(model)
    rock_defs, rock_markup = rock_layers(model, rock, paint, style)
    stamps = Stamps(paint)
    flat, standing, overhead = props_in_layers(model.props, stamps)
    low, high = scattered(model, stamps)
    glow_defs, glow = glows(model, style) if look.lights else ("", "")
    # Under the sky light falls on all there is; below ground it stays between the walls.
    above = model.kind is GridKind.BATTLE
    dark = night(model, style) if look.lights else ""
    signs = sign_strokes(paint)
    layers = (
        ground.floor,
        ground.markup,
        contours(model, paint),
        grid_lines(model, paint, style) if look.grid else "",
        ground.voids,
        group(low, flat, **signs),
        zones(model, paint) if look.labels else "",
        "" if above else glow,
        rock_markup,
        masonry(model, paint),
        thin_walls(model.walls, paint),
        group(door_signs(model, paint), _stairs(model, paint), **signs),
        group(standing, **signs),
        group(lamps(model, stamps), **signs) if look.lights else "",
        group(high, overhead, **signs),
        dark + glow if above else "",
        _traps(model, paint),
        lettering_layer(lettering, paint) if look.labels else "",
    )
    return rock_defs + ground.definitions + glow_defs + stamps.definitions(), "".join(layers)


def _paper(sheet: Sheet, paint: Palette, look: Look) -> str:
    """The shade of the page, in the units of the cells, where the rock is part of it."""
    unit = UNIT / look.pixels
    x, y = (sheet.width / 2 - sheet.map_box.left) * unit, (sheet.height / 2 - sheet.map_box.top) * unit
    radius = 0.62 * (sheet.width**2 + sheet.height**2) ** 0.5 * unit
    stops = (
        element("stop", offset=0.0, stop_color=paint.paper)
        + element("stop", offset=0.6, stop_color=paint.paper)
        + element("stop", offset=1.0, stop_color=paint.paper_edge)
    )
    return "".join(
        element(
            "radialGradient",
            stops,
            id=name,
            gradientUnits="userSpaceOnUse",
            cx=cx,
            cy=cy,
            r=r,
        )
        for name, cx, cy, r in (
            ("hf-paper", x, y, radius),
            ("hf-page", sheet.width / 2, sheet.height / 2, radius / unit),
        )
    )


def sign_strokes(paint: Palette) -> dict[str, Value]:
    """How signs are drawn: the attributes of a group around them."""
    return {
        "stroke": paint.line,
        "stroke_width": 4.0,
        "stroke_linejoin": "round",
        "stroke_linecap": "round",
        "fill": "none",
    }


def door_signs(model: GridMap, paint: Palette) -> str:
    """The signs of a map's doors as they stand, each in its place, in drawing units."""
    drawn: list[str] = []
    for door in model.doors:
        x, y = door.middle
        turn = door_turn(door)
        shown = door_sign(paint, door.kind, door.state, door.length, door.edge is not None)
        place = f"translate({number(x * UNIT)} {number(y * UNIT)})" + (f" rotate({turn})" if turn else "")
        letter_s = secret_letter(paint, x * UNIT, y * UNIT) if door.secret else ""
        drawn.append(
            f'<g><title>{escaped(door_title(door))}</title><g transform="{place}">{shown}</g>{letter_s}</g>'
        )
    return "".join(drawn)


def _stairs(model: GridMap, paint: Palette) -> str:
    return "".join(
        f"<g><title>Stairs {'up' if one.up else 'down'}</title>"
        f'<g transform="translate({one.at[0] * UNIT + 50}'
        f' {one.at[1] * UNIT + 50}) rotate({stairs_turn(one)})">'
        f"{stairs_sign(paint, one.up)}</g></g>"
        for one in model.stairs
    )


def _traps(model: GridMap, paint: Palette) -> str:
    drawn = "".join(
        f"<g><title>{escaped(trap_title(trap))}</title>"
        f'<g transform="translate({trap.at[0] * UNIT + trap.width * 50}'
        f' {trap.at[1] * UNIT + trap.height * 50})">'
        f"{trap_sign(paint, trap.kind, trap.width, trap.height)}</g></g>"
        for trap in model.traps
    )
    return group(
        drawn,
        fill="none",
        stroke=paint.master,
        stroke_width=4.0,
        stroke_linejoin="round",
        stroke_linecap="round",
    )


def describe(model: GridMap) -> str:
    """The map in words."""
    feet = model.feet
    size = f"{model.width} by {model.height} cells of {feet} feet"
    rooms = "; ".join(f"{room.number} {room.name}".strip() for room in model.rooms)
    used = sorted({Terrain(code).name.lower() for code in set(model.cells)})
    parts = [f"A {model.kind.value} map, {size}."]
    if rooms:
        parts.append(f"Places: {rooms}.")
    if model.doors:
        parts.append(f"{len(model.doors)} doors.")
    parts.append(f"Ground: {', '.join(used)}.")
    return " ".join(parts)
