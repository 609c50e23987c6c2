"""Values with their intervals, one below the other: shares, means, differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from services.shared.plots.frame import WIDTH, Plot, figure, heading, legend, sheet_width
from services.shared.plots.sheet import Colour, Sheet, clipped, ticks

ROW = 44
"""Pixels that a row is high."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A value with its interval.

    Attributes:
        label: What it is of.
        value: The value.
        low: Lower end of its interval; None where it is not known.
        high: Upper end.
    """

    label: str
    value: float
    low: float | None
    high: float | None

    @property
    def ends(self) -> tuple[float, float]:
        """Return the ends of the interval; the value itself where they are not known."""
        return (
            self.value if self.low is None else self.low,
            self.value if self.high is None else self.high,
        )


@dataclass(frozen=True, slots=True)
class Intervals:
    """Values with their intervals as they are drawn.

    Attributes:
        title: Stands above.
        notes: Stand below the title.
        spots: The values, in order.
        name: Writes a value.
        whole: Both ends of the axis; as wide as the intervals when omitted.
        differences: Whether they are differences: a line at 0, and a mark on those whose
            interval leaves it out.
    """

    title: str
    notes: tuple[str, ...]
    spots: Sequence[Spot]
    name: Callable[[float], str] = figure
    whole: tuple[float, float] | None = None
    differences: bool = False


def intervals_chart(shown: Intervals, *, width: int = WIDTH) -> str:
    """Draw each value as a dot on its interval, with its label and figures above."""
    sheet = Sheet(sheet_width(width))
    pad = 16 if sheet.width < 480 else 24
    top = heading(sheet, pad, shown.title, shown.notes) + 14
    low, high = shown.whole or reach(shown.spots, shown.differences)
    bottom = top + ROW * len(shown.spots)
    plot = Plot(pad + 8, sheet.width - pad - 8, top, bottom, low, high, 1)
    for value in ticks(low, high, max(2, sheet.width // 110)):
        x = plot.x(value)
        sheet.line(x, top + 4, x, bottom, "rule")
        sheet.text(x, bottom + 17, shown.name(value), size=11, colour="faint", anchor="middle")
    if shown.differences:
        sheet.line(plot.x(0), top + 4, plot.x(0), bottom, "ink", thick=1.5, dash="4 3")
    for place, spot in enumerate(shown.spots):
        _row(sheet, plot, shown, spot, top + ROW * place)
    end = bottom + 34
    if shown.differences:
        pieces: list[tuple[Colour, str]] = [
            ("bar", "▲▼ certain to 95 %"),
            ("tail", "may be no difference"),
        ]
        end = legend(sheet, pad, end, pieces)
    said = "; ".join(f"{spot.label}: {_figures(shown, spot)}" for spot in shown.spots)
    return sheet.done(end, shown.title, " ".join((f"{', '.join(shown.notes)}.", f"{said}.")))


def reach(spots: Sequence[Spot], from_zero: bool = False) -> tuple[float, float]:
    """Return two values between which all intervals lie, and 0 where it is asked for, with some room."""
    ends = [end for spot in spots for end in spot.ends] + ([0.0] if from_zero else [])
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    room = (high - low) * 0.06 or max(abs(high), 1.0) * 0.06
    return low - room, high + room


def _row(sheet: Sheet, plot: Plot, shown: Intervals, spot: Spot, top: float) -> None:
    low, high = spot.ends
    certain = shown.differences and spot.low is not None and (low > 0 or high < 0)
    mark = ("▲ " if spot.value > 0 else "▼ ") if certain else ""
    words = f"{mark}{_figures(shown, spot)}"
    colour: Colour = "tail" if shown.differences and not certain else "bar"
    used = len(words) * 12 * 0.56 + 12
    y = top + 33
    room = plot.right - plot.left + 16 - used
    sheet.text(plot.left - 8, top + 20, clipped(spot.label, room, 13), size=13, bold=True, halo=True)
    sheet.text(plot.right + 8, top + 20, words, size=12, colour="mark", anchor="end", halo=True)
    left, right = plot.x(max(low, plot.low)), plot.x(min(high, plot.high))
    sheet.bar(left, y - 3, right - left, 6, "band", round_by=3)
    for x in (left, right):
        sheet.line(x, y - 6, x, y + 6, "mark", thick=1.5)
    x = plot.x(min(max(spot.value, plot.low), plot.high))
    sheet.bar(x - 5, y - 5, 10, 10, colour, round_by=5, said=f"{spot.label}: {_figures(shown, spot)}")


def _figures(shown: Intervals, spot: Spot) -> str:
    if spot.low is None or spot.high is None:
        return shown.name(spot.value)
    return f"{shown.name(spot.value)} [{shown.name(spot.low)}, {shown.name(spot.high)}]"
