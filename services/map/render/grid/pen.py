"""The strokes that signs are drawn with: shapes as short SVG text, in drawing units (100 along a cell).

The group around a sign sets the line: its colour, its width, round joins and no fill. A shape says what fills
it, and seldom more.
"""

from __future__ import annotations

from services.map.render.svg import Value, element


def patch(d: str, fill: str = "none", **more: Value) -> str:
    """An area or line by its path data."""
    return element("path", d=d, fill=None if fill == "none" else fill, **more)


def line(d: str, **more: Value) -> str:
    """A line without a fill."""
    return element("path", d=d, **more)


def box(x: float, y: float, width: float, height: float, fill: str, rx: float = 0, **more: Value) -> str:
    """An upright rectangle by its corner."""
    return element("rect", x=x, y=y, width=width, height=height, rx=rx or None, fill=fill, **more)


def disc(x: float, y: float, radius: float, fill: str | None = None, **more: Value) -> str:
    """A circle by its middle."""
    return element("circle", cx=x, cy=y, r=radius, fill=fill, **more)


def oval(x: float, y: float, rx: float, ry: float, fill: str | None = None, **more: Value) -> str:
    """An ellipse by its middle."""
    return element("ellipse", cx=x, cy=y, rx=rx, ry=ry, fill=fill, **more)
