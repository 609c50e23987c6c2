"""What requests cost: processor time a point, of the most expensive that anyone could find.

An account pays for what it asks in points. If one kind of request cost far more processor time a point than
the others, it would be the one to attack with. So the most expensive requests of ``infra/gates/costly`` are
sent to a running product, the processor time of all of its processes is read before and after, work that goes
on after the answer included, and divided by the points that were taken from the account's bucket.

Held is that no request takes more than three times the median. What takes less than a third of it is told but
not missed: operations are charged for what they may cost before they begin, and a list that is nearly empty
today pays for the page that was asked for. What costs less than 5 ms, too little to be told from the drift of
an idle product, is judged together. A refusal for its price must not cost more than 50 ms. The table is
printed for people on standard error, dearest first.
"""

import json
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from statistics import median
from typing import Any

import httpx
import redis
from sqlalchemy import make_url

from infra.gates.frame.command import Options, say
from infra.gates.frame.figures import Figure, GateFailure, Wanted
from infra.gates.frame.house import House
from infra.gates.frame.processor import BETWEEN_LOOKS, Meter
from infra.gates.frame.requests import Asked, Ready, chosen_of, made_ready
from services.shared.jobs import JobState
from services.shared.limits.purses import LIMITS
from tests.e2e.product import House as AnyHouse
from tests.e2e.product import Person, Product
from tests.e2e.table import World

SMALL_MS = 5.0
REFUSAL_MS = 50.0
SPREAD = 3.0
LEAST_ROWS = 30
ENOUGH_MS = 250.0
REPETITIONS = 12
ROW_SECONDS = 6.0
SETTLE_SECONDS = 60.0
BACKGROUND_SECONDS = 300.0
ANSWER_SECONDS = 150.0
MOST_READ = 1_000_000
AN_HOUR_MS = 3_600_000
PRICE_CODES = ("QUERY_TOO_EXPENSIVE", "QUERY_TOO_LARGE", "RATE_LIMITED", "QUOTA_EXCEEDED")


@dataclass(frozen=True, slots=True)
class Row:
    """What one request cost.

    Attributes:
        source: the file that it is from.
        name: of the request.
        said: status, and the code of a problem or error.
        milliseconds: of processor time, the mean of all times it was asked.
        points: that were taken, the mean.
        times: how often it was asked.
        expected: whether it was answered as it should be.
        refused: whether it was refused for what it costs.
        settled: whether all work for it came to an end.
    """

    source: str
    name: str
    said: str
    milliseconds: float
    points: float
    times: int
    expected: bool
    refused: bool
    settled: bool

    @property
    def ratio(self) -> float:
        """Milliseconds a point."""
        return self.milliseconds / max(self.points, 0.5)

    def line(self, middle: float) -> str:
        """Writes the row of the table."""
        times = f"{self.ratio / middle:7.2f}" if middle else "      -"
        shown = f"{self.milliseconds:10.1f} ms {self.points:8.1f} points {self.ratio:9.2f} ms/point {times} x"
        tail = "" if self.settled else "  still at work"
        return f"{shown}  {self.source}: {self.name} [{self.said}, {self.times} times]{tail}"


class Buckets:
    """The buckets of one who asks: filled, and stopped in time, so that what is taken can be read off.

    A bucket whose last charge lies in the future refills nothing (see ``bucket.lua``).

    Args:
        url: of the Redis that holds them.
        owner: who pays: an account, or an address and its network.
    """

    def __init__(self, url: str, *owners: str) -> None:
        self._redis = redis.Redis.from_url(url)
        self._capacity: dict[str, int] = {}
        for section, limits in LIMITS.items():
            if section == "network" or not isinstance(limits, dict) or "capacity" not in limits:
                continue
            prefix = "" if section == "account" else f"{section}:"
            for owner in owners:
                self._capacity[f"hf:bucket:{prefix}{owner}"] = limits["capacity"]

    def fill(self) -> None:
        """Fills them, and everybody else's."""
        soon = time.time_ns() // 1_000_000 + AN_HOUR_MS
        others = [key for key in self._redis.scan_iter("hf:bucket:*") if key.decode() not in self._capacity]
        if others:
            self._redis.delete(*others)
        for key, capacity in self._capacity.items():
            self._redis.hset(key, mapping={"points": capacity, "at": soon})
            self._redis.pexpire(key, AN_HOUR_MS)

    def taken(self) -> float:
        """Returns how many points were taken since they were filled."""
        left = {key: self._redis.hget(key, "points") for key in self._capacity}
        return sum(self._capacity[key] - float(points) for key, points in left.items() if points is not None)

    def close(self) -> None:
        """Lets time go on for them."""
        self._redis.delete(*self._capacity)
        self._redis.close()


def run(house: House, options: Options) -> Iterable[Figure]:
    """Measures every request; yields how many rows there are and how many are out of bounds."""
    rows = measured(house.world, chosen_of(house.world, options.only))
    middle, small, large, refused = judged(rows)
    for row in sorted(rows, key=lambda row: -row.ratio):
        say(row.line(middle))
    failed = [row for row in rows if not row.expected and not row.refused]
    yield Figure("costs.rows", len(rows), "requests", 0 if options.only else LEAST_ROWS, Wanted.AT_LEAST)
    yield Figure("costs.unanswered", len(failed), "requests", 0, findings=tuple(map(_told, failed)))
    restless = [row for row in rows if not row.settled]
    yield Figure("costs.endless", len(restless), "requests", 0, findings=tuple(map(_told, restless)))
    yield Figure("costs.median", middle, "ms/point")
    cheap = [row for row in large if row.ratio > SPREAD * middle]
    dear = [row for row in large if row.ratio < middle / SPREAD]
    yield Figure("costs.undercharged", len(cheap), "requests", 0, findings=tuple(map(_told, cheap)))
    yield Figure("costs.overcharged", len(dear), "requests")
    if small:
        together = sum(row.milliseconds for row in small) / max(1.0, sum(row.points for row in small))
        yield Figure("costs.small", together, "ms/point", SPREAD * middle, Wanted.AT_MOST)
    if refused:
        worst = max(refused, key=lambda row: row.milliseconds)
        more = {"request": worst.name}
        yield Figure("costs.refusal", worst.milliseconds, "ms", REFUSAL_MS, Wanted.AT_MOST, more=more)


def judged(rows: list[Row]) -> tuple[float, list[Row], list[Row], list[Row]]:
    """Returns the median of milliseconds a point, then the small rows, the large ones and those refused.

    Raises:
        GateFailure: nothing was answered that cost enough to be measured.
    """
    refused = [row for row in rows if row.refused]
    answered = [row for row in rows if not row.refused]
    small = [row for row in answered if row.milliseconds < SMALL_MS]
    large = [row for row in answered if row.milliseconds >= SMALL_MS]
    if not large:
        raise GateFailure("no request cost enough to be measured")
    return median(row.ratio for row in large), small, large, refused


def measured(world: World, requests: Iterable[tuple[str, Asked]]) -> list[Row]:
    """Sends requests one by one and measures what each costs."""
    found = list(requests)
    assert isinstance(world.product, Product), "what runs in this process has no processor time of its own"
    meter = Meter(world.product.process.pid)
    meter.settle(SETTLE_SECONDS)
    say(f"idle: {meter.learn_idle():.1f} ms of processor time a second; {len(found)} requests")
    rows = []
    with httpx.Client(timeout=ANSWER_SECONDS, trust_env=False, base_url=world.product.url) as client:
        for ready in made_ready(world, found):
            rows.append(_measure(client, meter, ready))
            say(rows[-1].line(0))
    return rows


def _measure(client: httpx.Client, meter: Meter, ready: Ready) -> Row:
    asked, person = ready.asked, ready.person
    patience = BACKGROUND_SECONDS if asked.background else SETTLE_SECONDS
    points, times, said = 0.0, 0, ""
    job, ended = None, True
    with _buckets(person) as buckets:
        if not asked.background:
            # What is loaded at first use is not counted.
            job = _job_of(_answer(client, ready.signed()))
            if job is not None:
                _wait_ended(person.product, job, patience)
            meter.settle(patience)
        mark = meter.mark()
        began = time.monotonic()
        while times < REPETITIONS and time.monotonic() < began + ROW_SECONDS:
            buckets.fill()
            answer = _answer(client, ready.signed())
            said = _told_by(answer)
            job = _job_of(answer)
            ended = job is None or _wait_ended(person.product, job, patience)
            times += 1
            points += buckets.taken()
            if not ended or asked.background or meter.since(mark) > ENOUGH_MS:
                break
        settled = meter.settle(patience) and ended
        milliseconds = max(0.0, meter.since(mark)) / times
        if job is not None and not ended:
            # What was not done in time is not measured with the next.
            person.send("DELETE", f"/v1/jobs/{job}")
            meter.settle(patience)
    refused = said.endswith(PRICE_CODES)
    expected = said.startswith(asked.status)
    return Row(
        ready.source, asked.name, said, milliseconds, points / times, times, expected, refused, settled
    )


@contextmanager
def _buckets(person: Person) -> Iterator[Buckets]:
    owners = [person.id]
    if person.key is None:
        address = person.address["x-forwarded-for"]
        groups = address.partition("::")[0].split(":")
        owners = [address, f"{':'.join((groups + ['0'] * 4)[:4])}::/64"]
    with closing(Buckets(person.product.environment["REDIS_URL"], *owners)) as buckets:
        buckets.fill()
        yield buckets


def _job_of(answer: httpx.Response | str) -> str | None:
    """Returns the job that goes on after an answer, if one does."""
    if isinstance(answer, str) or answer.status_code != 202:
        return None
    return str(answer.json()["id"])


def _wait_ended(product: AnyHouse, job: str, seconds: float) -> bool:
    """Waits for a job; looks into its table, since a question of the product would be measured as well."""
    end = time.monotonic() + seconds
    path = make_url(product.environment["DATABASE_URL_MAP"]).database
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as table:
        while time.monotonic() < end:
            found = table.execute("SELECT state FROM job WHERE id = ?", (job,)).fetchone()
            if found is not None and JobState(found[0]).ended:
                return True
            time.sleep(BETWEEN_LOOKS)
    return False


def _answer(client: httpx.Client, request: dict[str, Any]) -> httpx.Response | str:
    try:
        return client.request(**request)
    except httpx.HTTPError as failure:
        return type(failure).__name__


def _told_by(answer: httpx.Response | str) -> str:
    if isinstance(answer, str):
        return answer
    code = None
    media = answer.headers.get("content-type", "").partition(";")[0]
    if media.endswith(("/json", "+json")) and len(answer.content) < MOST_READ:
        code = _code(json.loads(answer.content))
    return f"{answer.status_code} {code}" if code else str(answer.status_code)


def _code(found: Any) -> str | None:
    """Returns the code of the first error or problem of an answer."""
    match found:
        case {"errors": [{"extensions": {"code": str(code)}}, *_]}:
            return code
        case {"code": str(code), "status": int()}:
            return code
        case {"data": dict(fields)}:
            problems = (one.get("code") for one in fields.values() if isinstance(one, dict))
            return next((code for code in problems if isinstance(code, str)), None)
        case _:
            return None


def _told(row: Row) -> str:
    return f"{row.source}: {row.name}: {row.milliseconds:.1f} ms for {row.points:.1f} points [{row.said}]"
