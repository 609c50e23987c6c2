"""All files of a batch as one ZIP: the ZIPs of its parts behind one another, under one directory.

What is compressed already is passed on as it lies. So the same parts make the same bytes, their number is
known before they are read, and a download that broke off goes on where it ended.
"""

import hashlib
import io
import zipfile
from asyncio import to_thread
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass

from services.map.models import BatchPart
from services.shared.sink import Sink

END = 22
"""Bytes of what ends a ZIP, without a comment."""
LARGEST = (1 << 31) - 1
MOST_FILES = (1 << 16) - 1
"""From here on a ZIP is written in the larger form, whose length depends on more than its parts' lengths."""

Read = Callable[[BatchPart], Awaitable[bytes]]


@dataclass(frozen=True, slots=True)
class Archive:
    """The ZIP of what a batch has made so far.

    Attributes:
        tag: differs where the bytes differ.
        length: bytes; None of one so large that they are counted only while it is written.
        parts: what it is made of.
        read: reads the file of a part.
    """

    tag: str
    length: int | None
    parts: Sequence[BatchPart]
    read: Read

    async def pieces(self) -> AsyncIterator[bytes]:
        """Write it, part by part."""
        sink = Sink()
        with zipfile.ZipFile(sink, "w", allowZip64=True) as target:
            for part in self.parts:
                await to_thread(_append, await self.read(part), target, sink)
                yield sink.take()
        yield sink.take()

    async def section(self, first: int, last: int) -> AsyncIterator[bytes]:
        """Write the bytes from one place to another, both included."""
        place = 0
        async for piece in self.pieces():
            begin, end = max(first - place, 0), last + 1 - place
            if begin < len(piece) and end > 0:
                yield piece[begin:end]
            place += len(piece)
            if place > last:
                return


async def archive_of(parts: Sequence[BatchPart], read: Read) -> Archive:
    """Tell how the ZIP of some parts will be.

    Args:
        parts: in the order of their maps.
        read: reads the file of a part.
    """
    tag = hashlib.sha256("".join(part.sha256 for part in parts).encode()).hexdigest()
    return Archive(tag, await _length(parts, read), parts, read)


async def _length(parts: Sequence[BatchPart], read: Read) -> int | None:
    length = sum(part.bytes - END for part in parts) + END
    if length > LARGEST:
        return None
    if parts:
        # All maps of a batch have the same files.
        names = await to_thread(_names, await read(parts[0]))
        if len(names) * sum(part.count for part in parts) > MOST_FILES * parts[0].count:
            return None
    return length


def _names(content: bytes) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(content)) as source:
        return source.namelist()


def _append(content: bytes, target: zipfile.ZipFile, sink: Sink) -> None:
    """Write the files of a ZIP behind those of another, and note them in its directory."""
    with zipfile.ZipFile(io.BytesIO(content)) as source:
        moved = sink.tell()
        for entry in source.infolist():
            entry.header_offset += moved
            target.infolist().append(entry)
        sink.write(content[: source.start_dir])
        target.start_dir = sink.tell()
