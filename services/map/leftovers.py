"""Stored files that have outlived their time.

::

    maps/, batches/   live as long as a row names them. One that no row names was left by a process that died
                      between storing it and naming it, or by a row that was deleted.
    outputs/          pictures and exports, drawn when somebody asked: drawn again when somebody asks again,
                      as long as there is the map.

What a deleted map, batch or account leaves behind is gone within a day (``stored_files``).
"""

from datetime import timedelta

import structlog

from services.map.repository import Records
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.metrics import PRUNED
from services.shared.storage import Storage
from services.shared.stored_files import UNNAMED, FileWalk

NAMED = ("maps/", "batches/")
DRAWN = timedelta(days=7)
"""So long a drawn picture is kept; whoever looks every week waits once a week."""

log = structlog.get_logger(__name__)


class Leftovers:
    """Removes stored files whose time is over, a step at a time.

    Args:
        database: where the rows are that name files.
        storage: where the files are.
        clock: the present moment.
    """

    def __init__(self, database: Database, storage: Storage, clock: Clock) -> None:
        self._database = database
        self._storage = storage
        self._clock = clock
        self._walk = FileWalk(storage, clock())

    async def prune(self) -> bool:
        """Looks at some files and removes those whose time is over; tells whether to look at more."""
        moment = self._clock()
        found = await self._walk.step(moment)
        if not found:
            return False
        drawn = {key: since for key, since in found if key.startswith("outputs/")}
        kept = [key for key, since in found if key.startswith(NAMED) and since < moment - UNNAMED]
        async with self._database.read() as session:
            records = Records(session)
            maps = await records.present({_step(key, 1) for key in drawn})
            named = await records.files_of_maps({_step(key, 1) for key in kept if key.startswith("maps/")})
            parts = {_step(key, 2) for key in kept if key.startswith("batches/")}
            named |= await records.files_of_parts(parts)
        over = [key for key, since in drawn.items() if since < moment - DRAWN or _step(key, 1) not in maps]
        await self._remove("drawn picture", over)
        await self._remove("unnamed file", [key for key in kept if key not in named])
        return True

    async def _remove(self, what: str, keys: list[str]) -> None:
        for key in keys:
            await self._storage.delete(key)
        if keys:
            PRUNED.labels("map", what).inc(len(keys))
            log.info("pruned", service="map", what=what, files=len(keys))


def _step(key: str, number: int) -> str:
    """Returns a step of a file's path: it says which row names the file."""
    return key.split("/")[number]
