"""Databases that cannot be written, as a full disk or a read-only folder makes them."""

import contextlib
import sqlite3
from collections.abc import Iterator

from sqlalchemy import event
from sqlalchemy.pool import Pool

FAULTS = {
    "full": "PRAGMA max_page_count = 1",
    "read-only": "PRAGMA query_only = ON",
}
"""What brings SQLite to refuse writing, by the fault that it then reports."""


@contextlib.contextmanager
def broken_sqlite(fault: str) -> Iterator[None]:
    """Break every connection to SQLite that is used inside the block."""

    def breaks(connection: sqlite3.Connection, _record: object, _proxy: object) -> None:
        connection.execute(FAULTS[fault]).close()

    def mends(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute("PRAGMA max_page_count = 1073741823").close()
        connection.execute("PRAGMA query_only = OFF").close()

    event.listen(Pool, "checkout", breaks)
    event.listen(Pool, "checkin", mends)
    try:
        yield
    finally:
        event.remove(Pool, "checkout", breaks)
        event.remove(Pool, "checkin", mends)
