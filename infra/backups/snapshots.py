"""All databases as they were at one moment, while the product runs.

Each database is held first: on SQLite its one writer's place is taken, on PostgreSQL its tables are locked
against writing. While all are held, a snapshot of each is opened; then they are let go, which takes some
milliseconds in all, and the snapshots are copied for as long as that takes. Who holds one database and waits
for another could hold up a service that waits in its turn, so nothing is waited for longer than
``HOLD_SECONDS``: else all are let go and held again a little later. PostgreSQL looks for deadlocks after a
second, so it is never a service's request that is given up.
"""

import asyncio
import os
import random
import sqlite3
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

from sqlalchemy import text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from infra.backups.failure import BackupFailure, TooBusy, ToolFailure
from services.shared.database import engine
from services.shared.settings import ServiceName

HOLD_SECONDS = 0.25
PATIENCE_SECONDS = 60.0
QUERY_CANCELED = "57014"


class Busy(Exception):
    """A database could not be held soon enough."""


class Snapshot(Protocol):
    """One database. The calls come in the order ``hold``, ``begin``, ``release``; then the others."""

    async def hold(self) -> None:
        """Keeps everybody from writing.

        Raises:
            Busy: somebody writes, and takes long.
        """

    async def begin(self) -> None:
        """Fixes what the later calls see: what is committed now."""

    async def release(self) -> None:
        """Lets the others write again; does nothing where the database is not held."""

    async def column(self, query: str) -> list[str]:
        """Reads the one column of a query."""

    async def save(self, target: Path) -> None:
        """Copies the database into a new file."""


@asynccontextmanager
async def at_one_moment(
    databases: Mapping[ServiceName, str], programs: Path | None
) -> AsyncIterator[dict[ServiceName, Snapshot]]:
    """Opens snapshots of databases that show the same moment.

    Args:
        databases: addresses by name.
        programs: folder of PostgreSQL's programs; None where no database needs them.

    Raises:
        BackupFailure: a database cannot be opened.
        TooBusy: they could not all be held within a minute.
    """
    opened: dict[ServiceName, _Sqlite | _Postgres] = {}
    try:
        for name, url in databases.items():
            address = make_url(url)
            sqlite = address.get_backend_name() == "sqlite"
            opened[name] = _Sqlite(address) if sqlite else _Postgres(url, programs)
            await opened[name].open()
        await _begin_all([*opened.values()])
        yield {**opened}
    finally:
        for snapshot in opened.values():
            await snapshot.close()


async def _begin_all(snapshots: Sequence[Snapshot]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            for snapshot in snapshots:
                await snapshot.hold()
            for snapshot in snapshots:
                await snapshot.begin()
            return
        except Busy:
            if time.monotonic() > deadline:
                raise TooBusy(
                    f"the databases were never all at rest in {PATIENCE_SECONDS:g} s; try again later"
                ) from None
        finally:
            for snapshot in snapshots:
                await snapshot.release()
        await asyncio.sleep(random.uniform(0.05, 0.5))


class _Sqlite:
    """A database in a file.

    Args:
        address: of the database.
    """

    def __init__(self, address: URL) -> None:
        self._path = Path(address.database or "").absolute()
        self._connections: list[sqlite3.Connection] = []

    async def open(self) -> None:
        where = f"file:{quote(str(self._path))}?mode=rw"
        try:
            for _ in range(2):
                self._connections.append(
                    sqlite3.connect(where, uri=True, isolation_level=None, timeout=HOLD_SECONDS)
                )
        except sqlite3.OperationalError as error:
            raise BackupFailure(
                f"there is no database {self._path} ({error}); has it ever been started?"
            ) from None
        self._gate, self._reader = self._connections

    async def hold(self) -> None:
        try:
            self._gate.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise Busy from None
            raise

    async def begin(self) -> None:
        self._reader.execute("BEGIN")
        self._reader.execute("SELECT count(*) FROM sqlite_master").fetchone()

    async def release(self) -> None:
        if self._gate.in_transaction:
            self._gate.execute("ROLLBACK")

    async def column(self, query: str) -> list[str]:
        return [value for (value,) in self._reader.execute(query)]

    async def save(self, target: Path) -> None:
        # The reader's transaction is open: all pages are those of its snapshot.
        with closing(sqlite3.connect(target)) as copy:
            self._reader.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
            faults = [line for (line,) in copy.execute("PRAGMA quick_check(3)") if line != "ok"]
        if faults:
            raise BackupFailure(f"{self._path} is damaged: {faults[0]}")

    async def close(self) -> None:
        for connection in self._connections:
            connection.close()


class _Postgres:
    """A database of a PostgreSQL server.

    Args:
        url: its address.
        programs: folder of PostgreSQL's programs.
    """

    def __init__(self, url: str, programs: Path | None) -> None:
        assert programs is not None, "who names a PostgreSQL knows its programs"
        self._url = url
        self._programs = programs
        self._snapshot = ""
        self._gate: AsyncConnection | None = None
        self._reader: AsyncConnection | None = None
        self._engine = engine(url, begin="BEGIN")

    async def open(self) -> None:
        self._gate = await self._connected()
        self._reader = await (await self._connected()).execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )

    async def _connected(self) -> AsyncConnection:
        try:
            return await self._engine.connect()
        except (OSError, DBAPIError) as error:
            where = make_url(self._url).render_as_string(hide_password=True)
            raise BackupFailure(f"{where} does not answer ({error})") from None

    async def hold(self) -> None:
        assert self._gate is not None
        await self._gate.execute(text(f"SET LOCAL statement_timeout = {int(HOLD_SECONDS * 1000)}"))
        found = await self._gate.execute(
            text(
                "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
            )
        )
        tables = ", ".join(found.scalars())
        if not tables:
            raise BackupFailure(
                f"there are no tables in {make_url(self._url).database}; has it ever been started?"
            )
        try:
            # Waits for those who write now, and makes those wait who want to.
            await self._gate.execute(text(f"LOCK TABLE {tables} IN SHARE MODE"))
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", None) == QUERY_CANCELED:
                raise Busy from None
            raise

    async def begin(self) -> None:
        assert self._reader is not None
        self._snapshot = (await self._reader.execute(text("SELECT pg_export_snapshot()"))).scalar_one()

    async def release(self) -> None:
        if self._gate is not None:
            await self._gate.rollback()

    async def column(self, query: str) -> list[str]:
        assert self._reader is not None
        return [*(await self._reader.execute(text(query))).scalars()]

    async def save(self, target: Path) -> None:
        await call_postgres(
            self._programs / "pg_dump",
            self._url,
            *("--format=custom", "--no-owner", "--no-privileges"),
            *(f"--snapshot={self._snapshot}", f"--file={target}"),
        )

    async def close(self) -> None:
        for connection in (self._gate, self._reader):
            if connection is not None:
                await connection.close()
        await self._engine.dispose()


async def call_postgres(program: Path, url: str, *words: str) -> None:
    """Runs a program of PostgreSQL on a database.

    Args:
        program: its path.
        url: SQLAlchemy's address of the database; it is handed over in the environment, where other users of
            the machine do not see the password.
        words: its arguments.

    Raises:
        ToolFailure: it ended with an error; tells the last line of what it said.
    """
    address = make_url(url)
    named = {
        "PGHOST": address.host or address.query.get("host"),
        "PGPORT": address.port or address.query.get("port"),
        "PGUSER": address.username,
        "PGPASSWORD": address.password,
        "PGDATABASE": address.database,
        "PGSSLMODE": address.query.get("ssl") or address.query.get("sslmode"),
    }
    environment = {**os.environ, **{name: str(value) for name, value in named.items() if value is not None}}
    process = await asyncio.create_subprocess_exec(
        str(program),
        *words,
        env=environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    if process.returncode != 0:
        lines = said.decode(errors="replace").strip().splitlines()
        raise ToolFailure(f"{program.name}: {lines[-1] if lines else f'ended with {process.returncode}'}")
