"""A ZIP that is sent while it grows: nothing of it is kept but its list of files."""

import zipfile
from asyncio import to_thread
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import IO

from services.shared.sink import Sink

PIECE = 64 * 1024
"""Bytes that are worth sending on."""


class Archive:
    """A growing ZIP, whose list of files comes last: without its end it is none.

    Args:
        moment: that its files are said to be of.
    """

    def __init__(self, moment: datetime) -> None:
        self._sink = Sink()
        self._zip = zipfile.ZipFile(self._sink, "w", zipfile.ZIP_DEFLATED, allowZip64=True)
        self._moment = moment

    @property
    def due(self) -> bool:
        """Tell whether enough has been written to be sent on."""
        return len(self._sink.waiting) >= PIECE

    @contextmanager
    def entry(self, name: str) -> Iterator["Entry"]:
        """Begin a file; one at a time."""
        about = zipfile.ZipInfo(name, self._moment.timetuple()[:6])
        about.compress_type = zipfile.ZIP_DEFLATED
        # How long it will be is not known, so it may be of any length.
        with self._zip.open(about, "w", force_zip64=True) as file:
            yield Entry(file)

    def take(self) -> bytes:
        """Return what was written since the last time."""
        return self._sink.take()

    def close(self) -> bytes:
        """End the archive; returns the rest of it."""
        self._zip.close()
        return self.take()


class Entry:
    """A file of an archive that is being written.

    Args:
        file: of the ZIP.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    async def write(self, content: bytes) -> None:
        """Pack some bytes, beside all else that this process does."""
        await to_thread(self._file.write, content)
