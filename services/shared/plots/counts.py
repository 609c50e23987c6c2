"""Counts beside those that were to be expected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt

from services.shared.plots.frame import WIDTH, Plot, figure, heading, legend, level_axis, sheet_width
from services.shared.plots.sheet import Colour, Sheet

NINETEEN_OF_TWENTY = 1.96
"""Deviations within which nineteen of twenty counts lie."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts as they are drawn.

    Attributes:
        title: Stands above.
        notes: Stand below the title.
        rows: Label and count of each row, in order.
        expected: What each count was to be.
        variance: Of a count.
    """

    title: str
    notes: tuple[str, ...]
    rows: Sequence[tuple[str, float]]
    expected: float
    variance: float


def counts_chart(counted: Counts, *, width: int = WIDTH) -> str:
    """Bars of counts beside what was expected of each, and the band in which nineteen of twenty lie."""
    title, notes, expected = counted.title, counted.notes, counted.expected
    labels = [label for label, _ in counted.rows]
    counts = [count for _, count in counted.rows]
    sheet = Sheet(sheet_width(width))
    pad = 16 if sheet.width < 480 else 24
    head = heading(sheet, pad, title, notes)
    reach = NINETEEN_OF_TWENTY * sqrt(max(0.0, counted.variance))
    plot = Plot(
        left=pad + 34,
        right=sheet.width - pad,
        top=head + 26,
        bottom=head + 26 + max(130, round(sheet.width * 0.34)),
        low=-0.5,
        high=max(1, len(counts)) - 0.5,
        most=max([expected + reach, *counts, 1]) * 1.06,
    )
    high, low = plot.y(min(plot.most, expected + reach)), plot.y(max(0.0, expected - reach))
    sheet.bar(plot.left, high, plot.right - plot.left, low - high, "band")
    level_axis(sheet, plot, figure, shown=lambda level: level % 1 == 0)
    wide = plot.x(1) - plot.x(0)
    thick = wide * (0.62 if wide > 6 else 0.9)
    longest = max([len(label) for label in labels], default=1)
    every = max(1, ceil((min(longest, 8) * 7 + 8) / wide))
    rows = [
        (plot.x(place), label, count) for place, (label, count) in enumerate(zip(labels, counts, strict=True))
    ]
    for x, label, count in rows:
        colour: Colour = "odd" if abs(count - expected) > reach else "bar"
        top = plot.y(count)
        said = f"{label}: {figure(count)}"
        sheet.bar(x - thick / 2, top, thick, plot.bottom - top, colour, round_by=1.5, said=said)
    sheet.line(plot.left, plot.bottom, plot.right, plot.bottom, "faint")
    sheet.line(plot.left, plot.y(expected), plot.right, plot.y(expected), "mark", thick=1.8, dash="5 4")
    for place, (x, label, count) in enumerate(rows):
        mark = "▲" if count > expected + reach else "▼" if count < expected - reach else ""
        shown = f"{mark} {figure(count)}".strip() if wide >= 24 else mark
        if shown:
            sheet.text(x, plot.y(count) - 5, shown, size=11, colour="faint", anchor="middle", halo=True)
        if place % every == 0:
            sheet.text(x, plot.bottom + 18, label, size=12, anchor="middle", room=max(wide * every, 24))
    bottom = legend(
        sheet,
        pad,
        plot.bottom + 34,
        [
            ("mark", f"expected {figure(expected)}"),
            ("band", "19 of 20 fair counts"),
            ("odd", "outside of it"),
        ],
    )
    listed = ", ".join(f"{label}: {figure(count)}" for label, count in zip(labels, counts, strict=True))
    description = (
        f"{', '.join(notes)}; fair counts lie within {figure(reach)} of it 19 times in 20. {listed}."
    )
    return sheet.done(bottom + 4, title, description)
