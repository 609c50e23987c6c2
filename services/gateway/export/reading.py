"""Reads an export: file by file, page by page, with the rights of the viewer who asks.

An archive that is not whole never looks so. What is not there any more when its turn comes is left out;
whatever else cannot be read breaks the archive off: its list of files, without which it is no ZIP, comes
last, and before it ``manifest.json``, which counts what each file holds.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing, closing
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

import orjson

from services.gateway.export.archive import Archive
from services.gateway.export.contents import (
    CONTENTS,
    MANIFEST,
    Documents,
    Lines,
    operations_of_exports,
    readme,
)
from services.gateway.rest.answers import Shaper
from services.gateway.rest.problems import Refusal
from services.gateway.rest.shapes import Shapes
from services.gateway.rest.shown import Shown
from services.gateway.rest.subgraphs import Subgraphs
from services.shared.auth import Viewer
from services.shared.limits.meter import RateLimited
from services.shared.pagination import cursor_of_number

PATIENT_TRIES = 30
"""How often a page is asked for while the account cannot pay for what telling it takes."""

Thing = Mapping[str, Any]
T = TypeVar("T")


class Source:
    """An operation that a file is read from.

    Args:
        part: the file.
        shapes: of the REST face.
    """

    def __init__(self, part: Lines, shapes: Shapes) -> None:
        self.part = part
        self.operation = operations_of_exports()[part.operation]
        self._kind = Shown(self.operation, shapes)
        self._shaper = Shaper(self._kind.thing[1], self.operation.fragments, self._kind.numbered)

    def variables(self, parent: str | None) -> dict[str, Any]:
        """Returns what is asked for of a thing, or of no other."""
        asked: dict[str, Any] = {"first": self.part.page} if self._kind.is_page else {}
        if parent is not None:
            named = f"{self.part.by}Id"
            known = any(member.name == named for member in self.operation.members)
            asked[named if known else "id"] = parent
        return asked

    def people(self, found: Any) -> list[dict[str, Any]]:
        """Returns the accounts of an answer whose names are shown."""
        return self._shaper.people(found)

    def shown(self, found: Any) -> tuple[Sequence[Thing], str | None]:
        """Returns the things of an answer as REST shows them, and behind which cursor more follow."""
        shaped = self._shaper.shape(found)
        if not (self._kind.is_page or self._kind.is_list):
            return [shaped], None
        following = shaped.get("next")
        numbered = self._kind.numbered is not None and following is not None
        return shaped["items"], cursor_of_number(following) if numbered else following


class Export:
    """One export.

    Args:
        graphs: where all is read.
        viewer: whose it is.
        shapes: of the REST face.
        admitted: raises once the viewer's key opens nothing any more.
        moment: the present one.
    """

    def __init__(
        self,
        graphs: Subgraphs,
        viewer: Viewer,
        shapes: Shapes,
        admitted: Callable[[], Awaitable[None]],
        moment: datetime,
    ) -> None:
        self._graphs = graphs
        self._viewer = viewer
        self._shapes = shapes
        self._admitted = admitted
        self._moment = moment
        self._ids: dict[str, list[str]] = defaultdict(list)
        self._counts: Counter[str] = Counter()
        self._named = {name for part in CONTENTS for name in _parents(part)}

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        """Yields the archive as it grows.

        Raises:
            Refusal: something cannot be read now; what was sent so far is no archive.
        """
        with closing(Archive(self._moment)) as archive:
            await _write(archive, "README.txt", readme().encode())
            yield archive.take()
            for part in CONTENTS:
                async with aclosing(self._file(archive, part)) as pieces:
                    async for piece in pieces:
                        yield piece
            await _write(archive, MANIFEST, self._manifest())
            yield archive.close()

    def _file(self, archive: Archive, part: Lines | Documents) -> AsyncGenerator[bytes, None]:
        return self._lines(archive, part) if isinstance(part, Lines) else self._documents(archive, part)

    def _manifest(self) -> bytes:
        files = {part.file: self._counts[part.file] for part in CONTENTS}
        told = {"account": self._viewer.account, "exportedAt": self._moment.isoformat(), "files": files}
        return orjson.dumps(told, option=orjson.OPT_INDENT_2)

    async def _lines(self, archive: Archive, part: Lines) -> AsyncGenerator[bytes, None]:
        source = Source(part, self._shapes)
        with archive.entry(part.file) as entry:
            for parent in self._ids[part.of] if part.of else [None]:
                async for found in self._pages(source, parent):
                    things = [thing for thing in found if self._is_own(part, thing)]
                    self._counts[part.file] += len(things)
                    if part.file in self._named:
                        self._ids[part.file] += [str(thing["id"]) for thing in things]
                    await entry.write(_written(part, parent, things))
                    if archive.due:
                        yield archive.take()

    async def _pages(self, source: Source, parent: str | None) -> AsyncIterator[Sequence[Thing]]:
        """Yield what an operation answers, page by page."""
        asked = source.variables(parent)
        after: str | None = ""
        while after is not None:
            variables = asked | ({"after": after} if after else {})
            ask = partial(self._graphs.ask, self._viewer, source.operation, variables)
            found = await self._read(source.part, ask)
            # Who was deleted while this was read must not get what is left of it for the whole.
            await self._admitted()
            if found is None:
                return
            await self._graphs.name(self._viewer, source.people(found))
            things, after = source.shown(found)
            yield things

    async def _read(self, part: Lines | Documents, ask: Callable[[], Awaitable[T]]) -> T | None:
        """Read something when the account can pay for what telling it takes; None where it is gone."""
        for _ in range(PATIENT_TRIES):
            try:
                return await ask()
            except RateLimited as error:
                await asyncio.sleep(error.retry_after)
            except Refusal as refusal:
                if refusal.code != "RATE_LIMITED":
                    await self._left_out(refusal, part)
                    return None
                await asyncio.sleep(int(refusal.headers["retry-after"]))
        raise Refusal("RATE_LIMITED", "All that the account can pay for was used elsewhere.")

    async def _left_out(self, refusal: Refusal, part: Lines | Documents) -> None:
        """Take it that a thing is gone, where nothing else can be meant.

        Raises:
            Refusal: something else is wrong, or a service is silent and others therefore know less.
        """
        if refusal.code != "NOT_FOUND" or not part.of:
            raise refusal
        if not part.optional:
            await self._graphs.ready()

    def _is_own(self, part: Lines, thing: Thing) -> bool:
        return part.own is None or (thing[part.own] or {}).get("id") == self._viewer.account

    async def _documents(self, archive: Archive, part: Documents) -> AsyncGenerator[bytes, None]:
        for parent in (one for file in part.of for one in self._ids[file]):
            path = [step.format(id=parent) for step in part.path]
            begun = await self._read(part, partial(self._begun, part, path))
            if begun is None:
                continue
            self._counts[part.file] += 1
            first, rest = begun
            async with aclosing(rest):
                with archive.entry(part.file.format(id=parent)) as entry:
                    await entry.write(first)
                    async for piece in rest:
                        await entry.write(piece)
            await self._admitted()
            if archive.due:
                yield archive.take()

    async def _begun(self, part: Documents, path: Sequence[str]) -> tuple[bytes, AsyncGenerator[bytes, None]]:
        """Begin to read a document: only its first piece tells whether there is one."""
        pieces = self._graphs.stream(self._viewer, part.service, part.kind, *path)
        return await anext(pieces, b""), pieces


async def _write(archive: Archive, name: str, content: bytes) -> None:
    with archive.entry(name) as entry:
        await entry.write(content)


def _parents(part: Lines | Documents) -> tuple[str, ...]:
    if isinstance(part, Documents):
        return part.of
    return (part.of,) if part.of else ()


def _written(part: Lines, parent: str | None, things: Sequence[Thing]) -> bytes:
    """Write things as lines, each with what it belongs to."""
    about = {part.by: {"id": parent}} if parent is not None else {}
    return b"".join(orjson.dumps({**about, **thing}) + b"\n" for thing in things)
