"""Work that an account asks for: estimated, paid for, and done where it holds nobody up.

What takes a moment is done at once; what takes longer goes to a worker process, where accounts take turns and
processor time has a hard bound. Both run the same function of a module, a ``Task``: it is handed what the
process knows (the games, say) and arguments that can be pickled.
"""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

import structlog

from services.shared.auth import Viewer
from services.shared.knowing import knowing, nothing
from services.shared.limits.meter import MOST_POINTS, Meter, TooExpensive, points_for
from services.shared.limits.turns import Crowded, Turns
from services.shared.problems import PublicError
from services.shared.workers import (
    WAITING,
    WAITING_EACH,
    Lost,
    OutOfMemory,
    OutOfTime,
    WorkerError,
    Workers,
)

P = ParamSpec("P")
R = TypeVar("R")
W = TypeVar("W")

FREE = 5.0
"""Milliseconds of work that the price of the operation itself pays for."""

AT_ONCE = 50.0
"""Milliseconds of work that is done at once; more would hold up the other requests of the process."""

NOBODY = "nobody"
"""Whose turn it is where the house itself asks, on no account: all that it asks is one account's share."""

THREADS = 2
"""Tasks at once in threads, where no worker process does them; the other threads are for what is short."""

WARM_AFTER = 8.0
"""Seconds after which worker processes are started, whoever asks; the start of the house comes first."""

Task = Callable[Concatenate[W, P], R]

log = structlog.get_logger(__name__)


class Reckoner(Generic[W]):
    """Has tasks done for accounts.

    Args:
        known: what tasks are handed in this process.
        meter: charges for them; without one nothing is charged.
        workers: the processes for long ones, made by ``knowing.workers_knowing``; a thread without them.
    """

    def __init__(self, known: W, meter: Meter | None = None, workers: Workers | None = None) -> None:
        self._known = known
        self._meter = meter
        self._workers = workers
        self._threads = Turns(THREADS, waiting=WAITING, waiting_each=WAITING_EACH, name="threads")

    async def charge(self, viewer: Viewer, milliseconds: float, paid: float = FREE) -> None:
        """Charges for work that is about to be done.

        Args:
            viewer: whose account pays.
            milliseconds: estimate of its processor time.
            paid: milliseconds that the price of the operation has paid for already.

        Raises:
            LimitReached: see ``Meter.charge``.
        """
        if self._meter is not None and milliseconds > paid:
            await self._meter.charge(viewer, points_for(milliseconds - paid))

    async def do(
        self, owner: str, milliseconds: float, task: Task[W, P, R], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """Does a task, here or in a worker process.

        Args:
            owner: account that asks; accounts take turns.
            milliseconds: estimate of its processor time.
            task: a function of a module.
            args: its arguments behind what the process knows; they and its result can be pickled.
            kwargs: its named arguments.

        Raises:
            TooExpensive: it took more time or room than any task may.
            PublicError: ``UNAVAILABLE``, too many wait already.
        """
        if milliseconds <= AT_ONCE:
            return task(self._known, *args, **kwargs)
        return await self.apart(owner, task, *args, **kwargs)

    async def apart(self, owner: str, task: Task[W, P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Does a task in a worker process, however little it is; see ``do``.

        In the seconds until the processes have started a thread does it: that holds others up a little, and
        nobody waits for the start.
        """
        if self._workers is None or not self._workers.warm:
            return await self._by_a_thread(owner, task, *args, **kwargs)
        return await self._by_a_worker(self._workers, owner, task, *args, **kwargs)

    async def _by_a_thread(self, owner: str, task: Task[W, P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            async with self._threads.place(owner):
                return await asyncio.to_thread(task, self._known, *args, **kwargs)
        except Crowded as error:
            raise _crowded() from error

    async def _by_a_worker(
        self, workers: Workers, owner: str, task: Task[W, P, R], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        try:
            run: Callable[..., Any] = workers.run
            found: R = await run(owner, knowing, task, *args, **kwargs)
            return found
        except (OutOfTime, OutOfMemory) as error:
            log.warning("work_stopped", task=task.__name__, reason=type(error).__name__)
            raise TooExpensive(MOST_POINTS, "This takes more work than one request may ask for.") from error
        except Lost as error:
            log.error("work_lost", task=task.__name__)
            raise PublicError("UNAVAILABLE", "This could not be worked out; try again.") from error
        except WorkerError as error:
            raise _crowded() from error

    async def keep_warm(self) -> None:
        """Starts the worker processes soon after the process itself, and anew when they are lost."""
        while True:
            await asyncio.sleep(WARM_AFTER)
            if self._workers is None or not self._workers.warm:
                with contextlib.suppress(PublicError):
                    await self.start()

    async def start(self) -> None:
        """Starts the worker processes, and waits until they can be asked.

        Raises:
            PublicError: ``UNAVAILABLE``, they do not start.
        """
        if self._workers is not None:
            await self._by_a_worker(self._workers, NOBODY, nothing)

    async def close(self) -> None:
        """Ends the worker processes."""
        if self._workers is not None:
            await self._workers.close()


def _crowded() -> PublicError:
    return PublicError("UNAVAILABLE", "Too much work is waiting already; try again.")
