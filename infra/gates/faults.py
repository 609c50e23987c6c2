"""A hundred faults while simulations are played: nothing is lost, and nothing is counted twice.

The same question is asked by one account that nothing befalls, and by fresh accounts one after another while
a fault strikes after random shares of the blocks. Each answer must be that of the first account, byte by
byte: report and table. The faults:

- killed with SIGKILL: the process that plays, the child of the worker that has forked it, the worker, the
  sweeper, Valkey, and the campaign service;
- a lease that has expired and gone to another attempt, so that what is played under it comes too late;
- messages of jobs that come again, that are lost, and connections to Valkey that break;
- a database that another process has locked for longer than is waited for it.
"""

import json
import os
import random
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass, field

import httpx
import redis
from celery import Celery

from infra.gates.frame.command import Options, say
from infra.gates.frame.figures import Figure, Wanted
from infra.gates.frame.house import House
from services.shared.jobs import MAX_ATTEMPTS, JobState
from services.shared.settings import BrokerSettings
from services.shared.sqlite import BUSY_SECONDS
from tests.e2e.product import Person, Product, until
from tests.e2e.table import ENDED

FAULTS = 100
MOST_QUESTIONS = 60
FAULTS_OF_ONE = 8
"""Faults that befall one question, while it has some thirteen blocks."""

QUESTION = {
    "system": "dungeonteller",
    "scenes": [{"setupName": "locked-door"}],
    "cast": [{"id": "hero", "example": "warrior"}],
    "runs": 600,
}
MAKER, CHILD = "process that plays", "child of the worker"
PARTS = ("player", "sweeper", "valkey", "campaign")
EXPIRED, REPEATED, LOST = "expired lease", "repeated messages", "lost messages"
BROKEN, LOCKED = "broken connections", "locked database"
WEIGHTS = {
    MAKER: 28,
    CHILD: 22,
    **dict.fromkeys(PARTS, 5),
    EXPIRED: 9,
    REPEATED: 7,
    LOST: 6,
    BROKEN: 6,
    LOCKED: 2,
}
"""How often each strikes, of a hundred; parts of the product take seconds to be started again."""

LOCK_SECONDS = BUSY_SECONDS + 2
"""How long the database of campaigns is locked: longer than anybody waits for it."""

ANSWER_SECONDS = 600.0
"""How long one question may take, on a machine that others use too."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A simulation that has ended.

    Attributes:
        state: how.
        report: the answer as JSON.
        table: the answer as CSV.
    """

    state: str
    report: bytes
    table: bytes


@dataclass(slots=True)
class Faults:
    """Strikes a product that keeps its data in SQLite.

    Args:
        product: the product.
        chance: which fault, and when.

    Attributes:
        struck: how often each struck.
    """

    product: Product
    chance: random.Random
    struck: Counter[str] = field(default_factory=Counter)

    def strike(self) -> None:
        """Let one fault strike; nothing where what it befalls is not there just now."""
        (kind,) = self.chance.choices(list(WEIGHTS), list(WEIGHTS.values()))
        others = {
            EXPIRED: self._expire_leases,
            REPEATED: self._repeat_messages,
            LOST: self._lose_messages,
            BROKEN: self._break_connections,
            LOCKED: self._lock_database,
        }
        if others[kind]() if kind in others else self._kill(kind):
            self.struck[kind] += 1
            say(f"fault {self.struck.total()}: {kind}")

    def _kill(self, kind: str) -> bool:
        pid = self._pid(kind)
        with suppress(ProcessLookupError):
            if pid is not None:
                os.kill(pid, signal.SIGKILL)
                return True
        return False

    def _expire_leases(self) -> bool:
        """Hand the jobs that are worked at to a later attempt: what the present one finds out is too late."""
        with closing(self._database()) as database, database:
            found = database.execute(
                "update job set attempt = attempt + 1, due_at = created_at where state = ? and attempt < ?",
                (JobState.RUNNING, MAX_ATTEMPTS - 1),
            )
        return found.rowcount > 0

    def _repeat_messages(self) -> bool:
        """Send the messages of all jobs that have not ended, twice each."""
        with closing(self._database()) as database:
            states = (JobState.QUEUED, JobState.RUNNING)
            jobs = database.execute("select id, kind from job where state in (?, ?)", states).fetchall()
        settings = BrokerSettings(redis_url=self.product.environment["REDIS_URL"])
        with Celery(broker=settings.broker_url, set_as_current=False) as celery:
            for job, kind in jobs * 2:
                celery.send_task(kind, args=[job], queue=kind.partition(".")[0], ignore_result=True)
        return bool(jobs)

    def _lose_messages(self) -> bool:
        """Have Valkey lose all that it knows."""
        with redis.Redis.from_url(self.product.environment["REDIS_URL"]) as client:
            return bool(client.flushall())

    def _break_connections(self) -> bool:
        """Break all connections to Valkey but this one."""
        with redis.Redis.from_url(self.product.environment["REDIS_URL"]) as client:
            return int(client.client_kill_filter(_type="normal", skipme=True)) > 0

    def _lock_database(self) -> bool:
        """Keep the database of campaigns from being written to for longer than anybody waits."""
        with closing(self._database()) as database:
            database.execute("begin immediate")
            time.sleep(LOCK_SECONDS)
            database.execute("rollback")
        return True

    def _database(self) -> sqlite3.Connection:
        url = self.product.environment["DATABASE_URL_CAMPAIGN"]
        return sqlite3.connect(url.partition(":///")[2], timeout=BUSY_SECONDS)

    def _pid(self, kind: str) -> int | None:
        if kind not in (MAKER, CHILD):
            return self.product.pid(kind)
        family, worker = self.product.family(), self.product.pid("player")
        children = [one.pid for one in family if one.parent == worker]
        makers = [one.pid for one in family if one.parent in children]
        chosen = children if kind == CHILD else makers
        return self.chance.choice(chosen) if chosen else None


def run(house: House, options: Options) -> Iterable[Figure]:
    """Yields how many faults there were, and the answers that are not that of the undisturbed question."""
    yield from struck(house.product, random.Random(options.seed), faults=FAULTS)


def struck(product: Product, chance: random.Random, *, faults: int) -> Iterable[Figure]:
    """Ask until so many faults have befallen the questions; see ``run``."""
    undisturbed = _answered(product, product.sign_up("Undisturbed"), lambda _: None)
    assert undisturbed.state == "SUCCEEDED", undisturbed.state
    befalling, asked, findings = Faults(product, chance), 0, list[str]()
    while befalling.struck.total() < faults and asked < MOST_QUESTIONS:
        asked += 1
        left = min(FAULTS_OF_ONE, faults - befalling.struck.total())
        moments = sorted(chance.random() for _ in range(left))

        def strike(progress: float, moments: list[float] = moments) -> None:
            if moments and progress >= moments[0]:
                moments.pop(0)
                befalling.strike()

        answer = _answered(product, product.sign_up(f"Struck {asked}"), strike)
        if answer != undisturbed:
            findings.append(f"question {asked} ended {answer.state}: {answer.report[:300]!r}")
        say(f"{befalling.struck.total()} faults, {asked} questions, {len(findings)} of them not as they were")
    more = {name.replace(" ", "_"): count for name, count in sorted(befalling.struck.items())}
    yield Figure("faults.struck", befalling.struck.total(), "faults", faults, Wanted.AT_LEAST, more=more)
    yield Figure("faults.differing", len(findings), "answers", 0, findings=tuple(findings))


def _answered(product: Product, person: Person, watch: Callable[[float], None]) -> Answer:
    """Ask the question, tell how far it is as long as it is played, and return its answer."""

    def read(path: str) -> httpx.Response | None:
        product.fill_buckets()
        try:
            answer = person.get(path)
        except (httpx.HTTPError, AssertionError):
            return None
        return answer if answer.status_code == 200 else None

    def ask() -> str | None:
        try:
            answer = person.post("/v1/simulations", QUESTION, idempotency_key="the question")
        except (httpx.HTTPError, AssertionError):
            return None
        return str(answer.json()["id"]) if answer.status_code == 201 else None

    simulation = until(ask, "the question to be taken", seconds=ANSWER_SECONDS)

    def ended() -> httpx.Response | None:
        answer = read(f"/v1/simulations/{simulation}")
        if answer is None:
            return None
        found = answer.json()
        if found["state"] in ENDED:
            return answer
        watch(float(found["progress"]))
        return None

    last = until(ended, f"the answer of {simulation}", seconds=ANSWER_SECONDS).json()
    table = until(lambda: read(f"/v1/simulations/{simulation}/report.csv"), "its table", seconds=60)
    return Answer(last["state"], json.dumps(last["report"], sort_keys=True).encode(), table.content)
