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
from typing import Any, NamedTuple

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
    bindparam,
    insert,
    select,
    update,
)
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel.ext.asyncio.session import AsyncSession

from services.shared.clock import Clock
from services.shared.database import Database, Utc, stir
from services.shared.loops import repeat
from services.shared.metrics import EVENTS_PUBLISHED
from services.shared.problems import Unavailable
from services.shared.retention import OnceRead, state_life
from services.shared.sequence import next_value, take_turns

STREAM_LENGTH = 100_000
LIFE = OnceRead(
    timedelta(days=7),
    "Readers find in it what the stream has lost; who mends a reader looks at it for a week.",
)
IDLE_SECONDS = 1.0
BATCH = 200
COUNTER = "outbox"
"""The counter of positions."""


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


class _Numbered(NamedTuple):
    """An event that has its position."""

    position: int
    kind: str
    topic: str
    payload: str


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
        unpublished = table.c.published_at.is_(None)
        self._first_waiting = select(table.c.id).where(unpublished).limit(1)
        # Those that have their positions come first: a stream takes nothing behind what it has.
        self._waiting = (
            select(table)
            .where(unpublished)
            .order_by(table.c.position.is_(None), table.c.position, table.c.id)
            .limit(BATCH)
        )
        self._give_position = (
            update(table).where(table.c.id == bindparam("row")).values(position=bindparam("place"))
        )
        self._note_published = (
            update(table)
            .where(table.c.position.between(bindparam("first"), bindparam("last")))
            .values(published_at=bindparam("moment", type_=Utc))
        )

    def poke(self, _topics: frozenset[str] = frozenset()) -> None:
        """Say that something was committed, so that the relay need not wait for its next look."""
        self._poke.set()

    async def run(self) -> None:
        """Relay until cancelled; a database or Redis that is away delays events and loses none."""
        await repeat(
            self._round,
            name=f"publishing for {self._service}",
            patient_with=(RedisError, OSError, Unavailable, SQLAlchemyError),
        )

    async def _round(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(IDLE_SECONDS):
                await self._poke.wait()
        self._poke.clear()
        # What is committed meanwhile pokes again.
        while await self.relay_once() == BATCH:
            pass

    async def relay_once(self) -> int:
        """Number, then publish, one batch; return how many events went out."""
        async with self._database.read() as session:
            waiting = (await session.execute(self._first_waiting)).first()
        if waiting is None:
            return 0
        events = await self._numbered()
        if not events:
            return 0
        await self._add(events)
        async with self._database.write() as session:
            first, last = events[0].position, events[-1].position
            told = {"first": first, "last": last, "moment": self._clock()}
            await session.execute(self._note_published, told)
        EVENTS_PUBLISHED.labels(self._service).inc(len(events))
        return len(events)

    async def _numbered(self) -> list[_Numbered]:
        """Read the next events to publish by position; those that have none yet get theirs."""
        async with self._database.write() as session:
            # The counter's row is the lock: replicas take turns from here to the commit.
            await take_turns(session, COUNTER)
            rows = (await session.execute(self._waiting)).all()
            new = [row.id for row in rows if row.position is None]
            if new:
                last = await next_value(session, COUNTER, count=len(new))
                places = dict(zip(new, range(last - len(new) + 1, last + 1), strict=True))
                given = [{"row": row, "place": place} for row, place in places.items()]
                await session.execute(self._give_position, given)
        return [
            _Numbered(
                places[row.id] if row.position is None else row.position, row.kind, row.topic, row.payload
            )
            for row in rows
        ]

    async def _add(self, events: Sequence[_Numbered]) -> None:
        """Add events to the stream in one round trip; those that it has already it refuses."""
        async with self._redis.pipeline(transaction=False) as pipeline:
            for event in events:
                pipeline.xadd(
                    stream_key(self._service),
                    {"kind": event.kind, "topic": event.topic, "payload": event.payload},
                    id=f"{event.position}-0",
                    maxlen=STREAM_LENGTH,
                    approximate=True,
                )
            answers = await pipeline.execute(raise_on_error=False)
        for answer in answers:
            known = isinstance(answer, ResponseError) and "equal or smaller" in str(answer)
            if isinstance(answer, Exception) and not known:
                raise answer
