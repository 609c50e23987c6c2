"""Stored files of portraits that no character names: those of a portrait that was replaced or removed, of a
character that was deleted, or of a process that died between storing them and naming them."""

import asyncio
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice

import structlog

from services.character.portraits.keys import FOLDER
from services.character.portraits.repository import named_files
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.storage import Storage
from services.shared.telemetry import PRUNED

UNNAMED = timedelta(hours=1)
"""So long a file may wait to be named; it takes seconds."""

EVERY = timedelta(hours=12)
"""Between two looks at all files: with ``UNNAMED``, what nobody names is gone within a day."""

STEP = 500
"""Files that are looked at in one step."""

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
        self._walk: Iterator[tuple[str, datetime]] | None = None
        self._next_walk = clock()

    async def prune(self) -> bool:
        """Look at some files and remove those whose time is over; tell whether to look at more."""
        moment = self._clock()
        if self._walk is None:
            if moment < self._next_walk:
                return False
            self._walk, self._next_walk = self._storage.stored(moment), moment + EVERY
        found = await asyncio.to_thread(lambda walk: list(islice(walk, STEP)), self._walk)
        if not found:
            self._walk = None
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
