"""The answer as rows of a table: a row for every figure of every case, and behind it one for each round of
each scene where it is told by round.
"""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.simulation.report import (
    CaseReport,
    FigureReport,
    Interval,
    Report,
    RoundEstimate,
)

COLUMNS = ("case", "runs", "figure", "title", "unit", "value", "low", "high", "error")
DIFFERENCE = ("difference", "difference_low", "difference_high")
BY_ROUND = ("scene", "round")
"""Of a row that tells of a round: which scene of the day, from 0, and which round of it, from 1."""


def rows(report: Report) -> Iterator[tuple[object, ...]]:
    """Yield the head of the table, then its rows; None where nothing is known."""
    yield (*COLUMNS, *DIFFERENCE, *BY_ROUND)
    for case in report.cases:
        for figure in case.figures:
            yield _row(case, figure)
            for at in figure.rounds:
                told = (case.name, at.runs, figure.name, figure.title, figure.unit)
                yield (*told, *_ends(at), at.error, None, None, None, at.scene, at.round)


def _row(case: CaseReport, figure: FigureReport) -> tuple[object, ...]:
    found, more = figure.estimate, figure.difference
    beside: tuple[float | None, ...] = (None, None, None) if more is None else _ends(more)
    known = (case.name, case.runs, figure.name, figure.title, figure.unit)
    return (*known, *_ends(found), found.error, *beside, None, None)


def _ends(interval: Interval | RoundEstimate) -> tuple[float | None, float | None, float | None]:
    return interval.value, interval.low, interval.high
