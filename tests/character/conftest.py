"""The character service on SQLite and on PostgreSQL, beside a campaign service steered by the test."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from services.character.app import create_app
from services.shared.database import Database
from services.shared.settings import SERVICES, Settings
from tests.character.desk import Desk, Tables, living
from tests.character.toy_graph import ToyGraph
from tests.databases import Databases, SqliteDatabases
from tests.house import PRIVATE_KEY, PUBLIC_KEYS


@pytest.fixture
def tables() -> Iterator[Tables]:
    """Run the campaign service's answer about access."""
    served = Tables()
    with served.running():
        yield served


@pytest.fixture
def settings(databases: Databases, valkey_url: str, tables: Tables, tmp_path: Path) -> Iterator[Settings]:
    """Give the settings of a character service with a fresh database; no other database is there."""
    database = databases.take("character")
    addresses: dict[str, Any] = {
        "database_url_character": database,
        "campaign_url": f"http://127.0.0.1:{tables.port}",
    }
    nobody = {f"database_url_{name}": "sqlite:////nowhere/none.db" for name in SERVICES}
    nobody |= {f"{name}_url": "http://127.0.0.1:1" for name in SERVICES}
    yield Settings(
        data_dir=tmp_path,
        private_key=PRIVATE_KEY,
        public_keys=PUBLIC_KEYS,
        key_pepper="pepper-" * 10,
        dice_secret="dice-" * 10,
        redis_url=valkey_url,
        **(nobody | addresses),
    )
    databases.give_back("character", database)


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[Desk]:
    """Run the character service in this process."""
    app = create_app(settings)
    async with living(app):
        found = Desk(app, settings)
        async with found.http:
            yield found


@pytest.fixture
def toy_database(sqlite_databases: SqliteDatabases) -> str:
    """Give the address of a fresh database, for what does not depend on its kind."""
    return sqlite_databases.take("character")


@pytest.fixture
async def graph(toy_database: str) -> AsyncIterator[ToyGraph]:
    """Give the graph with a game from a folder of somebody's own."""
    database = Database(toy_database)
    yield ToyGraph(database)
    await database.close()
