"""What the map service does beside its first requests: the first import or picture then need not wait for it.

A worker process takes two seconds of processor time to start: to import what reads and draws, and to load
compiled code.
"""

import asyncio

from services.map.compiling import warm_ground
from services.map.reading import read_map
from services.shared.workers import Workers

LATER = 2.0
"""Seconds after the start of the service at which its worker is started, so that others start first."""


class Warming:
    """Starts the worker before a request waits for it, and loads the kernels of this process.

    Args:
        workers: read files and draw.
    """

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def run(self) -> None:
        """Warm up once, then rest until cancelled."""
        await asyncio.sleep(LATER)
        # Its process imports what reading and drawing need, and runs `warm`.
        await self._workers.run("", read_map, b"", None)
        await asyncio.to_thread(warm_ground)
        await asyncio.Event().wait()
