"""Stored files of portraits that no character names: those of a portrait that was replaced or removed, of a
character that was deleted, or of a process that died between storing them and naming them."""

import structlog

from services.character.portraits.keys import FOLDER
from services.character.portraits.repository import named_files
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.metrics import PRUNED
from services.shared.storage import Storage
from services.shared.stored_files import UNNAMED, FileWalk

log = structlog.get_logger(__name__)


class PortraitLeftovers:
    """Removes files of portraits whose time is over, a step at a time.

    Args:
        database: where the characters are.
        storage: where the files are.
        clock: the present moment.
    """

    def __init__(self, database: Database, storage: Storage, clock: Clock) -> None:
        self._database = database
        self._storage = storage
        self._clock = clock
        self._walk = FileWalk(storage, clock())

    async def prune(self) -> bool:
        """Look at some files and remove those whose time is over; tell whether to look at more."""
        moment = self._clock()
        found = await self._walk.step(moment)
        if not found:
            return False
        old = [key for key, since in found if key.startswith(f"{FOLDER}/") and since < moment - UNNAMED]
        async with self._database.read() as session:
            named = await named_files(session, {key.split("/")[1] for key in old})
        over = [key for key in old if key not in named]
        for key in over:
            await self._storage.delete(key)
        if over:
            PRUNED.labels("character", "unnamed file").inc(len(over))
            log.info("pruned", service="character", what="unnamed file", files=len(over))
        return True
