"""``infra/up`` from its first line to its last, with real servers and small stand-ins for the services."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from infra.launch.environment import reached_from_outside
from infra.launch.failure import PortFailure
from infra.launch.ports import check_public, free_ports, is_free
from services.shared.settings import SERVICES

ROOT = Path(__file__).resolve().parents[2]
DEADLINE = 60.0

# Every stand-in leaves its number in DATA/pids, so that the tests can kill it and see it gone.
NOTE = """
import os, pathlib
pids = pathlib.Path(os.environ["STAND_INS"]) / "pids"
pids.mkdir(exist_ok=True)
whole = pids.with_name(name + ".new")
whole.write_text(str(os.getpid()))
whole.replace(pids / name)
"""
FILES = {
    "services/shared/migrate.py": "print('migrated')",
    "services/shared/serve.py": """
import http.server, subprocess, sys
name = sys.argv[1].split(":")[0].split(".")[1]
"""
    + NOTE
    + """
squatter = pathlib.Path(os.environ["STAND_INS"]) / "squatter"
if name == "dice" and "SQUAT" in os.environ and not squatter.exists():  # another program takes its port
    code = "import socket, sys, time; s = socket.create_server(('127.0.0.1', int(sys.argv[1])));"
    code += "print(flush=True); time.sleep(600)"
    words = [sys.executable, "-c", code, sys.argv[3]]
    other = subprocess.Popen(words, stdout=subprocess.PIPE, start_new_session=True)
    other.stdout.readline()
    squatter.write_text(str(other.pid))
class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(b"{}")
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[3])), Answer).serve_forever()
""",
    "services/gateway/keys.py": "import os, sys; print(*sys.argv[1:], os.environ['DATABASE_URL_ACCOUNT'])",
    "services/gateway/federation/gateway.mjs": """
import http from 'node:http';
import fs from 'node:fs';
fs.mkdirSync(process.env.STAND_INS + '/pids', {recursive: true});
fs.writeFileSync(process.env.STAND_INS + '/node.new', String(process.pid));
fs.renameSync(process.env.STAND_INS + '/node.new', process.env.STAND_INS + '/pids/node');
http.createServer((request, answer) => answer.end('{}'))
  .listen({fd: Number(process.env.HEARTHFORGE_LISTEN_FD)},
    () => fs.writeSync(Number(process.env.HEARTHFORGE_LIFE_FD), 'ready\\n'));
""",
    "workers/app.py": "name = 'worker'\n"
    + NOTE
    + """
from celery import Celery
url = os.environ["REDIS_URL"].replace("unix:", "redis+socket:").replace("?db=", "?virtual_host=")
app = Celery(broker=url)
""",
    "workers/sweeper.py": "name = 'sweeper'\n" + NOTE + "import time\ntime.sleep(600)",
}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with our launcher and other services."""
    made = tmp_path_factory.mktemp("repository")
    shutil.copytree(ROOT / "infra" / "launch", made / "infra" / "launch")
    shared = Path("services") / "shared"
    shutil.copytree(ROOT / shared / "limits", made / shared / "limits")
    for name in (
        "settings.py",
        "setting_types.py",
        "storage_address.py",
        "callers.py",
        "process_keys.py",
        "quotas.py",
        "problems.py",
        "ids.py",
    ):
        shutil.copy(ROOT / shared / name, made / shared / name)
    for name, content in FILES.items():
        file = made / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
        if "federation" not in name:
            (file.parent / "__init__.py").touch()
    return made


def command(entry: str, *arguments: str) -> list[str]:
    """What the executables run once the bootstrap has brought them under the right Python."""
    module, function = entry.split(":")
    code = f"import sys; from {module} import {function}; sys.exit({function}())"
    return [sys.executable, "-c", code, *arguments]


class Up:
    """An ``infra/up`` under way."""

    def __init__(self, repository: Path, data: Path, *arguments: str) -> None:
        self.data = data
        words = command("infra.launch.up:main", "--data", str(data), *arguments)
        self.process = subprocess.Popen(
            words,
            cwd=repository,
            env={**os.environ, "STAND_INS": str(data)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout is not None
        self.said: list[str] = []
        for line in self.process.stdout:
            self.said.append(line.rstrip("\n"))
            if line.startswith("  make a key"):
                break

    @property
    def url(self) -> str:
        return next(line for line in self.said if line.startswith("ready ")).removeprefix("ready ")

    def pid(self, name: str) -> int:
        return int((self.data / "pids" / name).read_text())

    def pids(self) -> list[int]:
        return [self.pid(file.name) for file in (self.data / "pids").iterdir()]

    def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        rest, _ = self.process.communicate(timeout=DEADLINE)
        self.said += rest.splitlines()
        return self.process.returncode


@pytest.fixture
def start(repository: Path, tmp_path: Path) -> Iterator[Callable[..., Up]]:
    started: list[Up] = []

    def make(*arguments: str) -> Up:
        started.append(Up(repository, tmp_path / "data", *arguments))
        return started[-1]

    yield make
    for up in started:
        if up.process.poll() is None:
            up.end(signal.SIGTERM)


@pytest.fixture(scope="module")
def running(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """One that goes on, for tests that only look at it."""
    up = Up(repository, tmp_path_factory.mktemp("running") / "data", "--port", "0")
    yield up
    assert up.end(signal.SIGTERM) == 0


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"


def wait_until(true: Callable[[], object]) -> None:
    end = time.monotonic() + DEADLINE
    while not true():
        assert time.monotonic() < end, "never became true"
        time.sleep(0.05)


def test_it_says_where_it_answers_and_stops_without_leaving_a_process(start: Callable[..., Up]) -> None:
    up = start("--port", "0")
    assert up.said[-3] == f"ready {up.url}"
    assert f"{up.url}/graphql" in up.said[-2]
    assert up.said[-1] == f"  make a key: infra/key my-laptop --data {up.data}"
    with urlopen(up.url) as answer:
        assert answer.status == 200
    wait_until(lambda: len(up.pids()) == len(SERVICES) + 3)
    pids = up.pids()
    assert up.end(signal.SIGINT) == 0
    assert not [pid for pid in pids if lives(pid)]
    assert not (up.data / "run.json").exists()


def test_until_ready_it_prints_a_line_for_each_part_and_where_the_logs_are(start: Callable[..., Up]) -> None:
    up = start("--port", "0")
    until_ready = up.said[: up.said.index(f"ready {up.url}") + 1]
    assert len(until_ready) <= 25
    assert str(up.data / "logs") in until_ready[0]
    parts = [*SERVICES, "migrate", "valkey", "gateway", "worker", "player", "sweeper"]
    told = [line.split()[0] for line in until_ready if " ready after " in line]
    assert sorted(told) == sorted(parts)
    assert not any(" | " in line for line in up.said)
    assert (up.data / "logs" / "migrate.log").read_text() == "migrated\n"
    assert up.end(signal.SIGTERM) == 0
    verbose = start("--port", "0", "--verbose")
    assert any(line.endswith("| migrated") for line in verbose.said)


def test_a_killed_service_comes_back_while_the_rest_goes_on(start: Callable[..., Up]) -> None:
    up = start("--port", "0", "--quiet")
    node, dice = up.pid("node"), up.pid("dice")
    os.kill(dice, signal.SIGKILL)
    wait_until(lambda: up.pid("dice") != dice)
    assert up.pid("node") == node
    assert up.end(signal.SIGTERM) == 0
    assert any(line.startswith("dice ended with SIGKILL") for line in up.said)
    assert not any(" | " in line for line in up.said), "--quiet lets no process speak"


def test_killed_itself_it_leaves_nothing_and_the_next_start_waits_for_that(start: Callable[..., Up]) -> None:
    first = start("--port", "0")
    pids = first.pids()
    first.end(signal.SIGKILL)
    second = start("--port", "0")
    assert second.url.startswith("http://127.0.0.1:")
    assert not [pid for pid in pids if lives(pid)]


def test_a_second_start_on_the_folder_names_the_address_of_the_first(running: Up, repository: Path) -> None:
    up = running
    words = command("infra.launch.up:main", "--data", str(up.data))
    second = subprocess.run(
        words, check=False, cwd=repository, capture_output=True, text=True, timeout=DEADLINE
    )
    assert second.returncode == 1
    assert second.stdout == ""
    assert second.stderr.count("\n") == 1
    assert f"runs there at {up.url} (pid {up.process.pid})" in second.stderr


def test_a_taken_port_is_one_line_before_anything_is_started(repository: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        words = command("infra.launch.up:main", "--data", str(tmp_path / "data"), "--port", str(port))
        done = subprocess.run(
            words, check=False, cwd=repository, capture_output=True, text=True, timeout=DEADLINE
        )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"up: port {port} is in use; start with --port N\n"
    assert [*(tmp_path / "data" / "logs").iterdir()] == []


def test_a_private_port_that_is_snatched_away_is_replaced(
    start: Callable[..., Up], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SQUAT", "yes")
    up = start("--port", "0")
    try:
        assert any("another program took port" in line for line in up.said)
        assert up.url.startswith("http://127.0.0.1:")
    finally:
        os.kill(int((up.data / "squatter").read_text()), signal.SIGKILL)


@pytest.mark.parametrize("port", ["70000", "-1", "web"])
def test_a_port_that_is_none_is_refused(repository: Path, tmp_path: Path, port: str) -> None:
    words = command("infra.launch.up:main", "--data", str(tmp_path), f"--port={port}")
    done = subprocess.run(
        words, check=False, cwd=repository, capture_output=True, text=True, timeout=DEADLINE
    )
    assert done.returncode == 2
    assert f"invalid port_number value: '{port}'" in done.stderr


def test_a_folder_of_sqlite_databases_is_not_hidden_behind_postgres(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "dice.db").touch()
    words = command("infra.launch.up:main", "--data", str(tmp_path), "--port", "0", "--postgres")
    done = subprocess.run(
        words, check=False, cwd=repository, capture_output=True, text=True, timeout=DEADLINE
    )
    assert done.returncode == 1
    assert "holds SQLite databases" in done.stderr


@pytest.mark.parametrize("count", ["0", "9", "two"])
def test_replicas_are_one_to_eight(repository: Path, tmp_path: Path, count: str) -> None:
    words = command("infra.launch.up:main", "--data", str(tmp_path), f"--replicas={count}")
    done = subprocess.run(
        words, check=False, cwd=repository, capture_output=True, text=True, timeout=DEADLINE
    )
    assert done.returncode == 2
    assert f"invalid replica_count value: '{count}'" in done.stderr


def test_sqlite_serves_one_process_a_service(repository: Path, tmp_path: Path) -> None:
    words = command("infra.launch.up:main", "--data", str(tmp_path), "--port", "0", "--replicas", "2")
    done = subprocess.run(
        words, check=False, cwd=repository, capture_output=True, text=True, timeout=DEADLINE
    )
    assert done.returncode == 1
    assert "SQLite serves one process a service; start with --postgres" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "secrets.json").exists(), "nothing was begun"


def test_a_key_can_be_made_with_the_product_running_and_without(
    start: Callable[..., Up], repository: Path
) -> None:
    up = start("--port", "0")
    words = command("infra.launch.offline:key", "my laptop", "--data", str(up.data))

    def key(*more: str) -> tuple[str, str]:
        done = subprocess.run(
            [*words, *more], check=True, cwd=repository, capture_output=True, text=True, timeout=DEADLINE
        )
        return done.stdout, done.stderr

    url = f"sqlite:///{up.data}/account.db"
    assert key() == (f"create my laptop --scope read --scope write {url}\n", "")
    up.end(signal.SIGTERM)
    made, told = key("--scope", "admin")
    assert made == f"create my laptop --scope admin {url}\n"
    # Whoever meant the product that runs on another folder learns where the key went.
    assert told.startswith(f"key: changed {up.data}, which no running product serves; ")
    assert f"infra/up --data {up.data}" in told and told.count("\n") == 1
    assert (up.data / "logs" / "migrate.log").read_text() == "migrated\n" * 2


def test_an_invitation_can_be_made_and_an_account_deleted(running: Up, repository: Path) -> None:
    up = running

    def key(*words: str) -> "subprocess.CompletedProcess[str]":
        entry = command("infra.launch.offline:key", *words, "--data", str(up.data))
        return subprocess.run(entry, check=False, cwd=repository, capture_output=True, text=True)

    url = f"sqlite:///{up.data}/account.db"
    assert key("--invite").stdout == f"invite {url}\n"
    assert key("--invite", "Convention", "--uses", "200", "--days", "3").stdout == (
        f"invite Convention --days 3 --uses 200 {url}\n"
    )
    assert key("--delete", "acc_1").stdout == f"delete acc_1 {url}\n"
    mistakes = (
        (),
        ("--uses", "2", "laptop"),
        ("--invite", "--scope", "read"),
        ("--delete", "acc_1", "laptop"),
    )
    for mistake in mistakes:
        assert key(*mistake).returncode == 2, mistake


def test_open_sign_up_is_warned_of_where_others_reach_it(
    start: Callable[..., Up], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEARTHFORGE_PUBLIC_URL", "https://dice.example")
    up = start("--port", "0")
    warnings = [line for line in up.said if line.startswith("  WARNING")]
    assert len(warnings) == 1 and "--sign-up invitation" in warnings[0]
    up.end(signal.SIGTERM)
    closed = start("--port", "0", "--sign-up", "closed")
    assert not any(line.startswith("  WARNING") for line in closed.said)


def test_only_loopback_is_not_reached_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEARTHFORGE_PUBLIC_URL", raising=False)
    assert [reached_from_outside(host) for host in ("127.0.0.1", "127.8.0.1", "::1", "localhost")] == [
        False
    ] * 4
    assert [reached_from_outside(host) for host in ("0.0.0.0", "::", "", "192.0.2.7", "table.local")] == [
        True
    ] * 5
    monkeypatch.setenv("HEARTHFORGE_PUBLIC_URL", "http://127.0.0.1:4000")
    assert not reached_from_outside("127.0.0.1")
    monkeypatch.setenv("HEARTHFORGE_PUBLIC_URL", "https://dice.example/play")
    assert reached_from_outside("127.0.0.1")


def test_a_way_to_sign_up_that_is_none_is_refused(repository: Path, tmp_path: Path) -> None:
    words = command("infra.launch.up:main", "--data", str(tmp_path), "--sign-up", "never")
    done = subprocess.run(
        words, check=False, cwd=repository, capture_output=True, text=True, timeout=DEADLINE
    )
    assert done.returncode == 2
    assert "invalid sign_up_mode value: 'never'" in done.stderr


def test_run_json_holds_what_tools_need(running: Up) -> None:
    up = running
    found = json.loads((up.data / "run.json").read_text())
    assert found["pid"] == up.process.pid
    assert found["address"] == up.url == found["environment"]["HEARTHFORGE_PUBLIC_URL"]
    assert set(found["ports"]) == {"public", "admin", *SERVICES}


def test_free_ports_are_different_and_free() -> None:
    ports = free_ports(20)
    assert len(set(ports)) == 20
    assert all(is_free(port) for port in ports)


def test_an_address_of_another_machine_is_refused_with_the_mend() -> None:
    with pytest.raises(PortFailure, match=r"not an address of this machine; start with --host 127\.0\.0\.1"):
        check_public("192.0.2.1", 0)
