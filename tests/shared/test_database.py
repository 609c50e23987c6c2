"""The two doors of a database, on SQLite and on PostgreSQL."""

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import delete, func, insert, select, text
from sqlalchemy.exc import OperationalError

from services.dice.tables import IDEMPOTENCY, OUTBOX, SEQUENCE
from services.shared import sqlite
from services.shared.auth import Viewer
from services.shared.clock import system_clock
from services.shared.database import Database, follow
from services.shared.idempotency import Once, answered, once
from services.shared.limits.turns import OWNER
from services.shared.migrate import drift
from services.shared.outages import DatabaseUnavailable
from services.shared.outbox import Event, publish
from services.shared.problems import IdempotencyConflict
from services.shared.pruning import prune_expired
from services.shared.sequence import next_value
from services.shared.settings import SERVICES, ServiceName, Settings
from tests.databases import ON_BOTH

pytestmark = ON_BOTH


@pytest.fixture
async def database(settings: Settings):
    made = Database(settings.database_url("dice"))
    yield made
    await made.close()


async def test_a_unit_of_work_that_fails_leaves_nothing_behind(database: Database) -> None:
    with pytest.raises(RuntimeError):
        async with database.write() as session:
            await next_value(session, "kept?")
            raise RuntimeError
    async with database.read() as session:
        assert (await session.execute(select(func.count()).select_from(SEQUENCE))).scalar_one() == 0


async def test_what_a_reading_session_changes_is_thrown_away(database: Database) -> None:
    async with database.read() as session:
        await session.execute(insert(SEQUENCE).values(scope="read", value=1))
    async with database.read() as session:
        assert (await session.execute(select(func.count()).select_from(SEQUENCE))).scalar_one() == 0


async def test_readers_are_not_held_up_by_a_writer(database: Database) -> None:
    async with database.write() as writing:
        await next_value(writing, "busy")
        async with asyncio.timeout(60), database.read() as reading:
            assert (await reading.execute(text("SELECT 1"))).scalar_one() == 1


async def test_accounts_of_one_process_take_turns_at_writing(database: Database) -> None:
    if not database.sqlite:
        pytest.skip("many write at once")
    order: list[str] = []

    async def work(owner: str) -> None:
        OWNER.set(owner)
        async with database.write() as session:
            order.append(owner)
            await next_value(session, "busy")
            await asyncio.sleep(0)

    async with database.write():
        greedy = [asyncio.create_task(work("acc_greedy")) for _ in range(20)]
        await asyncio.sleep(0)
        stranger = asyncio.create_task(work("acc_stranger"))
        await asyncio.sleep(0)
    await stranger
    assert order.index("acc_stranger") <= 1
    await asyncio.gather(*greedy)
    assert order.count("acc_greedy") == 20


async def test_what_follows_a_unit_of_work_is_done_where_it_was_committed_only(database: Database) -> None:
    done: list[int] = []

    def note(number: int) -> Callable[[], Awaitable[None]]:
        async def call() -> None:
            async with database.read() as reading:
                query = select(SEQUENCE.c.value).where(SEQUENCE.c.scope == "followed")
                done.append(number * int((await reading.execute(query)).scalar_one()))

        return call

    async with database.write() as session:
        follow(session, note(10))
        await next_value(session, "followed")
        assert done == []
    assert done == [10]
    with pytest.raises(RuntimeError):
        async with database.write() as session:
            follow(session, note(20))
            await next_value(session, "followed")
            raise RuntimeError
    assert done == [10]


async def test_writers_of_two_processes_take_turns(settings: Settings) -> None:
    one, other = Database(settings.database_url("dice")), Database(settings.database_url("dice"))

    async def count_up(database: Database) -> None:
        for _ in range(20):
            async with database.write() as session:
                await next_value(session, "both")

    await asyncio.gather(count_up(one), count_up(other), count_up(one), count_up(other))
    async with one.read() as session:
        assert (await session.execute(select(SEQUENCE.c.value))).scalar_one() == 80
    await one.close()
    await other.close()


async def test_a_unit_of_work_that_is_cancelled_anywhere_is_whole_or_nothing_and_locks_nobody_out(
    settings: Settings,
) -> None:
    one, other = Database(settings.database_url("dice")), Database(settings.database_url("dice"))

    async def count_twice() -> None:
        async with one.write() as session:
            await next_value(session, "twice")
            await next_value(session, "twice")

    chance = random.Random(14)
    for _ in range(200):
        task = asyncio.create_task(count_twice())
        # Somewhere between its first step and its end.
        for _ in range(chance.randrange(40)):
            await asyncio.sleep(0)
        await asyncio.sleep(chance.choice([0, 0, 0.001, 0.002]))
        task.cancel()
        await asyncio.wait((task,))
        async with asyncio.timeout(60), other.write() as session:
            await next_value(session, "other")
    async with other.read() as session:
        rows = await session.execute(select(SEQUENCE.c.scope, SEQUENCE.c.value))
        counted = {row.scope: row.value for row in rows}
    assert counted["other"] == 200 and counted.get("twice", 0) % 2 == 0
    await one.close()
    await other.close()


async def test_a_cancellation_is_heard_after_the_unit_of_work_that_it_came_in(database: Database) -> None:
    begun, heard = asyncio.Event(), asyncio.Event()

    async def read_on() -> None:
        try:
            while True:
                async with database.read() as session:
                    begun.set()
                    await session.execute(text("SELECT 1"))
        except asyncio.CancelledError:
            heard.set()
            raise

    task = asyncio.create_task(read_on())
    await begun.wait()
    task.cancel()
    async with asyncio.timeout(60):
        await asyncio.wait((task,))
    assert task.cancelled() and heard.is_set()


async def test_a_cancellation_is_heard_where_the_unit_of_work_fails_too(database: Database) -> None:
    begun = asyncio.Event()

    async def fail() -> None:
        with contextlib.suppress(RuntimeError):
            async with database.read() as session:
                begun.set()
                await session.execute(text("SELECT 1"))
                raise RuntimeError

    task = asyncio.create_task(fail())
    await begun.wait()
    task.cancel()
    async with asyncio.timeout(60):
        await asyncio.wait((task,))
    assert task.cancelled()


@pytest.mark.backends("sqlite")
async def test_a_writer_of_another_process_is_waited_for_while_the_loop_goes_on(settings: Settings) -> None:
    one, other = Database(settings.database_url("dice")), Database(settings.database_url("dice"))
    async with other.write() as holding:
        await next_value(holding, "turn")

        async def write() -> int:
            async with one.write() as session:
                return await next_value(session, "turn")

        waiting = asyncio.create_task(write())
        for _ in range(100):
            async with one.read() as session:
                assert (await session.execute(text("SELECT 1"))).scalar_one() == 1
            await asyncio.sleep(0)
        assert not waiting.done()
    assert await waiting == 2
    await one.close()
    await other.close()


@pytest.mark.backends("sqlite")
async def test_who_waits_too_long_for_another_process_is_told_so(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.01)
    one, other = Database(settings.database_url("dice")), Database(settings.database_url("dice"))
    async with other.write() as holding:
        await next_value(holding, "turn")
        with pytest.raises(DatabaseUnavailable) as raised:
            async with one.write() as session:
                await next_value(session, "turn")
        assert isinstance(raised.value.__cause__, OperationalError) and "locked" in str(
            raised.value.__cause__
        )
    async with one.write() as session:
        assert await next_value(session, "turn") == 2
    await one.close()
    await other.close()


async def test_rows_are_those_of_the_moment_they_were_asked_for(database: Database) -> None:
    async with database.write() as session:
        for scope in "abc":
            await next_value(session, scope)
        found = await session.execute(select(SEQUENCE.c.scope).order_by(SEQUENCE.c.scope))
        seen = []
        for (scope,) in found:
            await session.execute(delete(SEQUENCE))
            seen.append(scope)
        found = await session.execute(select(SEQUENCE.c.scope))
        assert (seen, found.fetchone(), found.fetchmany(2)) == (["a", "b", "c"], None, [])


async def test_numbers_have_no_gaps_when_units_of_work_fail(database: Database) -> None:
    taken: list[int] = []

    async def one(index: int) -> None:
        try:
            async with database.write() as session:
                number = await next_value(session, "log")
                if index % 3 == 0:
                    raise ValueError
            taken.append(number)
        except ValueError:
            pass

    await asyncio.gather(*(one(index) for index in range(30)))
    assert sorted(taken) == list(range(1, 21))


async def test_moments_come_back_in_utc(database: Database) -> None:
    there = datetime(2026, 3, 1, 12, 30, tzinfo=timezone(timedelta(hours=5)))
    async with database.write() as session:
        await publish(session, OUTBOX, Event("it.happened", "here", {}), there)
    async with database.read() as session:
        found = (await session.execute(select(OUTBOX.c.created_at))).scalar_one()
    assert found == there
    assert found.tzinfo == UTC


async def test_listeners_hear_of_committed_topics_only(database: Database) -> None:
    heard: list[frozenset[str]] = []
    database.after_commit.append(heard.append)
    async with database.write() as session:
        await publish(session, OUTBOX, Event("a", "one", {}), system_clock())
        await publish(session, OUTBOX, Event("b", "two", {}), system_clock())
        assert heard == []
    with pytest.raises(RuntimeError):
        async with database.write() as session:
            await publish(session, OUTBOX, Event("c", "three", {}), system_clock())
            raise RuntimeError
    assert heard == [frozenset({"one", "two"})]


async def attempt(
    database: Database, account: str, request: dict[str, int], moment: datetime, answer: str | None
) -> Once:
    """Carries a request out under the key of an account; returns what was known of it before, or is now."""
    async with (
        database.write() as session,
        once(session, Viewer(account), "key", request, moment) as done,
    ):
        if not done.before:
            done.answer = answer
        return done


async def test_one_of_fifty_parallel_requests_is_carried_out(database: Database) -> None:
    outcomes = await asyncio.gather(
        *(attempt(database, "acc_a", {"x": 1}, system_clock(), f"answer {index}") for index in range(50))
    )
    assert [done.before for done in outcomes].count(False) == 1
    first = next(done for done in outcomes if not done.before)
    assert {done.answer for done in outcomes} == {first.answer}


async def test_a_key_is_given_back_when_the_request_fails(database: Database) -> None:
    now = system_clock()
    with pytest.raises(RuntimeError):
        async with database.write() as session, once(session, Viewer("acc_a"), "key", {}, now) as done:
            done.answer = "never"
            raise RuntimeError
    assert await attempt(database, "acc_a", {}, now, "first") == Once("first")


async def test_a_request_without_an_effect_may_be_made_again(database: Database) -> None:
    now = system_clock()
    assert await attempt(database, "acc_a", {"x": 1}, now, None) == Once()
    with pytest.raises(IdempotencyConflict):
        await attempt(database, "acc_a", {"x": 2}, now, "other")
    assert await attempt(database, "acc_a", {"x": 1}, now, "first") == Once("first")
    assert await attempt(database, "acc_a", {"x": 1}, now, "second") == Once("first", before=True)


async def test_what_was_answered_is_known_without_claiming_the_key(database: Database) -> None:
    now, viewer = system_clock(), Viewer("acc_a")
    async with database.write() as session:
        assert await answered(session, viewer, "key", {"x": 1}, now) is None
    await attempt(database, "acc_a", {"x": 1}, now, "first")
    async with database.read() as session:
        assert await answered(session, viewer, "key", {"x": 1}, now) == "first"
        assert await answered(session, viewer, None, {"x": 1}, now) is None
        with pytest.raises(IdempotencyConflict):
            await answered(session, viewer, "key", {"x": 2}, now)


async def test_keys_belong_to_one_account_one_request_and_one_day(database: Database) -> None:
    now = system_clock()
    assert await attempt(database, "acc_a", {"x": 1}, now, "first") == Once("first")
    assert await attempt(database, "acc_b", {"x": 1}, now, "first") == Once("first")
    with pytest.raises(IdempotencyConflict):
        await attempt(database, "acc_a", {"x": 2}, now, "other")
    later = await attempt(database, "acc_a", {"x": 1}, now + timedelta(hours=23), "other")
    assert later == Once("first", before=True)
    assert await attempt(database, "acc_a", {"x": 2}, now + timedelta(hours=25), "new") == Once("new")


async def test_old_keys_are_swept_away(database: Database) -> None:
    now, viewer = system_clock(), Viewer("acc_a")
    async with database.write() as session:
        async with once(session, viewer, "old", {}, now - timedelta(hours=30)):
            pass
        async with once(session, viewer, "new", {}, now):
            pass
        await prune_expired(session, IDEMPOTENCY, now)
        assert (await session.execute(select(IDEMPOTENCY.c.key))).scalars().all() == ["new"]


@pytest.mark.parametrize("service", SERVICES)
async def test_migrations_make_what_the_code_expects(settings: Settings, service: ServiceName) -> None:
    assert await drift(service, settings.database_url(service)) == []
