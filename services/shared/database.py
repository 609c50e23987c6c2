"""One database of one service: SQLite in WAL mode, or PostgreSQL, behind the same two doors.

``read()`` opens a session that never commits; ``write()`` opens a unit of work that commits once, at its
end, or leaves nothing behind. On SQLite, writes go through an engine of their own whose transactions begin
with ``BEGIN IMMEDIATE``: two writers then wait for one another instead of failing half-way with "database is
locked", and readers are never held up. Those of one process take turns, account by account, so that one that
writes a great deal holds up nobody else for longer than one unit of work.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from datetime import UTC, datetime
from typing import Any

import sqlalchemy.ext.asyncio
import sqlalchemy.orm
import sqlmodel
from sqlalchemy import DateTime, Dialect, TypeDecorator, text
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool, NullPool
from sqlmodel.ext.asyncio.session import AsyncSession

from services.shared.limits.turns import OWNER, Turns
from services.shared.outages import database_outages
from services.shared.sqlite import sqlite_engine

TOPICS = "topics"
UNPUBLISHED = "unpublished"
FOLLOWING = "following"


class Utc(TypeDecorator[datetime]):
    """A moment in UTC, aware on the way in and on the way out; SQLite would forget its zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert to UTC."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Name the zone that SQLite does not keep."""
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


class _SyncSession(sqlmodel.Session):
    execute = sqlalchemy.orm.Session.execute


class Session(AsyncSession):
    """A session whose ``execute`` is SQLAlchemy's own: SQLModel's warns at each call, and the kit's tables
    (outbox, jobs, ...) are no models."""

    sync_session_class = _SyncSession
    execute = sqlalchemy.ext.asyncio.AsyncSession.execute

    async def __aexit__(self, *raised: Any) -> None:
        """Close the session, and let others have their turn.

        SQLAlchemy closes it in a task of its own, which a cancelled caller cannot break off. On SQLite
        nothing in it waits: closed at once, it costs one round of the loop instead of three.
        """
        if is_sqlite(self):
            await self.close()
            await asyncio.sleep(0)
        else:
            await super().__aexit__(*raised)


class Database:
    """Engines of one service's database.

    Args:
        url: SQLAlchemy address with an asynchronous driver.
        pooled: keep connections open between uses; worker tasks, which live in an event loop each, do not.
    """

    def __init__(self, url: str, *, pooled: bool = True) -> None:
        self.url = url
        self.after_commit: list[Callable[[frozenset[str]], None]] = []
        self.after_unpublished: list[Callable[[frozenset[str]], None]] = []
        self.sqlite = make_url(url).get_backend_name() == "sqlite"
        self._reader = engine(url, begin="BEGIN", pooled=pooled, size=8)
        self._writer = (
            engine(url, begin="BEGIN IMMEDIATE", pooled=pooled, size=1) if self.sqlite else self._reader
        )
        # Requests are bounded at the door: whoever was let in is never turned away here.
        self._turns = Turns(1, waiting=sys.maxsize, waiting_each=sys.maxsize, name="writer")

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncSession]:
        """Open a session for reading; what it changes is thrown away.

        Raises:
            DatabaseUnavailable: the database is away.
        """
        with database_outages():
            async with Session(self._reader, expire_on_commit=False) as session:
                yield session

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncSession]:
        """Open a unit of work: one transaction, committed when the block ends well, else rolled back.

        After a commit that published events, everyone in ``after_commit`` hears their topics, and everyone in
        ``after_unpublished`` those that no event tells to other replicas; then what was put off by ``follow``
        is done.

        Raises:
            DatabaseUnavailable: the database is away, or cannot be written.
        """
        with database_outages():
            async with Session(self._writer, expire_on_commit=False) as session:
                async with self._turn(), session.begin():
                    yield session
                topics = frozenset(session.info.get(TOPICS, ()))
                unpublished = frozenset(session.info.get(UNPUBLISHED, ()))
                following: list[Callable[[], Awaitable[None]]] = session.info.get(FOLLOWING, [])
        for listener in self.after_commit if topics else ():
            listener(topics)
        for listener in self.after_unpublished if unpublished else ():
            listener(unpublished)
        for call in following:
            await call()

    def _turn(self) -> AbstractAsyncContextManager[None]:
        """Wait until it is the turn of the account that asks, where there is one writer."""
        return self._turns.place(OWNER.get()) if self.sqlite else nullcontext()

    async def ping(self) -> None:
        """Raise unless the database answers."""
        async with self.read() as session:
            await session.execute(text("SELECT 1"))

    async def close(self) -> None:
        """Close every connection."""
        await self._reader.dispose()
        if self._writer is not self._reader:
            await self._writer.dispose()


def is_sqlite(session: AsyncSession) -> bool:
    """Tell whether a session's database is SQLite, where units of work run one after another."""
    return session.get_bind().dialect.name == "sqlite"


def insert_once(session: AsyncSession, table: Any, **values: Any) -> Any:
    """Makes the statement that inserts a row unless there is one with its key, for the session's database."""
    insert = sqlite_insert if is_sqlite(session) else postgresql_insert
    return insert(table).values(**values).on_conflict_do_nothing()


def stir(session: AsyncSession, topic: str) -> None:
    """Have those who listen to commits hear of a topic once this unit of work is committed."""
    session.info.setdefault(TOPICS, set()).add(topic)


def notify_replicas(session: AsyncSession, topic: str) -> None:
    """Do the same in the other replicas of the service, for a topic that no event of this commit has."""
    stir(session, topic)
    session.info.setdefault(UNPUBLISHED, set()).add(topic)


def follow(session: AsyncSession, call: Callable[[], Awaitable[None]]) -> None:
    """Have something done once this unit of work is committed, and not at all where it is not."""
    session.info.setdefault(FOLLOWING, []).append(call)


def engine(url: str, *, begin: str, pooled: bool = False, size: int = 1) -> AsyncEngine:
    """Make an engine whose SQLite transactions start with the statement ``begin``."""
    pool: dict[str, Any] = (
        {"poolclass": AsyncAdaptedQueuePool, "pool_size": size, "max_overflow": 0 if size == 1 else size}
        if pooled
        else {"poolclass": NullPool}
    )
    address = make_url(url)
    if address.get_backend_name() == "sqlite":
        return sqlite_engine(address, begin=begin, **pool)
    return create_async_engine(url, pool_pre_ping=True, **pool)
