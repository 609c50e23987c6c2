"""A workshop for tests: a map database, a Valkey of its own, real workers and sweepers on them."""

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import redis

from services.map.kinds.realm.wish import RealmWish
from services.map.models import JOBS
from services.map.ordering import Ordering
from services.map.quotas import Quotas
from services.map.requests import CancelJob, GenerateMap
from services.map.service import MapService
from services.map.wishes import Wish
from services.shared.access import Access
from services.shared.auth import Viewer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.job_messages import JobMessages
from services.shared.jobs import Job, JobBook, JobState
from services.shared.limits.bucket import Bucket
from services.shared.limits.meter import Meter
from services.shared.limits.purses import background_purse
from services.shared.policy import Policy
from services.shared.settings import Settings
from services.shared.storage import FolderStorage
from services.shared.valkey import connect
from tests.house import ROOT, environment
from tests.patience import pause
from tests.workers.held_task import HELD, barrier

SOMEBODY = Viewer(new_id("acc"), frozenset({"read", "write"}))
BOOK = JobBook(JOBS)


class OwnThingsOnly:
    """The campaign service of people without campaigns."""

    async def of(
        self,
        viewer: Viewer,
        *,
        campaigns: Collection[str] | None = None,
        characters: Collection[str] | None = None,
    ) -> Access:
        """Give an access without any campaign."""
        return Access(viewer.account)


@dataclass
class Shop:
    """Real processes around one database and one broker.

    Attributes:
        settings: of the installation.
        broker: a client of its Valkey.
        processes: what was started.
        at_work: the worker that was started last.
    """

    settings: Settings
    broker: "redis.Redis[Any]"
    processes: list["subprocess.Popen[bytes]"] = field(default_factory=list)
    at_work: "subprocess.Popen[bytes] | None" = None

    def worker(
        self, *, include: str = "tests.workers.held_task", queues: str = "maps"
    ) -> "subprocess.Popen[bytes]":
        """Start a worker with one child."""
        self.at_work = self._start(
            *("celery", "-A", "workers.app", "worker", "--concurrency", "1", "--queues", queues),
            *("--loglevel", "warning", "--include", include),
        )
        return self.at_work

    def kill_worker(self) -> None:
        """Kill the worker that is at work, with its children."""
        assert self.at_work is not None, "there is none"
        kill_all(self.at_work)

    def sweeper(self) -> "subprocess.Popen[bytes]":
        """Start a sweeper."""
        return self._start("workers.sweeper")

    def _start(self, *module: str) -> "subprocess.Popen[bytes]":
        with (self.settings.data_dir / "processes.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", *module],
                cwd=ROOT,
                env=environment(self.settings),
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.processes.append(process)
        return process

    def close(self) -> None:
        """End what still runs."""
        for process in self.processes:
            kill_all(process)
        self.broker.close()

    @property
    def log(self) -> str:
        """Give the end of what the processes wrote."""
        return (self.settings.data_dir / "processes.log").read_text(errors="replace")[-4000:]

    def wait_for(self, condition: Callable[[], bool], what: str, *, seconds: float = 90) -> float:
        """Poll until a condition holds; give how long that took."""
        started = time.monotonic()
        while not condition():
            waited = time.monotonic() - started
            assert waited < seconds, f"waited {seconds} s in vain for {what}:\n{self.log}"
            time.sleep(pause(waited))
        return time.monotonic() - started

    # Jobs

    def generate(self, *, lost: bool = False, **wish: Any) -> Job:
        """Ask for a map as a client does; its message may be lost on the way."""

        async def ask(service: MapService) -> Any:
            asked = GenerateMap(Wish("forgeborn_realm", RealmWish(**{"seed": "7", **wish})))
            return await service.generate(SOMEBODY, asked, None)

        job: Job = self._asked(ask, lost=lost)
        return job

    def held(self, *, send: bool = True) -> Job:
        """Queue a map whose work halts at the barrier, which is closed for it."""
        shutil.rmtree(barrier(self.settings.data_dir), ignore_errors=True)
        barrier(self.settings.data_dir).mkdir()
        params = self.job(self.generate_unsent().id).params

        async def add() -> Job:
            database = Database(self.settings.database_url("map"))
            async with database.write() as session:
                job = await BOOK.add(
                    session,
                    new_id("job"),
                    HELD,
                    params,
                    owner=SOMEBODY.account,
                    campaign=None,
                    moment=system_clock(),
                )
            await database.close()
            if send:
                await self.send(job)
            return job

        return asyncio.run(add())

    def generate_unsent(self) -> Job:
        """Queue a map whose message is lost on the way, and cancel it."""
        job = self.generate(lost=True)
        self.cancel(job)
        return job

    async def send(self, job: Job) -> None:
        """Send a job's message."""
        messages = JobMessages(self.settings)
        await messages.send(job)
        await messages.close()

    def send_now(self, job: Job) -> None:
        """Send a job's message, from a test that has no event loop."""
        asyncio.run(self.send(job))

    def cancel(self, job: Job) -> Job:
        """Cancel a job as its owner does."""
        found: Job = self._asked(lambda service: service.cancel(SOMEBODY, CancelJob(job.id), None))
        return found

    def job(self, job_id: str) -> Job:
        """Read a job as its owner does."""
        found: Job | None = self._asked(lambda service: service.job(SOMEBODY, job_id))
        assert found is not None
        return found

    def changes(self, job: Job) -> list[Job]:
        """Read every version of a job behind the first."""
        found: list[Job] = self._asked(lambda service: service.job_changes(SOMEBODY, job.id, 1))
        return found

    def maps(self) -> list[Any]:
        """Read all maps."""
        page = self._asked(lambda service: service.page(SOMEBODY, None, first=100, after=None))
        return [look.row for look in page.items]

    def content(self, map_id: str, name: str) -> Any:
        """Read a file as its owner does."""
        return self._asked(lambda service: service.file(SOMEBODY, map_id, name))

    def _asked(self, question: Callable[[MapService], Any], *, lost: bool = False) -> Any:
        async def ask() -> Any:
            database, messages = Database(self.settings.database_url("map")), JobMessages(self.settings)
            redis = connect(self.settings.redis_url)
            bucket, purse = Bucket(redis), background_purse(200_000, 50)
            quotas = Quotas.of(self.settings)
            service = MapService(
                database,
                system_clock,
                Policy(OwnThingsOnly()),
                FolderStorage(self.settings.files_dir),
                Ordering(database, system_clock, quotas, _lose if lost else messages.send),
                Meter(bucket),
                Meter(bucket, purse),
                lambda: 7,
            )
            try:
                return await question(service)
            finally:
                await redis.aclose()
                await messages.close()
                await database.close()

        return asyncio.run(ask())

    # Waiting

    def wait_ready(self) -> None:
        """Wait until a worker listens."""
        self.broker.delete("hf:alive:worker")
        self.wait_for(lambda: bool(self.broker.exists("hf:alive:worker")), "a worker")

    def wait_idle(self) -> None:
        """Wait until every message has been worked off."""
        self.wait_for(lambda: self.broker.llen("maps") + self.broker.hlen("unacked") == 0, "an empty queue")

    def wait_ended(self, job: Job, *, seconds: float = 90) -> Job:
        """Wait until a job has ended, and give it."""
        self.wait_for(lambda: self.job(job.id).state.ended, f"the end of {job.id}", seconds=seconds)
        return self.job(job.id)

    def wait_state(self, job: Job, state: JobState) -> None:
        """Wait until a job has a state."""
        self.wait_for(lambda: self.job(job.id).state is state, f"{state} of {job.id}")

    def arrivals(self) -> list[Path]:
        """List the arrivals at the barrier."""
        return sorted(barrier(self.settings.data_dir).glob("arrived-*"))

    def wait_arrival(self, number: int = 1) -> Path:
        """Wait until so many attempts have come to the barrier; give the newest."""
        self.wait_for(lambda: len(self.arrivals()) >= number, f"arrival {number} at the barrier")
        return max(self.arrivals(), key=lambda path: path.stat().st_mtime_ns)

    def open_barrier(self) -> None:
        """Let everybody at the barrier go on."""
        (barrier(self.settings.data_dir) / "open").touch()


async def _lose(_job: Job) -> None:
    """Send nothing."""


def kill_all(process: "subprocess.Popen[bytes]") -> None:
    """Kill a process and its children, as a machine that goes down does."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def pid_of(arrival: Path) -> int:
    """Give the process that came to the barrier."""
    return int(arrival.name.split("-")[1])


def child_of(arrival: Path) -> int:
    """Give the worker's child that had forked it."""
    return int(arrival.name.split("-")[2])
