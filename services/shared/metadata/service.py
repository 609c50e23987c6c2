"""The use cases of metadata: reading bags beside things that are shown, and writing one."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import orjson
from sqlalchemy import Row, Table
from sqlmodel.ext.asyncio.session import AsyncSession

from services.shared.auth import Viewer
from services.shared.bounds import check
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import once
from services.shared.metadata.bags import THE_TABLE, Bags, Thing
from services.shared.metadata.requests import MAX_BAGS, Metadata, MetadataReaders, SetMetadata
from services.shared.problems import DifferingField, InvalidInput, VersionConflict

Hold = Callable[[AsyncSession], Awaitable[None]]
"""Holds a thing in a unit of work, so that nobody else writes beside it; raises where the viewer may not."""


class MetadataService:
    """The bags of metadata of one service.

    Args:
        database: where they are kept.
        clock: the present moment.
        table: where in it.
    """

    def __init__(self, database: Database, clock: Clock, table: Table) -> None:
        self._database = database
        self._clock = clock
        self._table = table

    async def beside(self, viewer: Viewer, things: Sequence[Thing]) -> dict[Thing, list[Metadata]]:
        """Read the bags beside things that the viewer sees: those of the table, and the viewer's own."""
        found: dict[Thing, list[Metadata]] = {thing: [] for thing in things}
        async with self._database.read() as session:
            rows = await Bags(session, self._table).read_by(viewer.account, list(found))
        for row in rows:
            found[row.thing, row.part].append(_bag(row))
        return found

    async def write(
        self, viewer: Viewer, asked: SetMetadata, key: str | None, hold: Hold, part: str = ""
    ) -> Metadata | None:
        """Write a bag, or take it away; return it as it is now, None where there is none.

        Args:
            viewer: who writes.
            asked: what, and beside which thing.
            key: of idempotency.
            hold: holds that thing; its service knows who may write there.
            part: the key of the part of it, if it is one.

        Raises:
            InvalidInput: a bound is broken, or there are as many namespaces as there may be.
            VersionConflict: it was written since the version that was named.
            NotFound, Forbidden: the viewer does not see the thing, or may not write there.
            IdempotencyConflict: the key was used for another request.
        """
        check(asked, *asked.issues())
        reader = THE_TABLE if asked.readers is MetadataReaders.TABLE else viewer.account
        moment, beside = self._clock(), ((asked.id, part), reader, asked.namespace)
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            await hold(session)
            bags = Bags(session, self._table)
            if not done.before:
                known = await bags.one(*beside)
                if asked.version is not None:
                    _check_version(asked, asked.version, known)
                if asked.data is None:
                    await bags.remove(*beside)
                elif known is not None:
                    await bags.replace(*beside, asked.written, moment)
                else:
                    _check_room(await bags.count(*beside[:2]))
                    await bags.add(*beside, asked.written, moment)
                done.answer = asked.id
            row = await bags.one(*beside)
        return None if row is None else _bag(row)


def _check_version(asked: SetMetadata, expected: int, known: Row[Any] | None) -> None:
    """Check that a bag is still as the app saw it; a bag is written as a whole, so nothing merges.

    Raises:
        VersionConflict: it is not.
    """
    current = 0 if known is None else known.version
    if expected != current:
        theirs = None if known is None else orjson.loads(known.data)
        differing = [] if asked.data == theirs else [DifferingField(["data"], asked.data, theirs)]
        raise VersionConflict(expected, current, ("version",), differing)


def _check_room(found: int) -> None:
    """Check that one more namespace fits beside so many.

    Raises:
        InvalidInput: it does not.
    """
    if found >= MAX_BAGS:
        message = f"At most {MAX_BAGS} namespaces are kept beside a thing; take one away first."
        raise InvalidInput.single("TOO_MANY", message, "namespace", allowed=f"0..{MAX_BAGS}")


def _bag(row: Row[Any]) -> Metadata:
    readers = MetadataReaders.TABLE if row.reader == THE_TABLE else MetadataReaders.APP
    return Metadata(row.namespace, readers, orjson.loads(row.data), row.version, row.updated_at)
