"""What all pictures of dice have in common: where things are on the sheet, its heading, its legend.

Every picture can be read on light and dark pages, tells its figures in words (`title`, `desc`), and never
tells anything by colour alone. Heights follow from widths; all are in pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from services.dice.odds.svg import Colour, Sheet, wrapped

WIDTH = 720
NARROWEST, WIDEST = 240, 1_600


@dataclass(frozen=True, slots=True)
class Plot:
    """Where values and heights are on a sheet.

    Attributes:
        left, right, top, bottom: of its place on the sheet, in pixels.
        low, high: the values at its left and right ends.
        most: the height at its top.
    """

    left: float
    right: float
    top: float
    bottom: float
    low: float
    high: float
    most: float

    def x(self, value: float) -> float:
        """Where a value is."""
        return self.left + (self.right - self.left) * (value - self.low) / (self.high - self.low)

    def y(self, height: float) -> float:
        """Where a height is."""
        return self.bottom - (self.bottom - self.top) * height / self.most


def sheet_width(width: int) -> int:
    """Returns the width of a sheet, in pixels, for the one that is asked for."""
    return max(NARROWEST, min(WIDEST, width))


def heading(sheet: Sheet, pad: float, title: str, pieces: Sequence[str]) -> float:
    """Writes title and figures; returns where what follows may begin."""
    room = sheet.width - 2 * pad
    sheet.text(pad, pad + 16, title, size=18, bold=True, room=room)
    y = pad + 22
    for line in wrapped(pieces, room, 13):
        y += 18
        sheet.text(pad, y, line, size=13, colour="faint", room=room)
    return y


def legend(sheet: Sheet, pad: float, y: float, pieces: Sequence[tuple[Colour, str]]) -> float:
    """Writes what colours stand for, in as many lines as it takes; returns where what follows may begin."""
    x = pad
    for colour, words in pieces:
        wide = 18 + len(words) * 12 * 0.54 + 14
        if x > pad and x + wide - 14 > sheet.width - pad:
            x, y = pad, y + 19
        if colour == "mark":
            sheet.line(x, y + 6, x + 13, y + 6, colour, thick=2)
        else:
            sheet.bar(x, y, 12, 12, colour, round_by=2)
        sheet.text(x + 18, y + 10.5, words, size=12, colour="faint")
        x += wide
    return y + 24


def figure(value: float) -> str:
    """A number for people: `1,234`, `12.24`."""
    if value % 1 and abs(value) < 10_000:
        return f"{value:,.2f}".rstrip("0").rstrip(".")
    return f"{value:,.0f}"
