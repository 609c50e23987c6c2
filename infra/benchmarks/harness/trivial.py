"""A server that does nothing but answer: ``python -m infra.benchmarks.harness.trivial``.

Shows how much the client can do. It prints its port, answers everything alike, and ends with its standard
input, which its parent holds open: it cannot outlive it.
"""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import uvloop

from infra.launch.bootstrap import ROOT

BODY = b'{"data":{"answer":"%b"}}' % (b"x" * 400)  # about what a small query gets through the gateway
ANSWER = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b" % (
    len(BODY),
    BODY,
)


@contextmanager
def trivial_server() -> Iterator[int]:
    """Run the server; yields its port."""
    with subprocess.Popen(
        [sys.executable, "-m", "infra.benchmarks.harness.trivial"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.stdin.close()
            process.wait()


class _Answer(asyncio.Protocol):
    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment]

    def data_received(self, _request: bytes) -> None:
        # A request of the client is small enough to come in one piece.
        assert self._transport is not None
        self._transport.write(ANSWER)


class _Parent(asyncio.Protocol):
    """The pipe from the parent; its end is ours."""

    def __init__(self) -> None:
        self.gone = asyncio.Event()

    def connection_lost(self, _error: Exception | None) -> None:
        self.gone.set()


async def _serve() -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(_Answer, "127.0.0.1", 0)
    _, parent = await loop.connect_read_pipe(_Parent, sys.stdin)
    print(server.sockets[0].getsockname()[1], flush=True)
    await parent.gone.wait()
    server.close()


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve())
