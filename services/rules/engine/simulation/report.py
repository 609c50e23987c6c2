"""The answer to a simulation: every figure with its error, cases beside the opening, and runs worth
reading."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from services.rules.engine.codec import Codec, Json
from services.rules.engine.simulation.blocks import Progress
from services.rules.engine.simulation.cases import Case, Plan
from services.rules.engine.simulation.estimates import (
    QUANTILES,
    Estimate,
    certain,
    estimate,
    exact_quantiles,
    mean,
    mean_of,
    quantiles,
    run_at,
    wilson,
)
from services.rules.engine.simulation.exact import Chances, exact_answer
from services.rules.engine.simulation.figures import (
    Figure,
    figure_of,
    figures_of,
    is_share,
    power_of,
    scene_key,
    side_of,
)
from services.rules.engine.simulation.grades import DangerGrade, grades_of
from services.rules.engine.simulation.request import MOST_SCENES
from services.rules.engine.simulation.run import Runner
from services.rules.engine.simulation.tally import CaseTally, Distribution, RoundSums

MOST_BARS = 60
"""Bars of a histogram; neighbours share one where there are more places."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A number with its 95 % interval.

    Attributes:
        value: The share, or the mean.
        low: Lower end of the interval; null while one run is all that is known.
        high: Upper end.
        error: Standard error.
    """

    value: float
    low: float | None
    high: float | None
    error: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEstimate:
    """How a figure stood at the end of a round, on the mean, with its 95 % interval; a scene that is over
    stays as it ended.

    Attributes:
        scene: The scene's place in its day, from 0.
        round: The round, from 1.
        runs: How many runs came to this scene: those that the mean is of.
        value: The share, or the mean.
        low: Lower end of the interval; null while one run is all that is known.
        high: Upper end.
        error: Standard error.
    """

    scene: int
    round: int
    runs: int
    value: float
    low: float | None
    high: float | None
    error: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CasePolicy:
    """Who was played by which bot.

    Attributes:
        subject: An actor's id, a side, or `*` for all who have no policy of their own.
        bot: The bot with its version: `strong@2`, also where the question says `strong`.
    """

    subject: str
    bot: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A bar of a histogram.

    Attributes:
        least: Smallest value that it holds.
        most: Largest value.
        runs: In how many runs it was one of these.
    """

    least: int
    most: int
    runs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureReport:
    """What is known of one figure.

    Attributes:
        name: The name under which it is told: `won@side:heroes`, `luck@actor:orc-1`, `rounds`; of a power
            `harm/duel:spell/bolt@actor:orc-1`.
        figure: Key of the figure.
        title: What a heading says: "Luck left, Orc 1".
        unit: What it is counted in.
        share: Whether it is the share of runs in which something was so; otherwise a mean.
        estimate: The share, or the mean.
        quantiles: Values below or at which 5, 25, 50, 75 and 95 % of the runs lie; none of a share.
        histogram: How often each value came; none of a share, nor of an exact answer.
        rounds: How it stood at the end of each round, scene by scene; none of an exact answer.
        difference: What it is more than in the opening itself, run by run on the same dice; null of the
            opening.
    """

    name: str
    figure: str
    title: str
    unit: str
    share: bool
    estimate: Interval
    quantiles: tuple[int, ...] = ()
    histogram: tuple[Bar, ...] = ()
    rounds: tuple[RoundEstimate, ...] = ()
    difference: Interval | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NotableRun:
    """A run that is worth reading.

    Attributes:
        what: `typical`, `least` or `most`: of the figure that the runs are ordered by.
        number: Its number, by which it can be told again.
        value: What the figure was.
    """

    what: str
    number: int
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseReport:
    """What is known of one case.

    Attributes:
        name: `""` of the opening itself; otherwise what was changed.
        runs: How many runs were played.
        figures: Every figure; of those of powers, the first, and the others that were not 0 in every run.
        ordered_by: The figure by which notable runs are found.
        notable: Those runs.
        policies: Who was played by which bot; the game's own simple player plays all others.
        danger: How dangerous the book calls its scenes; none where it has no grade for them.
    """

    name: str
    runs: int
    figures: tuple[FigureReport, ...]
    ordered_by: str
    notable: tuple[NotableRun, ...]
    policies: tuple[CasePolicy, ...] = ()
    danger: tuple[DangerGrade, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The answer to a simulation, or what is known of it so far.

    Attributes:
        system: Slug of the game.
        runs: How many runs of each case were played.
        blocks: How many blocks those are.
        done: Whether the question is answered; otherwise more runs are to come.
        exact: Whether nothing was left to chance: every way the dice can fall was gone. Intervals then have
            no width, and one block of runs was played to be read.
        cases: The opening itself first, then variants, cells of the sweep and worths, as they were asked.
    """

    system: str
    runs: int
    blocks: int
    done: bool
    exact: bool
    cases: tuple[CaseReport, ...]


def _with_scenes(answer: dict[str, Json]) -> dict[str, Json]:
    """Return an answer of the first version, whose rounds are all of the first scene, with their places."""
    cases = cast("list[dict[str, Any]]", answer["cases"])
    for case in cases:
        for each in case["figures"]:
            each["rounds"] = [
                {"scene": 0, "round": at, "runs": case["runs"], **known}
                for at, known in enumerate(each["rounds"], 1)
            ]
    return answer


REPORT_CODEC = Codec(Report, "simulation/report", version=2, upgrades={1: _with_scenes})


def report(plan: Plan, progress: Progress) -> Report:
    """Return what is known of a request."""
    exact = exact_answer(plan)
    known: Sequence[Chances | None] = (None,) * len(plan.cases) if exact is None else exact
    cases = zip(plan.cases, progress.tally.cases, known, strict=True)
    base = None if exact is None else exact[0]
    return Report(
        system=plan.system.slug,
        runs=progress.tally.cases[0].runs,
        blocks=progress.blocks,
        done=progress.enough(plan),
        exact=exact is not None,
        cases=tuple(_case_report(plan, case, tally, chances, base) for case, tally, chances in cases),
    )


def _case_report(
    plan: Plan, case: Case, tally: CaseTally, chances: Chances | None, base: Chances | None
) -> CaseReport:
    runner = Runner(plan, case)
    figures = figures_of(plan.play)
    titles = {actor.id: actor.name for actor in runner.actors}
    titles |= {power.id: power.name for power in runner.powers}
    names = [name for name in runner.names if tally.runs and _to_tell(name, tally, figures, chances)]
    told = tuple(_figure_report(name, tally, figures, titles) for name in names)
    if chances is not None and base is not None:
        told = tuple(_exact_report(each, chances, base) for each in told)
    ordered_by = _ordered_by(plan, runner.names, figures)
    notable = tuple(_notable(tally.values[ordered_by])) if tally.runs else ()
    return CaseReport(
        name=case.name,
        runs=tally.runs,
        figures=told,
        ordered_by=ordered_by,
        notable=notable,
        policies=tuple(CasePolicy(subject=subject, bot=bot.policy) for subject, bot in case.policies.items()),
        danger=tuple(grades_of(plan.play, (scene.opening for scene in case.scenes))),
    )


def _to_tell(name: str, tally: CaseTally, figures: Sequence[Figure], chances: Chances | None) -> bool:
    """Whether a figure is told: of powers, the first figure, and the others that were not always 0."""
    first = next((figure.key for figure in figures if figure.by_power), "")
    if not power_of(name) or figure_of(name) == first:
        return True
    return any(tally.values[name].places if chances is None else chances[name])


def _figure_report(
    name: str, tally: CaseTally, figures: Sequence[Figure], titles: dict[str, str]
) -> FigureReport:
    figure = next(each for each in figures if each.key == figure_of(name))
    values, share = tally.values[name], is_share(name, figures)
    difference = tally.differences.get(name)
    return FigureReport(
        name=name,
        figure=figure.key,
        title=_title(figure, name, titles),
        unit=figure.unit,
        share=share,
        estimate=_interval(estimate(values, share=share)),
        quantiles=() if share else quantiles(values, QUANTILES),
        histogram=() if share else _histogram(values),
        rounds=tuple(_rounds(name, tally, share=share)),
        difference=None if difference is None else _interval(estimate(difference, share=False)),
    )


def _rounds(name: str, tally: CaseTally, *, share: bool) -> Iterator[RoundEstimate]:
    """Yield how a figure stood round by round in every scene that a run came to."""
    for scene in range(MOST_SCENES):
        known = tally.rounds.get(scene_key(name, scene), RoundSums())
        for at, (total, squares) in enumerate(known.sums, 1):
            found = _interval(wilson(total, known.runs) if share else mean(total, squares, known.runs))
            yield RoundEstimate(
                scene=scene,
                round=at,
                runs=known.runs,
                value=found.value,
                low=found.low,
                high=found.high,
                error=found.error,
            )


def _exact_report(sampled: FigureReport, chances: Chances, base: Chances) -> FigureReport:
    """Return what is known of a figure exactly, in place of what runs came to."""
    values = chances[sampled.name]
    found = mean_of(values)
    difference = None if sampled.difference is None else certain(found - mean_of(base[sampled.name]))
    return replace(
        sampled,
        estimate=_interval(certain(found)),
        quantiles=() if sampled.share else exact_quantiles(values, QUANTILES),
        histogram=(),
        rounds=(),
        difference=None if difference is None else _interval(difference),
    )


def _title(figure: Figure, name: str, titles: dict[str, str]) -> str:
    whole, _, scene = name.partition("#")
    subject = whole.partition("@")[2]
    side = side_of(name)
    who = side if side is not None else titles.get(subject.partition(":")[2], "")
    named = (figure.name, titles.get(power_of(name), ""), who)
    title = ", ".join(part for part in named if part)
    return f"{title}, scene {scene}" if scene else title


def _interval(found: Estimate) -> Interval:
    known = math.isfinite(found.error)
    return Interval(
        value=found.value,
        low=found.low if known else None,
        high=found.high if known else None,
        error=found.error if known else None,
    )


def _histogram(values: Distribution) -> tuple[Bar, ...]:
    """Return the bars of a histogram; the places of one bar lie side by side."""
    if not values.places:
        return ()
    least, most = min(values.places), max(values.places)
    width = -(-(most - least + 1) // MOST_BARS)
    bars: dict[int, int] = {}
    for place, (count, _) in values.places.items():
        bars[(place - least) // width] = bars.get((place - least) // width, 0) + count
    return tuple(
        Bar(least=least + at * width, most=least + at * width + width - 1, runs=count)
        for at, count in sorted(bars.items())
    )


def _ordered_by(plan: Plan, names: Sequence[str], figures: Sequence[Figure]) -> str:
    """Return the figure that notable runs are found by: the one that was asked for where it is an amount;
    else the first of the game's own that the cast's side has, else how many rounds were played.
    """
    wanted = plan.request.precision
    if wanted is not None and not is_share(wanted.figure, figures):
        return wanted.figure
    cast = {member.id for member in plan.cases[0].cast}
    sides = [actor.side for actor in plan.cases[0].actors(plan.play) if actor.id in cast]
    ours = (name for name in names if side_of(name) in sides and not is_share(name, figures))
    return next(ours, "rounds")


def _notable(values: Distribution) -> Iterator[NotableRun]:
    for what, place in (
        ("typical", quantiles(values, (0.5,))[0]),
        ("most", max(values.places)),
        ("least", min(values.places)),
    ):
        yield NotableRun(what=what, number=run_at(values, place), value=place)
