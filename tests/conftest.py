"""Real servers for tests: Valkey, SQLite files, PostgreSQL, and the house of services on top of them.

``backend`` runs a test once on SQLite and once on PostgreSQL; everything that touches a database takes it
through ``settings`` or ``house``.
"""

import asyncio
import shutil
import subprocess
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import asyncpg
import pytest

from infra.launch.servers import POSTGRES_USER, Postgres, prepare_postgres, valkey_command
from services.shared.migrate import upgrade
from services.shared.settings import SERVICES, ServiceName, Settings
from tests.house import House

DEADLINE = 30.0


def wait_for(condition: Callable[[], bool], what: str, *, seconds: float = DEADLINE) -> None:
    """Poll until a condition holds; fail with ``what`` after a deadline."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited {seconds} s in vain for {what}"
        time.sleep(0.02)


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


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def backend(request: pytest.FixtureRequest) -> str:
    """Name the kind of database a test runs on."""
    return str(request.param)


@pytest.fixture(scope="session")
def new_database(
    backend: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[ServiceName], str]:
    """Give a function that makes a fresh, migrated database for a service and returns its address."""
    folder = tmp_path_factory.mktemp("databases")
    templates: dict[ServiceName, str] = {}

    def on_sqlite(service: ServiceName) -> str:
        template = folder / f"{service}.template"
        if service not in templates:
            templates[service] = str(template)
            asyncio.run(upgrade(service, f"sqlite+aiosqlite:///{template}"))
        path = folder / f"{service}-{uuid.uuid4().hex}.db"
        shutil.copy(template, path)
        return f"sqlite+aiosqlite:///{path}"

    def on_postgres(service: ServiceName) -> str:
        server: Postgres = request.getfixturevalue("postgres")

        async def create(name: str, template: str | None) -> None:
            connection = await asyncpg.connect(
                host=str(server.sockets), user=POSTGRES_USER, database="postgres"
            )
            suffix = f' TEMPLATE "{template}"' if template else ""
            await connection.execute(f'CREATE DATABASE "{name}"{suffix}')
            await connection.close()

        if service not in templates:
            templates[service] = f"template-{service}-{uuid.uuid4().hex}"
            asyncio.run(create(templates[service], None))
            asyncio.run(upgrade(service, server.url(templates[service])))
        name = f"{service}-{uuid.uuid4().hex}"
        asyncio.run(create(name, templates[service]))
        return server.url(name)

    return on_sqlite if backend == "sqlite" else on_postgres


@pytest.fixture(scope="session")
def make_settings(
    new_database: Callable[[ServiceName], str], valkey_url: str
) -> Callable[[Path, dict[str, int], Sequence[ServiceName]], Settings]:
    """Give a function that makes the settings of an installation with fresh databases for some services."""

    def make(data_dir: Path, ports: dict[str, int], services: Sequence[ServiceName] = SERVICES) -> Settings:
        return Settings(
            data_dir=data_dir,
            internal_secret="test-" * 10,
            key_pepper="pepper-" * 10,
            redis_url=valkey_url,
            public_url="http://127.0.0.1:4000",
            **{
                f"database_url_{name}": new_database(name) if name in services else "sqlite://"
                for name in SERVICES
            },
            **{f"{name}_url": f"http://127.0.0.1:{ports.get(name, 1)}" for name in SERVICES},
        )

    return make


@pytest.fixture
def settings(
    make_settings: Callable[[Path, dict[str, int], Sequence[ServiceName]], Settings],
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> Settings:
    """Give the settings of an installation of one's own, with no service running.

    ``pytest.mark.databases("dice", ...)`` names the services that get a database; all of them without it.
    """
    marker = request.node.get_closest_marker("databases")
    return make_settings(tmp_path, {}, marker.args if marker else SERVICES)


@pytest.fixture(scope="session")
def house(
    backend: str,
    make_settings: Callable[[Path, dict[str, int], Sequence[ServiceName]], Settings],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[House]:
    """Run the four services, the account service, a worker and the sweeper; no gateway in front."""
    running = House(make_settings, tmp_path_factory.mktemp(f"house-{backend}"))
    try:
        running.start()
        yield running
    finally:
        running.stop()
