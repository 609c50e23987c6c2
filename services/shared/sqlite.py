"""SQLite asked in the event loop, under SQLAlchemy's asynchronous engine.

A statement of a service takes some tens of microseconds, a hop to a thread and back ten times that; so the
statements run where they are asked for. The one thing that may take long is to wait for another process that
writes: ``BEGIN IMMEDIATE`` is tried again after pauses that leave the loop to others.
"""

import asyncio
import sqlite3
import time
from collections import deque
from typing import Any, Self

from sqlalchemy import URL, Connection, event
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool
from sqlalchemy.util import await_only

PRAGMAS = ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON")
BUSY_SECONDS = 10.0
"""How long a transaction is waited for that another process has open."""
FIRST_PAUSE, LONGEST_PAUSE = 0.0005, 0.02


class _Cursor(sqlite3.Cursor):
    """A cursor that has read every row when its statement returns, as those of asynchronous drivers have.

    What is written while a caller goes through the rows does not change them then.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection)
        self._rows: deque[Any] = deque()

    def execute(self, statement: str, parameters: Any = (), /) -> Self:
        super().execute(statement, parameters)
        if self.description is not None:
            self._rows = deque(super().fetchall())
        return self

    def fetchone(self) -> Any:
        return self._rows.popleft() if self._rows else None

    def fetchmany(self, size: int | None = None) -> list[Any]:
        wanted = self.arraysize if size is None else size
        return [self._rows.popleft() for _ in range(min(wanted, len(self._rows)))]

    def fetchall(self) -> list[Any]:
        rows, self._rows = list(self._rows), deque()
        return rows

    async def _async_soft_close(self) -> None:
        """Asked for by SQLAlchemy, once a statement of an asynchronous connection returned."""


class _Connection(sqlite3.Connection):
    def cursor(self, factory: Any = _Cursor) -> Any:
        return super().cursor(factory)


class InLoop(SQLiteDialect_pysqlite):
    """The dialect ``sqlite+inloop``: the standard library's driver, called without a thread."""

    driver = "inloop"
    is_async = True
    supports_statement_cache = True
    has_terminate = True

    @classmethod
    def get_pool_class(cls, url: URL) -> type[AsyncAdaptedQueuePool]:
        """Returns the pool that is waited for by awaiting."""
        return AsyncAdaptedQueuePool

    def do_terminate(self, dbapi_connection: Any) -> None:
        """Close a connection that nobody gave back."""
        dbapi_connection.close()


registry.register("sqlite.inloop", __name__, "InLoop")


def sqlite_engine(url: URL, *, begin: str, **pool: Any) -> AsyncEngine:
    """Makes an engine whose transactions start with the statement ``begin``.

    Args:
        url: any address of SQLite, whatever driver it names.
        begin: ``BEGIN``, or ``BEGIN IMMEDIATE`` for those that write.
        pool: what ``create_async_engine`` is told of its pool.
    """
    driver = {"check_same_thread": False, "factory": _Connection}
    made = create_async_engine(url.set(drivername="sqlite+inloop"), connect_args=driver, **pool)

    def prepare(connection: sqlite3.Connection, _record: Any) -> None:
        # The driver's own implicit BEGIN comes too late for BEGIN IMMEDIATE, so it is switched off.
        connection.isolation_level = None
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}").close()
        # SQLite itself would wait in the loop: for a writer, as long as it takes; for a reader only
        # while another process opens or closes the file.
        waits = 0 if begin == "BEGIN IMMEDIATE" else int(BUSY_SECONDS * 1000)
        connection.execute(f"PRAGMA busy_timeout={waits}").close()

    def start(connection: Connection) -> None:
        _begin(connection, begin)

    event.listen(made.sync_engine, "connect", prepare)
    event.listen(made.sync_engine, "begin", start)
    return made


def _begin(connection: Connection, statement: str) -> None:
    driver = connection.connection.dbapi_connection
    assert isinstance(driver, sqlite3.Connection)
    began, pause = time.monotonic(), FIRST_PAUSE
    while True:
        try:
            driver.execute(statement).close()
            return
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() - began > BUSY_SECONDS:
                connection.exec_driver_sql(statement)  # once more, with SQLAlchemy's own error
                return
        await_only(asyncio.sleep(pause))
        pause = min(2 * pause, LONGEST_PAUSE)
