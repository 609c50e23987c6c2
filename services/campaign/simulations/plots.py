"""Answers of simulations as pictures.

SHARES        shares with their intervals: of one case, or of one figure in every case
HISTOGRAM     how often each value of a figure came, and at least each value
ROUNDS        a figure at the end of each round, side by side; the scenes of a day one behind another
SWEEP         a figure along the values that were swept: curves of one, a heat map of two
DIFFERENCES   what each variant changes about a figure, with its interval
WORTH         the same of one more of each number
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import accumulate
from math import sqrt

from services.rules.engine.simulation.cases import BASE
from services.rules.engine.simulation.figures import scene_key
from services.rules.engine.simulation.names import value_names
from services.rules.engine.simulation.report import (
    CaseReport,
    FigureReport,
    Interval,
    Report,
    RoundEstimate,
)
from services.rules.engine.simulation.request import Axis, SimulationRequest
from services.shared.plots.cells import Cells, heat_map
from services.shared.plots.curves import Curve, Curves, curves_chart
from services.shared.plots.frame import WIDTH, figure, percent
from services.shared.plots.intervals import Intervals, Spot, intervals_chart
from services.shared.plots.spreads import Spread, distribution_chart

WON = "won"
LABEL = 40
"""Signs of a swept value that are shown."""


class SimulationPlot(Enum):
    """What a picture of a simulation shows.

    Attributes:
        SHARES: Shares with their intervals: of one case, or of one figure in every case.
        HISTOGRAM: How often each value of a figure came, and at least each value.
        ROUNDS: A figure at the end of each round: how many still stand, say; the scenes of a day one behind
            another, or one of them.
        SWEEP: A figure along the values that were swept: curves of one value, a heat map of two.
        DIFFERENCES: What each variant changes about a figure, with its interval.
        WORTH: What one more of each number changes about a figure, with its interval.
    """

    SHARES = "shares"
    HISTOGRAM = "histogram"
    ROUNDS = "rounds"
    SWEEP = "sweep"
    DIFFERENCES = "differences"
    WORTH = "worth"


@dataclass(frozen=True, slots=True)
class PlotRequest:
    """Which picture of a simulation is asked for.

    Attributes:
        plot: What it shows; None for what suits the question.
        figure: Name of the figure (`won@side:heroes`), or its key (`won`), which means every side's; None
            for what suits the picture. By round, `#2` behind it means the second scene of the day alone.
        case: Name of the case; empty for the question itself.
        width: In pixels.
    """

    plot: SimulationPlot | None = None
    figure: str | None = None
    case: str = BASE
    width: int = WIDTH


class NoPlot(Exception):
    """A picture that this answer has no figures for.

    Attributes:
        field: Which part of the request cannot be met: `plot`, `figure` or `case`.
        found: What was asked for.
        allowed: What there is.
    """

    def __init__(self, message: str, field: str, found: str, allowed: Sequence[str]) -> None:
        super().__init__(message)
        self.field = field
        self.found = found
        self.allowed = tuple(allowed)


def draw(report: Report, request: SimulationRequest, asked: PlotRequest) -> str:
    """Draw an answer as an SVG picture. The same answer has the same picture.

    Args:
        report: The answer, of one run at least.
        request: What was asked.
        asked: Which picture.

    Raises:
        NoPlot: The answer has no such case or figure, or the question asked for nothing of the kind.
    """
    plots = _plots(report, request)
    kind = asked.plot or plots[0]
    if kind not in plots:
        message = "The question asked for nothing that this picture shows."
        raise NoPlot(message, "plot", kind.name, [each.name for each in plots])
    return _DRAWN[kind](report, request, asked)


def _plots(report: Report, request: SimulationRequest) -> list[SimulationPlot]:
    """Return the pictures that a question has, the one that suits it best first."""
    figures = report.cases[0].figures
    there = (
        (SimulationPlot.SWEEP, bool(request.sweep)),
        (SimulationPlot.DIFFERENCES, bool(request.variants)),
        (SimulationPlot.WORTH, bool(request.worth)),
        (SimulationPlot.SHARES, True),
        (SimulationPlot.HISTOGRAM, any(each.histogram for each in figures)),
        (SimulationPlot.ROUNDS, any(each.rounds for each in figures)),
    )
    return [plot for plot, known in there if known]


# What is shown


def _case(report: Report, asked: PlotRequest) -> CaseReport:
    for case in report.cases:
        if case.name == asked.case:
            return case
    names = [case.name for case in report.cases if case.name]
    raise NoPlot("The simulation has no case of this name.", "case", asked.case, names)


def _figures(
    case: CaseReport, asked: PlotRequest, usual: str, fits: Callable[[FigureReport], bool]
) -> list[FigureReport]:
    """Return the figures that are asked for: the one of the name, or every side's of the key."""
    known = [each for each in case.figures if fits(each)]
    wanted = usual if asked.figure is None else asked.figure
    named = [each for each in known if each.name == wanted]
    of_key = [each for each in known if each.figure == wanted]
    sides = [each for each in of_key if "@actor:" not in each.name and "#" not in each.name]
    found = named or sides or of_key
    if not found and asked.figure is None:
        found = [each for each in known if each.figure == known[0].figure and "@actor:" not in each.name]
    if not found:
        raise NoPlot(
            "The answer has no such figure that can be drawn in this way.",
            "figure",
            wanted,
            [each.name for each in known],
        )
    return found


def _anything(_: FigureReport) -> bool:
    return True


def _in_case(case: CaseReport, name: str) -> FigureReport | None:
    """Return the figure of this name; a case in which the actor does not take part has none."""
    return next((each for each in case.figures if each.name == name), None)


def _spot(label: str, found: Interval | RoundEstimate) -> Spot:
    return Spot(label, found.value, found.low, found.high)


def _percent(share: float) -> str:
    return f"-{percent(-share)}" if share < 0 else percent(share)


def _points(share: float) -> str:
    """Write a difference of two shares in points of per cent."""
    points = round(share * 100, 1)
    return f"{points:+.1f}" if points else "0"


def _amount(value: float) -> str:
    return figure(round(value, 2) + 0.0)


def _difference(value: float) -> str:
    return f"+{_amount(value)}" if value > 0 else _amount(value)


def _name(shown: FigureReport) -> Callable[[float], str]:
    return _percent if shown.share else _amount


def _whole(shown: FigureReport) -> tuple[float, float] | None:
    return (0.0, 1.0) if shown.share else None


def _title(shown: FigureReport, case: str = BASE) -> str:
    told = shown.share or shown.unit.lower() in shown.title.lower()
    words = shown.title if told else f"{shown.title} ({shown.unit})"
    return f"{words}: {case}" if case else words


def _subject(shown: FigureReport) -> str:
    """Return whose a figure is; of the scene's own, what it is."""
    return shown.title.partition(", ")[2] or shown.title


def _heading(found: Sequence[FigureReport]) -> str:
    """Return the title of figures that are shown together."""
    first = found[0]
    return _title(first) if len(found) == 1 else first.title.partition(",")[0]


def _heading_of_cases(found: Sequence[FigureReport]) -> str:
    """Return the title of one figure in several cases: whose it is by id, where the cases cast it anew."""
    if len({each.title for each in found}) == 1:
        return _heading(found[:1])
    return f"{_heading(found)}, {found[0].name.rpartition(':')[2]}"


def _notes(case: CaseReport, *more: str) -> tuple[str, ...]:
    return (f"{case.runs:,} runs", "95 % intervals", *more)


def _place(pointer: str) -> str:
    """Return what a pointer leads to in a word: the last of its steps that is a name."""
    steps = [step for step in pointer.split("/") if step and not step.isdigit()]
    return steps[-1] if steps else pointer


def _labels(axis: Axis) -> list[str]:
    """Return the names of an axis' values, of content ids their last words, as far as there is room."""
    words = (name.rpartition("/")[2] or name for name in value_names(axis))
    return [each if len(each) <= LABEL else f"{each[: LABEL - 1]}…" for each in words]


# Pictures


def _shares(report: Report, _: SimulationRequest, asked: PlotRequest) -> str:
    case = _case(report, asked)
    found = _figures(case, asked, WON, lambda each: each.share)
    if len(found) == 1 and asked.figure is not None and not asked.case and len(report.cases) > 1:
        pairs = [(each.name, shown) for each in report.cases if (shown := _in_case(each, found[0].name))]
        spots = [_spot(name or "the opening", shown.estimate) for name, shown in pairs]
        heading = _heading_of_cases([shown for _, shown in pairs])
    else:
        spots = [_spot(_subject(each), each.estimate) for each in found]
        heading = _heading(found)
    title = heading if not case.name else f"{heading}: {case.name}"
    return intervals_chart(
        Intervals(title, _notes(case), spots, name=percent, whole=(0.0, 1.0)), width=asked.width
    )


def _histogram(report: Report, _: SimulationRequest, asked: PlotRequest) -> str:
    case = _case(report, asked)
    shown = _figures(case, asked, case.ordered_by, lambda each: bool(each.histogram))[0]
    total = sum(bar.runs for bar in shown.histogram)
    up_to = [0, *accumulate(bar.runs for bar in shown.histogram)]
    chances = [
        ((bar.least + bar.most) / 2, bar.runs / total, 1 - before / total)
        for bar, before in zip(shown.histogram, up_to, strict=False)
    ]
    low, middle, high = shown.quantiles[1:4]
    title = _title(shown, case.name)
    found = shown.estimate
    error = "" if found.low is None else f", mean within {_amount(found.low)} to {_amount(found.high or 0)}"
    spread = Spread(
        name=title,
        chances=chances,
        mean=found.value,
        deviation=(found.error or 0.0) * sqrt(case.runs),
        quartiles=(low, middle, high),
        note=f"{case.runs:,} runs{error} (95 % interval)",
        title=title,
        rolls="runs",
    )
    return distribution_chart(spread, width=asked.width)


def _rounds(report: Report, _: SimulationRequest, asked: PlotRequest) -> str:
    case = _case(report, asked)
    name, *places = (asked.figure or "").split("#")
    scene = places[0] if places else ""
    of_all = replace(asked, figure=name or None)
    found = _figures(case, of_all, "standing", lambda each: bool(each.rounds))
    known = {value.scene for each in found for value in each.rounds}
    wanted = {at for at in known if not scene or scene == str(at + 1)}
    if not wanted:
        raise NoPlot(
            "The answer tells of no rounds of this scene.",
            "figure",
            asked.figure or "",
            [scene_key(each.name, at) for each in found for at in sorted(known)],
        )
    starts = _starts(found, wanted)
    curves = [Curve(_subject(each), _by_round(each, starts)) for each in found]
    heading = f"{_heading(found)} after each round" + (f", scene {scene}" if scene else "")
    title = f"{heading}: {case.name}" if case.name else heading
    later = (f"scene {at + 1} from {start + 1} on" for at, start in starts.items() if start)
    shown = Curves(title, _notes(case, *later), curves, _name(found[0]), _whole(found[0]), "round")
    return curves_chart(shown, width=asked.width)


def _starts(found: Sequence[FigureReport], scenes: Collection[int]) -> dict[int, int]:
    """Return how many rounds lie before each of these scenes, the longest of each behind one another."""
    starts: dict[int, int] = {}
    before = 0
    for scene in sorted(scenes):
        starts[scene] = before
        before += max(value.round for each in found for value in each.rounds if value.scene == scene)
    return starts


def _by_round(shown: FigureReport, starts: Mapping[int, int]) -> list[tuple[float, Spot]]:
    """Return a figure's points: in each of these scenes, at the end of each round."""
    return [
        (starts[value.scene] + value.round, _spot(_round(value, starts), value))
        for value in shown.rounds
        if value.scene in starts
    ]


def _round(value: RoundEstimate, starts: Mapping[int, int]) -> str:
    named = f"round {value.round}"
    return named if len(starts) == 1 else f"scene {value.scene + 1}, {named}"


def _sweep(report: Report, request: SimulationRequest, asked: PlotRequest) -> str:
    found = _figures(report.cases[0], asked, WON, _anything)
    first = 1 + len(request.variants)
    if len(request.sweep) == 1:
        axis = request.sweep[0]
        return _swept_once(report.cases[first : first + len(axis.values)], axis, found, asked.width)
    down, across = request.sweep
    row = len(across.values)
    cells = [
        [_cell(case, found[0]) for case in report.cases[start : start + row]]
        for start in range(first, first + row * len(down.values), row)
    ]
    shown = Cells(
        title=_title(found[0]),
        notes=_notes(report.cases[0]),
        columns=_labels(across),
        rows=_labels(down),
        cells=cells,
        across=_place(across.pointer),
        down=_place(down.pointer),
        name=_name(found[0]),
        whole=_whole(found[0]),
    )
    return heat_map(shown, width=asked.width)


def _cell(case: CaseReport, wanted: FigureReport) -> Spot:
    shown = _in_case(case, wanted.name)
    return Spot(case.name, 0.0, None, None) if shown is None else _spot(case.name, shown.estimate)


def _swept_once(cases: Sequence[CaseReport], axis: Axis, found: Sequence[FigureReport], width: int) -> str:
    title, notes = _heading(found), _notes(cases[0], f"by {_place(axis.pointer)}")
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in axis.values)
    if not numbers:
        spots = [
            _spot(_beside(label, each, found), shown.estimate)
            for label, case in zip(_labels(axis), cases, strict=True)
            for each in found
            if (shown := _in_case(case, each.name)) is not None
        ]
        rows = Intervals(title, notes, spots, _name(found[0]), _whole(found[0]))
        return intervals_chart(rows, width=width)
    curves = [
        Curve(
            _subject(each),
            [
                (float(value), _spot(label, shown.estimate))
                for value, label, case in sorted(
                    zip(axis.values, _labels(axis), cases, strict=True), key=lambda cell: cell[0]
                )
                if (shown := _in_case(case, each.name)) is not None
            ],
        )
        for each in found
    ]
    shown_curves = Curves(title, notes, curves, _name(found[0]), _whole(found[0]), _place(axis.pointer))
    return curves_chart(shown_curves, width=width)


def _beside(label: str, shown: FigureReport, found: Sequence[FigureReport]) -> str:
    """Return a label of a figure: with whose it is, where several are shown."""
    return label if len(found) == 1 else f"{label}: {_subject(shown)}"


def _variants(report: Report, request: SimulationRequest, asked: PlotRequest) -> str:
    return _changes(report, report.cases[1 : 1 + len(request.variants)], asked)


def _worth(report: Report, request: SimulationRequest, asked: PlotRequest) -> str:
    cases = report.cases[len(report.cases) - len(request.worth) :]
    return _changes(report, cases, asked)


def _changes(report: Report, cases: Sequence[CaseReport], asked: PlotRequest) -> str:
    found = _figures(report.cases[0], asked, WON, _anything)
    spots = [
        _spot(_beside(case.name, each, found), shown.difference)
        for case in cases
        for each in found
        if (shown := _in_case(case, each.name)) is not None and shown.difference is not None
    ]
    title = f"{_heading(found)}: differences"
    name = _points if found[0].share else _difference
    unit = ("points of per cent",) if found[0].share else ()
    notes = _notes(report.cases[0], "same dice", *unit)
    shown_rows = Intervals(title, notes, spots, name, differences=True)
    return intervals_chart(shown_rows, width=asked.width)


_DRAWN: dict[SimulationPlot, Callable[[Report, SimulationRequest, PlotRequest], str]] = {
    SimulationPlot.SHARES: _shares,
    SimulationPlot.HISTOGRAM: _histogram,
    SimulationPlot.ROUNDS: _rounds,
    SimulationPlot.SWEEP: _sweep,
    SimulationPlot.DIFFERENCES: _variants,
    SimulationPlot.WORTH: _worth,
}
