"""A process for each job: what is made in it can be ended at once, and costs no more than it may.

    Celery's child, warm  --fork-->  the maker: reads what to make, tells how far it is, hands it over

A thread cannot be ended, and Celery ends its children only by messages that anybody who reaches the broker
could send. So the steps of a job run in a process that is forked for it from the warm child, with every
kernel loaded: a few milliseconds. It is forked before the child has threads or connections of its own, is
killed when the job is cancelled or given to another worker, is ended by the system when it has used its
processor time, and ends itself with its parent.
"""

import asyncio
import contextlib
import signal
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from multiprocessing import current_process, get_context
from multiprocessing.connection import Connection
from typing import Any

import structlog

from services.shared.workers import ready

SECONDS = 6.0
"""Processor time that one job may take; its price says that it takes less than half of that."""

PATIENCE_SECONDS = 20.0
"""By the clock: the system ends it then, in case nobody is left who could."""

GRACE_SECONDS = 5.0
"""So much later its parent kills what has not even heard of that."""

MEMORY = 6 * 2**30
"""Bytes of address space, of which compiled kernels take most without using them."""

Progress = Any
"""How far it is, or what of it is finished: each kind of work has its own."""

Steps = Generator[Progress, None, Any]
MakeSteps = Callable[[Mapping[str, Any]], Steps]

log = structlog.get_logger(__name__)


class Refused(Exception):
    """The input can never work, however often it is tried.

    Attributes:
        code: stable, for programs.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code

    def __str__(self) -> str:
        return str(self.args[1])


class Broken(Exception):
    """The maker failed, or was killed: another attempt may work."""


@dataclass(frozen=True, slots=True)
class Made:
    """What the steps have returned."""

    product: Any


class Maker:
    """A process that waits for something to make; see ``making``.

    Args:
        steps: makes the steps of a job from its parameters, by its kind.
        seconds: processor time that it may take.
    """

    def __init__(self, steps: Mapping[str, MakeSteps], *, seconds: float = SECONDS) -> None:
        context = get_context("fork")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, steps, seconds), name="maker")
        self._process.start()
        theirs.close()
        self._deadline = time.monotonic() + PATIENCE_SECONDS + GRACE_SECONDS

    async def begin(self, kind: str, params: Mapping[str, Any]) -> None:
        """Tells it what to make.

        Raises:
            Broken: it has ended already.
        """
        try:
            await asyncio.to_thread(self._connection.send, (kind, dict(params)))
        except OSError:
            await self._ended()

    async def outcome(self) -> "Progress | Made":
        """Waits for how far it is, or for what it has made.

        Raises:
            Refused: what it was told can never be made, or not within its processor time.
            Broken: it failed, or was killed.
        """
        try:
            found = await asyncio.to_thread(self._connection.recv)
        except (EOFError, OSError):
            return await self._ended()
        if isinstance(found, Exception):
            raise found
        return found

    @property
    def overdue(self) -> bool:
        """Whether it should have ended long ago."""
        return time.monotonic() > self._deadline

    def kill(self) -> None:
        """Ends it, wherever it is; whoever waits for it is told that it is broken."""
        self._process.kill()

    def close(self) -> None:
        """Ends it if it has not ended, and takes leave of it."""
        self.kill()
        self._process.join()
        self._process.close()
        self._connection.close()

    async def _ended(self) -> Progress | Made:
        await asyncio.to_thread(self._process.join)
        if self._process.exitcode == -signal.SIGPROF:
            raise Refused("TOO_MUCH_WORK", f"It took more than {SECONDS:g} s of processor time.")
        raise Broken(f"The process that made it ended with {self._process.exitcode}.")


def allow_makers() -> None:
    """Lets this process, a child of Celery's, have makers.

    Celery's children are daemons, which multiprocessing lets have no children, since a daemon that is killed
    cannot end them. A maker ends by itself when its parent is gone.
    """
    current_process()._config["daemon"] = False  # type: ignore[attr-defined]


@contextlib.contextmanager
def maker(steps: Mapping[str, MakeSteps], *, seconds: float = SECONDS) -> Iterator[Maker]:
    """Forks a maker, which is gone when the block ends."""
    made = Maker(steps, seconds=seconds)
    try:
        yield made
    finally:
        made.close()


def _serve(connection: Connection, steps: Mapping[str, MakeSteps], seconds: float) -> None:
    """Makes one thing: the whole life of a maker."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
        signal.signal(number, signal.SIG_DFL)
    ready(_nothing, MEMORY)
    try:
        kind, params = connection.recv()
    except (EOFError, OSError):
        return  # there was nothing to make
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE_SECONDS)
    connection.send(_made(connection, steps, kind, params))


def _made(
    connection: Connection, steps: Mapping[str, MakeSteps], kind: str, params: Mapping[str, Any]
) -> Made | Refused | Broken:
    try:
        if kind not in steps:
            return Refused("UNKNOWN_TASK", "There is no such task here.")
        running = steps[kind](params)
        while True:
            connection.send(next(running))
    except StopIteration as end:
        return Made(end.value)
    except Refused as refused:
        return Refused(refused.code, str(refused))
    except MemoryError:
        return Refused("TOO_MUCH_WORK", "It took more memory than it may have.")
    except Exception as error:
        log.exception("making_failed", kind=kind)
        return Broken(f"An unexpected error stopped the work ({type(error).__name__}).")


def _nothing() -> None:
    """What a maker has to prepare: its parent was warm."""
