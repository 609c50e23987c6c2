"""Files of results, in a folder and in a bucket: whole, in their place, and none left that nothing names."""

import asyncio
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from services.shared.object_storage import ObjectStorage
from services.shared.outages import StorageUnavailable
from services.shared.storage import FolderStorage, Storage, open_storage, storing
from services.shared.storage_address import StorageAddress, storage_address
from services.shared.stored_files import FileWalk
from tests.house import installation
from tests.object_store import CREDENTIALS, ObjectStore

BAD_KEYS = ["../x", "maps/../../x", "/etc/passwd", "maps//x", "maps/.hidden", "", "maps/a\0b"]


@pytest.fixture(params=["folder", "bucket"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    """Open an empty storage of each kind."""
    if request.param == "folder":
        return FolderStorage(tmp_path)
    server: ObjectStore = request.getfixturevalue("object_store")
    return server.storage()


async def keys(storage: Storage) -> set[str]:
    """List the keys of all files."""
    return {key async for key, _ in storage.stored(datetime.now(UTC))}


async def test_files_come_back_and_replace_each_other_whole(storage: Storage) -> None:
    assert await storage.get("maps/a/map.svg") is None
    await storage.put("maps/a/map.svg", b"one" * 100_000)
    await storage.put("maps/a/map.svg", b"two")
    assert await storage.get("maps/a/map.svg") == b"two"
    assert await keys(storage) == {"maps/a/map.svg"}


async def test_a_reader_beside_writers_sees_one_file_or_the_other(storage: Storage) -> None:
    whole = {bytes([letter]) * 200_000 for letter in b"abc"}
    await storage.put("maps/a/map.svg", next(iter(whole)))

    async def write(content: bytes) -> None:
        for _ in range(5):
            await storage.put("maps/a/map.svg", content)

    async def read() -> None:
        for _ in range(10):
            assert await storage.get("maps/a/map.svg") in whole

    await asyncio.gather(*(write(content) for content in whole), read(), read())


@pytest.mark.parametrize("key", BAD_KEYS)
async def test_keys_never_lead_out_of_the_storage(storage: Storage, key: str) -> None:
    for use in (storage.get(key), storage.put(key, b""), storage.delete(key)):
        with pytest.raises(ValueError, match="storage key"):
            await use


async def test_a_walk_tells_every_file_with_its_time(storage: Storage) -> None:
    before = datetime.now(UTC) - timedelta(seconds=2)
    named = {f"{place}/{number}/map.svg" for place in ("maps", "batches") for number in range(9)}
    await asyncio.gather(*(storage.put(key, b"") for key in named))
    found = dict([each async for each in storage.stored(before)])
    assert set(found) == named
    assert all(before <= since <= datetime.now(UTC) + timedelta(seconds=2) for since in found.values())


async def test_a_walk_that_breaks_off_begins_anew(storage: Storage) -> None:
    named = {f"maps/{number}/map.svg" for number in range(3)}
    await asyncio.gather(*(storage.put(key, b"") for key in named))
    moment = datetime.now(UTC)
    walk = FileWalk(storage, moment)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(-1):
            await walk.step(moment)
    assert {key for key, _ in await walk.step(moment)} == named
    assert not await walk.step(moment) and not await walk.step(moment)


async def test_a_storage_that_can_be_used_is_ready(storage: Storage) -> None:
    await storage.ping()
    assert await keys(storage) == set()


async def test_a_folder_that_cannot_be_made_is_not_ready(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OSError):
        await FolderStorage(tmp_path / "file" / "files").ping()


def kept(root: Path) -> set[str]:
    """Names whatever lies in a folder, folders included."""
    return {str(path.relative_to(root)) for path in root.rglob("*")}


async def test_a_deleted_file_is_gone_with_its_empty_folders_and_no_others(tmp_path: Path) -> None:
    storage = FolderStorage(tmp_path)
    await storage.put("maps/a/1/map.svg", b"one")
    await storage.put("maps/b/map.svg", b"two")
    for _ in range(2):
        await storage.delete("maps/a/1/map.svg")
        assert kept(tmp_path) == {"maps", "maps/b", "maps/b/map.svg"}


async def test_files_are_stored_while_others_of_their_folder_are_deleted(tmp_path: Path) -> None:
    storage = FolderStorage(tmp_path)

    async def come_and_go(name: str) -> None:
        for _ in range(100):
            await storage.put(f"maps/a/{name}/map.svg", b"")
            await storage.delete(f"maps/a/{name}/map.svg")

    await asyncio.gather(*(come_and_go(name) for name in "bcde"))
    assert kept(tmp_path) == set()


class Rows:
    """Rows that name files, or cannot be read."""

    def __init__(self, *keys: str, broken: bool = False) -> None:
        self.keys = set(keys)
        self.broken = broken

    async def named(self) -> Collection[str]:
        """Give the keys."""
        if self.broken:
            raise ConnectionError
        return self.keys


FILES = {"maps/a/map.svg": b"one", "maps/a/map.json": b"two"}


async def test_what_the_unit_of_work_names_stays_and_the_rest_is_taken_back(storage: Storage) -> None:
    rows = Rows()
    async with storing(storage, FILES, rows.named):
        assert await storage.get("maps/a/map.json") == b"two"
        rows.keys.add("maps/a/map.svg")
    assert await keys(storage) == {"maps/a/map.svg"}


@pytest.mark.parametrize("named", [(), tuple(FILES)])
async def test_what_breaks_off_leaves_the_files_that_were_committed_all_the_same(
    storage: Storage, named: tuple[str, ...]
) -> None:
    rows = Rows(*named)
    with pytest.raises(asyncio.CancelledError):
        async with storing(storage, FILES, rows.named):
            raise asyncio.CancelledError
    assert await keys(storage) == set(named)


async def test_files_stay_where_nobody_knows_whether_they_are_named(storage: Storage) -> None:
    with pytest.raises(ZeroDivisionError):
        async with storing(storage, FILES, Rows(broken=True).named):
            raise ZeroDivisionError
    assert await keys(storage) == set(FILES)


async def test_a_file_that_cannot_be_stored_takes_those_before_it_back(tmp_path: Path) -> None:
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "b").write_text("in the way")
    with pytest.raises(StorageUnavailable):
        async with storing(FolderStorage(tmp_path), {**FILES, "maps/b/map.svg": b""}, Rows().named):
            raise AssertionError("the block was entered")
    assert kept(tmp_path) == {"maps", "maps/b"}


# A bucket


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("s3://maps", StorageAddress("maps", "", None, "us-east-1", None)),
        (
            "s3://maps/of/mine/?endpoint=http://s3:9000/&region=eu-1&public=https://files.example.com",
            StorageAddress("maps", "of/mine", "http://s3:9000", "eu-1", "https://files.example.com"),
        ),
    ],
)
def test_the_address_of_a_bucket_is_read(url: str, found: StorageAddress) -> None:
    assert storage_address(url) == found


@pytest.mark.parametrize(
    "url",
    [
        *("file:///tmp/x", "s3://", "s3://UPPER", "s3://maps/../x", "s3://maps/a//b"),
        *("s3://maps?secret=x", "s3://maps?endpoint=ftp://x", "s3://maps?endpoint=", "s3://k:s@maps"),
    ],
)
def test_what_is_no_address_of_a_bucket_is_refused(url: str) -> None:
    with pytest.raises(ValueError):
        storage_address(url)


async def test_settings_choose_between_the_folder_and_the_bucket(
    tmp_path: Path, object_store: ObjectStore
) -> None:
    settings = installation(tmp_path, "redis://nowhere", {}, {})
    await open_storage(settings).put("maps/a/map.svg", b"one")
    assert (settings.files_dir / "maps/a/map.svg").read_bytes() == b"one"
    named = settings.model_copy(update={"storage_url": object_store.url(), **CREDENTIALS})
    assert await open_storage(named).get("maps/a/map.svg") is None
    await open_storage(named).put("maps/b/map.svg", b"two")
    assert await open_storage(named).get("maps/b/map.svg") == b"two"
    assert not (settings.files_dir / "maps/b").exists()


@pytest.mark.parametrize("wrong", ["server", "bucket", "secret"])
async def test_a_bucket_that_does_not_answer_is_an_outage(object_store: ObjectStore, wrong: str) -> None:
    url, key = object_store.url(bucket="none-such" if wrong == "bucket" else "files"), dict(CREDENTIALS)
    if wrong == "server":
        url = "s3://files?endpoint=http://127.0.0.1:1"
    if wrong == "secret":
        key["secret_access_key"] = "another"
    storage = ObjectStorage(storage_address(url), key)
    for use in (storage.ping(), storage.get("maps/a/map.svg")):
        with pytest.raises(StorageUnavailable):
            await use


async def test_a_link_reads_one_file_as_what_it_is(object_store: ObjectStore) -> None:
    storage = object_store.storage(public=True)
    await storage.put("portraits/chr_a/1/256.webp", b"picture")
    link = await storage.link("portraits/chr_a/1/256.webp")
    assert link is not None
    async with httpx.AsyncClient(trust_env=False) as client:
        answer = await client.get(link)
        assert (answer.content, answer.headers["content-type"]) == (b"picture", "image/webp")
        for method, url in (
            ("DELETE", link),
            ("GET", link.replace("256.webp", "512.webp")),
            ("GET", link.partition("?")[0]),
            ("GET", link.replace("X-Amz-Expires=60", "X-Amz-Expires=600")),
        ):
            assert (await client.request(method, url)).status_code == 403
    assert await storage.get("portraits/chr_a/1/256.webp") == b"picture"


async def test_only_what_clients_reach_is_linked(storage: Storage, object_store: ObjectStore) -> None:
    await storage.put("maps/a/map.svg", b"one")
    assert await storage.link("maps/a/map.svg") is None
    assert await object_store.storage(public=True).link("maps/a/map.svg") is None
