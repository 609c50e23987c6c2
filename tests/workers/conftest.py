"""Workshops for the tests of workers."""

import asyncio
import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from infra.launch.servers import valkey_command
from services.shared.migrate import upgrade
from services.shared.settings import SERVICES
from tests.conftest import wait_for
from tests.databases import Databases
from tests.house import installation
from tests.workers.shop import Shop


@contextlib.contextmanager
def running_valkey() -> Iterator[str]:
    """Run a Valkey while the block lasts, and give its address."""
    folder = Path(tempfile.mkdtemp(prefix="hf-w-"))
    socket = folder / "v.sock"
    process = subprocess.Popen(valkey_command(folder / "data", socket), stdout=subprocess.DEVNULL)
    try:
        wait_for(socket.exists, "Valkey's socket")
        yield f"unix://{socket}?db=0"
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def own_valkey() -> Iterator[str]:
    """Run a Valkey for one test alone, which may empty it."""
    with running_valkey() as url:
        yield url


@pytest.fixture
def map_database(databases: Databases) -> Iterator[str]:
    """Give an empty database of the map service, on SQLite and on PostgreSQL."""
    url = databases.take("map")
    yield url
    databases.give_back("map", url)


@contextlib.contextmanager
def open_shop(valkey: str, folder: Path) -> Iterator[Shop]:
    """Give a workshop on SQLite with nothing running."""
    files = {name: f"sqlite:///{folder}/{name}.db" for name in SERVICES}
    settings = installation(folder, valkey, files, {})
    asyncio.run(upgrade("map", settings.database_url("map")))
    (folder / "processes.log").touch()
    made = Shop(settings, redis.Redis.from_url(valkey))
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def shop(own_valkey: str, tmp_path: Path) -> Iterator[Shop]:
    """Give a workshop of one's own with nothing running."""
    with open_shop(own_valkey, tmp_path) as made:
        yield made


@pytest.fixture(scope="module")
def lasting_shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    """Give a workshop where one worker is at work for a whole file: one takes seconds to start."""
    with running_valkey() as valkey, open_shop(valkey, tmp_path_factory.mktemp("shop")) as made:
        made.worker()
        made.wait_ready()
        yield made


@pytest.fixture
def working_shop(lasting_shop: Shop) -> Shop:
    """Give the file's workshop, idle, to a test that leaves a worker at work there."""
    lasting_shop.wait_idle()
    return lasting_shop


@pytest.fixture(scope="module")
def sweeper(lasting_shop: Shop) -> None:
    """Have a sweeper in the file's workshop from the first test on that needs one."""
    lasting_shop.sweeper()


@pytest.fixture
def swept_shop(working_shop: Shop, sweeper: None) -> Shop:
    """Give the file's workshop with a sweeper; tests that are to do without one come before."""
    return working_shop
