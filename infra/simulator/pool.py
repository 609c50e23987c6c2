"""Blocks of runs, played by processes of one's own; added up as they come."""

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from typing import Any

from infra.simulator.question import plan_of
from services.rules.engine.simulation.blocks import BlockPlayer, Progress, blocks_of
from services.rules.engine.simulation.cases import Plan
from services.rules.engine.simulation.request import REQUEST_CODEC, SimulationRequest
from services.rules.engine.simulation.tally import Tally

AHEAD = 2
"""Blocks a process that are begun before the ones in front of them are known to be needed."""

_player: list[BlockPlayer] = []


def play(plan: Plan, processes: int) -> Iterator[Progress]:
    """Play a question until it is answered.

    Args:
        plan: the question.
        processes: how many play; with one, this process does.

    Yields:
        What is known, each time that more is.
    """
    progress = Progress.begun(plan)
    blocks = _here(plan) if processes == 1 else _elsewhere(plan, processes)
    for block, tally in blocks:
        before = progress.blocks
        done = progress.take(block, tally, plan)
        if progress.blocks > before:
            yield progress
        if done:
            return


def _here(plan: Plan) -> Iterator[tuple[int, Tally]]:
    player, block = BlockPlayer(plan), 0
    while True:
        yield block, player.play(block)
        block += 1


def _elsewhere(plan: Plan, processes: int) -> Iterator[tuple[int, Tally]]:
    with ProcessPoolExecutor(
        processes,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_prepare,
        initargs=(REQUEST_CODEC.dump(plan.request),),
    ) as pool:
        waiting: set[Future[tuple[int, dict[str, Any]]]] = set()
        following = iter(range(blocks_of(plan.request.runs, len(plan.cases))))
        try:
            while True:
                for block in islice(following, processes * AHEAD - len(waiting)):
                    waiting.add(pool.submit(_played, block))
                for done in wait(waiting, return_when=FIRST_COMPLETED).done:
                    waiting.remove(done)
                    block, form = done.result()
                    yield block, Tally.read(form)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _prepare(request: dict[str, Any]) -> None:
    asked: SimulationRequest = REQUEST_CODEC.load(request)
    _player.append(BlockPlayer(plan_of(asked)))


def _played(block: int) -> tuple[int, dict[str, Any]]:
    return block, _player[0].play(block).form()
