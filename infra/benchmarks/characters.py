"""Forge Engine's characters: what their rules cost one core; drafts, content and sheets through the gateway.

In this order, what is timed in turns:

- The rules alone, in this process: building, every step of the guide with its offers, chance, development,
  packs, searching, odds. The value is this process's time on a processor for one of them.
- The same through the public door of a product of its own, by one client and by sixteen that belong to four
  players. The value is the median time of an answer, to its last byte; ``per_s`` says how many come in a
  second.

The cost limits are at work but never refuse: the players' buckets are filled up ten times a second behind the
product's back. A value is the median of its rounds; ``p99_ms`` is the median of the rounds' percentiles.
"""

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence

import uvloop

from infra.benchmarks.harness.buckets import full_buckets
from infra.benchmarks.harness.cases import Case, Figures
from infra.benchmarks.harness.character_product import Owner, owners, requests
from infra.benchmarks.harness.character_rules import tasks
from infra.benchmarks.harness.load import Request, drive
from infra.benchmarks.harness.product import Product, own_product
from infra.benchmarks.harness.rounds import Contender, Measure, say, take_turns

SECONDS = 120.0
ROUNDS = 5
ROUNDS_AT_THE_DOOR = 3
"""Fewer and longer, because an answer takes its time and a percentile wants many of them."""
STOPPING = 3.0  # seconds of the whole that the end takes
LEAST = 12.0  # seconds of measuring at the door, however long the start took
RULES = 0.25
"""Share of the whole that goes to the rules alone; starting a product and asking it takes the rest."""
CLIENTS = (1, 16)


def run(seconds: float) -> Iterator[Case]:
    """Measure characters in about ``seconds`` all told."""
    deadline = time.monotonic() + seconds - STOPPING
    yield from on_the_rules(seconds * RULES)
    say("starting a product")
    with own_product() as product:
        players = owners(product.address)
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            figures = runner.run(_at_the_door(product, players, deadline))
    yield from door_cases(figures)


# On the rules alone


def on_the_rules(seconds: float, rounds: int = ROUNDS) -> Iterator[Case]:
    """Measure what the rules are asked."""
    asked = tasks()
    contenders = [Contender(task.name, task.measure) for task in asked]
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        figures = runner.run(take_turns(contenders, rounds=rounds, seconds=seconds))
    for task in asked:
        found = figures[task.name]
        yield Case(
            task.name,
            found.latency(50),
            "ms",
            more={"p99_ms": found.latency(99), task.counted: task.run(), "measured": found.done},
            less_is_better=True,
        )


# At the door


async def _at_the_door(product: Product, players: Sequence[Owner], deadline: float) -> Mapping[str, Figures]:
    contenders = [
        Contender(named(what, clients), _asking(product.ports["public"], asked, clients))
        for what, asked in requests(players).items()
        for clients in CLIENTS
    ]
    async with full_buckets(product, [player.guest.account for player in players]):
        seconds = max(deadline - time.monotonic(), LEAST)
        return await take_turns(contenders, rounds=ROUNDS_AT_THE_DOOR, seconds=seconds)


def _asking(port: int, asked: Sequence[Request], clients: int) -> Measure:
    return lambda seconds: drive(port, asked, clients, seconds)


def named(what: str, clients: int) -> str:
    """Give the name of a case."""
    return f"{what}, {clients} client{'s' if clients > 1 else ''}"


def door_cases(figures: Mapping[str, Figures]) -> Iterator[Case]:
    """Tell how long answers take, those to many clients beside those to one."""
    for name, found in figures.items():
        alone = named(name.rpartition(", ")[0], 1)
        other = None if alone == name else alone
        yield Case(
            name,
            found.latency(50),
            "ms",
            against=figures[other].latency(50) if other else None,
            against_name=other,
            more={"p99_ms": found.latency(99), "per_s": found.rate, "measured": found.done},
            failures=found.failures,
            less_is_better=True,
        )
