"""Which job is next, on both databases: accounts take turns, single jobs go first, parts never starve."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.map.models import JOBS, SHARES
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.job_parts import Part, PartBook
from services.shared.job_turns import PASSING, JobTurns
from services.shared.jobs import LEASE, Job, JobBook
from services.shared.limits.decay import HALF_LIFE, rank_after
from services.shared.settings import Settings
from tests.databases import ON_BOTH

pytestmark = [pytest.mark.databases("map"), ON_BOTH]

NOW = datetime(2026, 5, 1, 20, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)
BOOK, PARTS, TURNS = JobBook(JOBS), PartBook(JOBS), JobTurns(JOBS, SHARES)


@pytest.fixture
async def database(settings: Settings) -> AsyncIterator[Database]:
    made = Database(settings.database_url("map"))
    yield made
    await made.close()


async def single(database: Database, owner: str, moment: datetime = NOW, points: int = 20) -> str:
    """Queue a single job."""
    async with database.write() as session:
        job = await BOOK.add(
            session,
            new_id("job"),
            "maps.generate",
            {},
            owner=owner,
            campaign=None,
            moment=moment,
            points=points,
        )
    return job.id


async def batch(database: Database, owner: str, count: int, moment: datetime = NOW, points: int = 500) -> str:
    """Queue a batch of so many parts."""
    parts = [Part(new_id("job"), "maps.part", {}, points) for _ in range(count)]
    async with database.write() as session:
        whole = await PARTS.add(
            session, new_id("job"), "maps.batch", {}, parts, owner=owner, campaign=None, moment=moment
        )
    return whole.id


async def begin(database: Database, moment: datetime = NOW) -> Job | None:
    """Take the job whose turn it is, as a worker does."""
    async with database.write() as session:
        chosen = await TURNS.next(session, moment)
        job = None if chosen is None else await BOOK.claim(session, chosen, moment)
        if job is not None:
            await TURNS.begun(session, job, moment)
    return job


async def end(database: Database, job: Job, moment: datetime = NOW) -> None:
    """End a job well."""
    async with database.write() as session:
        await BOOK.finish(session, job, {}, moment)


async def work(database: Database, count: int, *, each: timedelta = SECOND) -> list[Job]:
    """Do so many jobs, one after the other, each for so long."""
    done, moment = [], NOW
    for _ in range(count):
        job = await begin(database, moment)
        assert job is not None
        moment += each
        await end(database, job, moment)
        done.append(job)
    return done


async def test_nothing_is_next_where_nothing_is_due(database: Database) -> None:
    assert await begin(database) is None
    await single(database, "acc_a", NOW + SECOND)
    assert await begin(database) is None
    assert await begin(database, NOW + SECOND) is not None
    assert await begin(database, NOW + SECOND) is None


async def test_a_single_job_goes_before_every_part_of_a_batch(database: Database) -> None:
    await batch(database, "acc_a", 50)
    first = await begin(database)
    assert first is not None and first.kind == "maps.part"
    job_id = await single(database, "acc_b", NOW + SECOND)
    following = await begin(database, NOW + 2 * SECOND)
    assert following is not None and following.id == job_id


async def test_a_stranger_waits_for_one_part_of_twenty_accounts_batches(database: Database) -> None:
    for account in range(20):
        await batch(database, f"acc_{account:02}", 10)
    await work(database, 1)
    job_id = await single(database, "acc_stranger", NOW + SECOND)
    following = await begin(database, NOW + SECOND)
    assert following is not None and following.id == job_id


async def test_batches_of_different_accounts_get_equal_shares(database: Database) -> None:
    await batch(database, "acc_a", 40)
    for _ in range(3):
        await batch(database, "acc_b", 40)  # three batches are no three shares
    await batch(database, "acc_c", 40)
    done = await work(database, 30)
    assert Counter(job.owner for job in done) == {"acc_a": 10, "acc_b": 10, "acc_c": 10}


async def test_shares_are_counted_by_cost_and_not_by_jobs(database: Database) -> None:
    await batch(database, "acc_dear", 40, points=900)
    await batch(database, "acc_cheap", 40, points=100)
    owners = Counter(job.owner for job in await work(database, 30))
    assert owners["acc_cheap"] > 5 * owners["acc_dear"] > 0


async def test_single_jobs_of_accounts_take_turns_and_the_oldest_of_each_goes_first(
    database: Database,
) -> None:
    of_a = [await single(database, "acc_a", NOW - (9 - number) * SECOND) for number in range(8)]
    of_b = [await single(database, "acc_b") for _ in range(2)]
    done = [job.id for job in await work(database, 10)]
    assert set(done[:4]) == {*of_a[:2], *of_b}
    assert [each for each in done if each in of_a] == of_a


async def test_single_jobs_do_not_starve_batches(database: Database) -> None:
    await batch(database, "acc_a", 10)
    for _ in range(40):
        await single(database, "acc_b", points=PASSING // 5)
    # However long each takes: a machine that is slow must not let more parts go first.
    done = await work(database, 30, each=60 * SECOND)
    assert [place for place, job in enumerate(done) if job.kind == "maps.part"] == [5, 11, 17, 23, 29]


async def test_what_an_account_has_used_is_forgotten_with_time(database: Database) -> None:
    for _ in range(10):
        await single(database, "acc_a")
    await work(database, 10)
    later = NOW + timedelta(seconds=20 * HALF_LIFE)
    await single(database, "acc_b", later)
    assert await begin(database, later) is not None  # acc_b has used 20 points just now
    mine = await single(database, "acc_a", later)
    await single(database, "acc_b", later)
    following = await begin(database, later)
    assert following is not None and following.id == mine


async def test_a_job_whose_worker_is_silent_is_taken_again(database: Database) -> None:
    job_id = await single(database, "acc_a")
    assert await begin(database) is not None
    assert await begin(database, NOW + LEASE - SECOND) is None
    again = await begin(database, NOW + LEASE)
    assert again is not None and (again.id, again.attempt) == (job_id, 2)


async def test_workers_that_begin_at_once_take_different_jobs(settings: Settings, database: Database) -> None:
    wanted = {await single(database, f"acc_{number % 3}") for number in range(12)}
    others = [Database(settings.database_url("map")) for _ in range(3)]
    found = await asyncio.gather(*(begin(others[number % 3]) for number in range(12)))
    for other in others:
        await other.close()
    taken = [job.id for job in found if job is not None]
    assert len(taken) == len(set(taken))
    while (job := await begin(database)) is not None:  # one that looked while all were held has gone away
        taken.append(job.id)
    assert sorted(taken) == sorted(wanted)


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(1, 60_000), st.floats(0, 500)), min_size=1, max_size=40)
)
def test_ranks_order_accounts_by_what_they_have_used_lately(uses: list[tuple[int, int, float]]) -> None:
    ranks: dict[int, float] = {}
    used: dict[int, float] = {}
    moment = NOW
    for account, points, pause in uses:
        moment += timedelta(seconds=pause)
        used = {each: before * 0.5 ** (pause / HALF_LIFE) for each, before in used.items()}
        used[account] = used.get(account, 0.0) + points
        ranks[account] = rank_after(ranks.get(account), points, moment.timestamp())
    for one in used:
        for other in used:
            if used[one] > used[other] * 1.001:
                assert ranks[one] > ranks[other]
