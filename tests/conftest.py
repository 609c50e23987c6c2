"""Real servers for tests: Valkey, SQLite files, PostgreSQL.

Everything that touches a database takes it through ``settings``, and with it ``backend``: a test runs on
SQLite, or on what ``pytest.mark.backends`` names; on both, where the two may differ (``ON_BOTH`` of
``databases``). Databases are kept to the end: side by side a worker gets file after file, so that the
backend changes twice a file.
"""

import gc
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import structlog

from infra.launch.servers import Postgres, prepare_postgres, valkey_command
from services.shared import http_client, workers
from services.shared.settings import SERVICES, Settings
from tests.at_length import part_or_whole
from tests.databases import Databases, PostgresDatabases, SqliteDatabases, on_each_kind
from tests.groups import GroupScheduling, place
from tests.house import installation
from tests.object_store import PROGRAM, ObjectStore, running_object_store
from tests.patience import pause

DEADLINE = 60.0

# How long one example takes says more of the machine than of the code; what hangs is ended by pytest.
hypothesis.settings.register_profile("hearthforge", deadline=None, max_examples=part_or_whole(40, 100))
hypothesis.settings.load_profile("hearthforge")

# Modules and tests, millions of objects, stay to the end: to look through them for garbage, while they are
# collected and ever after, would take a good part of the run.
gc.disable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """Look for garbage from here on, among what the tests themselves make."""
    gc.freeze()
    gc.enable()


# As services write it: unasked, an error is written with all variables of each frame, which takes seconds.
structlog.configure(
    processors=[
        *structlog.get_config()["processors"][:-1],
        structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
    ]
)


@pytest.fixture(scope="session", autouse=True)
def patient_services() -> None:
    """Let services of one process wait long for one another; whole products keep the product's own limits.

    Beside other tests the thread that is to answer may not run for seconds.
    """
    http_client.SECONDS = http_client.CONNECT_SECONDS = workers.PATIENCE = 60.0


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run what uses a database on the kinds that its marker names."""
    on_each_kind(metafunc, "backend")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest."""
    items.sort(key=lambda item: place(item.nodeid))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> GroupScheduling:
    """Run side by side what shares nothing costly."""
    return GroupScheduling(config, log)


def wait_for(condition: Callable[[], bool], what: str, *, seconds: float = DEADLINE) -> None:
    """Poll until a condition holds; fail with ``what`` after a deadline."""
    began = time.monotonic()
    while not condition():
        waited = time.monotonic() - began
        assert waited < seconds, f"waited {seconds} s in vain for {what}"
        time.sleep(pause(waited))


def _stop(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@pytest.fixture(scope="session")
def short_folder() -> Iterator[Path]:
    """Give a folder whose path is short enough for unix sockets."""
    folder = Path(tempfile.mkdtemp(prefix="hf-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def valkey_url(short_folder: Path) -> Iterator[str]:
    """Run a real Valkey on a private socket."""
    socket = short_folder / "valkey.sock"
    process = subprocess.Popen(valkey_command(short_folder / "valkey", socket), stdout=subprocess.DEVNULL)
    try:
        wait_for(socket.exists, "Valkey's socket")
        yield f"unix://{socket}?db=0"
    finally:
        _stop(process)


@pytest.fixture(scope="session")
def postgres(short_folder: Path) -> Iterator[Postgres]:
    """Run a real PostgreSQL on a private socket."""
    sockets = short_folder / "pg"
    sockets.mkdir(mode=0o700)
    server = prepare_postgres(short_folder / "cluster", sockets)
    # Nothing here outlives the run, so it need not reach the disk.
    command = (
        *server.command,
        "-c",
        "fsync=off",
        "-c",
        "synchronous_commit=off",
        "-c",
        "full_page_writes=off",
    )
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")
    try:
        wait_for(lambda: subprocess.run(server.is_ready, check=False).returncode == 0, "PostgreSQL")
        yield server
    finally:
        process.send_signal(2)
        process.wait(20)


@pytest.fixture(scope="session")
def object_store(short_folder: Path) -> Iterator[ObjectStore]:
    """Run a real S3 server."""
    if not PROGRAM.exists():
        pytest.skip("its wheels are for Linux and Macs with Apple's processors")
    folder = short_folder / "s3"
    folder.mkdir()
    with running_object_store(folder) as server:
        yield server


@pytest.fixture(scope="session")
def backend(request: pytest.FixtureRequest) -> str:
    """Name the kind of database a test runs on."""
    return str(request.param)


@pytest.fixture(scope="session")
def sqlite_databases(tmp_path_factory: pytest.TempPathFactory) -> SqliteDatabases:
    """Hand out fresh, migrated files."""
    return SqliteDatabases(tmp_path_factory.mktemp("databases"))


@pytest.fixture(scope="session")
def postgres_databases(postgres: Postgres) -> PostgresDatabases:
    """Hand out fresh, migrated databases of PostgreSQL."""
    return PostgresDatabases(postgres)


@pytest.fixture(scope="session")
def databases(backend: str, request: pytest.FixtureRequest) -> Databases:
    """Hand out fresh, migrated databases of the backend."""
    found: Databases = request.getfixturevalue(f"{backend}_databases")
    return found


@pytest.fixture
def settings(
    databases: Databases, valkey_url: str, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Settings]:
    """Give the settings of an installation of one's own, with no service running.

    ``pytest.mark.databases("dice", ...)`` names the services that get a database; all of them without it.
    """
    marker = request.node.get_closest_marker("databases")
    urls = {name: databases.take(name) for name in (marker.args if marker else SERVICES)}
    yield installation(tmp_path, valkey_url, urls, {})
    for name, url in urls.items():
        databases.give_back(name, url)
