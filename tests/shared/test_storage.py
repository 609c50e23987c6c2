"""Files of results: whole, within their folder, and none left that nothing names."""

import asyncio
from collections.abc import Collection
from pathlib import Path

import pytest

from services.shared.outages import StorageUnavailable
from services.shared.storage import FolderStorage, storing


async def test_files_come_back_and_replace_each_other_whole(tmp_path: Path) -> None:
    storage = FolderStorage(tmp_path / "files")
    assert await storage.get("maps/a/map.svg") is None
    await storage.put("maps/a/map.svg", b"one")
    await storage.put("maps/a/map.svg", b"two")
    assert await storage.get("maps/a/map.svg") == b"two"
    assert [path.name for path in (tmp_path / "files/maps/a").iterdir()] == ["map.svg"]


@pytest.mark.parametrize(
    "key", ["../x", "maps/../../x", "/etc/passwd", "maps//x", "maps/.hidden", "", "maps/a\0b"]
)
async def test_keys_never_lead_out_of_the_folder(tmp_path: Path, key: str) -> None:
    storage = FolderStorage(tmp_path)
    with pytest.raises(ValueError, match="storage key"):
        await storage.get(key)
    with pytest.raises(ValueError, match="storage key"):
        await storage.put(key, b"")


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
    with pytest.raises(ValueError, match="storage key"):
        await storage.delete("maps/../../x")


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


async def test_what_the_unit_of_work_names_stays_and_the_rest_is_taken_back(tmp_path: Path) -> None:
    storage, rows = FolderStorage(tmp_path), Rows()
    async with storing(storage, FILES, rows.named):
        assert await storage.get("maps/a/map.json") == b"two"
        rows.keys.add("maps/a/map.svg")
    assert kept(tmp_path) == {"maps", "maps/a", "maps/a/map.svg"}


@pytest.mark.parametrize("named", [(), tuple(FILES)])
async def test_what_breaks_off_leaves_the_files_that_were_committed_all_the_same(
    tmp_path: Path, named: tuple[str, ...]
) -> None:
    rows = Rows(*named)
    with pytest.raises(asyncio.CancelledError):
        async with storing(FolderStorage(tmp_path), FILES, rows.named):
            raise asyncio.CancelledError
    assert kept(tmp_path) >= set(named)
    assert kept(tmp_path).isdisjoint(set(FILES).difference(named))


async def test_files_stay_where_nobody_knows_whether_they_are_named(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        async with storing(FolderStorage(tmp_path), FILES, Rows(broken=True).named):
            raise ZeroDivisionError
    assert kept(tmp_path) >= set(FILES)


async def test_a_file_that_cannot_be_stored_takes_those_before_it_back(tmp_path: Path) -> None:
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "b").write_text("in the way")
    with pytest.raises(StorageUnavailable):
        async with storing(FolderStorage(tmp_path), {**FILES, "maps/b/map.svg": b""}, Rows().named):
            raise AssertionError("the block was entered")
    assert kept(tmp_path) == {"maps", "maps/b"}
