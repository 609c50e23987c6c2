"""Real HTTP servers within the tests' own process, which end as soon as they are told to.

uvicorn looks ten times a second whether it is to end, and as often then whether its connections are gone.
That is nothing to a service, but two tenths of a second of every test that has a server of its own.
"""

import asyncio
import contextlib
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from types import FrameType
from typing import Any

import uvicorn

START_SECONDS = 60.0
GRACE_SECONDS = 10.0
BETWEEN_LOOKS = 0.001
# Longer than any test: a client must never meet a connection that is just being closed.
IDLE_SECONDS = 3600


class PromptServer(uvicorn.Server):
    """A server that waits to be told instead of looking; it drains its connections as any other."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._told = asyncio.Event()

    def tell(self) -> None:
        """Have it end; from any thread."""
        assert self._loop is not None, "it never started"
        self._loop.call_soon_threadsafe(self._told.set)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Let Ctrl-C end it too."""
        super().handle_exit(sig, frame)
        self.tell()

    async def main_loop(self) -> None:
        """Serve until told to end."""
        self._loop = asyncio.get_running_loop()
        await self.on_tick(0)
        self.ready.set()
        await self._told.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End what is under way, and what has not ended by itself after the time that it may take."""
        for server in self.servers:
            server.close()
        for one in sockets or []:
            one.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.config.timeout_graceful_shutdown):
                while self.server_state.connections or self.server_state.tasks:
                    await asyncio.sleep(BETWEEN_LOOKS)
        for task in self.server_state.tasks:
            task.cancel()
        await self.lifespan.shutdown()


def _server(app: Any, **options: Any) -> PromptServer:
    chosen = {
        "log_config": None,
        "lifespan": "off",
        "timeout_graceful_shutdown": GRACE_SECONDS,
        "timeout_keep_alive": IDLE_SECONDS,
        **options,
    }
    return PromptServer(uvicorn.Config(app, **chosen))


@contextlib.contextmanager
def served(app: Any, **options: Any) -> Iterator[int]:
    """Serve an application in a thread on a free port of this machine, and give the port.

    Args:
        app: what is served.
        options: of uvicorn.
    """
    with listener() as opened:
        server = _server(app, **options)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]}, daemon=True)
        thread.start()
        assert server.ready.wait(START_SECONDS), "the server did not start"
        try:
            yield opened.getsockname()[1]
        finally:
            server.tell()
            thread.join()


@contextlib.asynccontextmanager
async def served_here(app: Any, where: socket.socket | None = None, **options: Any) -> AsyncIterator[int]:
    """Serve an application in the running event loop, and give the port.

    Args:
        app: what is served.
        where: a listening socket; a free port of this machine without it.
        options: of uvicorn.
    """
    with contextlib.ExitStack() as stack:
        found = where or stack.enter_context(listener())
        server = _server(app, **options)
        serving = asyncio.ensure_future(server.serve(sockets=[found]))
        while not server.ready.is_set():
            assert not serving.done(), "the server did not start"
            await asyncio.sleep(0)
        try:
            yield found.getsockname()[1]
        finally:
            server.tell()
            await serving


@contextlib.contextmanager
def listener() -> Iterator[socket.socket]:
    """Listen on a free port of this machine."""
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        opened.listen()
        yield opened
