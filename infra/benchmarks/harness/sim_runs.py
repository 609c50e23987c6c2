"""Simulations on the rules alone: the whole machine beside the bare loop, one process beside two."""

import json
import time
from dataclasses import dataclass

from infra.benchmarks.harness.bot_scenes import HEROES, Played
from infra.benchmarks.harness.cases import BenchFailure, Case, Figures, Sample
from infra.benchmarks.harness.rounds import Contender, Measure, load_average
from infra.simulator.pool import play as played_by
from infra.simulator.question import plan_of
from services.rules.engine.matches import chooser, moves_of, named_stream
from services.rules.engine.simulation.cases import Plan
from services.rules.engine.simulation.report import REPORT_CODEC, report
from services.rules.engine.simulation.request import Member, Opening, SimulationRequest
from services.rules.engine.simulation.run import Runner

SEED = "bench"
FIRST_LIMIT_MS = 1_000.0
"""Processor time within which something is to be told of a simulation."""


def plan_for(setup: str, runs: int) -> Plan:
    """Return a simulation of a setup of DungeonTeller, played by the game's own bots."""
    cast = tuple(Member(id=f"chr-{name}", example=name) for name in HEROES)
    scenes = (Opening(setup_name=setup),)
    return plan_of(SimulationRequest(system="dungeonteller", scenes=scenes, cast=cast, runs=runs, seed=SEED))


# The machine and the bare loop


def beside_the_bare_loop(setup: str) -> tuple[Contender, Contender]:
    """The runs of a simulation with everything that is measured of them, and the same scenes just played."""
    plan = plan_for(setup, 1)
    return (
        Contender(f"simulated: {setup}", _simulating(plan)),
        Contender(f"played: {setup}", _just_playing(plan)),
    )


def overhead_case(setup: str, simulated: Figures, played: Figures, least: float) -> Case:
    """Tell how many runs a core simulates in a second, beside how many it just plays."""
    return Case(
        f"runs of {setup} with all that is measured",
        simulated.rate,
        "runs/s per core",
        against=played.rate,
        against_name="the same scenes, only played",
        target=least,
        more={"p50_ms": simulated.latency(50), "measured": simulated.done},
    )


def _simulating(plan: Plan) -> Measure:
    async def measure(seconds: float) -> Sample:
        runner, took = Runner(plan, plan.cases[0]), list[float]()
        end = time.perf_counter() + seconds
        while not took or time.perf_counter() < end:
            began = time.process_time()
            runner.run(len(took))
            took.append(time.process_time() - began)
        return Played(sum(took), [spent * 1000 for spent in took])

    return measure


def _just_playing(plan: Plan) -> Measure:
    opening = plan.cases[0].scenes[0].opening

    async def measure(seconds: float) -> Sample:
        took = list[float]()
        end = time.perf_counter() + seconds
        while not took or time.perf_counter() < end:
            name = ("simulation", SEED, len(took), 0)
            began = time.process_time()
            for _ in moves_of(
                plan.play,
                opening,
                lambda _state, _actor: None,
                faces=named_stream(*name, "dice"),
                choose=chooser(named_stream(*name, "choices")),
            ):
                pass
            took.append(time.process_time() - began)
        return Played(sum(took), [spent * 1000 for spent in took])

    return measure


# From the question to the answer


@dataclass(frozen=True, slots=True)
class Answered:
    """A simulation that was played.

    Attributes:
        answer: Its report, as JSON.
        runs: How many runs there were.
        first_ms: Processor time until something could be told, in milliseconds; of one process only.
        seconds: Time on the clock from the first thing that was told to the last.
        later: Runs in that time.
    """

    answer: str
    runs: int
    first_ms: float
    seconds: float
    later: int


def answered(setup: str, runs: int, processes: int) -> Answered:
    """Play a simulation to its answer.

    Raises:
        BenchFailure: Nothing was played.
    """
    began = time.process_time()
    plan = plan_for(setup, runs)
    first_ms, first_at, first_runs = 0.0, 0.0, 0
    progress = None
    for progress in played_by(plan, processes):
        if not first_at:
            report(plan, progress)
            first_ms = (time.process_time() - began) * 1000
            first_at, first_runs = time.perf_counter(), progress.tally.cases[0].runs
    if progress is None:
        raise BenchFailure(f"{setup}: nothing was simulated")
    ended, done = time.perf_counter(), progress.tally.cases[0].runs
    answer = json.dumps(REPORT_CODEC.dump(report(plan, progress)), sort_keys=True)
    return Answered(answer, done, first_ms, ended - first_at, done - first_runs)


def first_case(setup: str, found: Answered) -> Case:
    """Tell how long it takes until something can be told of a simulation."""
    return Case(
        f"first partial answer about {setup}",
        found.first_ms,
        "ms of one processor",
        against=FIRST_LIMIT_MS,
        against_name="the limit",
        target=1.0,
        less_is_better=True,
    )


def same_case(setup: str, answers: dict[int, Answered]) -> Case:
    """Tell whether any number of processes comes to the same answer."""
    texts = {found.answer for found in answers.values()}
    said = ", ".join(str(processes) for processes in answers)
    return Case(
        f"{setup}: answers by {said} processes",
        float(len(texts)),
        "different answers",
        against=1.0,
        against_name="one",
        target=1.0,
        more={"runs": next(iter(answers.values())).runs},
        failures=[] if len(texts) == 1 else ["the answers differ"],
        less_is_better=True,
    )


def workers_case(setup: str, one: Answered, two: Answered) -> Case:
    """Tell what a second process adds."""
    return Case(
        f"runs of {setup} by two processes",
        two.later / two.seconds,
        "runs/s by the clock, once begun",
        against=one.later / one.seconds,
        against_name="by one",
        more={"runs": two.runs, "load_average": load_average()},
    )
