"""Where results are kept: files behind one interface, in a folder of the data directory.

Keys are relative paths such as ``maps/map_.../map.svg``; a stored file never changes.
"""

import asyncio
import os
import re
import tempfile
from pathlib import Path
from typing import Protocol

_KEY = re.compile(r"[a-z0-9_]+(/[A-Za-z0-9_][A-Za-z0-9_.-]*)+")


class Storage(Protocol):
    """Keeps bytes under keys."""

    async def put(self, key: str, content: bytes) -> None:
        """Store a file; storing the same key again replaces it whole, never in part."""

    async def get(self, key: str) -> bytes | None:
        """Read a file, or give None when there is none."""

    async def ping(self) -> None:
        """Raise unless files can be written."""


class FolderStorage:
    """Storage in a folder of this machine.

    Args:
        root: the folder; made when missing.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    async def put(self, key: str, content: bytes) -> None:
        """Write beside the target, then rename: a reader sees the old file or the new one."""
        await asyncio.to_thread(self._put, self._path(key), content)

    async def get(self, key: str) -> bytes | None:
        """Read a file whole, or give None when there is none."""
        try:
            return await asyncio.to_thread(self._path(key).read_bytes)
        except FileNotFoundError:
            return None

    async def ping(self) -> None:
        """Raise unless the folder can be written."""
        await asyncio.to_thread(self._root.mkdir, parents=True, exist_ok=True)
        if not os.access(self._root, os.W_OK):
            raise PermissionError(f"{self._root} cannot be written")

    def _path(self, key: str) -> Path:
        if not _KEY.fullmatch(key) or ".." in key:
            raise ValueError(f"not a storage key: {key!r}")
        return self._root / key

    def _put(self, path: Path, content: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".part-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
