"""The house in this process, and a table in it."""

from collections.abc import Iterator

import pytest
import redis

from services.shared.settings import SERVICES
from tests.databases import Databases
from tests.e2e.table import World, build_world
from tests.matrix.in_process import InProcess, in_process


@pytest.fixture(scope="package")
def house(
    databases: Databases, backend: str, valkey_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[InProcess]:
    """Run the house on each kind of database in turn."""
    own_valkey = valkey_url.replace("db=0", "db=6")
    with redis.Redis.from_url(own_valkey) as client:
        client.flushdb()
    urls = {name: databases.take(name) for name in SERVICES}
    folder = tmp_path_factory.mktemp("house")
    with in_process(folder, own_valkey, urls, postgres=backend == "postgres") as running:
        yield running
    for name, url in urls.items():
        databases.give_back(name, url)


@pytest.fixture(scope="module")
def world(house: InProcess) -> World:
    """Set the table."""
    return build_world(house)
