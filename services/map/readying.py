"""What the map service does beside its first requests: the first import or picture then need not wait for it.

A worker process takes two seconds of processor time to start: to import what reads and draws, and to load
compiled code.
"""

import asyncio

from services.map.compiling import warm_ground
from services.map.importing import read_map
from services.shared.workers import Workers

LATER = 2.0
"""Seconds after the start of the service at which its worker is started, so that others start first."""


async def warm_up(workers: Workers) -> None:
    """Start the worker before somebody waits for it, and load the kernels of this process."""
    await asyncio.sleep(LATER)
    # Its process imports what reading and drawing need, and runs `warm`.
    await workers.run("", read_map, b"", None)
    await asyncio.to_thread(warm_ground)
    await asyncio.Event().wait()
