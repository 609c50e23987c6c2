"""How long rows live: stated for every table, kept by small steps that remove nothing else."""

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import MetaData, Table, insert, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.shared import pruning
from services.shared.consumer import READERS, Consumer, cursor_table
from services.shared.database import Database, Utc
from services.shared.outbox import Event
from services.shared.parts import assemble
from services.shared.pruning import STEP, prune_expired, prune_read
from services.shared.retention import After, OnceRead, WithOwner, lives, state_lives
from services.shared.settings import SERVICES, ServiceName
from services.shared.tables import metadata
from tests.databases import ON_BOTH, Databases
from tests.house import installation

pytestmark = ON_BOTH

NOW = datetime(2026, 5, 1, 20, 0, tzinfo=UTC)
DAY = timedelta(days=1)
EXPIRING = [
    (service, table.name)
    for service in SERVICES
    for table in metadata(service).sorted_tables
    if isinstance(table.info.get("life"), After)
]


@pytest.fixture
def address(databases: Databases, request: pytest.FixtureRequest) -> Iterator[str]:
    """Give the address of an empty database of the service that the test names."""
    service: ServiceName = request.param
    url = databases.take(service)
    yield url
    databases.give_back(service, url)


@pytest.fixture
async def database(address: str) -> AsyncIterator[Database]:
    made = Database(address)
    yield made
    await made.close()


MAP = pytest.mark.parametrize("address", ["map"], indirect=True)


# What is stated


@pytest.mark.parametrize("service", SERVICES)
def test_every_table_states_how_long_its_rows_live(service: ServiceName) -> None:
    stated = lives(metadata(service))
    assert [name for name, life in stated.items() if life is None] == []
    for life in stated.values():
        assert (life.owner if isinstance(life, WithOwner) else life.why).strip()  # type: ignore[union-attr]


def test_what_is_stated_of_no_table_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        state_lives(MetaData(), rolls=WithOwner("the campaign"))


@pytest.mark.parametrize(("service", "name"), EXPIRING)
def test_rows_whose_time_is_over_are_found_by_an_index(service: ServiceName, name: str) -> None:
    table = metadata(service).tables[name]
    life = table.info["life"]
    assert isinstance(life, After)
    first = {next(iter(index.columns)).name for index in table.indexes}
    assert set(life.since) <= first


@pytest.mark.parametrize("service", SERVICES)
def test_nothing_refers_to_a_row_that_is_removed_but_what_goes_with_it(service: ServiceName) -> None:
    tables = metadata(service)
    removed = {name for name, life in lives(tables).items() if isinstance(life, After | OnceRead)}
    for table in tables.sorted_tables:
        for key in table.foreign_keys:
            assert key.column.table.name not in removed, f"{table.name} refers to {key.column.table.name}"


@pytest.mark.parametrize("service", SERVICES)
def test_readers_of_events_have_their_positions_in_a_table(service: ServiceName) -> None:
    for reader in READERS[service]:
        assert "consumer_cursor" in metadata(reader).tables


def test_a_reader_that_is_not_known_is_refused(tmp_path: Path) -> None:
    async def handle(_session: AsyncSession, _event: Event) -> None:
        raise AssertionError("nothing is read")

    installed = installation(tmp_path, "unix:///nowhere/valkey.sock", {}, {})
    parts = assemble("dice", installed, metadata("dice").tables["outbox"])
    cursors = cursor_table(MetaData())
    consumer = Consumer(parts.database, cursors, parts.redis, parts.peer("map"), {"map.made": handle})
    with pytest.raises(ValueError, match="READERS does not name dice as a reader of map"):
        parts.app([], consumers=[consumer])


# One rule after the other, with a clock that is set


def plain(table: Table, number: int, **known: Any) -> dict[str, Any]:
    """Make a row: what is not told is something of its column's type."""
    made: dict[str, Any] = {}
    for column in table.columns:
        if column.nullable:
            continue
        if isinstance(column.type, Utc):
            made[column.name] = NOW
        else:
            made[column.name] = (
                number if column.type.python_type in (int, float) else f"{column.name}-{number}"
            )
    return {**made, **known}


async def keys(session: AsyncSession, table: Table) -> set[Any]:
    found = await session.execute(select(*table.primary_key.columns))
    return {tuple(row) for row in found}


@pytest.mark.parametrize(
    ("address", "table"),
    [(service, metadata(service).tables[name]) for service, name in EXPIRING],
    indirect=["address"],
    ids=[f"{service}-{name}" for service, name in EXPIRING],
)
async def test_rows_are_removed_when_their_time_is_over_and_not_before(
    database: Database, table: Table
) -> None:
    life = table.info["life"]
    unset = {since: None for since in life.since if table.c[since].nullable}
    second = timedelta(seconds=1)
    rows = [
        plain(table, 2 * at + older, **{**unset, since: NOW - life.kept + (-second if older else second)})
        for at, since in enumerate(life.since)
        for older in (0, 1)
    ]
    async with database.write() as session:
        for key in table.foreign_keys:
            owners = [
                plain(key.column.table, number, **{key.column.name: row[key.parent.name]})
                for number, row in enumerate(rows)
            ]
            await session.execute(insert(key.column.table), owners)
        await session.execute(insert(table), rows)
        assert await prune_expired(session, table, NOW) == len(life.since)
        assert await prune_expired(session, table, NOW) == 0
        columns = [column.name for column in table.primary_key.columns]
        assert await keys(session, table) == {tuple(row[one] for one in columns) for row in rows[::2]}


@MAP
async def test_steps_are_small_and_the_oldest_go_first(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pruning, "STEP", 3)
    table = metadata("map").tables["idempotency"]
    async with database.write() as session:
        rows = [plain(table, age, created_at=NOW - age * DAY) for age in range(2, 9)]
        await session.execute(insert(table), rows)
    steps = []
    while not steps or steps[-1] == 3:
        async with database.write() as session:
            steps.append(await prune_expired(session, table, NOW))
        async with database.read() as session:
            oldest = (await session.execute(select(table.c.created_at))).scalars().all()
            assert sorted(oldest) == sorted(NOW - age * DAY for age in range(2, 9 - sum(steps)))
    assert steps == [3, 3, 1]
    assert STEP == 500


JOB: dict[str, Any] = {"kind": "maps.generate", "state": "succeeded", "line": None, "params": "{}"}


def job(number: str, ended: timedelta | None, whole: str | None = None) -> dict[str, Any]:
    table = metadata("map").tables["job"]
    moment = None if ended is None else NOW - ended
    return plain(table, 1, **{**JOB, "id": number, "whole": whole, "ended_at": moment})


@MAP
async def test_a_job_goes_with_its_history_when_nothing_needs_it(database: Database) -> None:
    tables = metadata("map").tables
    month, hour = timedelta(days=30), timedelta(hours=1)
    jobs = [
        job("job_old", month + hour),
        job("job_young", month - hour),
        job("job_running", None),
        job("batch_good", month + hour),
        job("part_good", month + hour, "batch_good"),
        job("batch_empty", month + hour),
        job("part_failed", month + hour, "batch_empty"),
        job("batch_running", None),
        job("part_done", month + hour, "batch_running"),
    ]
    async with database.write() as session:
        await session.execute(insert(tables["job"]), jobs)
        await session.execute(
            insert(tables["job_change"]),
            [
                {"job": each["id"], "version": version, "snapshot": "{}"}
                for each in jobs
                for version in (1, 2)
            ],
        )
        made = plain(tables["batch_part"], 1, job="part_good", batch="batch_good")
        await session.execute(insert(tables["batch_part"]), [made])
        assert await prune_expired(session, tables["job"], NOW) == 4
        left = {key for (key,) in await keys(session, tables["job"])}
        assert left == {"job_young", "job_running", "batch_good", "batch_running", "part_done"}
        assert {key for key, _ in await keys(session, tables["job_change"])} == left
        assert len(await keys(session, tables["batch_part"])) == 1


# Events


def event(position: int | None, published: timedelta | None) -> dict[str, Any]:
    return {
        "position": position,
        "kind": "map.edited",
        "topic": "map:map_a",
        "payload": "{}",
        "created_at": NOW - timedelta(days=30),
        "published_at": None if published is None else NOW - published,
    }


WEEK, HOUR = timedelta(days=7), timedelta(hours=1)


@MAP
@pytest.mark.parametrize(
    ("read", "left"),
    [(None, {4, 5, None}), (3, {4, 5, None}), (2, {3, 4, 5, None}), (0, {1, 2, 3, 4, 5, None})],
)
async def test_events_stay_until_all_have_read_them_and_a_week_is_over(
    database: Database, read: int | None, left: set[int | None]
) -> None:
    outbox = metadata("map").tables["outbox"]
    async with database.write() as session:
        rows = [event(position, WEEK + HOUR) for position in (1, 2, 3)]
        await session.execute(
            insert(outbox), [*rows, event(4, WEEK - HOUR), event(5, None), event(None, None)]
        )
        assert await prune_read(session, outbox, NOW, read) == 6 - len(left)
        assert set((await session.execute(select(outbox.c.position))).scalars()) == left


@MAP
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
async def test_an_event_that_a_reader_lacks_is_never_removed(database: Database, data: st.DataObject) -> None:
    outbox = metadata("map").tables["outbox"]
    ages = data.draw(st.lists(st.integers(0, 14), max_size=20).map(lambda days: sorted(days, reverse=True)))
    read = data.draw(st.integers(0, 25))
    async with database.write() as session:
        await session.execute(outbox.delete())
        for position, age in enumerate(ages, 1):
            await session.execute(insert(outbox), [event(position, age * DAY)])
        await prune_read(session, outbox, NOW, read)
        left = set((await session.execute(select(outbox.c.position))).scalars())
    assert left == {place for place, age in enumerate(ages, 1) if place > read or age * DAY <= WEEK}
