"""From outbox to stream to whoever waits: nothing lost, nothing double, whatever dies in between."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import pytest
from redis.asyncio import Redis
from sqlalchemy import select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.tables import CURSORS
from services.campaign.tables import OUTBOX as NOTED
from services.dice.tables import OUTBOX
from services.shared.auth import Viewer
from services.shared.clock import system_clock
from services.shared.consumer import Consumer, NotYet
from services.shared.database import Database, notify_replicas
from services.shared.loops import end
from services.shared.outbox import Event, Relay, events_after, publish, stream_key
from services.shared.settings import Settings
from services.shared.stream import Wakes, follow
from services.shared.valkey import connect
from tests.databases import ON_BOTH

pytestmark = [pytest.mark.databases("dice", "campaign"), ON_BOTH]

SERVICE = "dice"


@pytest.fixture
async def database(settings: Settings) -> AsyncIterator[Database]:
    made = Database(settings.database_url("dice"))
    yield made
    await made.close()


@pytest.fixture
async def redis(settings: Settings) -> AsyncIterator[Redis]:
    made = connect(settings.redis_url)
    await made.flushall()
    yield made
    await made.aclose()


@pytest.fixture
def relay(database: Database, redis: Redis) -> Relay:
    return Relay(database, OUTBOX, redis, SERVICE, system_clock)


async def tell(database: Database, *kinds: str, topic: str = "here") -> None:
    async with database.write() as session:
        for kind in kinds:
            await publish(session, OUTBOX, Event(kind, topic, {"kind": kind}), system_clock())


async def streamed(redis: Redis) -> list[tuple[str, str]]:
    return [
        (key.decode(), fields[b"kind"].decode()) for key, fields in await redis.xrange(stream_key(SERVICE))
    ]


@contextlib.asynccontextmanager
async def running(*works: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(work) for work in works]
    try:
        yield
    finally:
        async with asyncio.timeout(60):
            await end(tasks)


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.01)


async def test_events_reach_the_stream_in_order_and_numbered(
    database: Database, redis: Redis, relay: Relay
) -> None:
    await tell(database, "a", "b")
    await tell(database, "c")
    while await relay.relay_once():
        pass
    assert await streamed(redis) == [("1-0", "a"), ("2-0", "b"), ("3-0", "c")]


async def test_a_relay_that_dies_before_it_notes_its_work_doubles_nothing(
    database: Database, redis: Redis, relay: Relay
) -> None:
    await tell(database, "a", "b")
    await relay.relay_once()
    async with database.write() as session:
        await session.execute(OUTBOX.update().values(published_at=None))
    await relay.relay_once()
    assert await streamed(redis) == [("1-0", "a"), ("2-0", "b")]


async def test_two_relays_at_once_double_and_lose_nothing(
    settings: Settings, database: Database, redis: Redis, relay: Relay
) -> None:
    other_database = Database(settings.database_url("dice"))
    other = Relay(other_database, OUTBOX, redis, SERVICE, system_clock)

    async def work(one: Relay) -> None:
        for _ in range(10):
            await one.relay_once()

    async def write() -> None:
        for index in range(40):
            await tell(database, f"k{index}")

    await asyncio.gather(write(), work(relay), work(other))
    while await relay.relay_once():
        pass
    assert [key for key, _ in await streamed(redis)] == [f"{number}-0" for number in range(1, 41)]
    await other_database.close()


class Producer:
    """Answers for gaps as the producing service would, straight from its outbox."""

    name = SERVICE

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, _viewer: Viewer, *_segments: str, after: int) -> list[list[object]]:
        async with self._database.read() as session:
            events = await events_after(session, OUTBOX, after)
        return [[event.position, event.kind, event.topic, dict(event.payload)] for event in events]


@pytest.fixture
async def reader(settings: Settings) -> AsyncIterator[Database]:
    made = Database(settings.database_url("campaign"))
    yield made
    await made.close()


async def handled(reader: Database) -> list[str]:
    """Read what a handler has noted, in order, as far as it was committed."""
    async with reader.read() as session:
        return list((await session.execute(select(NOTED.c.kind).order_by(NOTED.c.id))).scalars())


async def until_handled(reader: Database, *kinds: str) -> None:
    async with asyncio.timeout(60):
        while len(await handled(reader)) < len(kinds):
            await asyncio.sleep(0.01)
    assert await handled(reader) == list(kinds)


KINDS = ("before", "while", "asleep-1", "asleep-2", "after", "a")


async def note(session: AsyncSession, event: Event) -> None:
    await publish(session, NOTED, event, system_clock())


async def test_a_reader_handles_each_event_once_even_when_redis_forgets(
    database: Database, redis: Redis, relay: Relay, reader: Database
) -> None:
    def consumer() -> Consumer:
        return Consumer(reader, CURSORS, redis, Producer(database), dict.fromkeys(KINDS, note))  # type: ignore[arg-type]

    await tell(database, "before")
    await relay.relay_once()
    async with running(consumer().run()):
        await until_handled(reader, "before")
        await tell(database, "while")
        await relay.relay_once()
        await until_handled(reader, "before", "while")
    await tell(database, "asleep-1", "asleep-2")
    await relay.relay_once()
    await redis.flushall()
    await tell(database, "after")
    await relay.relay_once()
    async with running(consumer().run(), consumer().run()):
        await until_handled(reader, "before", "while", "asleep-1", "asleep-2", "after")


@pytest.mark.parametrize("failure", [OSError("the disk is full"), NotYet("dice are rolling")], ids=repr)
async def test_an_event_whose_handling_fails_is_handled_again(
    database: Database, redis: Redis, relay: Relay, reader: Database, failure: Exception
) -> None:
    attempts = 0

    async def handle(session: AsyncSession, event: Event) -> None:
        nonlocal attempts
        attempts += 1
        await note(session, event)
        if attempts == 1:
            raise failure

    await tell(database, "a")
    await relay.relay_once()
    async with running(
        Consumer(reader, CURSORS, redis, Producer(database), dict.fromkeys(KINDS, handle)).run()
    ):  # type: ignore[arg-type]
        await until_handled(reader, "a")
    assert attempts == 2


async def test_an_event_that_takes_many_steps_goes_on_where_it_was_interrupted(
    database: Database, redis: Redis, relay: Relay, reader: Database
) -> None:
    """Each step is committed by itself, the position stays before the event, and what follows it waits."""
    taken: list[str] = []
    interrupted = asyncio.Event()

    async def handle(session: AsyncSession, event: Event) -> bool:
        if event.kind == "a":
            if len(taken) == 3 and not interrupted.is_set():
                interrupted.set()
                await asyncio.Event().wait()
            taken.append(f"step {len(taken)}")
            await publish(session, NOTED, Event(taken[-1], event.topic, {}), system_clock())
            return len(taken) < 6
        taken.append(event.kind)
        await note(session, event)
        return False

    def consumer() -> Consumer:
        return Consumer(reader, CURSORS, redis, Producer(database), dict.fromkeys(KINDS, handle))  # type: ignore[arg-type]

    await tell(database, "before", "a", "after")
    await relay.relay_once()
    async with running(consumer().run()):
        await interrupted.wait()
    assert await handled(reader) == ["before", "step 1", "step 2"]
    async with reader.read() as session:
        assert (await session.execute(select(CURSORS.c.position))).scalar_one() == 1
    async with running(consumer().run()):
        await until_handled(reader, *taken[:3], "step 3", "step 4", "step 5", "after")
    assert taken == ["before", "step 1", "step 2", "step 3", "step 4", "step 5", "after"]


async def test_a_unit_of_work_handles_a_few_events_and_lets_others_write_between(
    database: Database, redis: Redis, relay: Relay, reader: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.shared.consumer.HANDLED_AT_ONCE", 2)
    units: list[AsyncSession] = []

    async def handle(session: AsyncSession, event: Event) -> None:
        units.append(session)
        await note(session, event)

    await tell(database, *KINDS)
    await relay.relay_once()
    consumer = Consumer(reader, CURSORS, redis, Producer(database), dict.fromkeys(KINDS, handle))  # type: ignore[arg-type]
    async with running(consumer.run()):
        await until_handled(reader, *KINDS)
    assert [sum(unit is other for other in units) for unit in units[::2]] == [2, 2, 2]


async def test_a_reader_passes_over_what_it_does_not_handle_without_writing(
    database: Database, redis: Redis, relay: Relay, reader: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.shared.consumer.MOST_SKIPPED", 30)

    async def position() -> int:
        async with reader.read() as session:
            return (await session.execute(select(CURSORS.c.position))).scalar_one_or_none() or 0

    consumer = Consumer(reader, CURSORS, redis, Producer(database), dict.fromkeys(KINDS, note))  # type: ignore[arg-type]
    async with running(consumer.run()):
        await tell(database, "a")
        await relay.relay_once()
        await until_handled(reader, "a")
        await tell(database, *("foreign" for _ in range(20)))
        await relay.relay_once()
        await until(lambda: consumer._passed == 21)
        assert await position() == 1
        await tell(database, *("foreign" for _ in range(20)), "after")
        await relay.relay_once()
        await until_handled(reader, "a", "after")
        assert await position() == 42
        for _ in range(2):
            await tell(database, *("foreign" for _ in range(16)))
            await relay.relay_once()
        await until(lambda: consumer._passed == 74)
    assert await position() >= 72


async def test_following_replays_then_tails_without_gap_or_double(
    database: Database, redis: Redis, relay: Relay
) -> None:
    wakes = Wakes()

    async def fetch(last: int) -> list[Event]:
        async with database.read() as session:
            return await events_after(session, OUTBOX, last, limit=7)

    await tell(database, *(f"k{index}" for index in range(20)))
    while await relay.relay_once():
        pass
    seen: list[int] = []

    async def subscribe() -> None:
        async for event in follow(wakes, "here", fetch, lambda item: item.position, after=5):
            seen.append(event.position)

    async with running(wakes.run(redis, SERVICE), relay.run(), subscribe()):
        await until(lambda: len(seen) == 15)
        for index in range(30):
            await tell(database, f"later{index}")
            relay.poke()
        await until(lambda: len(seen) >= 45)
    assert seen == list(range(6, 51))


async def test_replicas_tell_each_other_topics_that_no_event_tells(
    settings: Settings, database: Database, redis: Redis
) -> None:
    mine, theirs = Wakes(), Wakes()
    database.after_commit.append(mine.wake_topics)
    database.after_unpublished.append(mine.tell_replicas)
    own, told = mine.watch("updates:here"), theirs.watch("updates:here")
    with own as heard_here, told as heard_there, theirs.watch("updates:elsewhere") as silent:
        async with running(theirs.run(redis, SERVICE), mine.run(redis, SERVICE), mine.tell(redis, SERVICE)):
            # Each signal is set once when its process begins to listen.
            for signal in (heard_there, silent, heard_here):
                await until(signal.is_set)
                signal.clear()
            async with database.write() as session:
                notify_replicas(session, "updates:here")
                assert not heard_here.is_set(), "it is not committed yet"
            assert heard_here.is_set(), "its own process hears it with the commit"
            heard_here.clear()
            await until(heard_there.is_set)
            heard_there.clear()
            # Behind it on the stream: what a process has told itself wakes it no second time.
            theirs.tell_replicas(frozenset({"updates:here"}))
            async with running(theirs.tell(redis, SERVICE)):
                await until(heard_here.is_set)
            assert not silent.is_set() and not heard_there.is_set()


async def test_following_goes_on_when_no_signal_comes(
    database: Database, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.shared.stream.POLL_SECONDS", 0.05)

    async def fetch(last: int) -> list[Event]:
        async with database.read() as session:
            return await events_after(session, OUTBOX, last)

    seen: list[int] = []

    async def subscribe() -> None:
        async for event in follow(Wakes(), "here", fetch, lambda item: item.position, after=0):
            seen.append(event.position)

    async with running(subscribe()):
        await tell(database, "a")
        await relay.relay_once()
        await until(lambda: seen == [1])


async def test_a_follower_who_may_no_longer_see_is_told_and_ended() -> None:
    class Gone(Exception):
        pass

    wakes = Wakes()
    calls = 0

    async def fetch(_last: int) -> list[int]:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise Gone
        return [1]

    stream = follow(wakes, "here", fetch, lambda item: item, after=0)
    assert await anext(stream) == 1
    with pytest.raises(Gone):
        await anext(stream)
    assert not wakes._waiting
