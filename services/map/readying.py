"""What the map service does beside its first requests: the first import or picture then need not wait for it.

A worker process takes two seconds of processor time to start: to import what reads and draws, and to load
compiled code.
"""

import asyncio

from services.map.compiling import warm_ground
from services.shared.knowing import nothing
from services.shared.workers import Workers

LATER = 2.0
"""Seconds after the start of the service at which its workers are started, so that others start first."""


class Warming:
    """Starts the workers before a request waits for them, and loads the kernels of this process.

    Args:
        workers: pools of them, the most needed first.
    """

    def __init__(self, *workers: Workers) -> None:
        self._workers = workers

    async def run(self) -> None:
        """Warm up once, then rest until cancelled."""
        await asyncio.sleep(LATER)
        for pool in self._workers:
            # Each process imports what its work needs and prepares itself; nothing more is asked of it.
            await pool.run("", nothing, None)
        await asyncio.to_thread(warm_ground)
        await asyncio.Event().wait()
