"""The sweeper, on both databases: there is a message as long as there is work, and no more than needed."""

import asyncio
import signal
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import redis
from sqlalchemy import select

from services.map.models import IDEMPOTENCY, JOBS
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.idempotency import KEPT, once
from services.shared.ids import new_id
from services.shared.jobs import LEASE, Job, JobBook
from services.shared.settings import SERVICES, Settings
from tests.databases import ON_BOTH
from tests.house import installation
from tests.workers.shop import Shop
from workers.sweeper import SWEEPER_KEY, Sweeper

pytestmark = ON_BOTH


NOW = datetime(2026, 5, 1, 20, 0, tzinfo=UTC)
BOOK = JobBook(JOBS)


class Round:
    """A sweeper with a clock that a test sets, and what it has sent."""

    def __init__(self, settings: Settings) -> None:
        self.now = NOW
        self.broker = redis.Redis.from_url(settings.redis_url)
        self.sent: list[str] = []
        self.broken = False
        self.sweeper = Sweeper(settings, self._send, lambda: self.now)

    def _send(self, job: Job) -> None:
        if self.broken:
            raise ConnectionError("away")
        self.broker.lpush(job.queue, job.id)
        self.sent.append(job.id)

    def lose(self) -> None:
        """Lose every message, as a broker without a memory does."""
        self.broker.delete("maps")

    async def at(self, after: timedelta) -> list[str]:
        """Make a round so long after the beginning; give what it sent."""
        self.now, self.sent = NOW + after, []
        await self.sweeper.sweep()
        return self.sent

    async def close(self) -> None:
        """Close the sweeper's connections."""
        over = asyncio.Event()
        over.set()
        await self.sweeper.run(over)
        self.broker.close()


@pytest.fixture
def own_settings(map_database: str, own_valkey: str, tmp_path: Path) -> Settings:
    """Give an installation of which only one database can be reached."""
    elsewhere = dict.fromkeys(SERVICES, "sqlite:////nowhere/none.db")
    return installation(tmp_path, own_valkey, {**elsewhere, "map": map_database}, {})


@pytest.fixture
async def database(own_settings: Settings) -> AsyncIterator[Database]:
    made = Database(own_settings.database_url("map"))
    yield made
    await made.close()


@pytest.fixture
async def sweep(own_settings: Settings) -> AsyncIterator[Round]:
    made = Round(own_settings)
    yield made
    await made.close()


async def add(database: Database) -> str:
    async with database.write() as session:
        job = await BOOK.add(
            session, new_id("job"), "maps.generate", {}, owner="acc_a", campaign=None, moment=NOW
        )
    return job.id


async def test_one_message_is_sent_for_any_number_of_jobs(sweep: Round, database: Database) -> None:
    jobs = {await add(database) for _ in range(5)}
    (sent,) = await sweep.at(timedelta())
    assert sent in jobs
    assert await sweep.at(timedelta(minutes=1)) == []
    assert sweep.broker.llen("maps") == 1


async def test_a_lost_message_is_sent_again_at_once(sweep: Round, database: Database) -> None:
    job = await add(database)
    for after in range(3):
        assert await sweep.at(timedelta(seconds=after)) == [job]
        sweep.lose()


async def test_a_job_at_work_is_sent_only_when_its_worker_is_silent(sweep: Round, database: Database) -> None:
    job_id = await add(database)
    async with database.write() as session:
        job = await BOOK.claim(session, job_id, NOW)
        assert job is not None
        await BOOK.hold(session, job, NOW + LEASE / 2)
    assert await sweep.at(LEASE) == []
    assert await sweep.at(LEASE * 1.5) == [job_id]


async def test_what_has_ended_is_never_sent(sweep: Round, database: Database) -> None:
    job_id = await add(database)
    async with database.write() as session:
        await BOOK.cancel(session, job_id, NOW)
    assert await sweep.at(timedelta(days=1)) == []


async def test_several_sweepers_send_no_more_than_one_message_each(
    own_settings: Settings, database: Database
) -> None:
    jobs = {await add(database) for _ in range(20)}
    rounds = [Round(own_settings) for _ in range(3)]
    sent = await asyncio.gather(*(each.at(timedelta()) for each in rounds))
    for each in rounds:
        await each.close()
    found = [job for each in sent for job in each]
    assert 1 <= len(found) <= 3 and set(found) <= jobs


async def test_a_message_that_cannot_be_sent_is_sent_later(sweep: Round, database: Database) -> None:
    job = await add(database)
    sweep.broken = True
    assert await sweep.at(timedelta()) == []
    sweep.broken = False
    assert await sweep.at(timedelta(seconds=30)) == [job]


async def test_a_clock_that_is_set_back_holds_up_no_round(sweep: Round, database: Database) -> None:
    job = await add(database)
    sweep.broken = True
    assert await sweep.at(timedelta()) == []
    sweep.broken = False
    assert await sweep.at(timedelta(hours=-1)) == [job]


async def test_idempotency_keys_older_than_a_day_are_forgotten(sweep: Round, database: Database) -> None:
    async with database.write() as session:
        async with once(session, Viewer("acc_a"), "old", {}, NOW - KEPT - timedelta(seconds=1)):
            pass
        async with once(session, Viewer("acc_a"), "young", {}, NOW - KEPT + timedelta(seconds=1)):
            pass
    await sweep.at(timedelta())
    async with database.read() as session:
        kept = (await session.execute(select(IDEMPOTENCY.c.key))).scalars().all()
    assert kept == ["young"]


async def test_it_is_seen_alive_as_long_as_it_sweeps(sweep: Round, own_settings: Settings) -> None:
    await sweep.at(timedelta())
    with redis.Redis.from_url(own_settings.redis_url) as client:
        assert 0 < client.ttl(SWEEPER_KEY) <= 10


async def test_without_a_broker_nothing_is_counted_as_sent(
    own_settings: Settings, database: Database
) -> None:
    job = await add(database)
    away = Round(own_settings.model_copy(update={"redis_url": "unix:///nowhere/valkey.sock?db=0"}))
    assert await away.at(timedelta()) == []
    await away.close()
    back = Round(own_settings)
    assert await back.at(timedelta()) == [job]
    await back.close()


def test_the_process_goes_on_through_a_broker_that_restarts_and_ends_when_told(shop: Shop) -> None:
    sweeper = shop.sweeper()
    shop.wait_for(lambda: bool(shop.broker.exists(SWEEPER_KEY)), "the sweeper")
    shop.broker.client_kill_filter(_type="normal", skipme=True)
    shop.broker.flushall()
    shop.wait_for(lambda: bool(shop.broker.exists(SWEEPER_KEY)), "the sweeper again")
    sweeper.send_signal(signal.SIGTERM)
    assert sweeper.wait(10) == 0
