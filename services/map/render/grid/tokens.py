"""Tokens on a grid map: a disc in the colour of each with portrait or letters, ringed on its turn."""

from __future__ import annotations

from collections.abc import Sequence

from services.map.render.figures import Figure
from services.map.render.grid.outline import UNIT
from services.map.render.metrics import FONT_FAMILY
from services.map.render.svg import element, escaped, group
from services.rules.engine.token_portrait import CLIP, portrait

EDGE, TURN, LETTER = "#1c140c", "#f2b01e", "#ffffff"


def standing(figures: Sequence[Figure]) -> str:
    """The tokens in drawing units, large ones below small ones; empty without any."""
    drawn = "".join(_token(one) for one in sorted(figures, key=lambda one: -one.size))
    return CLIP + drawn if any(one.portrait for one in figures) else drawn


def _token(one: Figure) -> str:
    radius = one.size * UNIT / 2
    x, y = one.x * UNIT + radius, one.y * UNIT + radius
    ring = element("circle", cx=x, cy=y, r=radius * 0.97, fill=TURN) if one.on_turn else ""
    disc = element(
        "circle", cx=x, cy=y, r=radius * 0.82, fill=one.color, stroke=EDGE, stroke_width=radius * 0.06
    )
    sign = portrait(one.portrait, x, y, radius) if one.portrait else _letters(one, x, y, radius)
    return group(element("title", escaped(one.name)), ring, disc, sign)


def _letters(one: Figure, x: float, y: float, radius: float) -> str:
    return element(
        "text",
        escaped(one.letters),
        x=x,
        y=y + radius * 0.28,
        font_size=radius * 0.8,
        font_family=FONT_FAMILY,
        text_anchor="middle",
        fill=LETTER,
    )
