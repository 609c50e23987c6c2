"""The rest of long batches that were deleted, removed in steps."""

import asyncio
from functools import partial

from services.map.deletion.repository import Removals
from services.shared.clock import Clock
from services.shared.database import Database, follow
from services.shared.limits.meter import Meter

REST_SECONDS, EVERY_SECONDS = 0.1, 30.0
"""Pauses: between two steps, and while there is nothing to do."""


class BatchLeftovers:
    """Removes what is left of batches that were deleted, and gives back what was charged for it in vain.

    Args:
        database: where jobs are kept.
        clock: the present moment.
        background: what batches were paid from.
    """

    def __init__(self, database: Database, clock: Clock, background: Meter) -> None:
        self._database = database
        self._clock = clock
        self._background = background

    async def run(self) -> None:
        """Remove until cancelled."""
        while True:
            pause = REST_SECONDS if await self.step() else EVERY_SECONDS
            await asyncio.sleep(pause)

    async def step(self) -> bool:
        """Take a step; tell whether there was one to take."""
        moment = self._clock()
        async with self._database.read() as session:
            found = await Removals(session, moment).withdrawn()
        if found is None:
            return False
        async with self._database.write() as session:
            points, _ = await Removals(session, moment).next_of_batch(*found)
            follow(session, partial(self._background.give_back, found[1], points))
        return True
