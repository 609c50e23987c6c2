"""Work in parts, on both databases: the whole ends with its last part, whoever ends it, and never before."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from services.map.models import JOBS, SHARES
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.job_parts import NEVER, Part, PartBook
from services.shared.job_turns import JobTurns
from services.shared.jobs import Job, JobBook, JobState
from services.shared.settings import Settings
from tests.databases import ON_BOTH

pytestmark = [pytest.mark.databases("map"), ON_BOTH]

NOW = datetime(2026, 5, 1, 20, 0, tzinfo=UTC)
BOOK, PARTS, TURNS = JobBook(JOBS), PartBook(JOBS), JobTurns(JOBS, SHARES)


@pytest.fixture
async def database(settings: Settings) -> AsyncIterator[Database]:
    made = Database(settings.database_url("map"))
    yield made
    await made.close()


async def whole_of(database: Database, count: int) -> tuple[str, list[str]]:
    """Add a whole and its parts."""
    whole = new_id("job")
    parts = [Part(new_id("job"), "maps.part", {"number": number}) for number in range(count)]
    async with database.write() as session:
        job = await PARTS.add(
            session, whole, "maps.batch", {"count": count}, parts, owner="acc_a", campaign=None, moment=NOW
        )
    assert (job.state, job.progress, job.version) == (JobState.RUNNING, 0, 1)
    return whole, [part.id for part in parts]


async def get(database: Database, job_id: str) -> Job:
    async with database.read() as session:
        job = await BOOK.get(session, job_id)
    assert job is not None
    return job


async def end(database: Database, part: str, *, well: bool = True) -> Job | None:
    """Do a part as a worker does, and move the whole on in the same unit of work."""
    async with database.write() as session:
        job = await BOOK.claim(session, part, NOW)
    assert job is not None and job.whole is not None
    async with database.write() as session:
        if well:
            await BOOK.finish(session, job, {}, NOW)
        else:
            await BOOK.refuse(session, job, {"code": "X", "message": "x"}, NOW)
        return await PARTS.moved(session, job.whole, NOW)


async def taken(database: Database, moment: datetime) -> str | None:
    """Take the next job as a worker does."""
    async with database.write() as session:
        chosen = await TURNS.next(session, moment)
        if chosen is not None:
            assert await BOOK.claim(session, chosen, moment) is not None
    return chosen


async def test_the_whole_goes_on_with_each_part_and_ends_with_the_last(database: Database) -> None:
    whole, parts = await whole_of(database, 4)
    for number, part in enumerate(parts[:3], 1):
        moved = await end(database, part)
        assert moved is not None and moved.state is JobState.RUNNING and moved.progress == number / 4
    moved = await end(database, parts[3])
    assert moved is not None and moved == await get(database, whole)
    assert (moved.state, moved.progress, moved.version) == (JobState.SUCCEEDED, 1, 5)
    assert moved.result == {"parts": 4} and moved.ended_at == NOW


async def test_parts_that_end_at_the_same_moment_end_the_whole_once(database: Database) -> None:
    whole, parts = await whole_of(database, 6)
    await asyncio.gather(*(end(database, part) for part in parts))
    found = await get(database, whole)
    assert (found.state, found.version) == (JobState.SUCCEEDED, 7)


async def test_a_part_that_fails_makes_the_whole_fail_when_all_have_ended(database: Database) -> None:
    whole, parts = await whole_of(database, 3)
    first = await end(database, parts[0], well=False)
    assert first is not None and first.state is JobState.RUNNING
    for part in parts[1:]:
        await end(database, part)
    found = await get(database, whole)
    assert found.state is JobState.FAILED and found.progress == 1
    assert found.error is not None and found.error["message"] == "1 of 3 parts could not be made."


async def test_a_whole_is_never_due_for_a_worker(database: Database) -> None:
    whole, parts = await whole_of(database, 2)
    much_later = NOW + timedelta(days=365)
    async with database.read() as session:
        waiting = await BOOK.waiting(session, much_later)
    assert waiting is not None and waiting.id in parts
    for _ in parts:
        assert await taken(database, much_later) in parts
    assert await taken(database, much_later) is None
    async with database.write() as session:
        assert await BOOK.claim(session, whole, much_later) is None
    assert (await get(database, whole)).state is JobState.RUNNING and much_later < NEVER


async def test_cancelling_ends_what_has_not_ended(database: Database) -> None:
    whole, parts = await whole_of(database, 3)
    await end(database, parts[0])
    async with database.write() as session:
        assert await BOOK.cancel(session, whole, NOW) is not None
        assert {job.id for job in await PARTS.cancel(session, whole, NOW)} == set(parts[1:])
    states = [(await get(database, part)).state for part in parts]
    assert states == [JobState.SUCCEEDED, JobState.CANCELLED, JobState.CANCELLED]
    async with database.write() as session:
        assert await PARTS.moved(session, whole, NOW) is None
    assert (await get(database, whole)).state is JobState.CANCELLED
