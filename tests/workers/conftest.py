"""Workshops for the tests of workers."""

import asyncio
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


@pytest.fixture
def own_valkey() -> Iterator[str]:
    """Run a Valkey for one test alone, which may empty it."""
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
def map_database(databases: Databases) -> Iterator[str]:
    """Give an empty database of the map service, on SQLite and on PostgreSQL."""
    url = databases.take("map")
    yield url
    databases.give_back("map", url)


@pytest.fixture
def shop(own_valkey: str, tmp_path: Path) -> Iterator[Shop]:
    """Give a workshop on SQLite with nothing running."""
    files = {name: f"sqlite+aiosqlite:///{tmp_path}/{name}.db" for name in SERVICES}
    settings = installation(tmp_path, own_valkey, files, {})
    asyncio.run(upgrade("map", settings.database_url("map")))
    (tmp_path / "processes.log").touch()
    made = Shop(settings, redis.Redis.from_url(own_valkey))
    yield made
    made.close()
