"""How dice fell, as pictures: each face beside how often it should have come, and where totals stood."""

from __future__ import annotations

from collections.abc import Sequence

from services.shared.plots.counts import Counts, counts_chart
from services.shared.plots.frame import WIDTH, figure


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
    return counts_chart(Counts(title, notes, counts, expected, total * share * (1 - share)), width=width)


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
    rows = [*zip(labels, percentiles, strict=True)]
    variance = total / parts * (1 - 1 / parts)
    return counts_chart(Counts(title, notes, rows, total / parts, variance), width=width)
