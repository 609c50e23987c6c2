"""A ZIP that is sent while it grows: nothing of it is kept but its list of files."""

import time
import zipfile
from asyncio import to_thread
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import IO

from services.shared.sink import Sink

PIECE = 64 * 1024
"""Bytes that are worth sending on at once."""

PATIENCE = 1.0
"""Seconds after which fewer are, so that who waits sees that something comes."""


class Archive:
    """A growing ZIP, whose list of files comes last: without its end it is none.

    Args:
        moment: that its files are said to be of.
    """

    def __init__(self, moment: datetime) -> None:
        self._sink = Sink()
        self._zip = zipfile.ZipFile(self._sink, "w", zipfile.ZIP_DEFLATED, allowZip64=True)
        self._moment = moment
        self._taken = time.monotonic()

    @property
    def due(self) -> bool:
        """Tell whether what was written is to be sent on."""
        waiting = len(self._sink.waiting)
        return waiting >= PIECE or (waiting > 0 and time.monotonic() - self._taken >= PATIENCE)

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
        self._taken = time.monotonic()
        return self._sink.take()

    def close(self) -> bytes:
        """End the archive; returns the rest of it, without which the archive is none."""
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
        """Pack some bytes; many beside all else that this process does."""
        if len(content) < PIECE:
            self._file.write(content)
        else:
            await to_thread(self._file.write, content)
