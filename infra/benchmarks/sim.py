"""Scenes and games a second by bots on the rules alone, and what a simulation adds to them.

In this order:

- The scenes and games of ``games``, played by the same bots on the same dice in turns, each beside the rate
  that it is to have. What counts is this process's time on a processor, so that a rate is what one core does.
- The runs of a simulation, with all that is measured of them, beside the same scenes only played.
- Simulations from the question to the answer: how long it takes until something can be told; one process
  beside two by the clock, which says something of two idle cores only; whether one process, two and seven
  come to the same answer, to the last digit.
"""

import asyncio
from collections.abc import Iterator

import uvloop

from infra.benchmarks.harness.bot_scenes import HEROES, bots_at
from infra.benchmarks.harness.cases import Case, Figures
from infra.benchmarks.harness.matches import STRONG, contenders
from infra.benchmarks.harness.rounds import Contender, say, take_turns
from infra.benchmarks.harness.sim_runs import (
    answered,
    beside_the_bare_loop,
    first_case,
    overhead_case,
    same_case,
    workers_case,
)
from services.rules.systems.dungeonteller import SYSTEM

SECONDS = 90.0
ROUNDS = 5
RATES, OVERHEAD = 0.5, 0.2
"""Shares of the whole; simulations from the question to the answer take the rest."""

SCENES = {"bonfire": 100.0, "orc-ambush": 140.0, "crypt": 250.0, "locked-door": 600.0}
"""Scenes a second that one core is to play."""
GAMES = {f"dwarf_dice, two {STRONG} bots": 45.0, f"forgeborn, two {STRONG} bots": 350.0}
"""Games a second that one core is to play."""

OVERHEAD_OF = ("orc-ambush", "locked-door")
LEAST_OF_THE_BARE_LOOP = 0.8
"""Share of the bare loop's rate that is to be left with all that is measured."""

ANSWERED = "orc-ambush"
RUNS = 960
SAME = "locked-door"
SAME_RUNS = 128
PROCESSES = (1, 2, 7)


def run(seconds: float) -> Iterator[Case]:
    """Measure simulations in about ``seconds``."""
    yield from rates(seconds * RATES)
    yield from overhead(seconds * OVERHEAD)
    yield from answers()


def rates(seconds: float, rounds: int = ROUNDS) -> Iterator[Case]:
    """Measure scenes and games that bots play."""
    play = SYSTEM.play
    assert play is not None
    games = [contender for contender in contenders() if contender.name in GAMES]
    measured = [*(Contender(setup, bots_at(play, setup)) for setup in SCENES), *games]
    figures = _turns(measured, rounds, seconds)
    for setup, floor in SCENES.items():
        name = f"scenes of {setup}, bots of {len(HEROES)} heroes and their foes"
        yield _rate(name, "scenes/s per core", figures[setup], floor)
    for name, floor in GAMES.items():
        yield _rate(f"games of {name}", "games/s per core", figures[name], floor)


def _rate(name: str, unit: str, found: Figures, floor: float) -> Case:
    return Case(
        name,
        found.rate,
        unit,
        against=floor,
        against_name="the floor",
        target=1.0,
        more={"p50_ms": found.latency(50), "p99_ms": found.latency(99), "measured": found.done},
    )


def overhead(seconds: float, rounds: int = ROUNDS) -> Iterator[Case]:
    """Measure runs of simulations beside the same scenes only played."""
    pairs = {setup: beside_the_bare_loop(setup) for setup in OVERHEAD_OF}
    figures = _turns([one for pair in pairs.values() for one in pair], rounds, seconds)
    for setup, (simulated, played) in pairs.items():
        found = figures[simulated.name], figures[played.name]
        yield overhead_case(setup, *found, LEAST_OF_THE_BARE_LOOP)


def answers(runs: int = RUNS, same_runs: int = SAME_RUNS) -> Iterator[Case]:
    """Measure simulations from the question to the answer."""
    say(f"simulating {ANSWERED} by one process and by two")
    one, two = (answered(ANSWERED, runs, processes) for processes in (1, 2))
    yield first_case(ANSWERED, one)
    yield workers_case(ANSWERED, one, two)
    say(f"simulating by {', '.join(map(str, PROCESSES))} processes")
    yield same_case(SAME, {each: answered(SAME, same_runs, each) for each in PROCESSES})


def _turns(measured: list[Contender], rounds: int, seconds: float) -> dict[str, Figures]:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return dict(runner.run(take_turns(measured, rounds=rounds, seconds=seconds)))
