"""Removes what has outlived its time, a step at a time; how long rows live stands beside their tables."""

from collections.abc import Mapping
from typing import Protocol

import structlog
from sqlalchemy import MetaData

from services.shared.clock import Clock
from services.shared.consumer import READERS, cursor_table, read_up_to
from services.shared.database import Database
from services.shared.metrics import PRUNED
from services.shared.pruning import STEP, prune_expired, prune_read
from services.shared.retention import LIFE, After, OnceRead
from services.shared.settings import ServiceName
from services.shared.tables import metadata

# Every reader has this table in the same form.
CURSORS = cursor_table(MetaData())

log = structlog.get_logger(__name__)


class Prunes(Protocol):
    """Removes things of one sort."""

    async def prune(self) -> bool:
        """Takes one step; tells whether more is left for a next one."""


class RowPruner:
    """Removes rows of one service's database.

    Args:
        service: its name.
        databases: of all services, since readers keep in theirs what they have read.
        clock: the present moment.
    """

    def __init__(self, service: ServiceName, databases: Mapping[ServiceName, Database], clock: Clock) -> None:
        self._service = service
        self._databases = databases
        self._clock = clock
        self._tables = metadata(service)

    async def prune(self) -> bool:
        """Removes some rows of each table whose rows do not live for ever; tells whether more are left."""
        more = False
        for table in self._tables.sorted_tables:
            life = table.info[LIFE]
            if not isinstance(life, After | OnceRead):
                continue
            read = await self._read_by_all() if isinstance(life, OnceRead) else None
            async with self._databases[self._service].write() as session:
                moment = self._clock()
                removed = (
                    await prune_expired(session, table, moment)
                    if isinstance(life, After)
                    else await prune_read(session, table, moment, read)
                )
            if removed:
                PRUNED.labels(self._service, table.name).inc(removed)
                log.info("pruned", service=self._service, table=table.name, rows=removed)
            more |= removed >= STEP
        return more

    async def _read_by_all(self) -> int | None:
        """Reads up to which position every reader has read this service's events; None without readers."""
        positions = []
        for reader in READERS[self._service]:
            async with self._databases[reader].read() as session:
                positions.append(await read_up_to(session, CURSORS, self._service))
        return min(positions, default=None)
