"""Reads an export: file by file, page by page, with the rights of the viewer who asks.

An archive that is not whole never looks so. What is not there any more when its turn comes is left out;
whatever else cannot be read breaks the archive off: its list of files, without which it is no ZIP, comes
last, and before it ``manifest.json``, which counts what each file holds.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
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
        archive = Archive(self._moment)
        async for piece in _single(archive, "README.txt", readme().encode()):
            yield piece
        for part in CONTENTS:
            written = (
                self._lines(archive, part) if isinstance(part, Lines) else self._documents(archive, part)
            )
            async for piece in written:
                yield piece
        async for piece in _single(archive, MANIFEST, self._manifest()):
            yield piece
        yield archive.close()

    def _manifest(self) -> bytes:
        files = {part.file: self._counts[part.file] for part in CONTENTS}
        told = {"account": self._viewer.account, "exportedAt": self._moment.isoformat(), "files": files}
        return orjson.dumps(told, option=orjson.OPT_INDENT_2)

    async def _lines(self, archive: Archive, part: Lines) -> AsyncIterator[bytes]:
        with archive.entry(part.file) as entry:
            for parent in self._ids[part.of] if part.of else [None]:
                async for things in self._pages(part, parent):
                    self._counts[part.file] += len(things)
                    if part.file in self._named:
                        self._ids[part.file] += [str(thing["id"]) for thing in things]
                    await entry.write(_written(part, parent, things))
                    if archive.due:
                        yield archive.take()

    async def _pages(self, part: Lines, parent: str | None) -> AsyncIterator[Sequence[Thing]]:
        """Yield what an operation answers, page by page; what is not a list is a page of one."""
        operation = operations_of_exports()[part.operation]
        shown = Shown(operation, self._shapes)
        shaper = Shaper(shown.thing[1], operation.fragments, shown.numbered)
        known = {member.name for member in operation.members}
        variables: dict[str, Any] = {"first": part.page} if shown.is_page else {}
        if parent is not None:
            named = f"{part.by}Id"
            variables[named if named in known else "id"] = parent
        after: str | None = ""
        while after is not None:
            found = await self._asked(part, variables | ({"after": after} if after else {}))
            if found is None:
                return
            shaped = shaper.shape(found)
            if not (shown.is_page or shown.is_list):
                yield [shaped]
                return
            yield [thing for thing in shaped["items"] if self._is_own(part, thing)]
            following = shaped.get("next")
            after = cursor_of_number(following) if shown.numbered and following else following

    async def _asked(self, part: Lines, variables: Mapping[str, Any]) -> Any | None:
        """Ask for a page; None where there is nothing (any more)."""
        operation = operations_of_exports()[part.operation]
        found = await self._read(part, lambda: self._graphs.ask(self._viewer, operation, variables))
        # Who was deleted while this was read must not get what is left of it for the whole.
        await self._admitted()
        return found

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
        if not (isinstance(part, Lines) and part.optional):
            await self._graphs.ready()

    def _is_own(self, part: Lines, thing: Thing) -> bool:
        return part.own is None or (thing[part.own] or {}).get("id") == self._viewer.account

    async def _documents(self, archive: Archive, part: Documents) -> AsyncIterator[bytes]:
        for parent in (one for file in part.of for one in self._ids[file]):
            path = [step.format(id=parent) for step in part.path]
            begun = await self._read(part, partial(self._begun, part, path))
            if begun is None:
                continue
            self._counts[part.file] += 1
            first, rest = begun
            with archive.entry(part.file.format(id=parent)) as entry:
                await entry.write(first)
                async for piece in rest:
                    await entry.write(piece)
                    if archive.due:
                        yield archive.take()
            await self._admitted()

    async def _begun(self, part: Documents, path: Sequence[str]) -> tuple[bytes, AsyncIterator[bytes]]:
        """Begin to read a document: only its first piece tells whether there is one."""
        pieces = self._graphs.stream(self._viewer, part.service, part.kind, *path)
        return await anext(pieces, b""), pieces


async def _single(archive: Archive, name: str, content: bytes) -> AsyncIterator[bytes]:
    with archive.entry(name) as entry:
        await entry.write(content)
    yield archive.take()


def _parents(part: Lines | Documents) -> tuple[str, ...]:
    if isinstance(part, Documents):
        return part.of
    return (part.of,) if part.of else ()


def _written(part: Lines, parent: str | None, things: Sequence[Thing]) -> bytes:
    """Write things as lines, each with what it belongs to."""
    about = {part.by: {"id": parent}} if parent is not None else {}
    return b"".join(orjson.dumps({**about, **thing}) + b"\n" for thing in things)
