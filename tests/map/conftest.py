"""The map service on SQLite and on PostgreSQL, beside a campaign service steered by the test."""

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
    own_valkey = valkey_url.replace("db=0", "db=5")
    with redis.Redis.from_url(own_valkey) as client:
        client.flushdb()
    database = databases.take("map")
    settings = installation(tmp_path, own_valkey, {"map": database}, {"campaign": tables.port})
    desk = MapDesk(settings.model_copy(update={"public_url": "https://play.example/"}))
    with desk.running():
        yield desk
    databases.give_back("map", database)
