"""Turns: every contender is measured in every round, so that noise of the machine hits all of them alike."""

import os
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from infra.benchmarks.harness.cases import Figures, Sample

Measure = Callable[[float], Awaitable[Sample]]
LEAST_ROUNDS = 3  # of which a median can be taken when the machine is too slow for more
WARM_UP = 0.5  # of a turn: compilers of Node and caches are to be found as they are in a process that runs


@dataclass(frozen=True, slots=True)
class Contender:
    """Something to be measured.

    Attributes:
        name: unique among those measured together.
        measure: does it for so many seconds.
        share: how long its turn is, in turns.
    """

    name: str
    measure: Measure
    share: float = 1.0


def turn_seconds(contenders: Sequence[Contender], rounds: int, seconds: float) -> float:
    """Give the length of a turn when warming up and all rounds are to take ``seconds``."""
    return seconds / ((rounds + WARM_UP) * sum(contender.share for contender in contenders))


async def take_turns(
    contenders: Sequence[Contender], *, rounds: int, seconds: float
) -> Mapping[str, Figures]:
    """Warm all up, then measure each once a round.

    Neighbours are measured right after one another, and every other round runs backwards: what slows the
    machine down for a while slows both sides of a comparison down, and none always comes first.

    Args:
        contenders: what is compared; sides of one comparison next to each other.
        rounds: how often each is measured; less often where time runs out, but not less than three times.
        seconds: for all of it.
    """
    deadline = time.monotonic() + seconds
    turn = turn_seconds(contenders, rounds, seconds)
    say(f"warming up; then {rounds} rounds of {len(contenders)} turns of about {turn:.1f} s")
    for contender in contenders:
        await contender.measure(turn * contender.share * WARM_UP)
    samples: dict[str, list[Sample]] = {contender.name: [] for contender in contenders}
    for number in range(rounds):
        if number >= LEAST_ROUNDS and time.monotonic() > deadline:
            say(f"time is up after {number} rounds")
            break
        for contender in contenders if number % 2 == 0 else reversed(contenders):
            samples[contender.name].append(await contender.measure(turn * contender.share))
        say(f"round {number + 1} of {rounds} done; load average {load_average():.2f}")
    return {name: Figures(found) for name, found in samples.items()}


def load_average() -> float:
    """Give how many processes wanted a processor in the last minute."""
    return os.getloadavg()[0]


def say(line: str) -> None:
    """Tell the person who waits how it goes."""
    print(line, file=sys.stderr, flush=True)
