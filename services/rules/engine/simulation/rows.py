"""The answer as rows of a table: a row for every figure of every case."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.simulation.report import CaseReport, FigureReport, Interval, Report

COLUMNS = ("case", "runs", "figure", "title", "unit", "value", "low", "high", "error")
DIFFERENCE = ("difference", "difference_low", "difference_high")


def rows(report: Report) -> Iterator[tuple[object, ...]]:
    """Yield the head of the table, then its rows; None where nothing is known."""
    yield (*COLUMNS, *DIFFERENCE)
    for case in report.cases:
        for figure in case.figures:
            yield _row(case, figure)


def _row(case: CaseReport, figure: FigureReport) -> tuple[object, ...]:
    found, more = figure.estimate, figure.difference
    beside: tuple[float | None, ...] = (None, None, None) if more is None else _ends(more)
    known = (case.name, case.runs, figure.name, figure.title, figure.unit)
    return (*known, *_ends(found), found.error, *beside)


def _ends(interval: Interval) -> tuple[float | None, float | None, float | None]:
    return interval.value, interval.low, interval.high
