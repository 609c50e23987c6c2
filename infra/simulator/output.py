"""The answer as a table to read, as JSON, CSV and SVG."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

from services.campaign.simulations.plots import PlotRequest, draw
from services.rules.engine.simulation.report import REPORT_CODEC, FigureReport, Report
from services.rules.engine.simulation.request import SimulationRequest
from services.rules.engine.simulation.rows import rows


def table(report: Report, *, everything: bool = False) -> Iterator[str]:
    """Yield the lines of a table.

    Args:
        report: the answer.
        everything: whether actors have lines of their own beside the sides and the scene.
    """
    for case in report.cases:
        yield f"{case.name or 'the opening'}: {case.runs} runs"
        for grade in case.danger:
            yield f"  scene {grade.scene + 1}, by the book {grade.name}: {grade.text}"
        shown = [each for each in case.figures if everything or "@actor:" not in each.name]
        width = max((len(each.title) for each in shown), default=0)
        for figure in shown:
            yield f"  {figure.title:<{width}}  {_estimate(figure)}{_difference(figure)}"
        yield "  " + ", ".join(
            f"{run.what} run {run.number} ({case.ordered_by} {run.value})" for run in case.notable
        )


def _estimate(figure: FigureReport) -> str:
    found = figure.estimate
    if figure.share:
        return f"{found.value:7.2%}  [{_end(found.low, '.2%')}, {_end(found.high, '.2%')}]"
    middle = f"  median {figure.quantiles[2]}" if figure.quantiles else ""
    return f"{found.value:7.2f}  [{_end(found.low, '.2f')}, {_end(found.high, '.2f')}]{middle}"


def _difference(figure: FigureReport) -> str:
    found = figure.difference
    if found is None:
        return ""
    form = "+.2%" if figure.share else "+.2f"
    return f"  {found.value:{form}} [{_end(found.low, form)}, {_end(found.high, form)}]"


def _end(value: float | None, form: str) -> str:
    return "?" if value is None else format(value, form)


def running(report: Report, wanted: str | None = None) -> str:
    """Return what is known so far of one figure of the opening, in a line: the wanted one, or the first."""
    figures = report.cases[0].figures
    shown = next((each for each in figures if each.name == wanted), figures[0] if figures else None)
    return "" if shown is None else f"{shown.title} {_estimate(shown).strip()}"


def write_svg(report: Report, request: SimulationRequest, asked: PlotRequest, file: Path) -> None:
    """Write the answer as a picture.

    Raises:
        NoPlot: The answer has no such figure or case.
    """
    file.write_text(draw(report, request, asked), "utf-8")


def write_json(report: Report, file: Path) -> None:
    """Write the answer as JSON, in its published form."""
    file.write_text(json.dumps(REPORT_CODEC.dump(report), indent=1) + "\n")


def write_csv(report: Report, file: Path) -> None:
    """Write every figure of every case as a line of CSV."""
    with file.open("w", newline="", encoding="utf-8") as target:
        csv.writer(target).writerows(rows(report))
