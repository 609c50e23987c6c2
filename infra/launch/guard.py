"""Runs the warden, and runs it again when somebody kills it: see ``warden`` for what it does."""

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

from infra.launch import warden

COMMAND = (sys.executable, "-I", "-S", str(Path(warden.__file__)))
GRACE = 5.0  # seconds between SIGTERM and SIGKILL when the supervisor was killed
PAUSE = 0.2  # seconds before a killed warden is replaced


class Warden:
    """A running warden and the pipe that tells it what to end should this process be killed.

    The read end stays open here: what a killed warden has not read, its successor reads. What it had read it
    is told again.

    Args:
        keep: files that the warden holds open until nothing is left.
        grace: seconds between its SIGTERM and its SIGKILL.
    """

    def __init__(self, keep: Iterable[TextIO], grace: float) -> None:
        self._reader, self.pipe = os.pipe()
        self._keep = tuple(file.fileno() for file in keep)
        self._grace = grace
        self._groups: set[int] = set()
        self._telling = threading.Lock()
        self._closed = threading.Event()
        self._process = self._start()
        self._thread = threading.Thread(target=self._replace, name="warden", daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int:
        """The id of the warden that runs now."""
        return self._process.pid

    def began(self, group: int) -> None:
        """Remember a process group for further wardens; this one is told by the process itself."""
        with self._telling:
            self._groups.add(group)

    def ended(self, group: int) -> None:
        """Tell that a process group is gone: its number may be another's soon."""
        with self._telling:
            self._groups.discard(group)
            os.write(self.pipe, b"-%d\n" % group)

    def close(self) -> None:
        """Close the pipe and wait until the warden has ended what is left."""
        with self._telling:
            self._closed.set()
            os.close(self.pipe)
        self._thread.join()
        os.close(self._reader)

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*COMMAND, "watch", str(self._grace)],
            stdin=self._reader,
            pass_fds=self._keep,
            start_new_session=True,
        )

    def _replace(self) -> None:
        """Start another warden whenever one ends, until the pipe is closed."""
        while True:
            self._process.wait()
            if self._closed.wait(PAUSE):
                return
            with contextlib.suppress(OSError), self._telling:  # no process can be made: tried again
                if self._closed.is_set():
                    return
                self._process = self._start()
                os.write(self.pipe, b"".join(b"+%d\n" % group for group in self._groups))


@contextlib.contextmanager
def running_warden(keep: Iterable[TextIO] = (), *, grace: float = GRACE) -> Iterator[Warden]:
    """Run a warden until the block ends.

    Args:
        keep: open files that the warden holds on to until nothing is left, such as the data folder's lock: a
            new start must not begin while the killed one's servers still write there.
        grace: seconds between its SIGTERM and its SIGKILL.
    """
    made = Warden(keep, grace)
    try:
        yield made
    finally:
        made.close()
