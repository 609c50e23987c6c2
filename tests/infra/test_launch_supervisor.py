"""The supervisor, with small real programs: order, restarts, failures, stops, and no orphan."""

import asyncio
import contextlib
import fcntl
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path

import psutil
import pytest

from infra.launch.environment import python
from infra.launch.failure import StartFailure
from infra.launch.forkserver import ForkServer, available
from infra.launch.guard import Warden, running_warden
from infra.launch.logs import Console
from infra.launch.probes import CommandReady, HttpReady, ValkeyReady, broken_checks
from infra.launch.supervisor import Process, Supervisor

ROOT = Path(__file__).resolve().parents[2]
DEADLINE = 60.0

# Says when it starts and when it is told to stop, in a journal that all programs of a test share.
POLITE = """
import os, signal, sys, time
name, journal = sys.argv[1:]
def note(what):
    with open(journal, "a") as out: out.write(f"{what} {name}\\n")
def stop(*_):
    note("stop"); sys.exit(0)
signal.signal(signal.SIGTERM, stop)
note("start")
print("hello from", name, flush=True)
time.sleep(600)
"""
STUBBORN = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(os.getpid(), flush=True)
time.sleep(600)
"""


@pytest.fixture(scope="module")
def warden() -> Iterator[Warden]:
    with running_warden() as warden:
        yield warden


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A folder whose path leaves room for a socket's address, on macOS too."""
    with tempfile.TemporaryDirectory(prefix="hf-", dir="/tmp") as made:
        yield Path(made)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "journal"


@pytest.fixture
def polite(tmp_path: Path, journal: Path) -> Callable[..., Process]:
    def make(name: str, **more: object) -> Process:
        return process(name, POLITE, tmp_path, name, str(journal), **more)

    return make


def process(name: str, code: str, folder: Path, *arguments: str, **more: object) -> Process:
    command = (sys.executable, "-I", "-S", "-c", code, *arguments)
    return Process(name, command, dict(os.environ), folder, **more)  # type: ignore[arg-type]


@contextlib.asynccontextmanager
async def supervised(
    table: Sequence[Process],
    folder: Path,
    warden: Warden,
    patience: float = DEADLINE,
    forks: ForkServer | None = None,
) -> AsyncIterator[Supervisor]:
    console = Console(
        [each.name for each in table], output=os.open(folder / "console", os.O_CREAT | os.O_WRONLY)
    )
    supervisor = Supervisor(table, folder, console, warden, forks)
    try:
        await supervisor.start(patience)
        yield supervisor
    finally:
        await supervisor.stop()
        console.close()


def wait_until(true: Callable[[], object]) -> None:
    end = time.monotonic() + DEADLINE
    while not true():
        assert time.monotonic() < end, "never became true"
        time.sleep(0.02)


async def eventually(true: Callable[[], object]) -> None:
    await asyncio.to_thread(wait_until, true)


def lines(file: Path) -> list[str]:
    return file.read_text().splitlines() if file.exists() else []


def lives(pid: int) -> bool:
    """Whether a process runs; a zombie that nobody has collected yet does not."""
    if Path("/proc/self/stat").exists():
        try:
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except OSError:
            return False
    ps = ["ps", "-o", "stat=", "-p", str(pid)]
    state = subprocess.run(ps, check=False, capture_output=True, text=True).stdout.strip()
    return bool(state) and not state.startswith("Z")


def exists(file: Path) -> CommandReady:
    return CommandReady(("test", "-e", str(file)), "is not there yet")


@pytest.mark.skipif(not available(), reason="needs Linux")
async def test_a_forked_process_is_started_again_with_the_fork_server_and_without(
    tmp_path: Path, warden: Warden
) -> None:
    journal = tmp_path / "journal"
    (tmp_path / "toy.py").write_text(
        "import os, sys, time\n"
        "print('hello from', sys.argv[1], os.environ['WORD'], flush=True)\n"
        f"open({str(journal)!r}, 'a').write(f'{{os.getpid()}} {{os.getppid()}}\\n')\n"
        "time.sleep(600)\n"
    )
    path = {"PYTHONPATH": os.pathsep.join([str(ROOT), str(tmp_path)]), "PYTHONUNBUFFERED": "1"}
    forked = Process("toy", python("toy", "me"), {**path, "WORD": "again"}, tmp_path, forked=True)
    (home := tmp_path / "home").mkdir()
    forks = ForkServer(path, home)
    parents = []
    async with supervised([forked], tmp_path, warden, forks=forks):
        for life in range(1, 5):
            await eventually(lambda life=life: len(lines(journal)) == life)  # type: ignore[misc]
            pid, parent = map(int, lines(journal)[-1].split())
            parents.append(parent)
            assert (parent == os.getpid()) is (life == 3)
            if life == 2:
                home.rmdir()  # the fork server cannot start again
                os.kill(parent, signal.SIGKILL)
                await eventually(lambda: not forks.answers)
                assert lives(pid)
            if life == 3:
                home.mkdir()
                await eventually(lambda: forks.answers)
            if life < 4:
                os.kill(pid, signal.SIGKILL)
    assert parents[0] == parents[1] and len(set(parents)) == 3
    assert not lives(pid)
    assert (tmp_path / "toy.log").read_text().count("hello from me again") == 4


async def test_a_process_starts_when_what_it_depends_on_is_ready(
    tmp_path: Path, journal: Path, polite: Callable[..., Process], warden: Warden
) -> None:
    table = [
        polite("service", depends=("migrate", "server")),
        process(
            "migrate",
            "import sys; open(sys.argv[1], 'a').write('migrated\\n')",
            tmp_path,
            str(journal),
            once=True,
        ),
        polite("server", ready=CommandReady(("grep", "-q", "start server", str(journal)), "has not started")),
    ]
    async with supervised(table, tmp_path, warden):
        await eventually(lambda: "start service" in lines(journal))
    started = lines(journal)
    assert set(started[:2]) == {"start server", "migrated"}
    assert started[2] == "start service"


async def test_a_question_about_others_waits_until_these_are_ready(
    tmp_path: Path, polite: Callable[..., Process], warden: Warden
) -> None:
    """The public readiness answer would only be refused, and logged, while the services still start."""
    asked = CommandReady(("sh", "-c", f"echo asked >> {tmp_path / 'asked'}"), "not yet")
    service = polite("service", ready=exists(tmp_path / "go"))
    gateway = polite("gateway", ready=asked, ask_after=("service",))
    starting = asyncio.create_task(_start_and_stop([gateway, service], tmp_path, warden))
    await eventually(lambda: lines(tmp_path / "gateway.log") and lines(tmp_path / "service.log"))
    assert lines(tmp_path / "asked") == []
    (tmp_path / "go").touch()
    await starting
    assert lines(tmp_path / "asked") == ["asked"]


async def _start_and_stop(table: Sequence[Process], folder: Path, warden: Warden) -> None:
    async with supervised(table, folder, warden):
        pass


async def test_what_it_says_reaches_the_console_and_its_file(
    tmp_path: Path, polite: Callable[..., Process], warden: Warden
) -> None:
    async with supervised([polite("dice"), polite("character")], tmp_path, warden):
        await eventually(lambda: lines(tmp_path / "dice.log") and lines(tmp_path / "character.log"))
    assert "dice      | hello from dice" in lines(tmp_path / "console")
    assert lines(tmp_path / "character.log") == ["hello from character"]


async def test_processes_stop_rank_by_rank(
    tmp_path: Path, journal: Path, polite: Callable[..., Process], warden: Warden
) -> None:
    ranks = {"server": 3, "worker": 2, "one": 1, "two": 1, "gateway": 0}
    async with supervised([polite(name, stop_rank=rank) for name, rank in ranks.items()], tmp_path, warden):
        await eventually(lambda: len(lines(journal)) == len(ranks))
    stopped = [line.removeprefix("stop ") for line in lines(journal) if line.startswith("stop")]
    assert stopped[0] == "gateway"
    assert set(stopped[1:3]) == {"one", "two"}
    assert stopped[3:] == ["worker", "server"]


async def test_a_killed_process_comes_back(
    tmp_path: Path, journal: Path, polite: Callable[..., Process], warden: Warden
) -> None:
    pid_file = tmp_path / "pid"
    code = f"import os; open({str(pid_file)!r}, 'w').write(str(os.getpid()))\n" + POLITE
    dice = process("dice", code, tmp_path, "dice", str(journal), ready=exists(journal))
    async with supervised([dice], tmp_path, warden):
        await eventually(lambda: lines(journal) == ["start dice"])
        os.kill(int(pid_file.read_text()), signal.SIGKILL)
        await eventually(lambda: lines(journal) == ["start dice", "start dice"])
        await eventually(lambda: "dice is back" in lines(tmp_path / "console"))
    assert "dice ended with SIGKILL; starting it again in 0.5 s" in lines(tmp_path / "console")


async def test_a_process_that_keeps_crashing_at_the_start_ends_the_start(
    tmp_path: Path, warden: Warden
) -> None:
    crashing = process(
        "dice", "import sys; sys.exit('no dice here')", tmp_path, ready=exists(tmp_path / "never")
    )
    with pytest.raises(StartFailure, match=r"^dice ended with exit code 1, 3 times$") as caught:
        async with supervised([crashing], tmp_path, warden):
            pass
    assert caught.value.tail == ("no dice here",) * 3
    assert caught.value.log == tmp_path / "dice.log"


async def test_failed_migrations_end_the_start_at_once(
    tmp_path: Path, journal: Path, polite: Callable[..., Process], warden: Warden
) -> None:
    table = [
        process("migrate", "raise SystemExit(7)", tmp_path, once=True),
        polite("dice", depends=("migrate",)),
    ]
    with pytest.raises(StartFailure, match=r"^migrate ended with exit code 7$"):
        async with supervised(table, tmp_path, warden):
            pass
    assert lines(journal) == []


async def test_a_start_that_takes_too_long_names_the_part_that_the_others_wait_for(
    tmp_path: Path, polite: Callable[..., Process], warden: Warden
) -> None:
    table = [polite("dice", depends=("server",)), polite("server", ready=exists(tmp_path / "never"))]
    with pytest.raises(
        StartFailure, match=r"^server was not ready within 1 s \(is not there yet\)$"
    ) as caught:
        async with supervised(table, tmp_path, warden, patience=1):
            pass
    assert caught.value.tail == ("hello from server",)


async def test_a_command_that_does_not_exist_is_named(tmp_path: Path, warden: Warden) -> None:
    table = [Process("dice", ("/no/such/program",), dict(os.environ), tmp_path, once=True)]
    with pytest.raises(StartFailure) as caught:
        async with supervised(table, tmp_path, warden):
            pass
    assert caught.value.tail == ("cannot run /no/such/program: No such file or directory",)


async def test_one_that_ignores_the_stop_is_killed_after_its_grace(tmp_path: Path, warden: Warden) -> None:
    async with supervised([process("dice", STUBBORN, tmp_path, grace=0.3)], tmp_path, warden):
        await eventually(lambda: lines(tmp_path / "dice.log"))
    assert "dice did not stop within 0.3 s; killing it" in lines(tmp_path / "console")


async def test_kill_ends_the_most_stubborn_at_once(tmp_path: Path, warden: Warden) -> None:
    began = time.monotonic()
    async with supervised([process("dice", STUBBORN, tmp_path, grace=600)], tmp_path, warden) as supervisor:
        await eventually(lambda: lines(tmp_path / "dice.log"))
        supervisor.kill()
    assert time.monotonic() - began < DEADLINE


async def test_children_of_a_process_end_with_it(tmp_path: Path, warden: Warden) -> None:
    """As Celery's pool must when its parent was killed: it would go on taking jobs."""
    code = f"import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', {STUBBORN!r}]).wait()"
    async with supervised([process("worker", code, tmp_path, grace=0.3)], tmp_path, warden):
        await eventually(lambda: lines(tmp_path / "worker.log"))
        child = int(lines(tmp_path / "worker.log")[0])
        assert lives(child)
    await eventually(lambda: not lives(child))


async def test_a_killed_process_comes_back_even_when_its_child_outlived_it(
    tmp_path: Path, warden: Warden
) -> None:
    code = f"import os, subprocess, sys\nsubprocess.Popen([sys.executable, '-c', {STUBBORN!r}])\n"
    code += "print(os.getpid(), flush=True)\nimport time; time.sleep(600)"

    def pids() -> list[int]:
        return [int(line) for line in lines(tmp_path / "worker.log")]

    async with supervised([process("worker", code, tmp_path)], tmp_path, warden):
        await eventually(lambda: len(pids()) == 2)
        first = pids()
        leader = next(pid for pid in first if os.getpgid(pid) == pid)
        os.kill(leader, signal.SIGKILL)
        await eventually(lambda: len(pids()) == 4)
        await eventually(lambda: not [pid for pid in first if lives(pid)])


DRIVER = """
import asyncio, os, sys
from pathlib import Path
from infra.launch.logs import Console
from infra.launch.supervisor import Process, Supervisor
from infra.launch.guard import running_warden
folder = Path(sys.argv[1])
lock = (folder / "lock").open("w")
async def main(warden):
    table = [Process(str(at), (sys.executable, "-c", code), dict(os.environ), folder)
             for at, code in enumerate(sys.argv[2:])]
    supervisor = Supervisor(table, folder, Console([]), warden)
    await supervisor.start(20)
    await asyncio.sleep(600)
with running_warden([lock], grace=0.5) as warden:
    asyncio.run(main(warden))
"""


def wardens(supervisor: int) -> set[int]:
    children = psutil.Process(supervisor).children()
    return {child.pid for child in children if lives(child.pid) and "watch" in child.cmdline()}


@pytest.mark.parametrize("killed_wardens", [0, 2])
def test_nothing_survives_a_supervisor_that_is_killed(tmp_path: Path, killed_wardens: int) -> None:
    """No polite process, no stubborn one, no grandchild; and the lock is held until they are gone.

    So too when the warden was killed before: another one knows what it knew.
    """
    polite = "import os, time; print(os.getpid(), flush=True); time.sleep(600)"
    parent = f"import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', {STUBBORN!r}])\n{polite}"
    driver = subprocess.Popen(
        [sys.executable, "-c", DRIVER, str(tmp_path), polite, STUBBORN, parent],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
    )

    def pids() -> list[int]:
        return [int(line) for name in "012" for line in lines(tmp_path / f"{name}.log")]

    try:
        wait_until(lambda: len(pids()) == 4)
        assert all(lives(pid) for pid in pids())
        for _ in range(killed_wardens):
            (warden,) = wardens(driver.pid)
            os.kill(warden, signal.SIGKILL)
            wait_until(lambda killed=warden: wardens(driver.pid) - {killed})  # type: ignore[misc]
    finally:
        driver.kill()
        driver.wait()
    with (tmp_path / "lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
    wait_until(lambda: not [pid for pid in pids() if lives(pid)])


async def test_an_http_probe_tells_which_checks_are_not_ok() -> None:
    body = b'{"status": "waiting", "checks": {"dice": "ok", "worker": "no heartbeat"}}'
    answers = [
        b"HTTP/1.0 503 Service Unavailable\r\n\r\n" + body,
        b"HTTP/1.0 200 OK\r\n\r\n{}",
        b"nonsense\r\n\r\n",
        b"",
    ]

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answers.pop(0))
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    probe = HttpReady(f"http://127.0.0.1:{port}/readyz")
    assert await probe.ask() == "worker: no heartbeat"
    assert await probe.ask() is None
    assert await probe.ask() == "does not listen yet"
    assert await probe.ask() == "does not listen yet"
    server.close()
    await server.wait_closed()
    assert await probe.ask() == "does not listen yet"


async def test_a_valkey_that_still_loads_is_not_ready(short_folder: Path) -> None:
    answers = [b"-LOADING Valkey is loading the dataset in memory\r\n", b"+PONG\r\n"]

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(answers.pop(0))
        writer.close()

    socket = short_folder / "s"
    probe = ValkeyReady(socket)
    assert await probe.ask() == "does not listen yet"
    server = await asyncio.start_unix_server(serve, socket)
    assert await probe.ask() == "-LOADING Valkey is loading the dataset in memory"
    assert await probe.ask() is None
    server.close()
    await server.wait_closed()


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"checks": []}', b'{"checks": 1}', b'{"status": "x"}'])
def test_a_readiness_answer_of_another_shape_names_no_checks(body: bytes) -> None:
    assert broken_checks(body) == {}
