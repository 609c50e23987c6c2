"""Tokens on a grid map: a disc in the colour of each, with its letters, ringed while it is its turn."""

from __future__ import annotations

from collections.abc import Sequence

from services.map.render.figures import Figure
from services.map.render.grid.outline import UNIT
from services.map.render.metrics import FONT_FAMILY
from services.map.render.svg import element, escaped, group

EDGE, TURN, LETTER = "#1c140c", "#f2b01e", "#ffffff"


def standing(figures: Sequence[Figure]) -> str:
    """The tokens in drawing units, large ones below small ones; empty without any."""
    return "".join(_token(one) for one in sorted(figures, key=lambda one: -one.size))


def _token(one: Figure) -> str:
    radius = one.size * UNIT / 2
    x, y = one.x * UNIT + radius, one.y * UNIT + radius
    ring = element("circle", cx=x, cy=y, r=radius * 0.97, fill=TURN) if one.on_turn else ""
    disc = element(
        "circle", cx=x, cy=y, r=radius * 0.82, fill=one.color, stroke=EDGE, stroke_width=radius * 0.06
    )
    letters = element(
        "text",
        escaped(one.letters),
        x=x,
        y=y + radius * 0.28,
        font_size=radius * 0.8,
        font_family=FONT_FAMILY,
        text_anchor="middle",
        fill=LETTER,
    )
    return group(element("title", escaped(one.name)), ring, disc, letters)
