"""Processor time of all processes of a product together, in nanoseconds, while it runs."""

import os
import time
from pathlib import Path

from infra.gates.frame.figures import GateFailure

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
CPUCLOCK_SCHED = 2
PROC = Path("/proc")
BETWEEN_LOOKS = 0.25
NOISE_MS_PER_SECOND = 40.0
"""What may be used beside the idle drift while nothing is under way."""


def family(root: int) -> set[int]:
    """Returns the ids of a process and all of its descendants."""
    children: dict[int, list[int]] = {}
    for folder in PROC.iterdir():
        if folder.name.isdigit() and (fields := _stat(int(folder.name))):
            children.setdefault(int(fields[1]), []).append(int(folder.name))
    found, unseen = set(), [root]
    while unseen:
        pid = unseen.pop()
        found.add(pid)
        unseen += children.get(pid, [])
    return found


def processor_ms(root: int) -> float:
    """Returns the processor time that a process and its descendants have used, the ended ones included.

    A running process is read from its own clock, which is exact; children that have ended count with their
    parent, as it has waited for them, in ticks of the kernel.
    """
    total = 0.0
    for pid in family(root):
        try:
            # The clock of another process: see clock_getcpuclockid(3).
            total += time.clock_gettime(((~pid) << 3) | CPUCLOCK_SCHED) * 1000
        except OSError:
            continue  # it has just ended: its parent counts it from now on
        if fields := _stat(pid):
            total += (int(fields[13]) + int(fields[14])) / TICKS_PER_SECOND * 1000
    return total


def _stat(pid: int) -> list[str]:
    """Returns the fields of /proc/<pid>/stat behind the command's name: 0 is the state, 1 the parent."""
    try:
        return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


class Meter:
    """Measures what a product does beyond its idle drift.

    Args:
        root: process id of ``infra/up``.

    Raises:
        GateFailure: this system has no /proc.
    """

    def __init__(self, root: int) -> None:
        if not PROC.is_dir():
            raise GateFailure("processor time is read from /proc, which this system has not")
        self._root = root
        self._idle = 0.0  # ms per second

    def learn_idle(self, seconds: float = 4.0) -> float:
        """Measures what the product uses while nobody asks; returns it in milliseconds per second."""
        used, began = processor_ms(self._root), time.monotonic()
        time.sleep(seconds)
        self._idle = (processor_ms(self._root) - used) / (time.monotonic() - began)
        return self._idle

    def mark(self) -> tuple[float, float]:
        """Returns the point from which ``since`` measures."""
        return processor_ms(self._root), time.monotonic()

    def since(self, mark: tuple[float, float]) -> float:
        """Returns the milliseconds used since a mark, without the idle drift."""
        used, began = mark
        return processor_ms(self._root) - used - self._idle * (time.monotonic() - began)

    def settle(self, seconds: float) -> bool:
        """Waits until nothing is under way any more; False if something still is after so long."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            mark = self.mark()
            time.sleep(BETWEEN_LOOKS)
            if self.since(mark) < NOISE_MS_PER_SECOND * BETWEEN_LOOKS:
                return True
        return False
