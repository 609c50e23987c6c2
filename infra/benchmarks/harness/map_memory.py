"""What memory a batch takes as it goes on: ``python -m infra.benchmarks.harness.map_memory COUNT``.

A process of its own makes the parts of a batch one after another, as a worker does, and tells after every few
maps how many were made and how many bytes it holds in memory, a line each. It ends when nobody reads them.
"""

import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from infra.benchmarks.harness.cases import BenchFailure, Case
from infra.benchmarks.harness.map_making import DUNGEON
from infra.launch.bootstrap import ROOT
from services.map.registry import GENERATORS
from services.map.wishes import Order
from workers.batches import part_steps

PART, EDGE = 20, 100
SIDE = 25
FORMATS = ("json", "svg", "png")
FLAT_ENOUGH = 0.9
"""Least ratio of the memory at the beginning to that at the end."""
SECONDS = 90.0
STATUS = Path("/proc/self/statm")


def tell(count: int) -> None:
    """Make so many maps, and print what that takes."""
    parameters = GENERATORS[DUNGEON].codec.type(width=SIDE, height=SIDE)
    document = Order(DUNGEON, parameters, 1).document()
    for first in range(0, count, PART):
        size = min(PART, count - first)
        part = {"first": first, "count": size, "seeds": [], "formats": list(FORMATS)}
        for share in part_steps({**document, **part}):
            print(first + round(share * (size + 1)), resident(), flush=True)
        print(first + size, resident(), flush=True)


def resident() -> int:
    """Give how many bytes this process holds in memory (Linux)."""
    return int(STATUS.read_text().split()[1]) * resource.getpagesize()


def memory_case(count: int) -> Case:
    """Measure the memory of a batch: its last hundred maps beside its first.

    Raises:
        BenchFailure: it cannot be measured here.
    """
    if not STATUS.exists():
        raise BenchFailure(f"memory cannot be measured here: there is no {STATUS}")
    command = (sys.executable, "-m", "infra.benchmarks.harness.map_memory", str(count))
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise BenchFailure(f"{count} maps were not made within {SECONDS:.0f} s") from None
    except subprocess.CalledProcessError as error:
        said = error.stderr.strip().splitlines()
        raise BenchFailure(f"a batch was not made: {said[-1] if said else error}") from None
    samples = [(int(number), int(size)) for number, size in map(str.split, done.stdout.splitlines())]
    return case_of(count, samples)


def case_of(count: int, samples: Sequence[tuple[int, int]]) -> Case:
    """Tell how memory grew.

    Args:
        count: how many maps there were.
        samples: how many were made, and the bytes that were held then.
    """
    edge = min(EDGE, count // 2)
    first = median(size for number, size in samples if number <= edge)
    last = median(size for number, size in samples if number > count - edge)
    return Case(
        f"memory of a batch of {count:,} maps, its last {edge}",
        last / 1e6,
        "MB",
        against=first / 1e6,
        against_name=f"its first {edge}",
        target=FLAT_ENOUGH,
        more={"peak_mb": max(size for _, size in samples) / 1e6, "measured": len(samples)},
        less_is_better=True,
    )


if __name__ == "__main__":
    tell(int(sys.argv[1]))
