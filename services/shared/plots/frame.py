"""What plots have in common: where things are on the sheet, heading, axes, legend, numbers in words.

Heights follow from widths; all are in pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from services.shared.plots.sheet import Colour, Sheet, ticks, wrapped

WIDTH = 720
NARROWEST, WIDEST = 240, 1_600


@dataclass(frozen=True, slots=True)
class Plot:
    """Where values and heights are on a sheet.

    Attributes:
        left, right, top, bottom: of its place on the sheet, in pixels.
        low, high: the values at its left and right ends.
        most: the height at its top.
        least: the height at its bottom.
    """

    left: float
    right: float
    top: float
    bottom: float
    low: float
    high: float
    most: float
    least: float = 0.0

    def x(self, value: float) -> float:
        """Where a value is."""
        return self.left + (self.right - self.left) * (value - self.low) / (self.high - self.low)

    def y(self, height: float) -> float:
        """Where a height is."""
        return self.bottom - (self.bottom - self.top) * (height - self.least) / (self.most - self.least)


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


def percent(chance: float) -> str:
    """A chance for people: `13%`, `4.6%`, `<0.1%`."""
    shown = chance * 100
    if shown == 0 or shown >= 9.95:
        return f"{shown:.0f}%"
    return f"{shown:.1f}%" if shown >= 0.095 else "<0.1%"


def level_axis(
    sheet: Sheet, plot: Plot, name: Callable[[float], str], *, shown: Callable[[float], bool] | None = None
) -> None:
    """Draw a line across the plot for each round height, with its name on the left.

    Args:
        sheet: What is drawn on.
        plot: Where heights are.
        name: Names a height.
        shown: Whether a round height has a line; all have when omitted.
    """
    for level in ticks(plot.least, plot.most, 4):
        if shown is None or shown(level):
            y = plot.y(level)
            sheet.line(plot.left, y, plot.right, y, "rule")
            sheet.text(plot.left - 7, y + 4, name(level), size=11, colour="faint", anchor="end")


def value_axis(sheet: Sheet, plot: Plot, values: Sequence[float]) -> None:
    """Write each value below the plot where there is room for all of them, else round numbers."""
    sheet.line(plot.left, plot.bottom, plot.right, plot.bottom, "faint")
    longest = max(len(figure(value)) for value in values)
    all_fit = len(values) * (longest * 7 + 8) <= plot.right - plot.left
    shown = (
        values if all_fit else ticks(plot.low, plot.high, int((plot.right - plot.left) / (longest * 7 + 34)))
    )
    for value in shown:
        sheet.text(plot.x(value), plot.bottom + 18, figure(value), size=12, anchor="middle")
