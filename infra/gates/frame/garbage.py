"""Has the gateway's process collect its garbage, so that its memory tells what it holds.

V8 leaves garbage lying for as long as there is room: after a minute of two hundred sockets the process has
585 MiB, of which 190 are left once it was collected. The process is asked through its inspector, which it
opens to this machine alone when it is sent SIGUSR1.
"""

import asyncio
import json
import os
import re
import signal

from websockets.asyncio.client import connect

from tests.e2e.product import Product, until

SAID = re.compile(r"Debugger listening on (ws://\S+)|Starting inspector on \S+ failed")
PATIENCE = 30.0


def collect_garbage(product: Product) -> None:
    """Collects all garbage of the gateway's process; returns when that is done.

    Nothing is collected where another process has the port of the inspector, 9229.

    Raises:
        AssertionError: the process says nothing of its inspector.
    """
    log = product.data / "logs" / "gateway.log"
    if not SAID.search(log.read_text(errors="replace")):
        pid = product.pid("gateway")
        assert pid is not None, "the gateway does not run"
        os.kill(pid, signal.SIGUSR1)
    found = until(lambda: SAID.search(log.read_text(errors="replace")), "the inspector of the gateway")
    if found[1] is not None:
        asyncio.run(_collect(found[1]))


async def _collect(url: str) -> None:
    async with asyncio.timeout(PATIENCE), connect(url, max_size=None, proxy=None) as inspector:
        # What the first round frees may be all that kept something else.
        for number in (1, 2):
            await inspector.send(json.dumps({"id": number, "method": "HeapProfiler.collectGarbage"}))
            while json.loads(await inspector.recv()).get("id") != number:
                pass
