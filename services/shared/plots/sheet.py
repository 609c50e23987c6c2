"""A sheet to draw on: SVG text that needs nothing beside it.

Colours are classes, of which each has a value for light and for dark surroundings; a sheet has a ground of
its own in both. Positions are in pixels, from the upper left corner.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from math import ceil, floor, isfinite, log10
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

COLOURS: dict[str, tuple[str, str]] = {
    "ground": ("#fcfaf6", "#1d1b20"),
    "ink": ("#2a241e", "#f1ebe3"),
    "faint": ("#6b6156", "#aaa197"),
    "rule": ("#e7e0d4", "#37333b"),
    "bar": ("#bf5a2c", "#ec8f5a"),
    "tail": ("#e0ad90", "#8a543a"),
    "mark": ("#1c6174", "#7fcadb"),
    "band": ("#d5e4e6", "#23404a"),
    "odd": ("#8e2458", "#f58fbb"),
    "first": ("#2e7d5b", "#6fc79f"),
    "second": ("#c39a2b", "#e2c15c"),
    "third": ("#6b5aa0", "#b7a6ea"),
    "fourth": ("#8e2458", "#f58fbb"),
}
"""Each colour on light and on dark ground."""

Colour = Literal[
    "ground",
    "ink",
    "faint",
    "rule",
    "bar",
    "tail",
    "mark",
    "band",
    "odd",
    "first",
    "second",
    "third",
    "fourth",
]
Anchor = Literal["start", "middle", "end"]

WIDTH_OF_SIGN = 0.56
"""Of a sign of this font on average, in parts of its size; lines are cut by it."""


class Sheet:
    """Something to draw on, from top to bottom.

    Args:
        width: in pixels.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self._parts: list[str] = []

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float = 12,
        colour: Colour = "ink",
        anchor: Anchor = "start",
        bold: bool = False,
        halo: bool = False,
        room: float | None = None,
    ) -> None:
        """Write a line; what does not fit into ``room`` pixels is cut off.

        With a halo it can be read on top of anything.
        """
        shown = words if room is None else clipped(words, room, size)
        weight = ' font-weight="600"' if bold else ""
        at = "" if anchor == "start" else f' text-anchor="{anchor}"'
        names = f"hf-{colour} hf-halo" if halo else f"hf-{colour}"
        self._parts.append(
            f'<text class="{names}" x="{number(x)}" y="{number(y)}" font-size="{number(size)}"'
            f"{at}{weight}>{escaped(shown)}</text>"
        )

    def bar(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        colour: Colour,
        *,
        round_by: float = 0,
        said: str = "",
        strength: float = 1,
    ) -> None:
        """Fill a rectangle; ``said`` is shown under the pointer, ``strength`` is from 0 to 1."""
        faded = "" if strength == 1 else f' fill-opacity="{number(strength)}"'
        corner = f' rx="{number(round_by)}"' if round_by else ""
        told = f"<title>{escaped(said)}</title>" if said else ""
        self._parts.append(
            f'<rect class="hf-{colour}" x="{number(x)}" y="{number(y)}" width="{number(width)}" '
            f'height="{number(max(height, 0))}"{corner}{faded}>{told}</rect>'
        )

    def line(
        self, x1: float, y1: float, x2: float, y2: float, colour: Colour, *, thick: float = 1, dash: str = ""
    ) -> None:
        """Draw a straight line."""
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(
            f'<path class="hf-{colour}-line" d="M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}" '
            f'stroke-width="{number(thick)}"{dashed}/>'
        )

    def stroke(self, points: Iterable[tuple[float, float]], colour: Colour, *, thick: float = 2) -> None:
        """Draw a line through points."""
        self._parts.append(
            f'<path class="hf-{colour}-line" d="{_path(points)}" stroke-width="{number(thick)}" '
            'stroke-linejoin="round"/>'
        )

    def area(self, points: Iterable[tuple[float, float]], colour: Colour) -> None:
        """Fill what lies within points."""
        self._parts.append(f'<path class="hf-{colour}" d="{_path(points)}Z"/>')

    def done(self, height: float, title: str, description: str) -> str:
        """Returns the picture.

        Args:
            height: in pixels.
            title: what it shows, in a few words.
            description: the same in sentences, with the figures.
        """
        # Several pictures may stand in one page: their words are found by ids that differ.
        mark = sha256(f"{self.width}\n{title}\n{description}".encode()).hexdigest()[:12]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {number(height)}" '
            f'width="{self.width}" height="{number(height)}" role="img" '
            f'aria-labelledby="t{mark} d{mark}" font-family={quoteattr(FONT)}>'
            f'<title id="t{mark}">{escaped(title)}</title><desc id="d{mark}">{escaped(description)}</desc>'
            f"<style>{_STYLE}</style>"
            f'<rect class="hf-ground" width="{self.width}" height="{number(height)}" rx="10"/>'
            f"{''.join(self._parts)}</svg>\n"
        )


def clipped(words: str, room: float, size: float) -> str:
    """A line that fits into so many pixels."""
    most = max(1, int(room / (size * WIDTH_OF_SIGN)))
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"


def wrapped(pieces: Iterable[str], room: float, size: float, between: str = " · ") -> list[str]:
    """Pieces as lines that fit into so many pixels each."""
    lines: list[str] = []
    for piece in pieces:
        longer = f"{lines[-1]}{between}{piece}" if lines else ""
        if lines and len(longer) * size * WIDTH_OF_SIGN <= room:
            lines[-1] = longer
        else:
            lines.append(piece)
    return lines


def ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers from one number to another, about so many."""
    span = high - low
    if span <= 0 or not isfinite(span):
        return [low]
    rough = span / max(1, most)
    size = 10.0 ** floor(log10(rough))
    step = next(size * factor for factor in (1, 2, 2.5, 5, 10) if size * factor >= rough * 0.999)
    return [
        round(place * step, 12) for place in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)
    ]


def number(value: float) -> str:
    """A number as coordinates have it: two decimals, no needless ones."""
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"


def escaped(words: str) -> str:
    """Words that mean nothing to XML; signs that XML cannot hold, or that hide others, become blanks."""
    return escape("".join(sign if sign.isprintable() else " " for sign in words))


def _path(points: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)


def _rules(shade: int) -> str:
    colours = "".join(
        f".hf-{name}{{fill:{values[shade]}}}.hf-{name}-line{{fill:none;stroke:{values[shade]}}}"
        for name, values in COLOURS.items()
    )
    return f"{colours}.hf-halo{{stroke:{COLOURS['ground'][shade]}}}"


_HALO = ".hf-halo{paint-order:stroke;stroke-width:3px;stroke-linejoin:round}"
_STYLE = f"{_HALO}{_rules(0)}@media (prefers-color-scheme:dark){{{_rules(1)}}}"
