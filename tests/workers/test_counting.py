"""What a worker counts of its attempts: only a job that another worker has was lost."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from redis.asyncio import Redis
from sqlalchemy import delete

from services.map.models import JOBS
from services.shared.database import Database
from services.shared.jobs import LEASE, Job, JobBook
from services.shared.metrics import WORKER_REGISTRY
from services.shared.worker_counts import handed_over
from tests.databases import ON_BOTH
from workers.counting import count_attempt

pytestmark = ON_BOTH

NOW = datetime(2026, 5, 1, 20, 0, tzinfo=UTC)
LATER = NOW + 2 * LEASE
KIND = "maps.counted"
BOOK = JobBook(JOBS)


def counted(name: str, **labels: str) -> float:
    found = WORKER_REGISTRY.get_sample_value(f"hearthforge_{name}_total", {"kind": KIND, **labels})
    return found or 0.0


@pytest.fixture
async def database(map_database: str) -> AsyncIterator[Database]:
    opened = Database(map_database)
    yield opened
    await opened.close()


@pytest.fixture
async def valkey(valkey_url: str) -> AsyncIterator[Redis]:
    client = Redis.from_url(valkey_url)
    yield client
    await client.aclose()


async def begun(database: Database) -> Job:
    async with database.write() as session:
        await BOOK.add(session, "job_1", KIND, {}, owner="acc_1", campaign=None, moment=NOW)
        job = await BOOK.claim(session, "job_1", NOW)
    assert job is not None
    return job


async def test_a_job_that_another_worker_has_taken_over_is_a_lost_lease(
    database: Database, valkey: Redis
) -> None:
    job, before = await begun(database), counted("leases_lost")
    async with database.write() as session:
        again = await BOOK.claim(session, job.id, LATER)
    assert again is not None and again.attempt == 2
    await count_attempt(database, valkey, job, None)
    assert counted("leases_lost") == before + 1
    async with database.write() as session:
        await session.execute(delete(JOBS))  # it goes on under another id
    await count_attempt(database, valkey, job, None)
    assert counted("leases_lost") == before + 2


async def test_a_job_that_was_cancelled_is_none(database: Database, valkey: Redis) -> None:
    job, before = await begun(database), counted("leases_lost")
    async with database.write() as session:
        await BOOK.cancel(session, job.id, NOW)
    await count_attempt(database, valkey, job, None)
    assert counted("leases_lost") == before


async def test_attempts_and_ends_are_counted_and_handed_over(database: Database, valkey: Redis) -> None:
    attempts, ends = counted("job_attempts", attempt="1"), counted("jobs_ended", state="succeeded")
    job = await begun(database)
    async with database.write() as session:
        done = await BOOK.finish(session, job, {}, NOW)
    await count_attempt(database, valkey, None, None)  # there was nothing to do
    await count_attempt(database, valkey, job, done)
    assert counted("job_attempts", attempt="1") == attempts + 1
    assert counted("jobs_ended", state="succeeded") == ends + 1
    told = {
        (sample.name, sample.labels["kind"]): sample.value
        for metric in await handed_over(valkey)
        for sample in metric.samples
        if "kind" in sample.labels
    }
    assert told["hearthforge_jobs_ended_total", KIND] >= 1
