"""Pictures of simulations: each kind from an answer whose numbers are known, for every width."""

import re
from collections.abc import Sequence
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from services.campaign.simulations.plots import NoPlot, PlotRequest, SimulationPlot, draw
from services.rules.engine.simulation.estimates import wilson
from services.rules.engine.simulation.report import (
    Bar,
    CaseReport,
    FigureReport,
    Interval,
    Report,
    RoundEstimate,
)
from services.rules.engine.simulation.request import Axis, Replacement, SimulationRequest, Variant

SVG = "{http://www.w3.org/2000/svg}"
RUNS = 100
EVIL = "</text><script>alert(1)</script>&\"'"


def share(name: str, title: str, won: int, difference: Interval | None = None) -> FigureReport:
    found = wilson(won, RUNS)
    return FigureReport(
        name=name,
        figure="won",
        title=title,
        unit="runs",
        share=True,
        estimate=Interval(value=found.value, low=found.low, high=found.high, error=found.error),
        difference=difference,
    )


def around(value: float, half: float) -> Interval:
    return Interval(value=value, low=value - half, high=value + half, error=half / 1.96)


def by_round(scene: int, at: int, value: float) -> RoundEstimate:
    found = around(value, 0.1)
    assert found.low is not None and found.high is not None
    return RoundEstimate(
        scene=scene, round=at, runs=RUNS, value=value, low=found.low, high=found.high, error=found.error
    )


def standing(side: str, *scenes: Sequence[float]) -> FigureReport:
    return FigureReport(
        name=f"standing@side:{side}",
        figure="standing",
        title=f"Standing, {side}",
        unit="runs",
        share=False,
        estimate=around(scenes[-1][-1], 0.2),
        quantiles=(1, 1, 2, 3, 4),
        histogram=(
            Bar(least=1, most=1, runs=25),
            Bar(least=2, most=2, runs=50),
            Bar(least=4, most=4, runs=25),
        ),
        rounds=tuple(
            by_round(scene, at, each) for scene, left in enumerate(scenes) for at, each in enumerate(left, 1)
        ),
    )


def case(name: str, won: int, difference: Interval | None = None) -> CaseReport:
    figures = (
        share("won@side:heroes", "Won, heroes", won, difference),
        share("won@side:foes", "Won, foes", RUNS - won),
        share("won@actor:elf", "Won, Mallion", won),
        standing("heroes", (3.0, 2.5, 2.0)),
        standing("foes", (4.0, 2.0, 0.5)),
    )
    return CaseReport(name=name, runs=RUNS, figures=figures, ordered_by="standing@side:heroes", notable=())


def answer(*cases: CaseReport) -> Report:
    return Report(
        system="dungeonteller", runs=RUNS, blocks=1, done=True, exact=False, cases=(case("", 60), *cases)
    )


def request(**asked: object) -> SimulationRequest:
    return SimulationRequest(system="dungeonteller", scenes=(), **asked)  # type: ignore[arg-type]


VARIANTS = (
    Variant(name="blind", changes=(Replacement(pointer="/policies/*", value="random@1"),)),
    Variant(name=EVIL, changes=(Replacement(pointer="/policies/*", value="steady@1"),)),
)
ONE = (Axis(pointer="/cast/0/sheet/luck", values=(2, 4, 6)),)
WORDS = (Axis(pointer="/policies/heroes", values=("random@1", "steady@1")),)
TWO = (
    Axis(pointer="/cast/0/sheet/luck", values=(2, 4)),
    Axis(pointer="/cast/1/sheet/might", values=(1, 2, 3)),
)
QUESTIONS: dict[str, tuple[Report, SimulationRequest, PlotRequest]] = {
    "shares": (answer(), request(), PlotRequest()),
    "histogram": (answer(), request(), PlotRequest(SimulationPlot.HISTOGRAM)),
    "rounds": (answer(), request(), PlotRequest(SimulationPlot.ROUNDS)),
    "one axis": (answer(case("a", 10), case("b", 50), case("c", 90)), request(sweep=ONE), PlotRequest()),
    "words": (answer(case("a", 10), case("b", 50)), request(sweep=WORDS), PlotRequest()),
    "two axes": (
        answer(*(case(str(won), won) for won in (5, 15, 25, 35, 45, 55))),
        request(sweep=TWO),
        PlotRequest(),
    ),
    "differences": (
        answer(case("blind", 40, around(-0.2, 0.05)), case(EVIL, 61, around(0.01, 0.05))),
        request(variants=VARIANTS),
        PlotRequest(),
    ),
    "worth": (
        answer(case("/cast/0/sheet/luck + 1", 70, around(0.1, 0.04))),
        request(worth=("/cast/0/sheet/luck",)),
        PlotRequest(),
    ),
}


def drawn(name: str, **changes: object) -> ElementTree.Element:
    report, asked, plot = QUESTIONS[name]
    wanted = PlotRequest(
        **{"plot": plot.plot, "figure": plot.figure, "case": plot.case, "width": 360} | changes  # type: ignore[arg-type]
    )
    return ElementTree.fromstring(draw(report, asked, wanted))


def told(root: ElementTree.Element) -> list[str]:
    """What is shown under the pointer, shape by shape."""
    return [each.findtext(f"{SVG}title") or "" for each in root.iter(f"{SVG}rect") if len(each)]


def words(root: ElementTree.Element) -> set[str]:
    return {each.text or "" for each in root.iter(f"{SVG}text")}


@pytest.mark.parametrize("width", [240, 360, 720, 1600])
@pytest.mark.parametrize("name", QUESTIONS)
def test_every_picture_is_sound_at_every_width(name: str, width: int) -> None:
    root = drawn(name, width=width)
    assert root.get("width") == str(width) and root.get("role") == "img"
    assert root.findtext(f"{SVG}title") and root.findtext(f"{SVG}desc")
    assert not {f"{SVG}script", f"{SVG}image", f"{SVG}foreignObject"} & {each.tag for each in root.iter()}
    height = float(root.get("height") or 0)
    for shape in root.iter(f"{SVG}rect"):
        left, top = float(shape.get("x") or 0), float(shape.get("y") or 0)
        assert left >= 0 and left + float(shape.get("width") or 0) <= width + 0.02
        assert top >= 0 and top + float(shape.get("height") or 0) <= height + 0.02
    for path in root.iter(f"{SVG}path"):
        numbers = [float(each) for each in re.findall(r"[-\d.]+", path.get("d") or "")]
        assert all(-0.02 <= each <= max(width, height) + 0.02 for each in numbers)


def test_shares_have_the_intervals_of_wilson() -> None:
    # 60 of 100: from 50.2 to 69.1 per cent.
    assert told(drawn("shares")) == ["heroes: 60% [50%, 69%]", "foes: 40% [31%, 50%]"]


def test_one_figure_is_compared_in_every_case() -> None:
    shown = told(drawn("differences", plot=SimulationPlot.SHARES, figure="won@side:heroes"))
    assert [each.rpartition(": ")[0] for each in shown] == ["the opening", "blind", EVIL]


def test_a_histogram_tells_each_value_and_at_least_each_value() -> None:
    assert told(drawn("histogram")) == [
        "1: 25%; at least 1: 100%",
        "2: 50%; at least 2: 75%",
        "4: 25%; at least 4: 25%",
    ]


def test_rounds_are_told_side_by_side() -> None:
    shown = told(drawn("rounds"))
    assert shown[:3] == ["heroes, round 1: 3", "heroes, round 2: 2.5", "heroes, round 3: 2"]
    assert shown[3:] == ["foes, round 1: 4", "foes, round 2: 2", "foes, round 3: 0.5"]


def test_the_scenes_of_a_day_stand_one_behind_another_or_alone() -> None:
    plain = answer()
    day = replace(
        plain, cases=(replace(plain.cases[0], figures=(standing("heroes", (3.0, 2.5), (2.0, 1.0, 0.5)),)),)
    )
    whole = draw(day, request(), PlotRequest(SimulationPlot.ROUNDS))
    assert "scene 2 from 3 on" in whole
    assert [f"scene 2, round {at}" in whole for at in (1, 2, 3, 4)] == [True, True, True, False]
    second = draw(day, request(), PlotRequest(SimulationPlot.ROUNDS, figure="standing@side:heroes#2"))
    assert "after each round, scene 2" in second and "round 1 2," in second and "round 1 3," not in second
    with pytest.raises(NoPlot) as refused:
        draw(day, request(), PlotRequest(SimulationPlot.ROUNDS, figure="standing@side:heroes#3"))
    assert refused.value.allowed == ("standing@side:heroes#1", "standing@side:heroes#2")


def test_a_sweep_of_one_number_is_a_curve_and_of_words_rows() -> None:
    assert told(drawn("one axis", figure="won@side:heroes")) == [
        "Won, heroes"[5:] + f", {at}: {won}%" for at, won in ((2, 10), (4, 50), (6, 90))
    ]
    assert {"random@1: heroes", "steady@1: foes"} <= words(drawn("words"))


def test_a_sweep_of_two_is_a_heat_map_whose_cells_stand_at_their_values() -> None:
    shown = told(drawn("two axes", width=720))
    assert [each.split(" [")[0] for each in shown] == [
        *("2, 1: 5.0%", "2, 2: 15%", "2, 3: 25%"),
        *("4, 1: 35%", "4, 2: 45%", "4, 3: 55%"),
    ]


def test_differences_that_are_certain_are_marked_by_more_than_colour() -> None:
    shown = words(drawn("differences", width=720, figure="won@side:heroes"))
    assert "▼ -20.0 [-25.0, -15.0]" in shown
    assert "+1.0 [-4.0, +6.0]" in shown
    assert "▲ +10.0 [+6.0, +14.0]" in words(drawn("worth", width=720))


def test_the_same_answer_has_the_same_picture() -> None:
    for report, asked, plot in QUESTIONS.values():
        assert draw(report, asked, plot) == draw(report, asked, plot)


@pytest.mark.parametrize(
    ("plot", "field", "allowed"),
    [
        (PlotRequest(SimulationPlot.SWEEP), "plot", "SHARES"),
        (PlotRequest(figure="gold"), "figure", "won@side:heroes"),
        (PlotRequest(case="nothing"), "case", ""),
        (PlotRequest(SimulationPlot.ROUNDS, figure="won"), "figure", "standing@side:heroes"),
    ],
)
def test_what_an_answer_cannot_show_is_refused_with_what_it_can(
    plot: PlotRequest, field: str, allowed: str
) -> None:
    with pytest.raises(NoPlot) as refused:
        draw(answer(), request(), plot)
    assert refused.value.field == field
    assert not allowed or allowed in refused.value.allowed
