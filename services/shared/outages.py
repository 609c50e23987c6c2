"""Outages of what a service keeps things in: told as ``Unavailable``, and told from faults of our own.

::

    Unavailable
    |-- DatabaseUnavailable   full disk, a file that cannot be written, a server that is away or stops
    `-- StorageUnavailable    the same of stored files

A unit of work that ends so was rolled back, or its connection was lost in the moment of its commit; a request
with an idempotency key may be sent again in any case. Wrong SQL, broken constraints and the like stay what
they are.
"""

import contextlib
import sqlite3
from collections.abc import Iterator

import structlog
from sqlalchemy.exc import DBAPIError, InterfaceError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from services.shared.problems import Unavailable

log = structlog.get_logger(__name__)

SQLITE_OUTAGES = frozenset(
    (
        *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY),
        *(sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PROTOCOL),
    )
)
"""Primary result codes."""

POSTGRES_OUTAGES = ("08", "25006", "40001", "40P01", "53", "55P03", "57P", "58")
"""Beginnings of SQLSTATEs: connections, read-only transactions, failed serialization and deadlocks, resources
such as disk space, locks, shutdowns and restarts, errors of the system."""


class DatabaseUnavailable(Unavailable):
    """The database does not do what it is asked; nothing was changed."""


class StorageUnavailable(Unavailable):
    """Stored files cannot be read or written; nothing was changed."""


@contextlib.contextmanager
def database_outages() -> Iterator[None]:
    """Raise what an outage of the database leads to inside the block as ``DatabaseUnavailable``."""
    try:
        yield
    except Unavailable:
        raise
    except Exception as error:
        if not is_database_outage(error):
            raise
        log.warning("database_unavailable", error=f"{type(error).__name__}: {error}"[:300])
        message = "The database does not answer; try again."
        raise DatabaseUnavailable("UNAVAILABLE", message) from error


@contextlib.contextmanager
def storage_outages() -> Iterator[None]:
    """Raise what an outage of the storage leads to inside the block as ``StorageUnavailable``."""
    try:
        yield
    except OSError as error:
        log.warning("storage_unavailable", error=f"{type(error).__name__}: {error}"[:300])
        message = "Stored files cannot be read or written; try again."
        raise StorageUnavailable("UNAVAILABLE", message) from error


def is_database_outage(error: Exception) -> bool:
    """Tell an outage from a fault of our own.

    Args:
        error: of SQLAlchemy or, while a connection is made or given back, of the driver or the system.
    """
    match error:
        case PoolTimeout() | OSError() | DBAPIError(connection_invalidated=True):
            return True
        case DBAPIError(orig=sqlite3.Error() as raised):
            return _is_sqlite_outage(raised)
        case sqlite3.Error():
            return _is_sqlite_outage(error)
        case InterfaceError(orig=raised):
            # A connection that is closed; asyncpg calls a value that does not fit its column so, too.
            return raised is None or not isinstance(raised.__cause__, ValueError)
        case DBAPIError(orig=raised):
            return _is_postgres_outage(raised)
    return _is_postgres_outage(error)


def _is_sqlite_outage(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in SQLITE_OUTAGES


def _is_postgres_outage(error: BaseException | None) -> bool:
    state = getattr(error, "sqlstate", None)
    return isinstance(state, str) and state.startswith(POSTGRES_OUTAGES)
