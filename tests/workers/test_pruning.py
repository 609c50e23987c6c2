"""What the sweeper removes: rows of every service, and stored files, a step at a time, on both databases."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import insert, select

from services.map.leftovers import DRAWN, Leftovers
from services.map.models import BatchPart, MapFile, MapRow
from services.shared import stored_files
from services.shared.consumer import READERS
from services.shared.database import Database
from services.shared.metrics import WORKER_REGISTRY
from services.shared.outages import DatabaseUnavailable
from services.shared.settings import SERVICES, ServiceName
from services.shared.storage import HALF_WRITTEN, FolderStorage
from services.shared.stored_files import UNNAMED
from services.shared.tables import metadata
from tests.databases import ON_BOTH, Databases
from tests.house import installation
from workers.pruning import RowPruner
from workers.sweeper import PRUNE_EVERY, Sweeper

pytestmark = ON_BOTH

NOW = datetime(2026, 5, 1, 20, 0, tzinfo=UTC)
MINUTE, HOUR, WEEK = timedelta(minutes=1), timedelta(hours=1), timedelta(days=7)


@pytest.fixture
def addresses(databases: Databases) -> Iterator[dict[ServiceName, str]]:
    """Give an empty database of each service that reads or writes events of maps and campaigns."""
    services: tuple[ServiceName, ...] = ("campaign", *READERS["campaign"])
    found = {service: databases.take(service) for service in services}
    yield found
    for service, url in found.items():
        databases.give_back(service, url)


@pytest.fixture
async def opened(addresses: dict[ServiceName, str]) -> AsyncIterator[dict[ServiceName, Database]]:
    found = {service: Database(url) for service, url in addresses.items()}
    yield found
    for database in found.values():
        await database.close()


async def add_events(database: Database, count: int, published: timedelta) -> None:
    outbox = metadata("campaign").tables["outbox"]
    moment = NOW - published
    rows = [
        {
            "position": position,
            "kind": "scene.changed",
            "topic": "scene:scn_a",
            "payload": "{}",
            "created_at": moment,
            "published_at": moment,
        }
        for position in range(1, count + 1)
    ]
    async with database.write() as session:
        await session.execute(insert(outbox), rows)


async def note_read(database: Database, producer: ServiceName, position: int) -> None:
    cursors = metadata("map").tables["consumer_cursor"]
    async with database.write() as session:
        await session.execute(cursors.delete().where(cursors.c.producer == producer))
        await session.execute(insert(cursors), [{"producer": producer, "position": position}])


async def positions(database: Database) -> list[int]:
    outbox = metadata("campaign").tables["outbox"]
    async with database.read() as session:
        found = await session.execute(select(outbox.c.position).order_by(outbox.c.position))
    return [*found.scalars()]


def pruned(service: str, what: str) -> float:
    labels = {"service": service, "what": what}
    return WORKER_REGISTRY.get_sample_value("hearthforge_pruned_total", labels) or 0.0


# Rows


async def test_events_wait_for_the_slowest_reader(opened: dict[ServiceName, Database]) -> None:
    pruner = RowPruner("campaign", opened, lambda: NOW)
    await add_events(opened["campaign"], 5, WEEK + HOUR)
    for reader in ("dice", "map"):
        await note_read(opened[reader], "campaign", 5)
    await pruner.prune()
    assert await positions(opened["campaign"]) == [1, 2, 3, 4, 5]  # one reader has never noted anything
    await note_read(opened["character"], "campaign", 3)
    before = pruned("campaign", "outbox")
    assert await pruner.prune() is False
    assert await positions(opened["campaign"]) == [4, 5]
    assert pruned("campaign", "outbox") == before + 3


async def test_a_reader_that_cannot_be_asked_keeps_all_events(
    addresses: dict[ServiceName, str], opened: dict[ServiceName, Database]
) -> None:
    away = Database("sqlite:////nowhere/none.db")
    pruner = RowPruner("campaign", {**opened, "map": away}, lambda: NOW)
    await add_events(opened["campaign"], 2, WEEK + HOUR)
    for reader in ("character", "dice"):
        await note_read(opened[reader], "campaign", 2)
    with pytest.raises(DatabaseUnavailable):
        await pruner.prune()
    assert await positions(opened["campaign"]) == [1, 2]
    await away.close()


async def test_the_sweeper_prunes_at_its_start_and_then_now_and_again(
    addresses: dict[ServiceName, str], opened: dict[ServiceName, Database], own_valkey: str, tmp_path: Path
) -> None:
    now = [NOW]
    elsewhere = dict.fromkeys(SERVICES, "sqlite:////nowhere/none.db")
    settings = installation(tmp_path, own_valkey, {**elsewhere, **addresses}, {})
    sweeper = Sweeper(settings, lambda job: None, lambda: now[0])
    for reader in READERS["campaign"]:
        await note_read(opened[reader], "campaign", 100)
    await add_events(opened["campaign"], 3, WEEK - HOUR)
    kept = []
    for moment in (NOW, NOW + PRUNE_EVERY / 2, NOW + 2 * HOUR):
        now[0] = moment
        await sweeper.sweep()
        kept.append(len(await positions(opened["campaign"])))
    assert kept == [3, 3, 0]
    over = asyncio.Event()
    over.set()
    await sweeper.run(over)


# Files


@pytest.fixture
async def map_rows(opened: dict[ServiceName, Database]) -> Database:
    return opened["map"]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    return tmp_path / "files"


def store(files: Path, key: str, age: timedelta) -> None:
    file = files / key
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"x")
    moment = (NOW - age).timestamp()
    os.utime(file, (moment, moment))


def stored(files: Path) -> set[str]:
    return {str(file.relative_to(files)) for file in files.rglob("*") if file.is_file()}


async def add_map(database: Database, map_id: str, *keys: str, image: str | None = None) -> None:
    known: dict[str, Any] = {"kind": "dungeon", "name": "Cave", "seed": "7", "params": "{}", "model": "{}"}
    known |= {"gates": "[]", "owner": "acc_a", "generator_version": 1, "attempts": 1, "created_at": NOW}
    async with database.write() as session:
        session.add(MapRow(id=map_id, image=image, **known))
        await session.flush()
        for number, key in enumerate(keys):
            about = {"content_type": "image/svg+xml", "bytes": 1, "sha256": ""}
            session.add(MapFile(map=map_id, name=f"file-{number}", key=key, **about))


async def add_part(database: Database, batch: str, job: str, key: str) -> None:
    async with database.write() as session:
        made = {"first": 0, "count": 1, "bytes": 1, "sha256": "", "summary": "[]"}
        session.add(BatchPart(job=job, batch=batch, key=key, **made))


async def walk(found: Leftovers) -> int:
    steps = 0
    while await found.prune():
        steps += 1
    return steps


async def test_what_a_deleted_map_leaves_is_gone_within_a_day(map_rows: Database, files: Path) -> None:
    now = [NOW]
    found = Leftovers(map_rows, FolderStorage(files), lambda: now[0])
    await walk(found)
    left = {"maps/map_a/1/map.svg", "outputs/map_a/drawn.png"}
    await add_map(map_rows, "map_a", "maps/map_a/1/map.svg")
    for key in left:
        store(files, key, timedelta(0))
    assert stored(files) == left
    async with map_rows.write() as session:
        for table in ("map_file", "map"):
            await session.execute(metadata("map").tables[table].delete())
    while now[0] < NOW + timedelta(days=1):
        now[0] += PRUNE_EVERY
        await walk(found)
    assert stored(files) == set()


async def test_files_that_no_row_names_are_removed_a_while_after(map_rows: Database, files: Path) -> None:
    named = {"maps/map_a/2/map.svg", "maps/map_b/picture.png", "batches/job_w/job_p/1.zip"}
    await add_map(map_rows, "map_a", "maps/map_a/2/map.svg")
    await add_map(map_rows, "map_b", image="maps/map_b/picture.png")
    await add_part(map_rows, "job_w", "job_p", "batches/job_w/job_p/1.zip")
    old, young = UNNAMED + HOUR, UNNAMED - MINUTE
    left = {"maps/map_a/1/map.svg", "maps/map_gone/1/map.svg", "batches/job_w/job_q/1.zip"}
    waiting = {"maps/map_a/3/map.svg", "batches/job_w/job_p/2.zip"}
    for key in named | left:
        store(files, key, 400 * old)
    for key in waiting:
        store(files, key, young)
    before = pruned("map", "unnamed file")
    await walk(Leftovers(map_rows, FolderStorage(files), lambda: NOW))
    assert stored(files) == named | waiting
    assert pruned("map", "unnamed file") == before + 3
    assert not (files / "maps/map_gone").exists()


async def test_drawn_pictures_are_removed_after_a_week_or_with_their_map(
    map_rows: Database, files: Path
) -> None:
    await add_map(map_rows, "map_a")
    store(files, "outputs/map_a/old.png", DRAWN + HOUR)
    store(files, "outputs/map_a/young.png", DRAWN - HOUR)
    store(files, "outputs/map_gone/old.svg", DRAWN + HOUR)
    store(files, "outputs/map_gone/young.svg", MINUTE)
    await walk(Leftovers(map_rows, FolderStorage(files), lambda: NOW))
    assert stored(files) == {"outputs/map_a/young.png"}


async def test_what_a_dead_process_left_half_written_is_removed(map_rows: Database, files: Path) -> None:
    store(files, "maps/map_a/1/.part-old", HALF_WRITTEN + HOUR)
    store(files, "maps/map_a/1/.part-new", HALF_WRITTEN - HOUR)
    await walk(Leftovers(map_rows, FolderStorage(files), lambda: NOW))
    assert stored(files) == {"maps/map_a/1/.part-new"}


async def test_all_files_are_looked_at_now_and_again_in_small_steps(
    map_rows: Database, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_files, "LOOK", 2)
    now = [NOW]
    found = Leftovers(map_rows, FolderStorage(files), lambda: now[0])
    await add_map(map_rows, "map_a")
    for number in range(5):
        store(files, f"outputs/map_a/{number}.png", HOUR)
    assert await walk(found) == 3
    assert await walk(found) == 0
    now[0] += stored_files.EVERY
    assert await walk(found) == 3


async def test_files_of_others_are_left_alone(map_rows: Database, files: Path) -> None:
    others = {"readme.txt", "elsewhere/a/b.txt"}
    for key in others:
        store(files, key, timedelta(days=400))
    await walk(Leftovers(map_rows, FolderStorage(files), lambda: NOW))
    assert stored(files) == others


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(
        st.tuples(st.integers(0, 4), st.integers(1, 3), st.sampled_from(["map.json", "map.svg"])),
        st.tuples(st.booleans(), st.integers(0, 4)),
        max_size=12,
    )
)
async def test_a_file_that_a_row_names_is_never_removed(
    map_rows: Database, files: Path, drawn: dict[tuple[int, int, str], tuple[bool, int]]
) -> None:
    async with map_rows.write() as session:
        for table in ("map_file", "map"):
            await session.execute(metadata("map").tables[table].delete())
    for key in stored(files):
        (files / key).unlink()
    keys = {f"maps/map_{one}/{attempt}/{name}": about for (one, attempt, name), about in drawn.items()}
    for number in range(5):
        of_map = [key for key, (named, _) in keys.items() if named and key.startswith(f"maps/map_{number}/")]
        await add_map(map_rows, f"map_{number}", *of_map)
    for key, (_, hours) in keys.items():
        store(files, key, hours * HOUR)
    await walk(Leftovers(map_rows, FolderStorage(files), lambda: NOW))
    assert stored(files) == {key for key, (named, hours) in keys.items() if named or hours * HOUR <= UNNAMED}
