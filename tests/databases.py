"""Fresh, migrated databases for tests: copied files on SQLite; on PostgreSQL, emptied and used again."""

import asyncio
import shutil
import uuid
from collections import defaultdict
from pathlib import Path
from typing import Protocol

import asyncpg
import pytest
from sqlalchemy.engine import make_url

from infra.launch.servers import POSTGRES_USER, Postgres
from services.shared.migrate import upgrade
from services.shared.settings import ServiceName
from services.shared.tables import metadata

# For what the two kinds may do differently: statements, locks, migrations, much at once.
ON_BOTH = pytest.mark.backends("sqlite", "postgres")


def on_each_kind(metafunc: pytest.Metafunc, fixture: str) -> None:
    """Run a test that uses a fixture once on each kind of database that ``pytest.mark.backends`` names.

    Without the marker it runs on SQLite.
    """
    if fixture in metafunc.fixturenames:
        marker = metafunc.definition.get_closest_marker("backends")
        kinds = marker.args if marker else ("sqlite",)
        metafunc.parametrize(fixture, kinds, indirect=True, scope="session")


class Databases(Protocol):
    """Hands out databases, by service."""

    def take(self, service: ServiceName) -> str:
        """Give the address of an empty, migrated database."""

    def give_back(self, service: ServiceName, url: str) -> None:
        """Take back a database that nobody is connected to any more."""


class SqliteDatabases:
    """Databases in files of a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def take(self, service: ServiceName) -> str:
        """Copy a migrated file."""
        template = self._folder / f"{service}.template"
        if not template.exists():
            asyncio.run(upgrade(service, f"sqlite:///{template}"))
        path = self._folder / f"{service}-{uuid.uuid4().hex}.db"
        shutil.copy(template, path)
        return f"sqlite:///{path}"

    def give_back(self, service: ServiceName, url: str) -> None:
        """Remove the file, which may lie in memory."""
        for end in ("", "-wal", "-shm"):
            Path(f"{make_url(url).database}{end}").unlink(missing_ok=True)


class PostgresDatabases:
    """Databases of one server. Making one takes half a second, emptying one some milliseconds."""

    def __init__(self, server: Postgres) -> None:
        self._server = server
        self._free: dict[ServiceName, list[str]] = defaultdict(list)

    def take(self, service: ServiceName) -> str:
        """Give one that was emptied, or make one."""
        if self._free[service]:
            return self._free[service].pop()
        name = f"{service}-{uuid.uuid4().hex}"
        asyncio.run(self._run("postgres", f'CREATE DATABASE "{name}"'))
        asyncio.run(upgrade(service, self._server.url(name)))
        return self._server.url(name)

    def give_back(self, service: ServiceName, url: str) -> None:
        """Empty every table for the next user."""
        name = make_url(url).database
        assert name is not None
        tables = ", ".join(f'"{table.name}"' for table in metadata(service).sorted_tables)
        asyncio.run(self._run(name, f"SET lock_timeout = '10s'; TRUNCATE {tables} RESTART IDENTITY CASCADE"))
        self._free[service].append(url)

    async def _run(self, database: str, statement: str) -> None:
        connection = await asyncpg.connect(
            host=str(self._server.sockets), user=POSTGRES_USER, database=database
        )
        await connection.execute(statement)
        await connection.close()
