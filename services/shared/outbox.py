"""Facts leave a service through its outbox: written with the change they tell of, published afterwards.

``publish`` writes an event in the transaction of the change itself. ``Relay`` then gives each committed event
its position (1, 2, 3, ... without gaps in one service) and adds it to the service's Redis stream under that
very id, so a relay that dies between the two steps, or a second replica, cannot double an entry: the stream
refuses an id it already has. The rows stay until every reader has read them and a week has passed: when Redis
has lost its memory, readers that notice a gap ask the service itself (``events_after``).
"""

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import orjson
from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError
from sqlalchemy import (
    BigInteger,
    Column,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    insert,
    select,
    update,
)
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel.ext.asyncio.session import AsyncSession

from services.shared.clock import Clock
from services.shared.database import Database, Utc, stir
from services.shared.loops import repeat
from services.shared.retention import OnceRead, state_life
from services.shared.sequence import next_value
from services.shared.telemetry import EVENTS_PUBLISHED

STREAM_LENGTH = 100_000
LIFE = OnceRead(
    timedelta(days=7),
    "Readers find in it what the stream has lost; who mends a reader looks at it for a week.",
)
IDLE_SECONDS = 1.0
BATCH = 200


@dataclass(frozen=True, slots=True)
class Event:
    """Something that has happened.

    Attributes:
        kind: past tense, dotted: ``roll.recorded``.
        topic: whom it concerns, what subscriptions wait for: ``campaign:cmp_...``.
        payload: small JSON object: ids, versions, a few figures.
        position: place in the service's stream, from 1; 0 until the relay has seen it.
    """

    kind: str
    topic: str
    payload: Mapping[str, Any]
    position: int = 0


def outbox_table(metadata: MetaData) -> Table:
    """Add the outbox to a service's tables."""
    table = Table(
        "outbox",
        metadata,
        Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
        Column("position", BigInteger, nullable=True, unique=True),
        Column("kind", String(80), nullable=False),
        Column("topic", String(120), nullable=False),
        Column("payload", Text, nullable=False),
        Column("created_at", Utc, nullable=False),
        Column("published_at", Utc, nullable=True),
        Index("ix_outbox_unpublished", "published_at", "id"),
    )
    return state_life(table, LIFE)


def stream_key(service: str) -> str:
    """Name the Redis stream of a service."""
    return f"hf:events:{service}"


async def publish(session: AsyncSession, table: Table, event: Event, moment: datetime) -> None:
    """Write an event beside the change it tells of, in the same unit of work."""
    await publish_all(session, table, [event], moment)


async def publish_all(session: AsyncSession, table: Table, events: Sequence[Event], moment: datetime) -> None:
    """Write events beside the change they tell of, in order, in the same unit of work."""
    rows = []
    for event in events:
        stir(session, event.topic)
        payload = orjson.dumps(dict(event.payload)).decode()
        rows.append({"kind": event.kind, "topic": event.topic, "payload": payload, "created_at": moment})
    if rows:
        await session.execute(insert(table), rows)


async def events_after(
    session: AsyncSession, table: Table, position: int, *, limit: int = BATCH
) -> list[Event]:
    """Read published events in order, for a reader that found a gap in the stream."""
    rows = await session.execute(
        select(table).where(table.c.position > position).order_by(table.c.position).limit(limit)
    )
    return [Event(row.kind, row.topic, orjson.loads(row.payload), row.position) for row in rows]


class Relay:
    """Carries committed events of one service to its stream, for as long as the process lives.

    Args:
        database: where the outbox is.
        table: the outbox.
        redis: where the stream is.
        service: name of the service.
        clock: the present moment.
    """

    def __init__(self, database: Database, table: Table, redis: Redis, service: str, clock: Clock) -> None:
        self._database = database
        self._table = table
        self._redis = redis
        self._service = service
        self._clock = clock
        self._poke = asyncio.Event()

    def poke(self, _topics: frozenset[str] = frozenset()) -> None:
        """Say that something was committed, so that the relay need not wait for its next look."""
        self._poke.set()

    async def run(self) -> None:
        """Relay until cancelled; a database or Redis that is away delays events and loses none."""
        await repeat(
            self._round,
            name=f"publishing for {self._service}",
            patient_with=(RedisError, OSError, SQLAlchemyError),
        )

    async def _round(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(IDLE_SECONDS):
                await self._poke.wait()
        self._poke.clear()
        while await self.relay_once():
            pass

    async def relay_once(self) -> int:
        """Number, then publish, one batch; give how many events went out."""
        await self._number()
        table = self._table
        async with self._database.read() as session:
            rows = (
                await session.execute(
                    select(table)
                    .where(table.c.published_at.is_(None), table.c.position.is_not(None))
                    .order_by(table.c.position)
                    .limit(BATCH)
                )
            ).all()
        if not rows:
            return 0
        for row in rows:
            await self._add(row.position, {"kind": row.kind, "topic": row.topic, "payload": row.payload})
        async with self._database.write() as session:
            await session.execute(
                update(table)
                .where(table.c.position.between(rows[0].position, rows[-1].position))
                .values(published_at=self._clock())
            )
        EVENTS_PUBLISHED.labels(self._service).inc(len(rows))
        return len(rows)

    async def _number(self) -> None:
        table = self._table
        async with self._database.read() as session:
            waiting = (
                await session.execute(select(table.c.id).where(table.c.position.is_(None)).limit(1))
            ).first()
        if waiting is None:
            return
        async with self._database.write() as session:
            # The counter's row is the lock: replicas take turns from here to the commit.
            await next_value(session, "outbox", count=0)
            ids = (
                (
                    await session.execute(
                        select(table.c.id).where(table.c.position.is_(None)).order_by(table.c.id).limit(BATCH)
                    )
                )
                .scalars()
                .all()
            )
            last = await next_value(session, "outbox", count=len(ids))
            for offset, row_id in enumerate(ids):
                await session.execute(
                    update(table).where(table.c.id == row_id).values(position=last - len(ids) + 1 + offset)
                )

    async def _add(self, position: int, fields: dict[Any, Any]) -> None:
        try:
            await self._redis.xadd(
                stream_key(self._service),
                fields,
                id=f"{position}-0",
                maxlen=STREAM_LENGTH,
                approximate=True,
            )
        except ResponseError as error:
            if "equal or smaller" not in str(error):
                raise
