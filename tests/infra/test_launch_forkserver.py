"""The fork server: what it forks is what was asked for, and outlives it."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest
import pytest_asyncio

from infra.launch import forkserver
from infra.launch.environment import python
from infra.launch.forkserver import UNKNOWN, ForkServer, Request, available
from tests.house import ROOT

pytestmark = pytest.mark.skipif(not available(), reason="needs Linux")

TELL = """
import json, os, sys
print(json.dumps({
    "name": __name__, "arguments": sys.argv[1:], "environment": dict(os.environ), "folder": os.getcwd(),
    "umask": os.umask(0), "session": os.getsid(0) == os.getpid(), "group": os.getpgid(0) == os.getpid(),
    "loaded": "sqlmodel" in sys.modules, "open": sorted(map(int, os.listdir("/proc/self/fd"))),
}))
sys.exit(int(sys.argv[1]))
"""
WAIT = "import sys, time\nprint('here', flush=True)\ntime.sleep(60)\n"
READ = "import os, sys\nprint(os.read(int(sys.argv[1]), 100).decode())\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("toys")
    for name, text in (("tell", TELL), ("wait", WAIT), ("read", READ)):
        (made / f"toy_{name}.py").write_text(text, encoding="utf-8")
    return made


@asynccontextmanager
async def started(folder: Path) -> AsyncIterator[ForkServer]:
    path = os.pathsep.join([str(ROOT), str(folder)])
    made = ForkServer({"PYTHONPATH": path, "PYTHONUNBUFFERED": "1"}, ROOT)
    await made.start()
    yield made
    await made.stop()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def forks(folder: Path) -> AsyncIterator[ForkServer]:
    """A fork server for all tests that leave it as it is: one takes seconds to load what it forks with."""
    async with started(folder) as made:
        yield made


@pytest.fixture
async def own_forks(folder: Path) -> AsyncIterator[ForkServer]:
    """A fork server of one's own, which may be killed."""
    async with started(folder) as made:
        yield made


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reader, writer = os.pipe()
    yield reader, writer
    os.close(reader)
    os.close(writer)


@pytest.fixture
def warden() -> Iterator[tuple[int, int]]:
    reader, writer = os.pipe()
    yield reader, writer
    os.close(reader)
    os.close(writer)


Pipe = tuple[int, int]
SHARING = pytest.mark.asyncio(loop_scope="module")
"""For what uses the shared fork server, in the event loop that it answers to."""


async def line(reader: int) -> str:
    """Read the next line that a process writes."""

    def read() -> str:
        found = b""
        while not found.endswith(b"\n"):
            found += os.read(reader, 1)
        return found.decode()

    return await asyncio.to_thread(read)


@SHARING
async def test_a_process_is_what_was_asked_for(
    forks: ForkServer, folder: Path, pipe: Pipe, warden: Pipe
) -> None:
    asked = Request("toy_tell", ["3", "b c"], {"A": "1"}, str(folder), 0o027)
    child = await forks.fork(asked, pipe[1], warden[1])
    told = json.loads(await line(pipe[0]))
    assert await child.wait() == 3
    assert told.pop("open")[:3] == [0, 1, 2]
    assert told == {
        "name": "__main__",
        "arguments": ["3", "b c"],
        "environment": {"A": "1"},
        "folder": str(folder),
        "umask": 0o027,
        "session": True,
        "group": True,
        "loaded": True,
    }
    assert os.read(warden[0], 100) == b"+%d\n" % child.pid


@SHARING
async def test_a_process_inherits_descriptors_under_their_numbers_and_no_others(
    forks: ForkServer, folder: Path, pipe: Pipe, warden: Pipe
) -> None:
    ours, its = socket.socketpair()
    with ours, its:
        number = its.fileno()
        asked = Request("toy_read", [str(number)], {}, str(folder), 0o077, [number])
        child = await forks.fork(asked, pipe[1], warden[1])
        ours.sendall(b"Hello")
        assert (await line(pipe[0]), await child.wait()) == ("Hello\n", 0)
        child = await forks.fork(asked._replace(module="toy_tell", arguments=["0"]), pipe[1], warden[1])
        told = json.loads(await line(pipe[0]))
        await child.wait()
        # And the one by which it lists them.
        assert len(told["open"]) == 5 and number in told["open"]


@SHARING
async def test_many_at_once_end_each_with_its_own_code(
    forks: ForkServer, folder: Path, pipe: Pipe, warden: Pipe
) -> None:
    asked = [Request("toy_tell", [str(code)], {}, str(folder), 0o077) for code in range(12)]
    children = await asyncio.gather(*(forks.fork(one, pipe[1], warden[1]) for one in asked))
    assert await asyncio.gather(*(child.wait() for child in children)) == list(range(12))


@SHARING
async def test_what_was_forked_is_killed_by_its_group_and_listed_under_its_own_name(
    forks: ForkServer, folder: Path, pipe: Pipe, warden: Pipe
) -> None:
    asked = Request("toy_wait", ["a", "b"], {}, str(folder), 0o077)
    child = await forks.fork(asked, pipe[1], warden[1])
    await line(pipe[0])
    listed = " ".join(psutil.Process(child.pid).cmdline()).strip()
    assert listed == " ".join(python("toy_wait", "a", "b"))
    os.killpg(child.pid, signal.SIGKILL)
    assert await child.wait() == -signal.SIGKILL


async def test_what_was_forked_outlives_a_killed_fork_server_and_its_end_is_heard(
    own_forks: ForkServer, folder: Path, pipe: Pipe, warden: Pipe
) -> None:
    asked = Request("toy_wait", [], {}, str(folder), 0o077)
    child = await own_forks.fork(asked, pipe[1], warden[1])
    await line(pipe[0])
    server = psutil.Process(child.pid).parent()
    assert server is not None
    server.kill()
    while own_forks.answers:
        await asyncio.sleep(0)
    with pytest.raises(ConnectionResetError):
        await own_forks.fork(asked, pipe[1], warden[1])
    waiting = asyncio.create_task(child.wait())
    await asyncio.sleep(0)
    assert not waiting.done() and psutil.pid_exists(child.pid)
    os.kill(child.pid, signal.SIGKILL)
    async with asyncio.timeout(10):
        assert await waiting == UNKNOWN


async def test_what_was_forked_ends_when_the_supervisor_is_gone(
    own_forks: ForkServer, folder: Path, pipe: Pipe, warden: Pipe
) -> None:
    """Nobody reads the warden's pipe here."""
    asked = Request("toy_wait", [], {}, str(folder), 0o077)
    child = await own_forks.fork(asked, pipe[1], warden[1])
    await line(pipe[0])
    own_forks._lose()  # as the end of this process would close its socket
    async with asyncio.timeout(10):
        assert await child.wait() == UNKNOWN


async def test_a_fork_server_that_does_not_answer_is_ended_and_can_be_started_again(
    own_forks: ForkServer, folder: Path, pipe: Pipe, warden: Pipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Request("toy_tell", ["3"], {}, str(folder), 0o077)
    first = await own_forks.fork(asked, pipe[1], warden[1])
    server = psutil.Process(first.pid).parent()
    assert server is not None and await first.wait() == 3
    server.suspend()
    monkeypatch.setattr(forkserver, "PATIENCE", 0.1)
    with pytest.raises(TimeoutError):
        await own_forks.fork(asked, pipe[1], warden[1])
    monkeypatch.undo()
    async with asyncio.timeout(10):
        await own_forks.wait()
    await own_forks.start()
    again = await own_forks.fork(asked, pipe[1], warden[1])
    assert await again.wait() == 3


def test_what_is_loaded_starts_no_thread_and_reads_no_setting() -> None:
    tells = "import threading; from infra.launch.forkserver import LOADED, load; load(); import sys; "
    tells += "print(threading.active_count(), [name for name in LOADED if name not in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", tells], cwd=ROOT, env={}, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "1 []"
