"""Heat maps: a value for each pair of two others, written into its cell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from services.shared.plots.frame import WIDTH, figure, heading, sheet_width
from services.shared.plots.intervals import Spot
from services.shared.plots.sheet import Sheet

WRITTEN = 34.0
"""Pixels that a cell must be wide for its value to be written into it."""


@dataclass(frozen=True, slots=True)
class Cells:
    """A heat map as it is drawn.

    Attributes:
        title: Stands above.
        notes: Stand below the title.
        columns: Labels from left to right.
        rows: Labels from top to bottom.
        cells: The value of each row's columns.
        across: What the columns are.
        down: What the rows are.
        name: Writes a value.
        whole: The values of the lightest and of the strongest cell; the least and the greatest when omitted.
    """

    title: str
    notes: tuple[str, ...]
    columns: Sequence[str]
    rows: Sequence[str]
    cells: Sequence[Sequence[Spot]]
    across: str
    down: str
    name: Callable[[float], str] = figure
    whole: tuple[float, float] | None = None


def heat_map(shown: Cells, *, width: int = WIDTH) -> str:
    """Draw a heat map; a bar in each cell, as long as its value, tells the same as its colour."""
    sheet = Sheet(sheet_width(width))
    pad = 16 if sheet.width < 480 else 24
    top = heading(sheet, pad, shown.title, shown.notes) + 20
    words = f"{shown.down} ↓, {shown.across} →"
    sheet.text(pad, top + 2, words, size=12, colour="faint", room=sheet.width - 2 * pad)
    longest = max(len(label) for label in shown.rows)
    left = pad + min(longest * 7.2 + 10, sheet.width * 0.34)
    wide = (sheet.width - pad - left) / len(shown.columns)
    _column_labels(sheet, shown, left, wide, top + 24)
    top += 32
    tall = 34
    for place, (label, row) in enumerate(zip(shown.rows, shown.cells, strict=True)):
        y = top + place * tall
        sheet.text(left - 8, y + 21, label, size=12, anchor="end", room=left - pad - 4)
        for at, (column, spot) in enumerate(zip(shown.columns, row, strict=True)):
            said = f"{label}, {column}: {_figures(shown, spot)}"
            _cell(sheet, shown, spot, said, left + at * wide, y, wide)
    said = "; ".join(
        f"{label}: "
        + ", ".join(
            f"{column} {shown.name(spot.value)}" for column, spot in zip(shown.columns, row, strict=True)
        )
        for label, row in zip(shown.rows, shown.cells, strict=True)
    )
    description = f"{', '.join(shown.notes)}. Rows: {shown.down}; columns: {shown.across}. {said}."
    return sheet.done(top + tall * len(shown.rows) + 16, shown.title, description)


def _column_labels(sheet: Sheet, shown: Cells, left: float, wide: float, y: float) -> None:
    room = max(wide - 4, 8)
    for at, label in enumerate(shown.columns):
        sheet.text(left + (at + 0.5) * wide, y, label, size=12, anchor="middle", room=room)


def _cell(sheet: Sheet, shown: Cells, spot: Spot, said: str, x: float, y: float, wide: float) -> None:
    values = [each.value for row in shown.cells for each in row]
    low, high = shown.whole or (min(values), max(values))
    part = min(1.0, max(0.0, (spot.value - low) / (high - low))) if high > low else 0.0
    sheet.bar(x + 1, y + 1, wide - 2, 32, "bar", round_by=3, said=said, strength=0.08 + 0.72 * part)
    sheet.bar(x + 3, y + 27, max((wide - 6) * part, 0.5), 3, "ink", round_by=1.5)
    if wide >= WRITTEN:
        sheet.text(x + wide / 2, y + 20, shown.name(spot.value), size=12, anchor="middle", bold=True)


def _figures(shown: Cells, spot: Spot) -> str:
    if spot.low is None or spot.high is None:
        return shown.name(spot.value)
    return f"{shown.name(spot.value)} [{shown.name(spot.low)}, {shown.name(spot.high)}]"
