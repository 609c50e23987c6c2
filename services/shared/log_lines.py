"""Where log lines are written: those of requests that succeeded together, every other one at once.

Writing a line by itself costs a system call and wakes whoever reads the log. Lines of requests that succeeded
wait for one another, a tenth of a second at most where no step holds the event loop longer; a process that is
killed loses no more than these. Which of them are written at all is decided by the request's id, so that all
processes that a request passed through keep its lines or leave them out (``log.mjs`` of the gateway decides
the same).
"""

import asyncio
import atexit
import os
import threading
import zlib

GATHER_SECONDS = 0.1
"""How long a line may wait for others."""

GATHER_BYTES = 16 * 1024
"""With so much waiting, all of it is written."""

SLOW_SECONDS = 1.0
"""A request that took so long is told of whatever its id is."""


def in_share(request_id: str, share: float) -> bool:
    """Return whether the lines of a successful request are written.

    Args:
        request_id: in ASCII.
        share: of all requests, 0 to 1.
    """
    return zlib.crc32(request_id.encode()) < share * 2**32


class LogLines:
    """Writes lines, in the order in which they came; it can be used from several threads.

    Structlog calls ``info`` and its like for a line; a handler of ``logging`` calls ``write`` and ``flush``.

    Args:
        descriptor: of the file or pipe that is written to.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lock = threading.Lock()
        self._waiting: list[bytes] = []
        self._size = 0
        self._timer: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        atexit.register(self.flush)

    def gather(self, line: str) -> None:
        """Write a line soon, from within a running event loop."""
        loop = asyncio.get_running_loop()
        encoded = f"{line}\n".encode(errors="backslashreplace")
        with self._lock:
            self._waiting.append(encoded)
            self._size += len(encoded)
            if self._size >= GATHER_BYTES:
                self._write_waiting()
            elif self._timer is None or self._loop is not loop:
                self._timer, self._loop = loop.call_later(GATHER_SECONDS, self._ring), loop

    def msg(self, line: str) -> None:
        """Write a line now, after those that wait."""
        self.write(f"{line}\n")

    debug = info = warning = warn = error = err = exception = critical = fatal = failure = log = msg

    def write(self, text: str) -> None:
        """Write text now, after the lines that wait."""
        with self._lock:
            self._waiting.append(text.encode(errors="backslashreplace"))
            self._write_waiting()

    def flush(self) -> None:
        """Write the lines that wait."""
        with self._lock:
            self._write_waiting()

    def _ring(self) -> None:
        self._timer = None
        self.flush()

    def _write_waiting(self) -> None:
        data, self._waiting, self._size = b"".join(self._waiting), [], 0
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except BrokenPipeError:
            pass  # whoever read the log is gone: there is nowhere left to complain
