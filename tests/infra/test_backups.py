"""Backups without a product: what a manifest tells, what is refused, one moment for all databases."""

import asyncio
import json
import os
import shutil
import sqlite3
import tarfile
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
import redis

from infra.backups import snapshots
from infra.backups.command import backup, restore
from infra.backups.failure import BackupFailure, Damaged, NewerBackup, NotABackup, TargetInUse, TooBusy
from infra.backups.manifest import MANIFEST, Manifest, SavedDatabase, SavedFile, read_manifest
from infra.backups.packing import packed, unpack
from infra.backups.restoring import put_postgres
from infra.backups.snapshots import at_one_moment
from infra.backups.taking import Installation, take
from infra.launch.data_folder import held, keep_secrets, open_folder
from infra.launch.servers import Postgres
from services.map.models import MapFile, MapRow
from services.shared.database import Database
from services.shared.migrate import upgrade
from services.shared.object_storage import ObjectStorage
from services.shared.outages import StorageUnavailable
from services.shared.sequence import next_value
from services.shared.settings import SERVICES, ServiceName
from services.shared.storage import FolderStorage
from services.shared.storage_address import storage_address
from tests.databases import ON_BOTH, Databases, PostgresDatabases
from tests.object_store import CREDENTIALS, ObjectStore

NOW = datetime(2026, 5, 1, 20, 0, tzinfo=UTC)
KEY = "maps/map_a/1/map.svg"
PICTURE = b"<svg/>"


@pytest.fixture(autouse=True)
def no_databases_of_others(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in [*os.environ]:
        if name.startswith(("HEARTHFORGE_", "DATABASE_URL_", "REDIS_URL")) and name != "HEARTHFORGE_VENV":
            monkeypatch.delenv(name)
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a data folder as a product leaves it that was stopped, with a map and its picture."""
    folder = open_folder(tmp_path_factory.mktemp("data"))

    async def fill() -> None:
        for service in SERVICES:
            await upgrade(service, f"sqlite:///{folder.database(service)}")
        await add_map(f"sqlite:///{folder.database('map')}")

    with held(folder):
        keep_secrets(folder)
    asyncio.run(fill())
    for key in (KEY, "maps/map_b/1/left.svg", "outputs/map_a/drawn.png"):
        file = folder.path / "files" / key
        file.parent.mkdir(parents=True)
        file.write_bytes(PICTURE)
    return folder.path


async def add_map(url: str) -> None:
    database = Database(url, pooled=False)
    async with database.write() as session:
        known = {"kind": "dungeon", "name": "Under the hill", "seed": "7", "params": "{}", "model": "{}"}
        known |= {"gates": "[]", "owner": "acc_a"}
        session.add(MapRow(id="map_a", generator_version=1, attempts=1, created_at=NOW, **known))
        await session.flush()
        session.add(
            MapFile(map="map_a", name="map.svg", key=KEY, content_type="image/svg+xml", bytes=6, sha256="")
        )
    await database.close()


@pytest.fixture
def data(template: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(template, tmp_path / "data"))


def said(capture: pytest.CaptureFixture[str]) -> str:
    return capture.readouterr().err


# The manifest


def manifest(**changes: object) -> dict[str, object]:
    files = {f"databases/{name}.db": {"sha256": "0" * 64, "bytes": 1} for name in SERVICES}
    known = {
        "format": 1,
        "product": "0.1.0",
        "moment": NOW.isoformat(),
        "databases": {
            name: {"kind": "sqlite", "file": f"databases/{name}.db", "revision": f"{name}_0001"}
            for name in SERVICES
        },
        "files": {**files, "secrets.json": {"sha256": "1" * 64, "bytes": 2}},
        "missing": [],
    }
    return {**known, **changes}


def test_a_manifest_is_read_as_it_was_written() -> None:
    written = Manifest(
        "0.1.0",
        NOW,
        {name: SavedDatabase("sqlite", f"databases/{name}.db", f"{name}_0001") for name in SERVICES},
        {
            **{f"databases/{name}.db": SavedFile("0" * 64, 1) for name in SERVICES},
            "secrets.json": SavedFile("1" * 64, 2),
        },
        ("maps/lost.svg",),
    )
    assert read_manifest(written.to_bytes()) == written


@pytest.mark.parametrize(
    "changes",
    [
        {"databases": {}},
        {"files": {}},
        {"files": {"../outside": {"sha256": "0" * 64, "bytes": 1}}},
        {"files": {"/etc/passwd": {"sha256": "0" * 64, "bytes": 1}}},
        {"files": {"files/a/./b": {"sha256": "0" * 64, "bytes": 1}}},
        {"files": {"secrets.json": {"sha256": "short", "bytes": 1}}},
        {"moment": "yesterday"},
        {"format": None, "moment": None},
    ],
)
def test_what_is_no_manifest_is_told(changes: dict[str, object]) -> None:
    assert read_manifest(json.dumps(manifest()).encode()).product == "0.1.0"
    with pytest.raises(NotABackup):
        read_manifest(json.dumps(manifest(**changes)).encode())


def test_a_newer_form_is_refused_as_such() -> None:
    with pytest.raises(NewerBackup, match="form 2"):
        read_manifest(json.dumps({"format": 2}).encode())


# There and back


@pytest.mark.parametrize("name", ["backup", "backup.tar", "backup.tar.gz"])
def test_a_backup_restores_what_rows_name_and_nothing_else(
    data: Path, tmp_path: Path, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert backup([str(tmp_path / name), "--data", str(data)]) == 0
    assert restore([str(tmp_path / name), "--data", str(tmp_path / "new")]) == 0
    new = tmp_path / "new"
    assert json.loads((new / "secrets.json").read_text()) == json.loads((data / "secrets.json").read_text())
    kept = {str(file.relative_to(new)) for file in (new / "files").rglob("*") if file.is_file()}
    assert kept == {f"files/{KEY}"}
    with closing(sqlite3.connect(new / "map.db")) as found:
        assert found.execute("SELECT id FROM map").fetchall() == [("map_a",)]
    assert {entry.name for entry in new.iterdir()} >= {f"{service}.db" for service in SERVICES}
    assert not [entry for entry in new.iterdir() if entry.name.startswith(".")]


@pytest.fixture
def bucket(object_store: ObjectStore, monkeypatch: pytest.MonkeyPatch) -> ObjectStorage:
    """Name an empty place of a bucket in the environment, and open it."""
    url = object_store.url()
    for name, value in {"HEARTHFORGE_STORAGE_URL": url, **object_store.environment}.items():
        monkeypatch.setenv(name, value)
    return ObjectStorage(storage_address(url), CREDENTIALS)


def in_bucket(bucket: ObjectStorage) -> dict[str, bytes | None]:
    """Read all files of a bucket."""

    async def read() -> dict[str, bytes | None]:
        return {key: await bucket.get(key) async for key, _ in bucket.stored(NOW)}

    return asyncio.run(read())


def test_files_move_from_a_folder_to_a_bucket_and_back(
    taken: Path, tmp_path: Path, bucket: ObjectStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert restore([str(taken), "--data", str(tmp_path / "new")]) == 0
    assert in_bucket(bucket) == {KEY: PICTURE}
    assert not (tmp_path / "new" / "files").exists()
    asyncio.run(bucket.put("maps/map_b/1/left.svg", PICTURE))
    assert backup([str(tmp_path / "again.tar"), "--data", str(tmp_path / "new")]) == 0
    monkeypatch.delenv("HEARTHFORGE_STORAGE_URL")
    assert restore([str(tmp_path / "again.tar"), "--data", str(tmp_path / "back")]) == 0
    kept = [file for file in (tmp_path / "back" / "files").rglob("*") if file.is_file()]
    assert {str(file.relative_to(tmp_path / "back" / "files")): file.read_bytes() for file in kept} == {
        KEY: PICTURE
    }


def test_a_bucket_that_holds_files_is_no_target(
    taken: Path, tmp_path: Path, bucket: ObjectStorage, capfd: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(bucket.put("maps/map_c/1/map.svg", b"of others"))
    assert "holds maps/map_c/1/map.svg already" in refused(taken, tmp_path / "new", capfd)
    assert in_bucket(bucket) == {"maps/map_c/1/map.svg": b"of others"}


def test_a_bucket_that_does_not_answer_leaves_neither_backup_nor_installation(
    taken: Path,
    data: Path,
    tmp_path: Path,
    bucket: ObjectStorage,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("HEARTHFORGE_STORAGE_URL", "s3://files?endpoint=http://127.0.0.1:1")
    assert "cannot be read or written" in refused(taken, tmp_path / "new", capfd)
    assert backup([str(tmp_path / "other"), "--data", str(data)]) == 1
    assert "cannot be read or written" in said(capfd)
    assert not (tmp_path / "other").exists()


def test_files_that_cannot_all_be_put_into_a_bucket_are_taken_back(
    taken: Path,
    tmp_path: Path,
    bucket: ObjectStorage,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    put = ObjectStorage.put

    async def put_and_break(self: ObjectStorage, key: str, content: bytes) -> None:
        await put(self, key, content)
        raise StorageUnavailable("UNAVAILABLE", "The line is cut.")

    monkeypatch.setattr(ObjectStorage, "put", put_and_break)
    assert "The line is cut." in refused(taken, tmp_path / "new", capfd)
    assert in_bucket(bucket) == {}


def test_nobody_else_can_read_a_backup(data: Path, tmp_path: Path) -> None:
    assert backup([str(tmp_path / "backup"), "--data", str(data)]) == 0
    assert backup([str(tmp_path / "backup.tar.gz"), "--data", str(data)]) == 0
    assert (tmp_path / "backup").stat().st_mode & 0o777 == 0o700
    files = [tmp_path / "backup.tar.gz", *(f for f in (tmp_path / "backup").rglob("*") if f.is_file())]
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}


def test_a_file_that_was_lost_before_is_told_and_the_rest_is_kept(
    data: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (data / "files" / KEY).unlink()
    assert backup([str(tmp_path / "backup"), "--data", str(data)]) == 0
    assert f"1 stored files were lost before, such as {KEY}" in said(capfd)
    assert json.loads((tmp_path / "backup" / MANIFEST).read_text())["missing"] == [KEY]
    assert restore([str(tmp_path / "backup"), "--data", str(tmp_path / "new")]) == 0


def test_databases_of_an_older_version_are_migrated(data: Path, tmp_path: Path) -> None:
    (data / "map.db").unlink()
    asyncio.run(upgrade("map", f"sqlite:///{data}/map.db", "map_0003"))
    assert backup([str(tmp_path / "backup"), "--data", str(data)]) == 0
    with closing(sqlite3.connect(data / "map.db")) as left:
        assert left.execute("SELECT version_num FROM alembic_version").fetchone() == ("map_0003",)
    assert restore([str(tmp_path / "backup"), "--data", str(tmp_path / "new")]) == 0
    with closing(sqlite3.connect(tmp_path / "new" / "map.db")) as found:
        assert found.execute("SELECT count(*) FROM map_usage").fetchone() == (0,)


# Refusals


@pytest.fixture
def taken(data: Path, tmp_path: Path) -> Path:
    assert backup([str(tmp_path / "backup"), "--data", str(data)]) == 0
    return tmp_path / "backup"


def refused(taken: Path, new: Path, capture: pytest.CaptureFixture[str]) -> str:
    """Restores in vain; the data folder is as empty as it was."""
    assert restore([str(taken), "--data", str(new)]) == 1
    assert not new.exists() or not list(new.iterdir())
    return said(capture)


def rewritten(taken: Path, change: Callable[[dict[str, dict[str, dict[str, str]]]], None]) -> None:
    document = json.loads((taken / MANIFEST).read_text())
    change(document)
    (taken / MANIFEST).write_text(json.dumps(document))


@pytest.mark.parametrize("path", ["databases/dice.db", "secrets.json", f"files/{KEY}"])
def test_a_changed_file_is_found_before_anything_is_restored(
    taken: Path, tmp_path: Path, path: str, capfd: pytest.CaptureFixture[str]
) -> None:
    content = bytearray((taken / path).read_bytes())
    content[len(content) // 2] ^= 1
    (taken / path).write_bytes(content)
    assert f"{path} in {taken} is not what was backed up" in refused(taken, tmp_path / "new", capfd)


def test_a_missing_file_is_found(taken: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (taken / "databases" / "map.db").unlink()
    assert "databases/map.db is missing" in refused(taken, tmp_path / "new", capfd)


def test_a_newer_backup_is_refused(taken: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rewritten(taken, lambda document: document["databases"]["map"].update(revision="map_9999"))
    assert "the migration map_9999, which this version lacks" in refused(taken, tmp_path / "new", capfd)


def test_a_folder_that_is_not_empty_is_left_alone(
    taken: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    new = tmp_path / "new"
    new.mkdir()
    (new / "mine.txt").write_text("mine")
    assert restore([str(taken), "--data", str(new)]) == 1
    assert ([entry.name for entry in new.iterdir()], "not empty" in said(capfd)) == (["mine.txt"], True)


def test_other_secrets_in_the_environment_are_refused(
    taken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HEARTHFORGE_DICE_SECRET", "another" * 8)
    assert "HEARTHFORGE_DICE_SECRET is set and is another" in refused(taken, tmp_path / "new", capfd)


def test_sqlite_databases_do_not_go_to_a_server(
    taken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL_DICE", "postgresql://db/dice")
    assert "unset DATABASE_URL_ACCOUNT" in refused(taken, tmp_path / "new", capfd)


def test_the_streams_of_a_valkey_that_is_used_again_are_emptied(
    taken: Path, tmp_path: Path, valkey_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = valkey_url.replace("db=0", "db=11")
    monkeypatch.setenv("REDIS_URL", url)
    with redis.Redis.from_url(url) as client:
        client.flushdb()
        for service in SERVICES:
            client.xadd(f"hf:events:{service}", {"kind": "later"}, id="99-0")
        client.set("hf:bucket:acc_a", "7")
        assert restore([str(taken), "--data", str(tmp_path / "new")]) == 0
        assert client.keys() == [b"hf:bucket:acc_a"]


def test_databases_of_a_server_that_have_tables_are_left_alone(
    postgres_databases: PostgresDatabases, postgres: Postgres, taken: Path
) -> None:
    url = postgres_databases.take("dice")
    with pytest.raises(TargetInUse, match="the dice database has tables already"):
        asyncio.run(
            put_postgres(
                taken, read_manifest((taken / MANIFEST).read_bytes()), {"dice": url}, postgres.programs
            )
        )
    postgres_databases.give_back("dice", url)


def test_what_is_no_backup_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("no archive")
    with tarfile.open(tmp_path / "other.tar", "w") as tar:
        tar.add(tmp_path / "file", "file")
    for name in ("folder", "file", "other.tar", "nothing"):
        assert "no backup" in refused(tmp_path / name, tmp_path / "new", capfd)


def test_half_an_archive_is_told(data: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    archive = tmp_path / "backup.tar.gz"
    assert backup([str(archive), "--data", str(data)]) == 0
    content = archive.read_bytes()
    archive.write_bytes(content[: len(content) // 2])
    assert "cannot be read to its end" in refused(archive, tmp_path / "new", capfd)


def test_a_member_that_leads_outside_is_never_written(taken: Path, tmp_path: Path) -> None:
    archive = tmp_path / "evil.tar"
    with tarfile.open(archive, "w") as tar:
        tar.add(taken / MANIFEST, MANIFEST)
        tar.add(taken / "secrets.json", "../secrets.json")
        link = tarfile.TarInfo("secrets.json")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(link)
    (tmp_path / "into").mkdir()
    with pytest.raises(Damaged, match="missing"):
        unpack(archive, tmp_path / "into")
    assert (list((tmp_path / "into").iterdir()), (tmp_path / "secrets.json").exists()) == ([], False)


def test_a_backup_never_replaces_anything(taken: Path, data: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = (taken / MANIFEST).read_bytes()
    assert backup([str(taken), "--data", str(data)]) == 1
    assert ("is there already" in said(capfd), (taken / MANIFEST).read_bytes()) == (True, before)


def test_a_backup_that_fails_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(BackupFailure), packed(tmp_path / "backup") as whole:
        (whole / "half").write_text("half")
        raise BackupFailure("broken")
    assert list(tmp_path.iterdir()) == []


def test_without_a_data_folder_there_is_nothing_to_back_up(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert backup([str(tmp_path / "backup"), "--data", str(tmp_path / "none")]) == 1
    assert ("no data folder" in said(capfd), (tmp_path / "none").exists()) == (True, False)
    (tmp_path / "empty").mkdir()
    assert backup([str(tmp_path / "backup"), "--data", str(tmp_path / "empty")]) == 1
    assert ("there is no database" in said(capfd), (tmp_path / "backup").exists()) == (True, False)


# One moment


@pytest.fixture
def pair(databases: Databases) -> Iterator[dict[ServiceName, str]]:
    """Give two databases with a counter in each."""
    services: tuple[ServiceName, ...] = ("dice", "campaign")
    urls = {service: databases.take(service) for service in services}
    yield urls
    for service, url in urls.items():
        databases.give_back(service, url)


@pytest.fixture
def programs(request: pytest.FixtureRequest, backend: str) -> Path | None:
    if backend == "sqlite":
        return None
    server: Postgres = request.getfixturevalue("postgres")
    return server.programs


async def count(database: Database, value: int) -> None:
    async with database.write() as session:
        assert await next_value(session, "moves") == value


@ON_BOTH
async def test_databases_that_are_written_in_turn_show_one_moment(
    pair: dict[ServiceName, str], programs: Path | None
) -> None:
    """One counter is always raised before the other: at each moment it is the same, or ahead by one."""
    first, second = (Database(url) for url in pair.values())
    query = "SELECT cast(value AS text) FROM sequence WHERE scope = 'moves'"
    over, written = asyncio.Event(), asyncio.Event()

    async def write() -> int:
        value = 0
        while not over.is_set():
            value += 1
            await count(first, value)
            written.set()
            await count(second, value)
        return value

    writing = asyncio.create_task(write())
    seen = []
    for _ in range(12):
        written.clear()
        await written.wait()
        async with at_one_moment(pair, programs) as found:
            for _ in range(3):
                ahead, behind = [int((await found[name].column(query) or ["0"])[0]) for name in pair]
                seen.append((ahead, behind))
                written.clear()
                await written.wait()  # the writer goes on; what the snapshots show stays
    over.set()
    assert await writing >= seen[-1][0]
    assert {ahead - behind for ahead, behind in seen} <= {0, 1}
    assert len(set(seen)) == 12
    assert all(seen[at] == seen[at + 1] == seen[at + 2] for at in range(0, len(seen), 3))
    await first.close()
    await second.close()


@ON_BOTH
async def test_what_is_written_after_the_moment_is_not_saved(
    pair: dict[ServiceName, str], programs: Path | None, tmp_path: Path, backend: str
) -> None:
    database = Database(pair["dice"])
    await count(database, 1)
    async with at_one_moment(pair, programs) as found:
        await count(database, 2)
        await found["dice"].save(tmp_path / "saved")
    await database.close()
    if backend == "sqlite":
        with closing(sqlite3.connect(tmp_path / "saved")) as saved:
            assert saved.execute("SELECT value FROM sequence").fetchall() == [(1,)]
    else:
        assert programs is not None
        script = await asyncio.create_subprocess_exec(
            *(str(programs / "pg_restore"), "--data-only", "--table=sequence", "--file=-"),
            str(tmp_path / "saved"),
            stdout=asyncio.subprocess.PIPE,
        )
        told, _ = await script.communicate()
        assert b"moves\t1\n" in told


@ON_BOTH
async def test_a_database_that_is_never_at_rest_holds_nobody_up_for_long(
    pair: dict[ServiceName, str], programs: Path | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "PATIENCE_SECONDS", 0.5)
    first, second = (Database(url) for url in pair.values())
    async with second.write() as session:
        await next_value(session, "moves")

        async def backed_up() -> None:
            async with at_one_moment(pair, programs):
                raise AssertionError("there is a writer")

        waiting = asyncio.create_task(backed_up())
        for value in range(1, 6):
            await count(first, value)
        with pytest.raises(TooBusy):
            await waiting
    await first.close()
    await second.close()


def test_files_that_come_and_go_while_a_backup_is_taken(data: Path, tmp_path: Path) -> None:
    """What is named at the moment is there, also what was stored since the copying began; the rest is not."""
    later = "maps/map_a/2/map.svg"

    def meanwhile(line: str) -> None:
        if line.startswith("copying"):
            (data / "files" / later).parent.mkdir()
            (data / "files" / later).write_bytes(PICTURE)
            with closing(sqlite3.connect(data / "map.db")) as database, database:
                database.execute("UPDATE map_file SET key = ?", (later,))

    databases = {name: f"sqlite:///{data}/{name}.db" for name in SERVICES}
    found = Installation(databases, "sqlite", FolderStorage(data / "files"), {"key_pepper": "x"}, None)
    (tmp_path / "backup").mkdir()
    taken = asyncio.run(take(found, tmp_path / "backup", meanwhile))
    assert [path for path in taken.files if path.startswith("files/")] == [f"files/{later}"]
    assert taken.missing == ()
