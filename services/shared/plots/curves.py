"""Several curves on one plot, each point with its interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from services.shared.plots.frame import (
    WIDTH,
    Plot,
    figure,
    heading,
    legend,
    level_axis,
    sheet_width,
    value_axis,
)
from services.shared.plots.intervals import Spot, reach
from services.shared.plots.sheet import Colour, Sheet

COLOURS: tuple[Colour, ...] = ("bar", "mark", "first", "third", "fourth", "second")
"""Of the curves, in order; the seventh has the first again."""

DASHES = ("", "7 4", "2 4", "9 3 2 3", "4 4", "12 4")
"""Each curve is dashed in a way of its own, so that colour is not all that tells them apart."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve.

    Attributes:
        name: What it is of.
        points: Each value from left to right, with what the curve has there.
    """

    name: str
    points: Sequence[tuple[float, Spot]]


@dataclass(frozen=True, slots=True)
class Curves:
    """Curves as they are drawn.

    Attributes:
        title: Stands above.
        notes: Stand below the title.
        curves: The curves, at least one point in all.
        name: Writes a height.
        whole: Heights at the bottom and at the top; as far as the intervals reach when omitted.
        across: What the values from left to right are.
    """

    title: str
    notes: tuple[str, ...]
    curves: Sequence[Curve]
    name: Callable[[float], str] = figure
    whole: tuple[float, float] | None = None
    across: str = ""


def curves_chart(shown: Curves, *, width: int = WIDTH) -> str:
    """Draw curves; the interval of each point is a line with ends."""
    sheet = Sheet(sheet_width(width))
    pad = 16 if sheet.width < 480 else 24
    top = heading(sheet, pad, shown.title, shown.notes) + 18
    points = [point for curve in shown.curves for point in curve.points]
    values = sorted({value for value, _ in points})
    least, most = shown.whole or reach([spot for _, spot in points])
    room = (values[-1] - values[0]) * 0.05 or 0.5
    longest = max(len(shown.name(level)) for level in (least, most, (least + most) / 2))
    plot = Plot(
        left=pad + 12 + longest * 7,
        right=sheet.width - pad,
        top=top,
        bottom=top + max(150, round(sheet.width * 0.42)),
        low=values[0] - room,
        high=values[-1] + room,
        most=most,
        least=least,
    )
    level_axis(sheet, plot, shown.name)
    value_axis(sheet, plot, values)
    for place, curve in enumerate(shown.curves):
        _curve(sheet, plot, shown, curve, place)
    bottom = plot.bottom + 34
    if shown.across:
        sheet.text(plot.right, bottom + 2, shown.across, size=12, colour="faint", anchor="end")
        bottom += 18
    if len(shown.curves) > 1:
        pieces = [(_colour(place), curve.name) for place, curve in enumerate(shown.curves)]
        bottom = legend(sheet, pad, bottom, pieces)
    said = "; ".join(
        f"{curve.name}: " + ", ".join(f"{spot.label} {shown.name(spot.value)}" for _, spot in curve.points)
        for curve in shown.curves
    )
    return sheet.done(bottom + 4, shown.title, f"{', '.join(shown.notes)}. {said}.")


def _colour(place: int) -> Colour:
    return COLOURS[place % len(COLOURS)]


def _curve(sheet: Sheet, plot: Plot, shown: Curves, curve: Curve, place: int) -> None:
    colour = _colour(place)
    # Curves beside one another are set apart by a pixel or two, so that their intervals can be told.
    aside = (place - (len(shown.curves) - 1) / 2) * 3
    spots = [(plot.x(value) + aside, spot) for value, spot in curve.points]
    heights = [(x, _within(plot, spot.value)) for x, spot in spots]
    for before, after in pairwise(heights):
        sheet.line(*before, *after, colour, thick=1.8, dash=DASHES[place % len(DASHES)])
    for x, spot in spots:
        low, high = (_within(plot, end) for end in spot.ends)
        sheet.line(x, low, x, high, colour, thick=1.2)
        for end in (low, high):
            sheet.line(x - 3, end, x + 3, end, colour, thick=1.2)
        y = _within(plot, spot.value)
        said = f"{curve.name}, {spot.label}: {shown.name(spot.value)}"
        sheet.bar(x - 3, y - 3, 6, 6, colour, round_by=3, said=said)


def _within(plot: Plot, height: float) -> float:
    return plot.y(min(max(height, plot.least), plot.most))
