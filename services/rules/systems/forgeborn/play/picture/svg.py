"""Elements of a picture, its colours, and boxes that must not lie on each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement

from services.rules.systems.forgeborn.geometry import Point

SCALE = 110
"""Thousandths of a unit of the sheet for one pixel."""

FONT = "Georgia, 'DejaVu Serif', serif"
INK, PAPER, FADED = "#3b3326", "#f8f3e3", "#8a7a58"
LETTER = 0.56
"""Width of a letter for each unit of its size, about."""

Number = int | float


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on the sheet, in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> float:
        """The area in which both lie."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across * down if across > 0 and down > 0 else 0.0

    def outside(self, width: float, height: float) -> float:
        """How far it sticks out of a sheet."""
        over = (-self.left, -self.top, self.right - width, self.bottom - height)
        return sum(max(0.0, each) for each in over)


def place(at: Point) -> tuple[float, float]:
    """A position of the sheet in pixels."""
    return at.x / SCALE, at.y / SCALE


def number(value: Number) -> str:
    """A number as it is written: at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")


def element(parent: Element | None, tag: str, **attributes: Number | str) -> Element:
    """An element; underscores in names of attributes stand for hyphens."""
    keys = {"viewBox": "viewBox"}
    found = {
        keys.get(name, name.replace("_", "-")): value if isinstance(value, str) else number(value)
        for name, value in attributes.items()
    }
    return Element(tag, found) if parent is None else SubElement(parent, tag, found)


def text_of(
    parent: Element, words: str, x: Number, y: Number, *, size: Number = 13, **attributes: Number | str
) -> Element:
    """A line of text."""
    made = element(parent, "text", x=x, y=y, font_size=size, **attributes)
    made.text = printable(words)
    return made


def halo(
    parent: Element, words: str, x: Number, y: Number, *, size: Number = 13, **attributes: Number | str
) -> None:
    """A line of text with a rim in the colour of the paper, so that lines behind it do not disturb."""
    rim: dict[str, Number | str] = {
        "stroke": PAPER,
        "stroke_width": 4,
        "stroke_linejoin": "round",
        "fill": PAPER,
    }
    text_of(parent, words, x, y, size=size, **{**attributes, **rim})
    text_of(parent, words, x, y, size=size, **attributes)


def printable(words: str) -> str:
    """A text without the signs that XML does not allow."""
    return "".join(sign if sign.isprintable() else " " for sign in words)


def wide(words: str, size: Number) -> float:
    """How wide a text is, about."""
    return len(words) * size * LETTER


def path(points: Iterable[tuple[float, float]]) -> str:
    """Straight lines from point to point."""
    return "M" + " L".join(f"{number(x)} {number(y)}" for x, y in points)


def cut(words: str, longest: int) -> str:
    """A text cut to at most so many letters."""
    return words if len(words) <= longest else f"{words[: longest - 1].rstrip()}…"
