"""Processor time of a product's processes, told apart by their parts."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from infra.benchmarks.harness.cases import Figures, Sample
from infra.benchmarks.harness.processors import processor_seconds, shares, watched

SPIN = "import sys, time\nwhile time.process_time() < 0.2: pass\n"
ALONE = SPIN + "print(flush=True); sys.stdin.read()"
BY_A_CHILD = SPIN + "import subprocess; subprocess.run([sys.executable, '-c', sys.argv[2]])"


@contextmanager
def busy(name: str, *, child: bool = False) -> Iterator[None]:
    """Run a process of that name, which has taken 0.2 s when the block begins, and maybe a child as much."""
    words = ["-c", BY_A_CHILD if child else ALONE, name, ALONE]
    with subprocess.Popen([sys.executable, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdin is not None
        process.stdout.readline()
        yield
        process.stdin.close()


def test_what_processes_take_is_told_by_part() -> None:
    before = processor_seconds(os.getpid())
    with ExitStack() as running:
        running.enter_context(busy("services.dice.app", child=True))
        for name in ("services.gateway.app", "gateway.mjs", "workers.sweeper", "other"):
            running.enter_context(busy(name))
        taken = processor_seconds(os.getpid())
        # Beside these, servers of other tests may run here; what no part is named for counts as its starter.
        assert set(taken) >= {"dice", "account", "gateway", "sweeper", "launch"} and "other" not in taken
        # The child of the dice service is the dice service's.
        more = {part: seconds - before.get(part, 0) for part, seconds in taken.items()}
        assert more["dice"] >= 0.35
        assert all(more[part] >= 0.15 for part in ("account", "gateway", "sweeper"))
        assert more["launch"] >= 0.15


async def test_a_watched_contender_tells_what_its_turn_took() -> None:
    with ExitStack() as running:

        async def measure(seconds: float) -> Sample:
            running.enter_context(busy("gateway.mjs"))
            return Sample(seconds, [1.0, 1.0])

        sample = await watched(os.getpid(), measure)(1.0)
    assert sample.processor["gateway"] >= 0.15


def test_a_line_says_what_one_thing_took_of_each_part() -> None:
    turns = [
        Sample(1.0, [1.0] * 4, processor={"dice": taken, "worker": 0.00001}) for taken in (0.1, 0.2, 0.9)
    ]
    told = shares(Figures(turns))
    assert told == {"processor_ms": pytest.approx(50.0025), "processor_ms_dice": pytest.approx(50.0)}
    assert shares(Figures([Sample(1.0, [1.0])])) == {}
