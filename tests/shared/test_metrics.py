"""What Prometheus is told at a scrape: what waits in a database or for a place, what workers counted."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from datetime import UTC, datetime, timedelta

import httpx
import pytest
import redis.asyncio
from prometheus_client import CollectorRegistry, Counter
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import update
from starlette.applications import Starlette
from starlette.routing import Route

from services.map.models import JOBS, OUTBOX, SHARES
from services.shared import backlog, exposition, worker_counts
from services.shared.auth import Viewer
from services.shared.backlog import Backlog
from services.shared.database import Database
from services.shared.exposition import metrics_page
from services.shared.jobs import LEASE, JobBook, Line
from services.shared.limits.bucket import Bucket
from services.shared.limits.meter import Meter, RateLimited, TooExpensive
from services.shared.limits.purses import CAPACITY
from services.shared.limits.turns import Crowded, Turns
from services.shared.metrics import BUDGETS_REFUSED
from services.shared.outbox import Event, publish
from services.shared.pool_figures import pool_figures
from tests.databases import ON_BOTH, Databases

NOW = datetime(2026, 5, 1, 20, 0, tzinfo=UTC)
BOOK = JobBook(JOBS)


@pytest.fixture
def address(databases: Databases) -> Iterator[str]:
    """Yield an empty database of the map service."""
    url = databases.take("map")
    yield url
    databases.give_back("map", url)


@pytest.fixture
async def database(address: str) -> AsyncIterator[Database]:
    opened = Database(address)
    yield opened
    await opened.close()


def told(metrics: Iterable[Metric]) -> dict[str, float]:
    """Return each sample's value by its name and the values of its labels."""
    return {
        " ".join([sample.name.removeprefix("hearthforge_"), *sample.labels.values()]): sample.value
        for metric in metrics
        for sample in metric.samples
    }


async def queue(database: Database, name: str, asked: datetime, kind: str = "maps.generate") -> None:
    async with database.write() as session:
        await BOOK.add(session, name, kind, {}, owner="acc_1", campaign=None, moment=asked)


def watch(database: Database, now: datetime) -> Backlog:
    return Backlog("map", database, OUTBOX, JOBS, lambda: now)


# Databases


@ON_BOTH
async def test_jobs_are_counted_by_where_they_stand_and_the_oldest_due_one_has_its_age(
    database: Database,
) -> None:
    for name, seconds in (("job_a", 100), ("job_b", 60), ("job_c", 60), ("job_d", 50), ("job_e", -5)):
        await queue(database, name, NOW - timedelta(seconds=seconds))
    async with database.write() as session:
        abandoned = await BOOK.claim(session, "job_b", NOW - LEASE - timedelta(seconds=1))
        running = await BOOK.claim(session, "job_c", NOW)
        cancelled = await BOOK.cancel(session, "job_d", NOW)
    assert abandoned and running and cancelled
    found = told(await watch(database, NOW).figures())
    assert found == {
        "outbox_unsent map": 0,
        "outbox_oldest_unsent_seconds map": 0,
        "jobs map maps.generate due": 1,
        "jobs map maps.generate abandoned": 1,
        "jobs map maps.generate running": 1,
        "jobs map maps.generate delayed": 1,
        "job_oldest_due_seconds map maps.generate": 100,
    }


@ON_BOTH
async def test_parts_of_a_batch_are_counted_beside_the_single_jobs_of_others(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backlog, "MOST_COUNTED", 2)
    for number in range(4):
        await queue(database, f"job_{number}", NOW, "maps.part")
    async with database.write() as session:
        await session.execute(update(JOBS).values(line=Line.PART))
    await queue(database, "job_single", NOW - timedelta(seconds=7))
    found = told(await watch(database, NOW).figures())
    assert found["jobs map maps.part due"] == 2  # no more than two are looked at
    assert found["jobs map maps.generate due"] == 1
    assert found["job_oldest_due_seconds map maps.generate"] == 7


@ON_BOTH
async def test_events_that_are_not_on_the_stream_are_counted_until_they_are(database: Database) -> None:
    for seconds in (30, 20):
        async with database.write() as session:
            moment = NOW - timedelta(seconds=seconds)
            await publish(session, OUTBOX, Event("map.made", "map:map_1", {}), moment)
    found = told(await watch(database, NOW).figures())
    assert (found["outbox_unsent map"], found["outbox_oldest_unsent_seconds map"]) == (2, 30)
    async with database.write() as session:
        await session.execute(update(OUTBOX).values(published_at=NOW))
    found = told(await watch(database, NOW).figures())
    assert (found["outbox_unsent map"], found["outbox_oldest_unsent_seconds map"]) == (0, 0)


def test_a_service_without_jobs_has_no_figures_of_them() -> None:
    assert SHARES.metadata.tables.get("job") is JOBS  # as a service's parts find it


# The page


async def scrape(page: object) -> dict[str, float]:
    app = Starlette(routes=[Route("/metrics", page)])  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://toy") as client:
        answer = await client.get("/metrics")
    assert answer.status_code == 200
    return told(text_string_to_metric_families(answer.text))


async def test_a_source_that_fails_or_hangs_is_left_out_and_counted_and_the_rest_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(exposition, "ASK_SECONDS", 0.01)

    async def well() -> list[Metric]:
        return [GaugeMetricFamily("hearthforge_toy", "A toy", value=3)]

    async def hangs() -> list[Metric]:
        await asyncio.Event().wait()
        raise AssertionError("it hangs")

    async def fails() -> list[Metric]:
        raise ConnectionError("away")

    page = metrics_page("toy", {"well": well, "hangs": hangs, "fails": fails})
    before, after = await scrape(page), await scrape(page)
    assert before["toy"] == after["toy"] == 3
    counts = [f"scrape_incomplete_total toy {name}" for name in ("well", "hangs", "fails")]
    assert [after[name] - before[name] for name in counts] == [0, 1, 1]


# Places

POOL = ("busy", "waiting", "refused_total")


async def test_places_are_told_by_the_name_of_what_has_them() -> None:
    turns = Turns(1, waiting=1, waiting_each=1, name="toy places")
    unnamed = Turns(1, waiting=1, waiting_each=1)
    async with turns.place("acc_1"), unnamed.place("acc_1"):
        second = asyncio.create_task(turns.place("acc_2").__aenter__())
        await asyncio.sleep(0)
        with pytest.raises(Crowded):
            await turns.place("acc_3").__aenter__()
        found = told(await pool_figures())
        assert [found[f"pool_{what} toy places"] for what in ("busy", "waiting", "refused_total")] == [
            1,
            1,
            1,
        ]
        assert not any(name.endswith(" ") for name in found)
        second.cancel()
        await asyncio.gather(second, return_exceptions=True)
    found = told(await pool_figures())
    assert [found[f"pool_{what} toy places"] for what in POOL] == [0, 0, 1]


# Budgets


def refused(limit: str) -> float:
    return BUDGETS_REFUSED.labels(limit)._value.get()


async def test_a_refused_charge_is_counted_by_its_limit(valkey_url: str) -> None:
    client = redis.asyncio.Redis.from_url(valkey_url)
    meter, viewer = Meter(Bucket(client)), Viewer("acc_counted_refusals")
    before = refused("account"), refused("operation")
    await meter.charge(viewer, CAPACITY // 2)
    assert (refused("account"), refused("operation")) == before
    with pytest.raises(RateLimited):
        for _ in range(3):
            await meter.charge(viewer, CAPACITY // 2)
    assert (refused("account"), refused("operation")) == (before[0] + 1, before[1])
    with pytest.raises(TooExpensive):
        await meter.charge(viewer, CAPACITY * 100)
    assert (refused("account"), refused("operation")) == (before[0] + 1, before[1] + 1)
    await client.aclose()


# Workers


async def test_what_several_processes_have_counted_is_added_up_and_nothing_twice(
    valkey_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = redis.asyncio.Redis.from_url(valkey_url)
    await client.delete(worker_counts.KEY)

    def process() -> Counter:
        """Begin as another process does, that has counted and handed over nothing."""
        registry = CollectorRegistry()
        monkeypatch.setattr(worker_counts, "WORKER_REGISTRY", registry)
        monkeypatch.setattr(worker_counts, "_handed", {})
        return Counter("hearthforge_toys_made_total", "Toys", ["kind"], registry=registry)

    made = process()
    made.labels("ball").inc(2)
    await worker_counts.hand_over(client)
    await worker_counts.hand_over(client)
    made.labels("ball").inc()
    await worker_counts.hand_over(client)
    assert told(await worker_counts.handed_over(client)) == {"toys_made_total ball": 3}
    other = process()
    other.labels("ball").inc(4)
    other.labels("kite").inc()
    away = redis.asyncio.Redis.from_url("redis://127.0.0.1:1/0")
    await worker_counts.hand_over(away)  # kept for the next time
    await worker_counts.hand_over(client)
    assert told(await worker_counts.handed_over(client)) == {
        "toys_made_total ball": 7,
        "toys_made_total kite": 1,
    }
    await client.delete(worker_counts.KEY)
    await away.aclose()
    await client.aclose()
