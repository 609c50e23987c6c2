"""Starts Python processes of the product as forks of one that has loaded what they share.

Half of the time that a service takes to start goes into modules that each of them loads. The fork server
loads them once; a process that is forked from it begins with its own modules, at the start and after each
crash. It has no secrets: the environment of a process comes with the request for it.

``python -m infra.launch.forkserver FD`` reads requests from the socket FD until that ends: the length of
what follows in four bytes, and with them the descriptors of its standard output, of the warden's pipe and of
what it inherits; then JSON. It answers with lines of JSON, ``{"began": pid}`` for each request in its order,
and ``{"ended": pid, "code": n}``. A process that is forked leads a session of its own, as one does that a
tether starts (see ``warden``). It begins its work once that answer is written: none runs that the supervisor
has not heard of. When the socket ends, the supervisor is gone, and the fork server ends what it has forked,
whether or not a warden does so too.
"""

import asyncio
import contextlib
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import struct
import sys
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import setproctitle

from infra.launch.environment import python
from infra.launch.warden import end

LOADED = (
    *("uvicorn", "aiohttp", "redis.asyncio", "sqlmodel", "strawberry"),
    *("services.shared.app", "services.shared.database", "services.shared.telemetry"),
    *("services.shared.graphql.schema", "services.shared.outbox", "services.shared.jobs"),
    "services.rules.engine.loaded",
)
"""What most processes of the product load, and nothing that starts a thread or remembers a setting."""
LENGTH = struct.Struct("!I")
MOST_DESCRIPTORS = 8
PATIENCE = 60.0
"""Seconds in which it forks a process, the time included that it takes to start; else it is started anew."""

GRACE = 5.0
"""Seconds between its SIGTERM and its SIGKILL to what it has forked, when the supervisor is gone."""

UNKNOWN = 255
"""The exit code of a process of which nobody was left to hear how it ended."""


class Child(Protocol):
    """A process that was started."""

    @property
    def pid(self) -> int:
        """Its id, and that of its session and process group."""

    async def wait(self) -> int:
        """Wait for its end; returns its exit code (negative: the signal)."""


class Request(NamedTuple):
    """What a process is to be.

    Attributes:
        module: what it runs, as ``python -m`` would.
        arguments: what it is told.
        environment: all of its variables.
        folder: where it runs.
        umask: what its files are not open to.
        inherited: numbers of the descriptors that it finds open, besides its output.
    """

    module: str
    arguments: Sequence[str]
    environment: Mapping[str, str]
    folder: str
    umask: int
    inherited: Sequence[int] = ()


class ForkServer:
    """The supervisor's end: starts the fork server, asks it for processes, hears of their ends."""

    def __init__(self, environment: Mapping[str, str], folder: Path) -> None:
        self._command = (environment, folder)
        self._began = deque[asyncio.Future[tuple[int, asyncio.Future[int]]]]()
        self._alive: dict[int, asyncio.Future[int]] = {}
        self._heard = b""
        self._asking = asyncio.Lock()
        self._socket: socket.socket | None = None
        self._server: asyncio.subprocess.Process | None = None

    @property
    def answers(self) -> bool:
        """Whether it can be asked for processes."""
        return self._socket is not None

    async def start(self) -> None:
        """Start it, anew where it has ended; it loads its modules while other things happen."""
        self._lose()
        environment, folder = self._command
        ours, its = socket.socketpair()
        with its:
            self._server = await asyncio.create_subprocess_exec(
                *python("infra.launch.forkserver", str(its.fileno())),
                stdin=asyncio.subprocess.DEVNULL,
                env=environment,
                cwd=folder,
                start_new_session=True,
                pass_fds=(its.fileno(),),
            )
        ours.setblocking(False)
        self._socket = ours
        asyncio.get_running_loop().add_reader(ours, self._hear)

    async def fork(self, request: Request, output: int, wardens_pipe: int) -> Child:
        """Ask for a process.

        Raises:
            OSError: the fork server is gone, or does not answer, and is ended.
        """
        try:
            async with asyncio.timeout(PATIENCE):
                pid, ended = await self._ask(request, (output, wardens_pipe, *request.inherited))
        except TimeoutError:
            if self._server is not None:
                with contextlib.suppress(ProcessLookupError):
                    self._server.kill()
            self._lose()
            raise
        return _Forked(pid, ended)

    async def wait(self) -> None:
        """Wait until the process that was started last has ended."""
        if self._server is not None:
            await self._server.wait()

    async def _ask(self, request: Request, descriptors: Sequence[int]) -> tuple[int, asyncio.Future[int]]:
        loop = asyncio.get_running_loop()
        began: asyncio.Future[tuple[int, asyncio.Future[int]]] = loop.create_future()
        payload = json.dumps(request._asdict()).encode()
        async with self._asking:
            if self._socket is None:
                raise ConnectionResetError("the fork server is gone")
            self._began.append(began)
            socket.send_fds(self._socket, [LENGTH.pack(len(payload))], descriptors)
            await loop.sock_sendall(self._socket, payload)
        return await began

    async def stop(self) -> None:
        """End it; the processes that it forked go on."""
        if self._socket is not None:
            self._lose()
        if self._server is not None:
            await self._server.wait()

    def _hear(self) -> None:
        assert self._socket is not None
        try:
            heard = self._socket.recv(65_536)
        except BlockingIOError:
            return
        except OSError:
            heard = b""
        if not heard:
            self._lose()
            return
        *lines, self._heard = (self._heard + heard).split(b"\n")
        for line in lines:
            said = json.loads(line)
            if "began" in said:
                pid = said["began"]
                ended = self._alive[pid] = asyncio.get_running_loop().create_future()
                began = self._began.popleft()
                if not began.done():
                    began.set_result((pid, ended))
            else:
                self._alive.pop(said["ended"]).set_result(said["code"])

    def _lose(self) -> None:
        """Let go of the socket; see to the ends of what still runs by other means."""
        loop = asyncio.get_running_loop()
        if self._socket is not None:
            loop.remove_reader(self._socket)
            self._socket.close()
            self._socket = None
        self._heard = b""
        while self._began:
            began = self._began.popleft()
            if not began.done():
                began.set_exception(ConnectionResetError("the fork server is gone"))
        for pid, ended in self._alive.items():
            _hear_the_end(pid, ended)
        self._alive.clear()


class _Forked(NamedTuple):
    pid: int
    ended: asyncio.Future[int]

    async def wait(self) -> int:
        return await asyncio.shield(self.ended)


def _hear_the_end(pid: int, ended: asyncio.Future[int]) -> None:
    """Learn of the end of a process that has lost its parent."""
    loop = asyncio.get_running_loop()
    try:
        watched = os.pidfd_open(pid)
    except ProcessLookupError:
        ended.set_result(UNKNOWN)
        return

    def over() -> None:
        loop.remove_reader(watched)
        os.close(watched)
        ended.set_result(UNKNOWN)

    loop.add_reader(watched, over)


def available() -> bool:
    """Tells whether this system has what a fork server needs: Linux."""
    return hasattr(os, "pidfd_open")


# The fork server itself


def serve(asked: socket.socket) -> Request | None:
    """Fork what is asked for until the socket ends.

    Returns:
        In each process that was forked, its request; None in the fork server itself.
    """
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    alive: set[int] = set()
    while True:
        readable, _, _ = select.select([asked.fileno(), woken], [], [])
        if woken in readable:
            os.read(woken, 4096)
            for pid, code in _ended():
                alive.discard(pid)
                _say(asked, ended=pid, code=code)
        if asked.fileno() not in readable:
            continue
        received = _receive(asked)
        if received is None:
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # none of them is left as a zombie
            alive.difference_update(pid for pid, _code in _ended())
            end(alive, GRACE)
            return None
        request, descriptors = received
        apart, parting = os.pipe()
        told, telling = os.pipe()
        pid = os.fork()
        if pid == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            for one in (woken, wakes, apart, telling):
                os.close(one)
            asked.close()
            os.setsid()
            os.close(parting)
            if not os.read(told, 1):
                os._exit(UNKNOWN)  # the fork server was killed before it had told of this process
            os.close(told)
            _move_in(request, descriptors)
            return request
        alive.add(pid)
        for one in (parting, told, *descriptors):
            os.close(one)
        os.read(apart, 1)  # ends when it leads its session, by which it may be killed from now on
        os.close(apart)
        _say(asked, began=pid)
        with contextlib.suppress(BrokenPipeError):  # it has been killed already
            os.write(telling, b"!")
        os.close(telling)


def _ended() -> Iterator[tuple[int, int]]:
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            yield pid, os.waitstatus_to_exitcode(status)


def _say(asked: socket.socket, **said: int) -> None:
    with contextlib.suppress(OSError):  # the supervisor is gone; the socket's end tells
        asked.sendall(json.dumps(said).encode() + b"\n")


def _receive(asked: socket.socket) -> tuple[Request, list[int]] | None:
    """Reads a request and its descriptors; None at the end."""
    try:
        header, descriptors, _flags, _address = socket.recv_fds(asked, LENGTH.size, MOST_DESCRIPTORS)
        if not header:
            return None
        header += _exactly(asked, LENGTH.size - len(header))
        payload = _exactly(asked, *LENGTH.unpack(header))
    except (OSError, EOFError):
        return None
    return Request(**json.loads(payload)), descriptors


def _exactly(asked: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        piece = asked.recv(size - len(found))
        if not piece:
            raise EOFError
        found += piece
    return found


def _move_in(request: Request, descriptors: Sequence[int]) -> None:
    """Become the process that is asked for, all but its module."""
    output, wardens_pipe, *inherited = descriptors
    with contextlib.suppress(BrokenPipeError):  # somebody killed the warden
        os.write(wardens_pipe, b"+%d\n" % os.getpid())
    for number in (1, 2):
        os.dup2(output, number)
    # First out of the way of the numbers that they are to have.
    beyond = max((*descriptors, *request.inherited)) + 1
    for place, one in enumerate(inherited):
        os.dup2(one, beyond + place, inheritable=False)
    for one in descriptors:
        os.close(one)
    for place, number in enumerate(request.inherited):
        os.dup2(beyond + place, number)
        os.close(beyond + place)
    os.chdir(request.folder)
    os.umask(request.umask)
    # Before the environment goes, which marks the place of the title.
    setproctitle.setproctitle(" ".join([*python(request.module), *request.arguments]))
    os.environ.clear()
    os.environ.update(request.environment)
    sys.argv = [request.module, *request.arguments]


def load() -> None:
    """Load what processes share."""
    for name in LOADED:
        with contextlib.suppress(Exception):  # who needs it meets the error again, and says so in its log
            importlib.import_module(name)


def main() -> None:
    """Load what processes share, then serve; in a process that was forked, run its module."""
    asked = socket.socket(fileno=int(sys.argv[1]))
    gc.disable()
    load()
    gc.freeze()
    request = serve(asked)
    if request is not None:
        gc.enable()
        runpy.run_module(request.module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
