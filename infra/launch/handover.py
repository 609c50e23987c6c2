"""What lets one process take the place of another without a pause.

The supervisor holds the listening socket and lends it to each life of a process (``HEARTHFORGE_LISTEN_FD``):
while none of them accepts, connections wait in the kernel instead of being refused. Over a pipe
(``HEARTHFORGE_LIFE_FD``) a life says a word a line: ``ready`` when it accepts connections, ``broken`` when it
wants to be replaced. One that is broken goes on until its successor is ready, and is then told to stop.
"""

import asyncio
import contextlib
import json
import os
import socket
from collections.abc import Mapping

from infra.launch.bootstrap import ROOT
from infra.launch.ports import bound

LIMITS = ROOT / "services" / "shared" / "limits" / "limits.json"
BACKLOG = 511
UNSENT_SECONDS: int = json.loads(LIMITS.read_text("utf-8"))["unsentSeconds"]
LISTEN_FD, LIFE_FD = "HEARTHFORGE_LISTEN_FD", "HEARTHFORGE_LIFE_FD"


def listen(host: str, port: int) -> socket.socket:
    """Open the socket that all lives of a process accept from.

    Its connections end when what was sent to them stays unacknowledged, or unread, for too long: of a client
    whose network has vanished, the kernel would otherwise be sure only after a quarter of an hour.

    Raises:
        OSError: the address cannot be listened on.
    """
    listener = bound(host, port, backlog=BACKLOG)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNSENT_SECONDS * 1000)
    return listener


class Life:
    """What one life of a process says of itself.

    Attributes:
        ready: set when it accepts connections.
        broken: set when it asks for a successor.
    """

    def __init__(self, listener: socket.socket | None) -> None:
        self.ready = asyncio.Event()
        self.broken = asyncio.Event()
        self._listener = listener
        self._loop = asyncio.get_running_loop()
        self._words = b""
        if listener is not None:
            self._reader, self._writer = os.pipe()
            os.set_blocking(self._reader, False)
            self._loop.add_reader(self._reader, self._read)

    @property
    def descriptors(self) -> tuple[int, ...]:
        """What the process inherits."""
        return () if self._listener is None else (self._listener.fileno(), self._writer)

    @property
    def environment(self) -> Mapping[str, str]:
        """Variables that tell it so."""
        return dict(zip((LISTEN_FD, LIFE_FD), map(str, self.descriptors), strict=False))

    def close(self) -> None:
        """Stop listening to it."""
        if self._listener is not None:
            self._loop.remove_reader(self._reader)
            os.close(self._reader)
            os.close(self._writer)

    def _read(self) -> None:
        with contextlib.suppress(BlockingIOError):
            *words, self._words = (self._words + os.read(self._reader, 4096)).split(b"\n")
            for word in words:
                match word:
                    case b"ready":
                        self.ready.set()
                    case b"broken":
                        self.broken.set()
