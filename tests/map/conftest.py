"""The map service on SQLite and on PostgreSQL, beside a campaign service steered by the test."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from tests.character.desk import Tables
from tests.databases import Databases
from tests.house import installation
from tests.map.service_desk import MapDesk


@pytest.fixture
def tables() -> Iterator[Tables]:
    """Run the campaign service's answer about access."""
    served = Tables()
    with served.running():
        yield served


@pytest.fixture
def map_desk(databases: Databases, valkey_url: str, tables: Tables, tmp_path: Path) -> Iterator[MapDesk]:
    """Run the map service with a fresh database and an empty Redis database."""
    with open_desk(databases, valkey_url, tables, tmp_path) as desk:
        yield desk


@pytest.fixture(scope="module")
def lasting_tables() -> Iterator[Tables]:
    """Run the campaign service's answer about access for a whole file."""
    served = Tables()
    with served.running():
        yield served


@pytest.fixture(scope="module")
def lasting_desk(
    databases: Databases, valkey_url: str, lasting_tables: Tables, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[MapDesk]:
    """Run the map service for a whole file, whose tests have people of their own.

    It is for tests that draw or import: the process that does so takes seconds to start.
    """
    with open_desk(databases, valkey_url, lasting_tables, tmp_path_factory.mktemp("desk")) as desk:
        yield desk


@contextlib.contextmanager
def open_desk(databases: Databases, valkey_url: str, tables: Tables, folder: Path) -> Iterator[MapDesk]:
    """Run the map service while the block lasts."""
    own_valkey = valkey_url.replace("db=0", "db=5")
    with redis.Redis.from_url(own_valkey) as client:
        client.flushdb()
    database = databases.take("map")
    settings = installation(folder, own_valkey, {"map": database}, {"campaign": tables.port})
    desk = MapDesk(settings.model_copy(update={"public_url": "https://play.example/"}))
    with desk.running():
        yield desk
    databases.give_back("map", database)
