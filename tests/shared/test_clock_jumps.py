"""A clock that is set an hour forward or back: what waits for a moment waits no hour longer."""

import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import jwt.api_jwt
import pytest

from services.map.models import JOBS, SHARES
from services.shared import auth
from services.shared.auth import Signer, Viewer
from services.shared.database import Database
from services.shared.idempotency import answered, once
from services.shared.ids import new_id
from services.shared.job_parts import Part, PartBook
from services.shared.job_turns import JobTurns
from services.shared.jobs import BACKOFF, LEASE, LONGEST_WAIT, MAX_ATTEMPTS, Job, JobBook, LostLease
from services.shared.limits import bucket
from services.shared.limits.bucket import Bucket
from services.shared.limits.purses import Draw, Rate
from services.shared.settings import Settings
from services.shared.valkey import connect
from tests.databases import ON_BOTH
from tests.house import PRIVATE_KEY, PUBLIC_KEYS

pytestmark = pytest.mark.databases("map")

NOW = datetime(2026, 5, 1, 20, 0, tzinfo=UTC)
HOUR, SECOND = timedelta(hours=1), timedelta(seconds=1)
BOOK, PARTS, TURNS = JobBook(JOBS), PartBook(JOBS), JobTurns(JOBS, SHARES)
JUMPS = pytest.mark.parametrize("jump", [HOUR, -HOUR], ids=["forward", "back"])


@pytest.fixture
async def database(settings: Settings) -> AsyncIterator[Database]:
    made = Database(settings.database_url("map"))
    yield made
    await made.close()


async def queued(database: Database, owner: str, moment: datetime) -> str:
    async with database.write() as session:
        job = await BOOK.add(
            session, new_id("job"), "maps.generate", {}, owner=owner, campaign=None, moment=moment, points=20
        )
    return job.id


async def begun(database: Database, moment: datetime) -> Job | None:
    """Begin the job whose turn it is, as a worker does."""
    async with database.write() as session:
        chosen = await TURNS.next(session, moment)
        job = None if chosen is None else await BOOK.claim(session, chosen, moment)
        if job is not None:
            await TURNS.begun(session, job, moment)
    return job


@ON_BOTH
@JUMPS
async def test_a_job_that_was_queued_before_is_worked_at(database: Database, jump: timedelta) -> None:
    job_id = await queued(database, "acc_a", NOW)
    async with database.read() as session:
        found = await BOOK.waiting(session, NOW + jump)
    assert found is not None and found.id == job_id
    job = await begun(database, NOW + jump)
    assert job is not None and job.id == job_id
    assert await begun(database, NOW + jump + SECOND) is None


@ON_BOTH
@JUMPS
async def test_a_lease_of_before_ends_and_only_one_worker_has_a_result(
    database: Database, jump: timedelta
) -> None:
    await queued(database, "acc_a", NOW)
    first = await begun(database, NOW)
    second = await begun(database, NOW + jump)
    assert first is not None and second is not None and second.attempt == 2
    with pytest.raises(LostLease):
        async with database.write() as session:
            await BOOK.finish(session, first, {}, NOW + jump)
    async with database.write() as session:
        await BOOK.finish(session, second, {}, NOW + jump)


@ON_BOTH
async def test_no_worker_takes_a_whole_whose_parts_move_it_on(database: Database) -> None:
    async with database.write() as session:
        parts = [Part(new_id("job"), "maps.part", {}, 1)]
        whole = await PARTS.add(
            session, new_id("job"), "maps.batch", {}, parts, owner="acc_a", campaign=None, moment=NOW
        )
    async with database.write() as session:
        assert await BOOK.claim(session, whole.id, NOW - HOUR) is None


async def test_a_pause_and_a_lease_are_shorter_than_what_a_set_clock_is_told_by() -> None:
    assert max(LEASE, BACKOFF * 2**MAX_ATTEMPTS) < LONGEST_WAIT


@ON_BOTH
async def test_what_was_used_before_the_clock_was_set_back_puts_nobody_last(database: Database) -> None:
    for _ in range(5):
        await queued(database, "acc_a", NOW)
        job = await begun(database, NOW)
        assert job is not None
        async with database.write() as session:
            await BOOK.finish(session, job, {}, NOW)
    moment = NOW - HOUR
    await queued(database, "acc_a", moment)
    await queued(database, "acc_b", moment)
    order = []
    while (job := await begun(database, moment)) is not None:
        order.append(job.owner)
    assert order == ["acc_a", "acc_b"]


@ON_BOTH
@JUMPS
async def test_a_key_of_idempotency_is_remembered(database: Database, jump: timedelta) -> None:
    viewer, request = Viewer("acc_a"), {"seed": 7}
    async with database.write() as session, once(session, viewer, "k", request, NOW) as done:
        done.answer = "map_1"
    async with database.read() as session:
        assert await answered(session, viewer, "k", request, NOW + jump) == "map_1"
    async with database.write() as session, once(session, viewer, "k", request, NOW + jump) as done:
        assert done.before and done.answer == "map_1"


class Wall:
    """The clock of the wall, as this test sets it."""

    def __init__(self) -> None:
        self.now = NOW

    def time(self) -> float:
        return self.now.timestamp()

    def time_ns(self) -> int:
        return int(self.time()) * 1_000_000_000


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> Wall:
    made = Wall()
    for module in (auth, bucket):
        monkeypatch.setattr(module, "time", made)

    class Now(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            return made.now

    monkeypatch.setattr(jwt.api_jwt, "datetime", Now)
    return made


@pytest.fixture
async def buckets(valkey_url: str) -> AsyncIterator[Bucket]:
    redis = connect(valkey_url)
    yield Bucket(redis)
    await redis.aclose()


RATE = Rate(1_000, 10)


@JUMPS
async def test_an_empty_bucket_fills_again_at_its_rate(wall: Wall, buckets: Bucket, jump: timedelta) -> None:
    draw = Draw(uuid.uuid4().hex, 1_000, RATE)
    assert (await buckets.charge(draw)).allowed
    wall.now += jump
    assert (await buckets.charge(draw)).allowed is (jump > timedelta(0))
    wall.now += 50 * SECOND
    assert (await buckets.charge(Draw(draw.owner, 0, RATE))).remaining == 500


async def test_callers_whose_clocks_differ_a_little_refill_nothing_twice(wall: Wall, buckets: Bucket) -> None:
    owner = uuid.uuid4().hex
    await buckets.charge(Draw(owner, 990, RATE))
    for behind in (4, 0) * 5:
        wall.now = NOW - behind * SECOND
        await buckets.charge(Draw(owner, 1, RATE))
    assert (await buckets.charge(Draw(owner, 0, RATE))).remaining == 0


@JUMPS
def test_tokens_are_of_the_time_to_which_the_clock_was_set(wall: Wall, jump: timedelta) -> None:
    gateway, dice = (Signer(name, PRIVATE_KEY, PUBLIC_KEYS) for name in ("gateway", "dice"))
    viewer = Viewer("acc_ada", frozenset({"read"}))
    for now in (NOW, NOW + jump, NOW + 2 * SECOND):
        wall.now = now
        assert dice.read(gateway.sign("dice", viewer)) == viewer
