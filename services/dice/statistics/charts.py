"""Pictures of counts.

fairness_chart   how often each face came, beside how often it should have
luck_chart       where totals stood among all that could have come
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt

from services.dice.odds.plot import WIDTH, Plot, figure, heading, legend, sheet_width
from services.dice.odds.svg import Colour, Sheet, ticks

NINETEEN_OF_TWENTY = 1.96
"""Deviations within which nineteen of twenty counts lie."""


def fairness_chart(
    title: str, expected: float, counts: Sequence[tuple[str, int]], *, width: int = WIDTH
) -> str:
    """Bars of how often each face came, beside the band in which nineteen of twenty fair counts lie.

    Args:
        title: Which die.
        expected: How often each face was to be expected.
        counts: Label and count of each face.
        width: In pixels.
    """
    total = sum(count for _, count in counts)
    share = 1 / max(1, len(counts))
    notes = (f"{total:,} rolled", f"{figure(expected)} of each face expected")
    labels = [label for label, _ in counts]
    return _counted(
        title, notes, labels, [count for _, count in counts], expected, total * share * (1 - share), width
    )


def luck_chart(title: str, percentiles: Sequence[float], *, width: int = WIDTH) -> str:
    """Bars of how many rolls stood in each part of all that could have come, lowest first.

    Args:
        title: Stands above.
        percentiles: Rolls in each part; the parts are equally likely.
        width: In pixels.
    """
    total = sum(percentiles)
    parts = max(1, len(percentiles))
    labels = [f"{100 * place // parts}–{100 * (place + 1) // parts}%" for place in range(parts)]
    notes = (f"{figure(total)} rolls by where they stood", "low totals left, high ones right")
    return _counted(title, notes, labels, percentiles, total / parts, total / parts * (1 - 1 / parts), width)


def _counted(
    title: str,
    notes: Sequence[str],
    labels: Sequence[str],
    counts: Sequence[float],
    expected: float,
    variance: float,
    width: int,
) -> str:
    """Bars of counts beside what was expected of each, and the band in which nineteen of twenty lie."""
    sheet = Sheet(sheet_width(width))
    pad = 16 if sheet.width < 480 else 24
    head = heading(sheet, pad, title, notes)
    reach = NINETEEN_OF_TWENTY * sqrt(max(0.0, variance))
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
    for level in ticks(0, plot.most, 4):
        if level % 1 == 0:
            sheet.line(plot.left, plot.y(level), plot.right, plot.y(level), "rule")
            sheet.text(plot.left - 7, plot.y(level) + 4, figure(level), size=11, colour="faint", anchor="end")
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
