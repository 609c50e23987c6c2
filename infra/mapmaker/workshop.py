"""All maps of an order, made here: by this process, or by several of them.

Processes take one map after another. Ctrl-C reaches all of them; they leave it to this one, which lets each
finish the map in its hands. They end with this process, however that ends.
"""

import os
import signal
import sys
import threading
from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import Any

from infra.mapmaker.making import GatesFailed, Task, make_map
from infra.mapmaker.orders import Order
from infra.mapmaker.refusals import WorkFailed
from services.shared.problems import Issue

WAITING = 4
"""Maps that are handed out for each process: none is ever idle, and few are left when it is to stop."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a task.

    Attributes:
        number: of the map.
        entry: its line of the index; None where it could not be made.
        issues: why not.
    """

    number: int
    entry: dict[str, Any] | None = None
    issues: tuple[Issue, ...] = ()


def made_here(order: Order, folder: Path, tasks: Sequence[Task], jobs: int) -> Generator[Outcome, None, None]:
    """Make maps, in any order.

    Args:
        order: what to make.
        folder: where to.
        tasks: which are left.
        jobs: how many processes; with one it is this one.

    Raises:
        WorkFailed: what concerns every map: a file cannot be written, a picture is too large, a process died.
    """
    jobs = min(jobs, len(tasks))
    if jobs <= 1:
        for task in tasks:
            yield _outcome(order, folder, task)
        return
    # A copy of this process is ready at once; elsewhere than on Linux, copies of loaded libraries may fail.
    context = get_context("fork" if sys.platform == "linux" else "spawn")
    stop = context.Event()
    pool = ProcessPoolExecutor(jobs, context, _begin, (order, folder, stop))
    try:
        left = iter(tasks)
        running: set[Future[Outcome | None]] = {
            pool.submit(_work, task) for task in islice(left, WAITING * jobs)
        }
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                outcome = future.result()
                if outcome is not None:
                    yield outcome
            running |= {pool.submit(_work, task) for task in islice(left, len(done))}
    except BrokenProcessPool:
        message = "A process that made maps was killed, perhaps for want of memory; the same command goes on."
        raise WorkFailed.of("PROCESS_DIED", message, "jobs", found=str(jobs)) from None
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


def _outcome(order: Order, folder: Path, task: Task) -> Outcome:
    try:
        return Outcome(task.number, make_map(order, folder, task))
    except GatesFailed as failure:
        return Outcome(task.number, issues=tuple(failure.issues))


# In the processes

_given: tuple[Order, Path, Any] | None = None


def _begin(order: Order, folder: Path, stop: Any) -> None:
    """Get ready; called once in each process."""
    global _given
    _given = order, folder, stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(task: Task) -> Outcome | None:
    assert _given is not None
    order, folder, stop = _given
    return None if stop.is_set() else _outcome(order, folder, task)
