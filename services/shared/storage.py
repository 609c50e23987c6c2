"""Where results are kept: files behind one interface, in a folder of the data directory or in a bucket.

Keys are relative paths such as ``maps/map_.../map.svg``; a stored file never changes. A file that a row is to
name is stored before the unit of work that names it, and taken back where it was not named after all::

    async with storing(storage, files, named):
        await work.complete(job, ...)
"""

import asyncio
import contextlib
import os
import re
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Protocol

import structlog

from services.shared.outages import storage_outages
from services.shared.settings import FileSettings
from services.shared.storage_address import storage_address

log = structlog.get_logger(__name__)

ATTEMPTS = 5
"""How often a folder is made that others remove."""

LOOK = 500
"""Files that are looked at in one step."""

HALF_WRITTEN = timedelta(days=1)
PART = ".part-"

_KEY = re.compile(r"[a-z0-9_]+(/[A-Za-z0-9_][A-Za-z0-9_.-]*)+")


class Storage(Protocol):
    """Keeps bytes under keys; ``StorageUnavailable`` where the files cannot be read or written."""

    async def put(self, key: str, content: bytes) -> None:
        """Store a file; storing the same key again replaces it whole, never in part."""

    async def get(self, key: str) -> bytes | None:
        """Read a file, or give None when there is none."""

    async def delete(self, key: str) -> None:
        """Remove a file; that there is none is no error."""

    def stored(self, moment: datetime) -> AsyncIterator[tuple[str, datetime]]:
        """Walk over all files: the key of each, and when it was stored.

        What was being written ``HALF_WRITTEN`` ago or longer is removed on the way: its writer has died.

        Args:
            moment: now.
        """

    async def link(self, key: str) -> str | None:
        """Return an address from which whoever holds it may read a file for a short time.

        None where there is no such file, or where the storage cannot be reached by clients.
        """

    async def ping(self) -> None:
        """Raise unless the storage answers."""


class FolderStorage:
    """Storage in a folder of this machine.

    Args:
        root: the folder; made when missing.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    async def put(self, key: str, content: bytes) -> None:
        """Write beside the target, then rename: a reader sees the old file or the new one."""
        with storage_outages():
            await asyncio.to_thread(self._put, self._root / checked_key(key), content)

    async def get(self, key: str) -> bytes | None:
        """Read a file whole, or give None when there is none."""
        with storage_outages(), contextlib.suppress(FileNotFoundError):
            return await asyncio.to_thread((self._root / checked_key(key)).read_bytes)
        return None

    async def delete(self, key: str) -> None:
        """Remove a file, and the folders that are empty without it."""
        with storage_outages():
            await asyncio.to_thread(self._delete, self._root / checked_key(key))

    async def stored(self, moment: datetime) -> AsyncIterator[tuple[str, datetime]]:
        """Walk over all files, as ``Storage`` says; those that vanish meanwhile are left out."""
        walk = self._walk(moment)
        while found := await asyncio.to_thread(lambda: list(islice(walk, LOOK))):
            for each in found:
                yield each

    async def link(self, key: str) -> str | None:
        """Return None: clients do not reach a folder."""
        return None

    async def ping(self) -> None:
        """Raise unless the folder can be written."""
        await asyncio.to_thread(self._root.mkdir, parents=True, exist_ok=True)
        if not os.access(self._root, os.W_OK):
            raise PermissionError(f"{self._root} cannot be written")

    def _walk(self, moment: datetime) -> Iterator[tuple[str, datetime]]:
        for folder, _, names in os.walk(self._root):
            for name in names:
                path = Path(folder, name)
                with contextlib.suppress(FileNotFoundError):
                    since = datetime.fromtimestamp(path.stat().st_mtime, UTC)
                    if not name.startswith(PART):
                        yield str(path.relative_to(self._root)), since
                    elif since < moment - HALF_WRITTEN:
                        path.unlink()

    def _put(self, path: Path, content: bytes) -> None:
        handle, name = _beside(path)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def _delete(self, path: Path) -> None:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            path.unlink()
        for folder in path.parents:
            if folder == self._root:
                return
            try:
                folder.rmdir()
            except OSError:  # there is something in it, or somebody else has removed it
                return


def _beside(path: Path) -> tuple[int, str]:
    """Opens a new file in the folder of another; gives its descriptor and its name."""
    left = ATTEMPTS
    while True:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            return tempfile.mkstemp(dir=path.parent, prefix=PART)
        except (FileNotFoundError, FileExistsError):
            # A `delete` found the folder empty just now, or one above it.
            left -= 1
            if not left:
                raise


def checked_key(key: str) -> str:
    """Return the key of a file.

    Raises:
        ValueError: it is none.
    """
    if not _KEY.fullmatch(key) or ".." in key:
        raise ValueError(f"not a storage key: {key!r}")
    return key


def open_storage(settings: FileSettings) -> Storage:
    """Open the storage of an installation: the bucket that its settings name, or the folder without one."""
    if settings.storage_url is None:
        return FolderStorage(settings.files_dir)
    # Loaded where there is a bucket alone: a process starts sooner without it.
    from services.shared.object_storage import ObjectStorage

    return ObjectStorage(storage_address(settings.storage_url), settings.storage_credentials)


@asynccontextmanager
async def storing(
    storage: Storage, files: Mapping[str, bytes], named: Callable[[], Awaitable[Collection[str]]]
) -> AsyncIterator[None]:
    """Stores files for the unit of work inside the block, and takes back those that no row names after it.

    The rows are asked however the block ends: it may return a refusal, and what breaks off during a commit
    may have been committed all the same. Where they cannot be asked, the files stay.

    Args:
        storage: where they are stored.
        files: their contents by key.
        named: reads the keys that committed rows name, of these files at least.
    """
    try:
        for key, content in files.items():
            await storage.put(key, content)
        yield
    finally:
        await _take_back(storage, files, named)


async def _take_back(
    storage: Storage, keys: Collection[str], named: Callable[[], Awaitable[Collection[str]]]
) -> None:
    try:
        for key in sorted(set(keys).difference(await named() if keys else ())):
            await storage.delete(key)
    except Exception:
        # What the block did stands, and so does why it failed: a file too many changes neither.
        log.warning("files_not_taken_back", keys=sorted(keys), exc_info=True)
