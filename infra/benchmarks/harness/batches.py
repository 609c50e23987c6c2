"""Things too quick to be timed one by one: done in batches, each of which is timed as a whole."""

import time
from collections.abc import Callable

from infra.benchmarks.harness.cases import Sample
from infra.benchmarks.harness.rounds import Measure

Prepare = Callable[[int], Callable[[], object]]
"""Makes ready what so many things need, and gives what does them all; only the latter is timed."""


def in_batches(prepare: Prepare, size: int) -> Measure:
    """Measure a thing in batches of ``size``; at least one batch is done, however short the turn."""

    async def measure(seconds: float) -> Sample:
        end = time.perf_counter() + seconds
        took: list[float] = []
        while not took or time.perf_counter() < end:
            batch = prepare(size)
            began = time.perf_counter()
            batch()
            took.append(time.perf_counter() - began)
        return Sample(sum(took), [spent * 1000 / size for spent in took], batch=size)

    return measure


def again(thing: Callable[[], object], size: int) -> Measure:
    """Measure one thing that is done again and again, in batches of ``size``."""

    def prepare(size: int) -> Callable[[], None]:
        times = range(size)

        def batch() -> None:
            for _ in times:
                thing()

        return batch

    return in_batches(prepare, size)
