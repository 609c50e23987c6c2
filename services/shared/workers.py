"""Worker processes of a service: where things are reckoned or drawn that would hold up its requests.

They start with the first question that needs them. Each question has a limit of processor time, each process
a limit of memory; a process that goes beyond its time is ended, and the next question starts another. Who
asks much waits for those who ask little: accounts take turns. The processes end with the service, even where
that is killed: they notice that their parent is gone.

They are forked from a process of the service that has loaded what they need and does nothing else, not from
the service itself, which has threads: one that was ended is replaced within milliseconds.
"""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection, get_context, parent_process
from typing import Any, ParamSpec, TypeVar

from pebble import ProcessExpired, ProcessPool

from services.shared.limits.turns import Crowded, Turns

P = ParamSpec("P")
R = TypeVar("R")

SECONDS = 5.0
"""Processor time that one question may take."""

PATIENCE = 8.0
"""Seconds by the clock in which a question is answered or refused, its waiting included: less than the 10 s
that the gateway waits for the answer to a query, so that it hears why there is none."""

MUTATION_PATIENCE = 25.0
"""The same where a mutation asks, for whose answer the gateway waits 30 s."""

GRACE = 5.0
"""After so many seconds more by the clock the system itself ends a process that the service did not end."""

MEMORY = 2**30
"""Bytes of address space of the worker."""

WAITING = 64
"""Questions that may wait; further ones are turned away."""

WAITING_EACH = 16
"""Questions of one account that may wait."""

TASKS = 1_000
"""Questions after which a worker is replaced, so that nothing it might keep can pile up."""

NICENESS = 5
"""By how much workers stand back for the loops that answer requests, where a processor has too much to do."""

ATTEMPTS = 2
"""How often a question is asked whose worker was killed under it."""

Prepare = Callable[[], object]
"""Makes a worker ready for its questions; picklable, since it is sent to the worker process."""

_FORKS = get_context("forkserver")
_loaded: list[str] = []
"""Modules that the process loads of which this process's workers are forked."""


class WorkerError(Exception):
    """A question that was not answered.

    ::

        WorkerError
        ├── OutOfTime       it took too long
        ├── OutOfMemory     it took too much room
        ├── Busy            too many questions are waiting
        └── Lost            the process was killed, more than once
    """


class OutOfTime(WorkerError):
    """It took too long."""


class OutOfMemory(WorkerError):
    """It took too much room."""


class Busy(WorkerError):
    """Too many questions are waiting, or the service is stopping."""


class Lost(WorkerError):
    """The process was killed under the question, more than once."""


class Workers:
    """Runs functions in worker processes.

    Args:
        prepare: makes each process ready.
        loaded: modules that are loaded once for all processes; they start no thread and open nothing.
        count: how many processes.
        seconds: processor time that one question may take.
        patience: seconds by the clock that it may take, with its waiting; ``PATIENCE`` without it.
        memory: bytes of address space of a process.
        waiting: questions that may wait.
        waiting_each: questions of one account that may wait.
        name: of the pool, for Prometheus.
    """

    def __init__(
        self,
        prepare: Prepare,
        *,
        loaded: Sequence[str] = (),
        count: int = 1,
        seconds: float = SECONDS,
        patience: float | None = None,
        memory: int = MEMORY,
        waiting: int = WAITING,
        waiting_each: int = WAITING_EACH,
        name: str = "",
    ) -> None:
        self._prepare = prepare
        self._count = count
        self._seconds = seconds
        self._patience = PATIENCE if patience is None else patience
        self._memory = memory
        self._turns = Turns(count, waiting=waiting, waiting_each=waiting_each, name=name)
        self._pool: asyncio.Task[ProcessPool] | None = None
        self._running: set[Future[Any]] = set()
        self._closed = False
        self._warm = False
        _loaded.extend(name for name in loaded if name not in _loaded)

    @property
    def warm(self) -> bool:
        """Whether the processes run: the first question has to wait for their start."""
        return self._warm

    async def run(self, owner: str, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Runs a function of a module in a worker.

        Args:
            owner: account that asks; accounts take turns.
            function: what is run; picklable, like its arguments and its result.
            args: its arguments.
            kwargs: its named arguments.

        Raises:
            WorkerError: it was not answered; see there.
        """
        if self._closed:
            raise Busy
        warm = False
        try:
            async with asyncio.timeout(self._patience), self._turns.place(owner):
                # Before their first answer the processes may still be starting.
                warm = self._warm
                return await self._tried(function, *args, **kwargs)
        except Crowded:
            raise Busy from None
        except TimeoutError:
            raise (OutOfTime if warm else Busy) from None

    async def close(self) -> None:
        """End the processes and wait until they are gone, those that are just starting too."""
        self._closed = True
        starting, self._pool = self._pool, None
        # A pool that is stopped forgets the questions that it still has.
        for future in tuple(self._running):
            future.cancel()
        if starting is not None:
            await asyncio.to_thread(_stopped, await starting)

    async def _tried(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        for _ in range(ATTEMPTS):
            pool = await self._started()
            if self._closed:
                # Closed while the processes started: what is asked of them now would never be answered.
                raise Busy
            try:
                future = pool.schedule(
                    _within, (self._seconds, self._patience + GRACE, function, args, kwargs)
                )
            except RuntimeError:
                # It was stopped, or broke, between two questions.
                await self._dropped(pool)
                continue
            self._running.add(future)
            future.add_done_callback(self._running.discard)
            try:
                answer: R = await asyncio.wrap_future(future)
                self._warm = True
                return answer
            except asyncio.CancelledError:
                if self._closed:
                    raise Busy from None
                raise
            except MemoryError:
                raise OutOfMemory from None
            except BrokenProcessPool:
                await self._dropped(pool)
            except ProcessExpired as error:
                # The pool starts another process by itself.
                if error.exitcode == -signal.SIGPROF:
                    self._warm = True
                    raise OutOfTime from None
        raise Lost

    async def _started(self) -> ProcessPool:
        """Returns the pool. It starts in a thread, once, even if who asked for it goes away meanwhile."""
        if self._closed:
            raise Busy
        starting = self._pool
        if starting is None:
            starting = self._pool = asyncio.create_task(asyncio.to_thread(self._start))
            starting.add_done_callback(self._forget_failed)
        return await asyncio.shield(starting)

    def _start(self) -> ProcessPool:
        # Heard by the first pool of this process; processes of further ones load the rest themselves.
        _FORKS.set_forkserver_preload(_loaded)
        pool = ProcessPool(
            max_workers=self._count,
            max_tasks=TASKS,
            initializer=ready,
            initargs=(self._prepare, self._memory),
            context=_FORKS,
        )
        # What starts the processes is the question whether they run.
        _ = pool.active
        return pool

    def _forget_failed(self, starting: asyncio.Task[ProcessPool]) -> None:
        failed = starting.cancelled() or starting.exception() is not None
        if failed and self._pool is starting:
            self._pool = None

    async def _dropped(self, pool: ProcessPool) -> None:
        """Throw away a pool that has stopped working, unless that is under way already."""
        if self._pool is None or not self._pool.done() or self._pool.result() is not pool:
            return
        self._pool, self._warm = None, False
        await asyncio.to_thread(_stopped, pool)


def ready(prepare: Prepare, memory: int) -> None:
    """Make a worker process ready: its limit of memory, its end with its parent, what it knows."""
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    for number in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(number, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    prepare()


def _within(
    seconds: float, patience: float, function: Callable[..., R], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> R:
    """Runs a question in a worker that the system ends when its processor time is used up.

    By the clock the service ends it, which cancels it. But the service may be gone, and the thread that
    notices needs Python's lock, which one multiplication of giants can hold for minutes: hence the alarm.
    """
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, patience)
    try:
        return function(*args, **kwargs)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
    os._exit(1)


def _stopped(pool: ProcessPool) -> None:
    pool.stop()  # type: ignore[no-untyped-call]
    pool.join()
