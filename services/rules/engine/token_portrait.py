"""The portrait on a token, in the disc that pictures of maps and boards of scenes draw for it."""

from __future__ import annotations

HALF = 50
"""Half a side of a portrait before it is placed and scaled."""

CLIP = f'<clipPath id="hf-portrait"><circle r="{HALF}"/></clipPath>'
"""What cuts portraits round; a picture with any has it once."""

SHARE = 0.7
"""Radius of a portrait to that of its token, whose colour and ring stay around it."""


def portrait(address: str, x: float, y: float, radius: float) -> str:
    """The portrait of a token, as SVG.

    Args:
        address: A `data:` URI, which needs no escaping.
        x, y: The middle of the token, in units of the picture; written to a tenth.
        radius: Of the token, in the same units.
    """
    side = f'x="-{HALF}" y="-{HALF}" width="{2 * HALF}" height="{2 * HALF}"'
    placed = f"translate({_tenths(x)} {_tenths(y)}) scale({radius * SHARE / HALF:.4g})"
    return f'<g transform="{placed}" clip-path="url(#hf-portrait)"><image {side} href="{address}"/></g>'


def _tenths(value: float) -> str:
    return f"{round(value, 1):.12g}"
