"""Reading another service's events, each exactly once.

The position of the last event handled is kept in the reader's own database and moves in the transaction of
the handling itself. Events of kinds that a reader does not handle cost it nothing: their positions are
remembered, and written with the next event that it does handle, or once there are many. Events come from the
producer's Redis stream; where the stream has a gap (Redis lost its memory, or trimmed what a sleeping reader
had not read), the missing ones are asked of the producer itself.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import orjson
from redis.asyncio import Redis
from redis.exceptions import RedisError
from sqlalchemy import BigInteger, Column, MetaData, String, Table, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel.ext.asyncio.session import AsyncSession
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from services.shared.app import internal
from services.shared.auth import Signer, Viewer
from services.shared.database import Database
from services.shared.loops import repeat
from services.shared.outbox import BATCH, Event, events_after, stream_key
from services.shared.peers import Peer
from services.shared.problems import Unavailable
from services.shared.retention import ForEver, state_life
from services.shared.settings import ServiceName
from services.shared.stream import BLOCK_MILLISECONDS

Handler = Callable[[AsyncSession, Event], Awaitable[bool | None]]
"""Handles an event inside a unit of work. True: this was a step, and the event is to be handled again for the
next one; the position stays before it until then."""

READERS: Mapping[str, tuple[ServiceName, ...]] = {
    "account": ("campaign",),
    "dice": ("campaign",),
    "character": ("campaign",),
    "campaign": ("character", "dice", "map"),
    "map": ("campaign",),
}
"""Who reads the events of each service: these are kept until all of them have."""


class NotYet(Exception):
    """An event cannot be handled now; it is taken up again a moment later, and what follows it waits."""


MOST_SKIPPED = 1_000
"""How many events are passed over before their position is written; so many a start may read again."""

HANDLED_AT_ONCE = 20
"""The most events that one unit of work handles, those that are passed over not counted."""

LONGEST_REST_SECONDS = 0.25


def cursor_table(metadata: MetaData) -> Table:
    """Add the table of reading positions to a service's tables."""
    table = Table(
        "consumer_cursor",
        metadata,
        Column("producer", String(40), primary_key=True),
        Column("position", BigInteger, nullable=False),
    )
    return state_life(table, ForEver("Without its position a reader would take every event for a new one."))


def by_kind(handlers: Mapping[str, Handler]) -> Handler:
    """Make one handler of several, each for events of a kind."""

    async def handle(session: AsyncSession, event: Event) -> bool | None:
        return await handlers[event.kind](session, event)

    return handle


def events_route(database: Database, outbox: Table, signer: Signer) -> Route:
    """Make the ``/internal/events`` path of a producer, from which readers fill gaps."""

    async def handler(request: Request, _viewer: Viewer) -> Response:
        after = int(request.query_params.get("after", "0"))
        async with database.read() as session:
            events = await events_after(session, outbox, after)
        return JSONResponse(
            [[event.position, event.kind, event.topic, dict(event.payload)] for event in events]
        )

    return Route("/internal/events", internal(signer, handler))


async def read_up_to(session: AsyncSession, cursors: Table, producer: str) -> int:
    """Reads the position up to which a reader has handled a producer's events; 0 before the first."""
    query = select(cursors.c.position).where(cursors.c.producer == producer)
    return int((await session.execute(query)).scalar_one_or_none() or 0)


class Consumer:
    """Handles the events of one producer inside the reader's database.

    Args:
        database: the reader's.
        cursors: its table of positions.
        redis: where the stream is.
        producer: the service whose events are read.
        handlers: by kind of event, called with the unit of work in which the position moves; events of other
            kinds are passed over.

    Attributes:
        producer: name of the service.
    """

    def __init__(
        self,
        database: Database,
        cursors: Table,
        redis: Redis,
        producer: Peer,
        handlers: Mapping[str, Handler],
    ) -> None:
        self._database = database
        self._cursors = cursors
        self._redis = redis
        self._producer = producer
        self.producer = producer.name
        self._handlers = handlers
        self._gap = True
        self._written = self._passed = 0

    async def run(self) -> None:
        """Read until cancelled; whoever is away is waited for."""
        await repeat(
            self._round,
            name=f"reading {self._producer.name}",
            patient_with=(RedisError, OSError, Unavailable, SQLAlchemyError, NotYet),
        )

    async def _round(self) -> None:
        # Until a round ends well there may be a gap: after a start, and after anything that went wrong.
        gap, self._gap = self._gap, True
        if gap:
            await self._fill()
        self._gap = await self._read()

    async def _read(self) -> bool:
        # Another replica may have handled more: that is found out where an event is to be handled.
        position = max(self._written, self._passed)
        answer: Any = await self._redis.xread(
            {stream_key(self._producer.name): f"{position}-0"}, count=BATCH, block=BLOCK_MILLISECONDS
        )
        for _stream, entries in answer or ():
            events = [_event(entry_id, fields) for entry_id, fields in entries]
            if events and events[0].position != position + 1:
                return True
            await self._take(events)
        return False

    async def _fill(self) -> None:
        while True:
            position = await self._position()
            rows = await self._producer.get(Viewer(), "events", after=position) or []
            if not rows:
                return
            await self._take([Event(kind, topic, payload, place) for place, kind, topic, payload in rows])

    async def _position(self) -> int:
        async with self._database.read() as session:
            self._written = await read_up_to(session, self._cursors, self._producer.name)
        return max(self._written, self._passed)

    async def _take(self, events: Sequence[Event]) -> None:
        """Handle events that follow one another, and remember the last one's position."""
        last = events[-1].position
        if any(event.kind in self._handlers for event in events) or last - self._written >= MOST_SKIPPED:
            began = time.monotonic()
            while await self._step(events):
                await asyncio.sleep(min(time.monotonic() - began, LONGEST_REST_SECONDS))
                began = time.monotonic()
        self._passed = max(last, self._passed)

    async def _step(self, events: Sequence[Event]) -> bool:
        """Handle the next few of these events, or a step of one; tell whether there is more to do."""
        table = self._cursors
        name = self._producer.name
        async with self._database.write() as session:
            found = await session.execute(
                select(table.c.position).where(table.c.producer == name).with_for_update()
            )
            position = found.scalar_one_or_none()
            if position is None:
                await session.execute(table.insert().values(producer=name, position=0))
                position = 0
            waiting = [event for event in events if event.position > position]
            position, more = await self._handle(session, waiting, position)
            await session.execute(update(table).where(table.c.producer == name).values(position=position))
        self._written = position
        return more

    async def _handle(
        self, session: AsyncSession, events: Sequence[Event], position: int
    ) -> tuple[int, bool]:
        """Return the position up to which events are handled now, and whether some are left."""
        handled = 0
        for event in events:
            if event.kind in self._handlers:
                if handled == HANDLED_AT_ONCE or await self._handlers[event.kind](session, event):
                    return position, True
                handled += 1
            position = event.position
        return position, False


def _event(entry_id: bytes, fields: dict[bytes, bytes]) -> Event:
    return Event(
        kind=fields[b"kind"].decode(),
        topic=fields[b"topic"].decode(),
        payload=orjson.loads(fields[b"payload"]),
        position=int(entry_id.split(b"-")[0]),
    )
