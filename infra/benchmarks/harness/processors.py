"""Processor time that the processes of a product take, by part: it says what a request costs also on a
machine that does other things beside.

Read from ``/proc``; nothing is known where there is none.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from infra.benchmarks.harness.cases import Figures, Sample
from infra.benchmarks.harness.rounds import Measure

PROC = Path("/proc")
TICK = 1.0 / os.sysconf("SC_CLK_TCK")
PARTS = (
    (re.compile(rb"services\.gateway\.app"), "account"),
    (re.compile(rb"services\.(\w+)\.app"), ""),
    (re.compile(rb"gateway\.mjs"), "gateway"),
    (re.compile(rb"workers\.sweeper"), "sweeper"),
    (re.compile(rb"workers\."), "worker"),
    (re.compile(rb"valkey"), "valkey"),
    (re.compile(rb"postgres"), "postgres"),
)
"""By what a command line is known; without a name, the part is called what was found."""
REST = "launch"
"""What starts and watches the others."""
LEAST_MS = 0.01
"""Below this a part has no share in a request that can be told from its idling."""


@dataclass(frozen=True, slots=True)
class _Process:
    parent: int
    part: str | None
    seconds: float


def processor_seconds(root: int) -> Mapping[str, float]:
    """Returns the seconds on processors that a process and its descendants have taken so far, by part.

    What descends from a part belongs to it, unless it is known as another.
    """
    found = dict(_processes())
    taken: defaultdict[str, float] = defaultdict(float)
    for pid, process in found.items():
        part, ancestor = process.part, pid
        while ancestor != root and ancestor in found:
            ancestor = found[ancestor].parent
            part = part or (found[ancestor].part if ancestor in found else None)
        if ancestor == root:
            taken[part or REST] += process.seconds
    return taken


def watched(root: int, measure: Measure) -> Measure:
    """Has a contender's samples tell what the processes below ``root`` took for them."""

    async def measured(seconds: float) -> Sample:
        before = processor_seconds(root)
        sample = await measure(seconds)
        after = processor_seconds(root)
        taken = {part: max(0.0, spent - before.get(part, 0.0)) for part, spent in after.items()}
        return replace(sample, processor=taken)

    return measured


def shares(figures: Figures) -> Mapping[str, float]:
    """Returns the keys of a line that say how many milliseconds of processor time one thing took: in all, and
    of each part.
    """
    each = figures.processor_ms
    told = {f"processor_ms_{part}": spent for part, spent in sorted(each.items()) if spent >= LEAST_MS}
    return {"processor_ms": sum(each.values()), **told} if each else {}


def _processes() -> Iterator[tuple[int, _Process]]:
    for folder in PROC.glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_bytes()
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue  # it has just ended
        # The name in brackets may hold anything; behind it are the state, the parent, ... and the time of
        # the process and of its children that have ended: a worker forks one for each job.
        fields = stat.rpartition(b")")[2].split()
        yield (
            int(folder.name),
            _Process(int(fields[1]), _part(command), sum(map(int, fields[11:15])) * TICK),
        )


def _part(command: bytes) -> str | None:
    for pattern, name in PARTS:
        if found := pattern.search(command):
            return name or found[1].decode()
    return None
