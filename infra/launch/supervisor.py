"""Starts a table of processes, keeps them running, and stops them in order.

Life of a process: wait for what it depends on -> start -> probe until ready -> watch. One that ends without
being asked is started again after a pause that doubles from 0.5 s to 10 s and is forgotten after 30 s of
life. Only while the whole is still starting does the supervisor give up, when a process dies quickly three
times: later, a product with one broken part is worth more than none.
"""

import asyncio
import contextlib
import os
import signal
import socket
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from infra.launch.failure import StartFailure
from infra.launch.forkserver import Child, ForkServer, Request
from infra.launch.guard import COMMAND, Warden
from infra.launch.handover import Life, listen
from infra.launch.logs import Console, PartLog
from infra.launch.probes import Probe

FIRST_PAUSE = 0.5  # seconds before a restart; doubles
LONGEST_PAUSE = 10.0
RELIEF = 15.0  # seconds that a broken process waits for its successor before it is stopped all the same
HEALTHY_AFTER = 30.0  # seconds of life after which earlier crashes are forgotten
CRASHES_AT_START = 3
BETWEEN_PROBES = 0.1  # seconds
UMASK = 0o077  # databases and files are nobody else's business


@dataclass(frozen=True, slots=True)
class Process:
    """One line of the table of processes.

    Attributes:
        name: what it is called in logs and messages; unique.
        command: program and arguments.
        environment: all of its variables.
        folder: where it runs.
        depends: names that must have been ready (or, of a ``once`` process, done) before it starts.
        ready: the question that tells when it is ready; None = as soon as it runs.
        ask_after: names that must have been ready once before its own question makes sense.
        once: it does its work and exits with 0; any other end fails the start.
        stop_rank: lower ranks are stopped first, equal ranks together.
        stop_signal: how it is asked to stop.
        grace: seconds it gets for that before its process group is killed.
        port: the port it is told to listen on, if any.
        listen: host and port whose listening socket the supervisor holds for it.
        forked: it is a Python module, and forked by the fork server where there is one.
    """

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(repr=False)
    folder: Path
    depends: tuple[str, ...] = ()
    ready: Probe | None = None
    ask_after: tuple[str, ...] = ()
    once: bool = False
    stop_rank: int = 1
    stop_signal: signal.Signals = signal.SIGTERM
    grace: float = 10.0
    port: int | None = None
    listen: tuple[str, int] | None = None
    forked: bool = False


class _Part:
    """A process of the table while the supervisor looks after it."""

    def __init__(self, process: Process, log: PartLog) -> None:
        self.process = process
        self.log = log
        self.child: Child | None = None
        self.relieved: set[Child] = set()  # leave as soon as their successor is ready
        self.ready = asyncio.Event()  # the newest life said so
        self.reached = asyncio.Event()  # ready (or done) at least once: dependents may start
        self.reason = "has not started"

    @property
    def name(self) -> str:
        return self.process.name

    @property
    def children(self) -> list[Child]:
        return [*self.relieved, *([self.child] if self.child else [])]


class Supervisor:
    """Looks after one table of processes: ``start``, later ``stop``; ``stop`` also after a failed start."""

    def __init__(
        self,
        processes: Sequence[Process],
        logs: Path,
        console: Console,
        warden: Warden,
        forks: ForkServer | None = None,
        on_ready: Callable[[str], None] | None = None,
    ) -> None:
        """Prepare the table; nothing is started yet.

        Args:
            processes: the table.
            logs: folder of the parts' files.
            console: where the parts and the supervisor speak.
            warden: cleans up behind a supervisor that was killed.
            forks: forks the Python parts; each is executed anew where it is None.
            on_ready: called once for each part, with its name, when it is ready or done for the first time.
        """
        self._console = console
        self._on_ready = on_ready
        self._forks = forks
        self._parts = {
            process.name: _Part(process, PartLog(process.name, logs, console)) for process in processes
        }
        self._warden = warden
        self._stopping = asyncio.Event()
        self._started = False
        self._failure: asyncio.Future[StartFailure] = asyncio.get_running_loop().create_future()
        self._tenders: list[asyncio.Task[None]] = []

    async def start(self, patience: float) -> None:
        """Start everything; return when every part has been ready once.

        Args:
            patience: seconds for all of it.

        Raises:
            StartFailure: names the part that did not become ready.
        """
        if self._forks is not None:
            await self._forks.start()
        self._tenders = [asyncio.create_task(self._tend(part)) for part in self._parts.values()]
        if self._forks is not None:
            self._tenders.append(asyncio.create_task(self._tend_forks(self._forks)))
        everything = asyncio.create_task(self._all_reached())
        try:
            await asyncio.wait(
                (everything, self._failure), timeout=patience, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            everything.cancel()
        if self._failure.done():
            raise self._failure.result()
        if late := [part for part in self._parts.values() if not part.reached.is_set()]:
            raise self._too_late(late, patience)
        self._started = True

    async def stop(self) -> None:
        """Stop everything, rank by rank; afterwards no process of the table is left."""
        self._stopping.set()
        for rank in sorted({part.process.stop_rank for part in self._parts.values()}):
            await asyncio.gather(
                *(self._end(part) for part in self._parts.values() if part.process.stop_rank == rank)
            )
        # A tender that was starting a process at the wrong moment ends it itself.
        await asyncio.gather(*self._tenders)
        if self._forks is not None:
            await self._forks.stop()
        for part in self._parts.values():
            part.log.close()

    def kill(self) -> None:
        """Kill everything at once; ``stop`` then finds nothing to wait for."""
        self._stopping.set()
        for part in self._parts.values():
            for child in part.children:
                _kill_group(child.pid)

    async def _tend_forks(self, forks: ForkServer) -> None:
        """Start the fork server again when it has ended; what it forked goes on meanwhile."""
        pause = FIRST_PAUSE
        while True:
            began = time.monotonic()
            if not await self._unless_stopping(forks.wait()):
                return
            if time.monotonic() - began >= HEALTHY_AFTER:
                pause = FIRST_PAUSE
            self._console.say(f"the fork server ended; starting it again in {pause:g} s")
            if not await self._unless_stopping(asyncio.sleep(pause)):
                return
            pause = min(pause * 2, LONGEST_PAUSE)
            with contextlib.suppress(OSError):  # no process can be made: tried again
                await forks.start()

    async def _tend(self, part: _Part) -> None:
        """See one process through its life."""
        for name in part.process.depends:
            if not await self._unless_stopping(self._parts[name].reached.wait()):
                return
        with contextlib.ExitStack() as holding:
            listener = None
            if part.process.listen is not None:
                try:
                    listener = holding.enter_context(listen(*part.process.listen))
                except OSError as error:
                    self._fail(part, f"cannot listen on {part.process.listen}: {error.strerror}")
                    return
            async with asyncio.TaskGroup() as lives:
                await self._keep_alive(part, listener, lives)

    async def _keep_alive(
        self, part: _Part, listener: socket.socket | None, lives: asyncio.TaskGroup
    ) -> None:
        """Run one life of a process after the other; a broken one ends beside its successor."""
        pause, crashes = FIRST_PAUSE, 0
        while not self._stopping.is_set():
            began = time.monotonic()
            part.ready.clear()
            life = Life(listener)
            ending = lives.create_task(self._live_once(part, life))
            if await self._is_broken(ending, life) and part.child is not None:
                self._console.say(f"{part.name} asks for a successor; starting it beside")
                lives.create_task(self._relieve(part, part.child, ending))
                continue
            code = await ending
            if self._stopping.is_set() or (part.process.once and code == 0):
                return
            lived = time.monotonic() - began
            if lived >= HEALTHY_AFTER:
                pause, crashes = FIRST_PAUSE, 0
            crashes += 1
            how = f"ended with {_ending(code)}"
            if part.process.once or (not self._started and crashes >= CRASHES_AT_START):
                self._fail(part, how if part.process.once else f"{how}, {crashes} times")
                return
            self._console.say(f"{part.name} {how}; starting it again in {pause:g} s")
            part.reason = how
            await self._unless_stopping(asyncio.sleep(pause))
            pause = min(pause * 2, LONGEST_PAUSE)

    async def _is_broken(self, ending: asyncio.Task[int], life: Life) -> bool:
        """Wait for the end of a life, or for its wish to be replaced; tells whether it was the wish."""
        broken = asyncio.create_task(life.broken.wait())
        await asyncio.wait((ending, broken), return_when=asyncio.FIRST_COMPLETED)
        broken.cancel()
        return not ending.done() and not self._stopping.is_set()

    async def _relieve(self, part: _Part, child: Child, ending: asyncio.Task[int]) -> None:
        """Let a broken life go on until its successor is ready, then stop it."""
        part.relieved.add(child)
        ready = asyncio.create_task(part.ready.wait())
        stopping = asyncio.create_task(self._stopping.wait())
        await asyncio.wait((ready, stopping, ending), timeout=RELIEF, return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        stopping.cancel()
        if not ending.done():
            await self._stop_child(part, child)
            await ending
        part.relieved.discard(child)

    async def _live_once(self, part: _Part, life: Life) -> int:
        """Run a process from its start to its end; give its exit code (negative: the signal)."""
        process = part.process
        try:
            # A pipe of our own: with asyncio's, wait() would also wait for each grandchild that inherited it.
            with _Reader(part.log) as reader:
                child = await self._begin(process, life, reader.writer)
                code = await self._watch(part, child, life)
        except OSError as error:  # no process could be made at all
            part.log.feed(f"cannot start: {error}\n".encode())
            return 126
        finally:
            life.close()
        if process.once and code == 0:
            self._reach(part)
        return code

    async def _begin(self, process: Process, life: Life, output: int) -> Child:
        environment = {**process.environment, **life.environment}
        if process.forked and self._forks is not None:
            _python, _as_module, module, *arguments = process.command
            inherited = list(life.descriptors)
            wanted = Request(module, arguments, environment, str(process.folder), UMASK, inherited)
            with contextlib.suppress(OSError):  # it is gone: then without it
                return await self._forks.fork(wanted, output, self._warden.pipe)
        return await asyncio.create_subprocess_exec(
            *COMMAND,
            "tether",
            str(self._warden.pipe),
            *process.command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=asyncio.subprocess.STDOUT,
            env=environment,
            cwd=process.folder,
            start_new_session=True,
            pass_fds=(self._warden.pipe, *life.descriptors),
            umask=UMASK,
        )

    async def _watch(self, part: _Part, child: Child, life: Life) -> int:
        """Probe a running process, wait for its end, clean up behind it."""
        self._warden.began(child.pid)
        part.child = child
        part.reason = "is not ready"
        if self._stopping.is_set():
            _kill_group(child.pid)
        probing = asyncio.create_task(self._probe(part))
        announcing = asyncio.create_task(_announce(part, life))
        code = await child.wait()
        probing.cancel()
        announcing.cancel()
        # What it started itself and left behind would hold its ports, files and log.
        _kill_group(child.pid)
        self._warden.ended(child.pid)
        if part.child is child:
            part.child = None
        return code

    async def _probe(self, part: _Part) -> None:
        """Ask until the process is ready."""
        if part.process.once:
            return
        if part.process.ready is None:
            self._reach(part)
            return
        for name in part.process.ask_after:
            await self._parts[name].reached.wait()
        while (reason := await part.process.ready.ask()) is not None:
            part.reason = reason
            await asyncio.sleep(BETWEEN_PROBES)
        if part.reached.is_set():
            self._console.say(f"{part.name} is back")
        self._reach(part)

    def _reach(self, part: _Part) -> None:
        """Let the parts that wait for this one start, and tell of the first time."""
        if self._on_ready is not None and not part.reached.is_set():
            self._on_ready(part.name)
        part.reached.set()

    async def _end(self, part: _Part) -> None:
        """Stop whatever runs of a part."""
        await asyncio.gather(*(self._stop_child(part, child) for child in part.children))

    async def _stop_child(self, part: _Part, child: Child) -> None:
        """Ask a process to stop; kill its group when it has not after its grace."""
        # Not child.send_signal: it reaps a child that has just died, behind the back of asyncio's watcher.
        with contextlib.suppress(ProcessLookupError):
            os.kill(child.pid, part.process.stop_signal)
        try:
            await asyncio.wait_for(child.wait(), part.process.grace)
        except TimeoutError:
            self._console.say(f"{part.name} did not stop within {part.process.grace:g} s; killing it")
            _kill_group(child.pid)
            await child.wait()

    async def _all_reached(self) -> None:
        for part in self._parts.values():
            await part.reached.wait()

    def _fail(self, part: _Part, reason: str) -> None:
        if not self._failure.done():
            self._failure.set_result(StartFailure(part.name, reason, part.log.path, part.log.tail))

    def _too_late(self, late: Sequence[_Part], patience: float) -> StartFailure:
        """Name the part that the others wait for: the first late one whose dependencies are there."""
        first = next(p for p in late if all(self._parts[name].reached.is_set() for name in p.process.depends))
        # The reason may itself name a part: the public readiness answer lists broken checks.
        culprit = next((p for p in self._parts.values() if f"{p.name}: " in first.reason), first)
        reason = f"was not ready within {patience:g} s ({first.reason})"
        return StartFailure(first.name, reason, culprit.log.path, culprit.log.tail)

    async def _unless_stopping(self, waiting: Coroutine[Any, Any, object]) -> bool:
        """Wait for something, or for the stop if that comes first; True when it was the something."""
        something = asyncio.ensure_future(waiting)
        stop = asyncio.create_task(self._stopping.wait())
        await asyncio.wait((something, stop), return_when=asyncio.FIRST_COMPLETED)
        something.cancel()
        stop.cancel()
        return not self._stopping.is_set()


class _Reader:
    """The pipe that a process writes its output to, read by the event loop into the process's log."""

    def __init__(self, log: PartLog) -> None:
        self._log = log
        self._loop = asyncio.get_running_loop()
        self._reader, self.writer = os.pipe()
        os.set_blocking(self._reader, False)
        self._loop.add_reader(self._reader, self._read)

    def __enter__(self) -> "_Reader":
        return self

    def __exit__(self, *raised: object) -> None:
        """Read what is left and let go, even if a process that outlived the other still holds the pipe."""
        os.close(self.writer)
        for _ in range(4):  # more than a pipe holds, and no more: a survivor may be writing still
            self._read()
        self._loop.remove_reader(self._reader)
        os.close(self._reader)
        self._log.end()

    def _read(self) -> None:
        """Take one chunk, if there is one."""
        with contextlib.suppress(BlockingIOError):
            self._log.feed(os.read(self._reader, 65_536))


async def _announce(part: _Part, life: Life) -> None:
    await life.ready.wait()
    part.ready.set()


def _kill_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _ending(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
