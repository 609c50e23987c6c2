"""One attempt at one job, on both databases: it ends as a job can end, and writes all or nothing."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import wait as wait_readable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from services.map.compiling import warm
from services.map.erasure import Erasure
from services.map.kinds.realm.wish import RealmWish
from services.map.models import IDEMPOTENCY, JOBS, OUTBOX, MapFile, MapRow
from services.map.ordering import Ordering
from services.map.quotas import Quotas
from services.map.requests import CancelJob, GenerateMap
from services.map.service import MapService
from services.map.wishes import Wish
from services.map.work import MAP_TASK, MapWork, map_id
from services.shared.database import Database
from services.shared.jobs import LEASE, MAX_ATTEMPTS, Job, JobState
from services.shared.limits.bucket import Bucket
from services.shared.limits.meter import Meter
from services.shared.outbox import Event
from services.shared.policy import Policy
from services.shared.problems import InvalidInput
from services.shared.storage import FolderStorage
from services.shared.valkey import connect
from tests.databases import ON_BOTH
from tests.workers.shop import SOMEBODY, OwnThingsOnly
from workers import carrying, making
from workers.carrying import carry_out
from workers.making import MakeSteps, Refused, Steps, maker
from workers.maps import map_steps

pytestmark = ON_BOTH


GENEROUS = Quotas(jobs=200, batches=20, maps=1_000, bytes=2**30)


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 1, 20, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def turn(self, by: timedelta) -> None:
        """Let time pass."""
        self.now += by


@dataclass
class Bench:
    """A map database with a clock, and work on it without any broker."""

    database: Database
    storage: FolderStorage
    meter: Meter
    clock: Clock = field(default_factory=Clock)
    quotas: Quotas = GENEROUS
    sent: list[str] = field(default_factory=list)

    @property
    def service(self) -> MapService:
        async def send(job: Job) -> None:
            self.sent.append(job.id)

        ordering = Ordering(self.database, self.clock, self.quotas, send)
        return MapService(
            self.database,
            self.clock,
            Policy(OwnThingsOnly()),
            self.storage,
            ordering,
            self.meter,
            self.meter,
            lambda: 7,
        )

    @property
    def work(self) -> MapWork:
        return MapWork(self.database, self.clock, self.quotas)

    async def ask(self) -> Job:
        """Ask for a map."""
        return await self.generate("7")

    async def generate(self, seed: str, key: str | None = None) -> Job:
        """Ask for a map of a seed."""
        asked = GenerateMap(Wish("forgeborn_realm", RealmWish(seed=seed)))
        return await self.service.generate(SOMEBODY, asked, key)

    async def carry(
        self, job: Job, steps: MakeSteps = map_steps, *, seconds: float = 10, work: MapWork | None = None
    ) -> Job | None:
        """Make one attempt, as a worker does."""
        work = work or self.work
        with maker({MAP_TASK: steps}, seconds=seconds) as made:
            begun = await work.begin(job.id)
            if begun is None or begun.state.ended:
                return begun
            return await carry_out(work, self.storage, made, begun)

    async def read(self, job: Job) -> Job:
        """Read a job."""
        found = await self.service.job(SOMEBODY, job.id)
        assert found is not None
        return found

    async def rows(self, *columns: Any) -> list[Any]:
        """Read rows."""
        async with self.database.read() as session:
            return list((await session.execute(select(*columns))).all())


@pytest.fixture(scope="module", autouse=True)
def warm_parent() -> None:
    """Load what makers need before they are forked, as a worker does."""
    warm("forgeborn_realm")


@pytest.fixture
async def bench(map_database: str, tmp_path: Path, valkey_url: str) -> AsyncIterator[Bench]:
    database, redis = Database(map_database), connect(valkey_url)
    await redis.delete(f"hf:bucket:{SOMEBODY.account}")
    yield Bench(database, FolderStorage(tmp_path / "files"), Meter(Bucket(redis)))
    await redis.aclose()
    await database.close()


class Signal:
    """An event that a test shares with the process that a job is made in, which may be killed waiting."""

    def __init__(self) -> None:
        self._reader, self._writer = os.pipe()

    def set(self) -> None:
        """Tell whoever waits, now or later."""
        os.write(self._writer, b"!")

    def wait(self, seconds: float = 60) -> bool:
        """Wait until it is set; tell whether it was in time."""
        return bool(wait_readable([self._reader], seconds))


async def until(condition: Callable[[], bool]) -> None:
    """Poll until a condition holds."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        await asyncio.sleep(0.01)


def stored(folder: Path) -> set[str]:
    """Names the files that a bench has stored."""
    files = folder / "files"
    return {str(path.relative_to(files)) for path in files.rglob("*") if path.is_file()}


def alive(pid: int) -> bool:
    """Tell whether there is such a process, zombies apart."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def test_map_files_end_and_events_are_committed_together(bench: Bench) -> None:
    job = await bench.ask()
    assert bench.sent == [job.id]
    ended = await bench.carry(job)
    assert ended == await bench.read(job) and ended is not None and ended.state is JobState.SUCCEEDED
    assert [row.id for row in await bench.rows(MapRow.id)] == [map_id(job)]
    files = {row.name: row for row in await bench.rows(MapFile.name, MapFile.key, MapFile.bytes)}
    assert set(files) == {"map.json", "map.svg"}
    assert files["map.svg"].key == f"maps/{map_id(job)}/1/map.svg"
    assert len(await bench.storage.get(files["map.svg"].key) or b"") == files["map.svg"].bytes
    kinds = [row.kind for row in await bench.rows(OUTBOX.c.kind)]
    assert kinds.count("map.made") == 1 and kinds.count("job.changed") == ended.version


async def test_two_workers_with_one_message_each_make_one_map(bench: Bench) -> None:
    job = await bench.ask()
    found = await asyncio.gather(*(bench.carry(job) for _ in range(4)))
    assert sorted(one is None for one in found) == [False, True, True, True]
    assert len(await bench.rows(MapRow.id)) == 1
    assert await bench.carry(job) is None


async def test_a_worker_that_was_given_up_writes_nothing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # It does not look meanwhile, as one that was stopped with all its processes.
    monkeypatch.setattr(carrying, "LOOK_SECONDS", 60)
    job = await bench.ask()
    here, there = Signal(), Signal()

    def slow(params: Mapping[str, Any]) -> Steps:
        steps = map_steps(params)
        yield next(steps)
        here.set()
        assert there.wait()
        return (yield from steps)

    first = asyncio.create_task(bench.carry(job, slow))
    assert await asyncio.to_thread(here.wait)
    while not (await bench.read(job)).progress:  # what it reports keeps its lease: it has to come first
        await asyncio.sleep(0.01)
    bench.clock.turn(LEASE)
    second = await bench.carry(job)
    there.set()
    assert await first is None
    assert second is not None and second.attempt == 2 and second == await bench.read(job)
    keys = {row.key for row in await bench.rows(MapFile.key)}
    assert {key.split("/")[2] for key in keys} == {"2"}
    assert stored(tmp_path) == keys


async def test_what_is_cancelled_at_work_is_killed_and_writes_nothing(bench: Bench, tmp_path: Path) -> None:
    job = await bench.ask()

    def endless(_params: Mapping[str, Any]) -> Steps:
        yield 0.1
        (tmp_path / "pid").write_text(f"{os.getpid()}\n")
        while True:
            time.time()

    attempt = asyncio.create_task(bench.carry(job, endless))
    await until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text().endswith("\n"))
    await bench.service.cancel(SOMEBODY, CancelJob(job.id), None)
    assert await attempt is None
    assert not alive(int((tmp_path / "pid").read_text()))
    assert (await bench.read(job)).state is JobState.CANCELLED
    assert await bench.rows(MapRow.id) == [] and await bench.rows(MapFile.key) == []


@pytest.mark.parametrize("looks_every", [carrying.LOOK_SECONDS, 60])
async def test_a_map_that_is_made_while_its_account_is_erased_is_not_kept(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, looks_every: float
) -> None:
    """Whether the worker finds out at work, or not before it would commit."""
    monkeypatch.setattr(carrying, "LOOK_SECONDS", looks_every)
    job = await bench.ask()
    begun, over = Signal(), Signal()

    def held(params: Mapping[str, Any]) -> Steps:
        yield 0.1
        begun.set()
        assert over.wait()
        return (yield from map_steps(params))

    attempt = asyncio.create_task(bench.carry(job, held))
    assert await asyncio.to_thread(begun.wait)
    erased = Event("account.erased", "x", {"account": SOMEBODY.account, "heirs": {}}, 1)
    async with bench.database.write() as session:
        await Erasure(bench.clock, bench.meter).handlers[erased.kind](session, erased)
    over.set()
    assert await attempt is None
    assert await bench.carry(job) is None
    assert await bench.rows(MapRow.id) == [] and await bench.rows(JOBS.c.id) == []
    assert stored(tmp_path) == set()


async def test_a_long_step_keeps_its_lease(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carrying, "LOOK_SECONDS", 0.02)
    monkeypatch.setattr(carrying, "HOLD_SECONDS", 0.0)
    held: list[datetime] = []

    class Watched(MapWork):
        async def hold(self, job: Job) -> None:
            await super().hold(job)
            held.append(bench.clock.now)

    job = await bench.ask()
    begun, over = Signal(), Signal()

    def long(params: Mapping[str, Any]) -> Steps:
        yield 0.1
        begun.set()
        assert over.wait()
        return (yield from map_steps(params))

    attempt = asyncio.create_task(
        bench.carry(job, long, work=Watched(bench.database, bench.clock, bench.quotas))
    )
    assert await asyncio.to_thread(begun.wait)
    for _ in range(3):
        bench.clock.turn(LEASE - timedelta(seconds=1))
        await until(lambda: held[-1:] == [bench.clock.now])
    over.set()
    ended = await attempt
    assert ended is not None and ended.state is JobState.SUCCEEDED and ended.attempt == 1


async def test_work_without_end_is_stopped_when_its_processor_time_is_used_up(bench: Bench) -> None:
    job = await bench.ask()

    def endless(_params: Mapping[str, Any]) -> Steps:
        yield 0.1
        while True:
            time.time()

    ended = await bench.carry(job, endless, seconds=0.3)
    assert ended is not None and ended.state is JobState.FAILED
    assert ended.error is not None and ended.error["code"] == "TOO_MUCH_WORK"


async def test_what_does_not_hear_that_its_time_is_up_is_killed(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr(making, "GRACE_SECONDS", 0.5)
    job = await bench.ask()

    def deaf(_params: Mapping[str, Any]) -> Steps:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM, signal.SIGPROF])
        yield 0.1
        while True:
            time.sleep(60)

    ended = await bench.carry(job, deaf)
    assert ended is not None and ended.error is not None and ended.error["code"] == "ATTEMPT_FAILED"


async def test_a_job_whose_process_is_killed_is_tried_again_later(bench: Bench) -> None:
    job = await bench.ask()

    def killed(_params: Mapping[str, Any]) -> Steps:
        yield 0.1
        os.kill(os.getpid(), signal.SIGKILL)

    failed = await bench.carry(job, killed)
    assert failed is not None and failed.state is JobState.QUEUED and failed.error is not None
    assert failed.error == {"code": "ATTEMPT_FAILED", "message": "The process that made it ended with -9."}
    bench.clock.turn(timedelta(minutes=1))
    ended = await bench.carry(job)
    assert ended is not None and ended.state is JobState.SUCCEEDED


async def test_what_would_exceed_a_quota_is_refused_and_not_stored(bench: Bench, tmp_path: Path) -> None:
    bench.quotas = Quotas(jobs=2, batches=1, maps=1, bytes=2**30)
    job = await bench.ask()
    with pytest.raises(InvalidInput) as refused:
        await bench.generate("8")
    (issue,) = refused.value.issues
    assert (issue.code, issue.path, issue.found, issue.allowed) == ("QUOTA_EXCEEDED", ["maps"], "1", "1")
    bench.quotas = Quotas(jobs=2, batches=1, maps=1, bytes=100)
    ended = await bench.carry(job)
    assert ended is not None and ended.state is JobState.FAILED
    assert ended.error is not None and ended.error["code"] == "QUOTA_EXCEEDED"
    assert await bench.rows(MapRow.id) == []
    assert stored(tmp_path) == set()


async def test_jobs_that_have_not_ended_are_bounded_however_many_ask_at_once(bench: Bench) -> None:
    bench.quotas = Quotas(jobs=3, batches=1, maps=100, bytes=2**30)
    asked = await asyncio.gather(*(bench.generate("8") for _ in range(9)), return_exceptions=True)
    jobs = [one for one in asked if isinstance(one, Job)]
    refused = [one for one in asked if isinstance(one, InvalidInput)]
    assert (len(jobs), len(refused)) == (3, 6)
    assert {one.issues[0].code for one in refused} == {"QUOTA_EXCEEDED"}
    await bench.service.cancel(SOMEBODY, CancelJob(jobs[0].id), None)
    assert (await bench.generate("8")).state is JobState.QUEUED


async def test_what_can_never_work_fails_with_its_reason_at_once(bench: Bench) -> None:
    job = await bench.ask()

    def refused(_params: Mapping[str, Any]) -> Steps:
        yield 0.1
        raise Refused("realm_gates_failed", "No drop passed every gate.")

    ended = await bench.carry(job, refused)
    assert ended is not None and ended.state is JobState.FAILED
    assert ended.error == {"code": "realm_gates_failed", "message": "No drop passed every gate."}
    bench.clock.turn(timedelta(days=1))
    assert await bench.carry(job) is None


async def test_an_unknown_kind_of_map_is_refused() -> None:
    with pytest.raises(Refused):
        next(map_steps({"kind": "moon", "parameters": {}}))


async def test_a_job_of_an_unknown_task_is_refused(bench: Bench) -> None:
    job = await bench.ask()
    with maker({}) as made:
        begun = await bench.work.begin(job.id)
        assert begun is not None
        ended = await carry_out(bench.work, bench.storage, made, begun)
    assert ended is not None and ended.error is not None and ended.error["code"] == "UNKNOWN_TASK"


async def test_unexpected_errors_are_tried_again_later_and_end_dead_with_the_reason(bench: Bench) -> None:
    job = await bench.ask()

    def broken(_params: Mapping[str, Any]) -> Steps:
        yield 0.1
        raise ZeroDivisionError

    for attempt in range(1, MAX_ATTEMPTS + 1):
        failed = await bench.carry(job, broken)
        assert failed is not None and failed.attempt == attempt
        assert failed.error is not None and "ZeroDivisionError" in failed.error["message"]
        if attempt < MAX_ATTEMPTS:
            assert failed.state is JobState.QUEUED
            assert await bench.carry(job) is None
            bench.clock.turn(timedelta(minutes=1))
    assert (await bench.read(job)).state is JobState.DEAD
    assert await bench.carry(job) is None


async def test_a_job_that_failed_once_can_still_succeed_and_forgets_the_error(bench: Bench) -> None:
    job = await bench.ask()

    def broken(_params: Mapping[str, Any]) -> Steps:
        yield 0.1
        raise OSError("disk full")

    await bench.carry(job, broken)
    bench.clock.turn(timedelta(minutes=1))
    ended = await bench.carry(job)
    assert ended is not None and ended.state is JobState.SUCCEEDED and ended.error is None


async def test_a_job_that_kills_each_worker_ends_dead_and_is_told(bench: Bench) -> None:
    job = await bench.ask()
    for _ in range(MAX_ATTEMPTS):
        assert await bench.work.begin(job.id) is not None
        bench.clock.turn(LEASE)
    ended = await bench.carry(job)
    assert ended is not None and ended.state is JobState.DEAD
    assert ended.error is not None and ended.error["code"] == "WORKER_LOST"
    changes = await bench.service.job_changes(SOMEBODY, job.id, 1)
    assert changes is not None and changes[-1] == ended
    assert await bench.carry(job) is None


async def test_files_that_cannot_be_stored_leave_no_map(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "files").write_text("in the way")
    job = await bench.ask()
    failed = await bench.carry(job)
    assert failed is not None and failed.state is JobState.QUEUED
    assert await bench.rows(MapRow.id) == []
    (tmp_path / "files").unlink()
    bench.clock.turn(timedelta(minutes=1))
    ended = await bench.carry(job)
    assert ended is not None and ended.state is JobState.SUCCEEDED


async def test_one_idempotency_key_gives_one_job_however_often_it_is_used(bench: Bench) -> None:
    jobs = await asyncio.gather(*(bench.generate("7", "again") for _ in range(20)))
    assert len({job.id for job in jobs}) == 1 and len(jobs) == 20
    assert len(await bench.rows(IDEMPOTENCY.c.key)) == 1
