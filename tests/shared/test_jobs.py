"""The life of a job, on both databases: one worker at a time, a result at most once, an end always."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from services.map.models import JOBS
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.jobs import LEASE, MAX_ATTEMPTS, Job, JobBook, JobState, Line, LostLease
from services.shared.settings import Settings
from tests.databases import ON_BOTH

pytestmark = [pytest.mark.databases("map"), ON_BOTH]

NOW = datetime(2026, 5, 1, 20, 0, tzinfo=UTC)
BOOK = JobBook(JOBS)


@pytest.fixture
async def database(settings: Settings) -> AsyncIterator[Database]:
    made = Database(settings.database_url("map"))
    yield made
    await made.close()


async def add(database: Database) -> str:
    async with database.write() as session:
        job = await BOOK.add(
            session, new_id("job"), "maps.generate", {"seed": 7}, owner="acc_a", campaign=None, moment=NOW
        )
    return job.id


async def claim(database: Database, job_id: str, moment: datetime = NOW) -> Job | None:
    async with database.write() as session:
        return await BOOK.claim(session, job_id, moment)


async def get(database: Database, job_id: str) -> Job:
    async with database.read() as session:
        job = await BOOK.get(session, job_id)
    assert job is not None
    return job


async def waiting(database: Database, moment: datetime) -> str | None:
    async with database.read() as session:
        job = await BOOK.waiting(session, moment)
    return None if job is None else job.id


async def test_a_job_is_done_step_by_step(database: Database) -> None:
    job_id = await add(database)
    job = await claim(database, job_id)
    assert (
        job is not None and job.state is JobState.RUNNING and job.attempt == 1 and job.params == {"seed": 7}
    )
    async with database.write() as session:
        job = await BOOK.renew(session, job, 0.5, NOW)
    async with database.write() as session:
        job = await BOOK.finish(session, job, {"map": "map_x"}, NOW)
    found = await get(database, job_id)
    assert found == job
    assert found.state is JobState.SUCCEEDED and found.progress == 1 and found.result == {"map": "map_x"}
    assert found.version == 4 and found.ended_at == NOW


async def test_one_of_many_workers_gets_the_job(database: Database) -> None:
    job_id = await add(database)
    found = await asyncio.gather(*(claim(database, job_id) for _ in range(10)))
    assert sum(job is not None for job in found) == 1


async def test_a_silent_worker_loses_its_job_and_its_result(database: Database) -> None:
    job_id = await add(database)
    first = await claim(database, job_id)
    assert first is not None
    assert await claim(database, job_id, NOW + LEASE - timedelta(seconds=1)) is None
    second = await claim(database, job_id, NOW + LEASE)
    assert second is not None and second.attempt == 2
    with pytest.raises(LostLease):
        async with database.write() as session:
            await BOOK.finish(session, first, {"map": "late"}, NOW)
    async with database.write() as session:
        await BOOK.finish(session, second, {"map": "right"}, NOW)
    assert (await get(database, job_id)).result == {"map": "right"}


async def test_a_worker_that_renews_keeps_its_job(database: Database) -> None:
    job_id = await add(database)
    job = await claim(database, job_id)
    assert job is not None
    async with database.write() as session:
        await BOOK.renew(session, job, 0.1, NOW + LEASE / 2)
    assert await claim(database, job_id, NOW + LEASE) is None


async def test_progress_never_goes_back(database: Database) -> None:
    job_id = await add(database)
    job = await claim(database, job_id)
    assert job is not None
    async with database.write() as session:
        job = await BOOK.renew(session, job, 0.8, NOW)
        job = await BOOK.renew(session, job, 0.2, NOW)
    assert job.progress == 0.8


async def test_failures_are_tried_again_later_and_end_dead(database: Database) -> None:
    job_id = await add(database)
    moment = NOW
    for attempt in range(1, MAX_ATTEMPTS + 1):
        job = await claim(database, job_id, moment)
        assert job is not None and job.attempt == attempt
        async with database.write() as session:
            job = await BOOK.fail(session, job, {"code": "BOOM", "message": "no"}, moment)
        if attempt < MAX_ATTEMPTS:
            assert job.state is JobState.QUEUED
            assert await claim(database, job_id, moment) is None
            moment += timedelta(minutes=1)
    found = await get(database, job_id)
    assert found.state is JobState.DEAD and found.error == {"code": "BOOM", "message": "no"}
    assert await claim(database, job_id, moment + timedelta(days=1)) is None


async def test_a_job_whose_worker_dies_each_time_ends_dead(database: Database) -> None:
    job_id = await add(database)
    moment = NOW
    for _ in range(MAX_ATTEMPTS):
        assert await claim(database, job_id, moment) is not None
        moment += LEASE
    assert await claim(database, job_id, moment) is None
    async with database.write() as session:
        assert await BOOK.bury(session, job_id, moment - LEASE) is None
        assert await BOOK.bury(session, job_id, moment) is not None
    found = await get(database, job_id)
    assert found.state is JobState.DEAD and found.error is not None and found.error["code"] == "WORKER_LOST"


async def test_cancelling_ends_what_waits_and_what_runs_but_not_what_has_ended(database: Database) -> None:
    waiting, running, ended = [await add(database) for _ in range(3)]
    job = await claim(database, running)
    done = await claim(database, ended)
    assert job is not None and done is not None
    async with database.write() as session:
        await BOOK.finish(session, done, {}, NOW)
        cancelled = [await BOOK.cancel(session, each, NOW) for each in (waiting, running, ended)]
    assert [each and each.state for each in cancelled] == [JobState.CANCELLED, JobState.CANCELLED, None]
    with pytest.raises(LostLease):
        async with database.write() as session:
            await BOOK.renew(session, job, 0.5, NOW)
    assert await claim(database, waiting) is None


async def test_input_that_can_never_work_ends_at_once(database: Database) -> None:
    job_id = await add(database)
    job = await claim(database, job_id)
    assert job is not None
    async with database.write() as session:
        await BOOK.refuse(session, job, {"code": "BAD", "message": "no"}, NOW)
    assert (await get(database, job_id)).state is JobState.FAILED


async def test_a_job_waits_until_it_is_taken_and_again_when_its_worker_is_silent(database: Database) -> None:
    job_id = await add(database)
    assert await waiting(database, NOW) == job_id
    job = await claim(database, job_id)
    assert job is not None and await waiting(database, NOW) is None
    assert await waiting(database, NOW + LEASE) == job_id
    async with database.write() as session:
        await BOOK.hold(session, job, NOW + LEASE)
    assert await waiting(database, NOW + LEASE) is None
    async with database.write() as session:
        failed = await BOOK.fail(session, job, {"code": "BOOM", "message": "no"}, NOW)
    assert await waiting(database, NOW) is None
    assert failed.state is JobState.QUEUED and await waiting(database, NOW + LEASE) == job_id


async def test_what_has_ended_neither_waits_nor_counts(database: Database) -> None:
    ids = [await add(database) for _ in range(3)]
    async with database.read() as session:
        assert await BOOK.count_open(session, "acc_a", Line.SINGLE) == 3
        assert await BOOK.count_open(session, "acc_b", Line.SINGLE) == 0
    done, failed = [await claim(database, each) for each in ids[:2]]
    assert done is not None and failed is not None
    async with database.write() as session:
        await BOOK.finish(session, done, {}, NOW)
        await BOOK.refuse(session, failed, {"code": "BAD", "message": "no"}, NOW)
        await BOOK.cancel(session, ids[2], NOW)
    assert await waiting(database, NOW + timedelta(days=1)) is None
    async with database.read() as session:
        assert await BOOK.count_open(session, "acc_a", Line.SINGLE) == 0


async def test_a_look_tells_whose_a_job_is_and_writes_nothing(database: Database) -> None:
    job = await claim(database, await add(database))
    assert job is not None
    async with database.read() as session:
        await BOOK.look(session, job)
    assert await claim(database, job.id, NOW + LEASE) is not None
    async with database.read() as session:
        with pytest.raises(LostLease):
            await BOOK.look(session, job)
