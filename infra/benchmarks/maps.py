"""Maps a second beside their floors and rot-js, quality of a thousand dungeons, memory, pictures, batches.

In this order:

- Kinds of maps on one core: what is made, with its checks and files, beside the floor that it has. Dungeons
  are measured beside rot-js's Digger on the same sizes, in turns; that one makes no JSON and checks nothing.
  What counts is time on a processor.
- A thousand dungeons: whether they are distinct, unlike each other, and laid out as they should be.
- Memory of a process that makes a batch of a thousand maps as a worker does, at its end beside its beginning.
- Through the public door of a product of its own: flat pictures that were never drawn before, and a batch by
  one worker and by two.

Where there is a floor, the ratio is that of the value and the floor, or of the limit and the time: at least 1
is wanted. Without Node packages the comparison with rot-js is left out, and said to be.
"""

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack

import uvloop

from infra.benchmarks.harness.buckets import full_buckets
from infra.benchmarks.harness.cases import Case, Figures
from infra.benchmarks.harness.map_making import DUNGEON, Floor, floors, making, on_one_core
from infra.benchmarks.harness.map_memory import memory_case
from infra.benchmarks.harness.map_product import (
    batch,
    batch_case,
    dungeons,
    pictures,
    pictures_case,
    rest,
    second_worker,
)
from infra.benchmarks.harness.map_quality import look_at, quality_cases
from infra.benchmarks.harness.peers import DungeonPeer, dungeon_peer, dungeon_peer_name
from infra.benchmarks.harness.product import own_product
from infra.benchmarks.harness.rounds import Contender, say, take_turns
from infra.benchmarks.harness.tables import sign_up
from infra.launch.failure import BootstrapFailure

SECONDS = 120.0
ROUNDS = 5
MAKING = 0.4
"""Share of the whole that goes to one core; quality, memory and a product of its own take the rest."""

SIDES = {51: 500.0, 101: 300.0, 201: 100.0}
"""Cells a side of a dungeon, and how many a second there must be."""
QUALITY, MEMORY = 1_000, 1_000
BATCH = 120
BATCHES = 2
"""Batches by one worker, and by two; the faster ones count, since each takes seconds and is disturbed."""


def run(seconds: float) -> Iterator[Case]:
    """Measure maps in about ``seconds`` all told."""
    with ExitStack() as stack:
        peer = digger_in_node(stack)
        yield from on_the_floors(seconds * MAKING, peer)
    say(f"looking at {QUALITY:,} dungeons")
    yield from quality_cases(look_at(QUALITY))
    say(f"making a batch of {MEMORY:,} maps, as a worker does")
    yield memory_case(MEMORY)
    yield from of_a_product()


# On one core


def on_the_floors(
    seconds: float,
    peer: DungeonPeer | None,
    rounds: int = ROUNDS,
    sides: Mapping[int, float] = SIDES,
    others: Sequence[Floor] | None = None,
) -> Iterator[Case]:
    """Measure what is made by one core.

    Args:
        seconds: for all of it.
        peer: digs dungeons of the same sizes; None where it cannot be had.
        rounds: how often each is measured.
        sides: of dungeons, with their floors.
        others: what else there is; all of it when None.
    """
    dug = {side: _dungeon(side, floor) for side, floor in sides.items()}
    contenders = []
    for side, floor in dug.items():
        contenders.append(Contender(floor.name, on_one_core(floor.thing), floor.share))
        if peer is not None:
            contenders.append(Contender(_beside(side), peer.digging(side)))
    rest_of_them = floors() if others is None else others
    contenders += [Contender(floor.name, on_one_core(floor.thing), floor.share) for floor in rest_of_them]
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        figures = runner.run(take_turns(contenders, rounds=rounds, seconds=seconds))
    for side, floor in dug.items():
        yield floor.case(figures[floor.name])
        if peer is not None:
            yield beside_case(side, figures[floor.name], figures[_beside(side)])
    for floor in rest_of_them:
        yield floor.case(figures[floor.name])


def beside_case(side: int, ours: Figures, theirs: Figures) -> Case:
    """Tell how many dungeons we make for each that rot-js digs."""
    return Case(
        _beside(side),
        ours.rate,
        "maps/s per core",
        against=theirs.rate,
        against_name=f"{dungeon_peer_name()} Digger in Node",
        more={"measured": ours.done, "against_measured": theirs.done},
    )


def digger_in_node(stack: ExitStack) -> DungeonPeer | None:
    """Start rot-js; give None, and say so, where it cannot be had."""
    try:
        return stack.enter_context(dungeon_peer())
    except BootstrapFailure as failure:
        say(f"not measured beside rot-js: {failure}")
        return None


def _dungeon(side: int, rate: float) -> Floor:
    name = f"dungeon {side}x{side}, model, checks and JSON"
    return Floor(name, making(DUNGEON, width=side, height=side), rate=rate)


def _beside(side: int) -> str:
    return f"dungeon {side}x{side}, beside {dungeon_peer_name()}"


# Of a product


def of_a_product(number: int = BATCH) -> Iterator[Case]:
    """Measure pictures on demand, and batches by one worker and by two."""
    say("starting a product")
    began = time.monotonic()
    with own_product() as product:
        say(f"it took {time.monotonic() - began:.0f} s; asking for pictures, then for batches")
        guest = sign_up(product.address, "Cartographer")

        async def measured() -> list[Case]:
            async with full_buckets(product, [guest.account]), rest(product.address, guest) as client:
                drawn = await pictures(client, await dungeons(client))
                await batch(client, max(1, number // 10))
                alone = max([await batch(client, number) for _ in range(BATCHES)])
                async with second_worker(product):
                    together = max([await batch(client, number) for _ in range(BATCHES)])
            return [pictures_case(drawn), batch_case(number, alone, together)]

        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            found = runner.run(measured())
    yield from found
