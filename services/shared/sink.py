"""Where a file is written that is sent while it grows, such as a ZIP."""

import io
from typing import Any


class Sink(io.RawIOBase):
    """A file that knows how far it has grown, and keeps only what was not taken yet; it cannot be sought in.

    Attributes:
        waiting: what was not taken yet.
    """

    def __init__(self) -> None:
        self.waiting = bytearray()
        self._sent = 0

    def writable(self) -> bool:
        """Tell that it can be written to."""
        return True

    def tell(self) -> int:
        """Return how many bytes were written in all."""
        return self._sent + len(self.waiting)

    def write(self, content: Any) -> int:
        """Append bytes; returns how many."""
        self.waiting += content
        return len(content)

    def take(self) -> bytes:
        """Return what has been written since the last time."""
        taken = bytes(self.waiting)
        self._sent += len(taken)
        self.waiting.clear()
        return taken
