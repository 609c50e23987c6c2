"""What the processes say: on the console with a prefix, and whole in one file each, for thirty days at most.

The console is written by a thread of its own behind a bounded queue. A reader that stops reading (a full
pipe, a paused terminal) then costs console lines, never the product: were the supervisor to block on its
own output, every process behind it would block on its log lines as well.
"""

import os
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path

COLOURS = (36, 33, 35, 32, 34, 96, 93, 95, 92, 94)
MAX_LINE = 32_768  # characters; a longer line is split
MAX_FILE = 5_000_000  # bytes; then the file becomes NAME.log.1 and a new one begins
FRESH = 15 * 86_400.0  # seconds that a file is written to; then, too, it becomes NAME.log.1
TAIL = 40  # lines kept in memory for a failure report
_QUEUE = 10_000  # lines


class Console:
    """Standard output as a place where lines may be lost but never waited for."""

    def __init__(self, names: Iterable[str], *, output: int = 1, quiet: bool = False) -> None:
        """Prepare the console.

        Args:
            names: the processes whose lines will come; they decide the width of the prefix.
            output: file descriptor to write to; standard output when omitted. A descriptor and not
                ``sys.stdout``: a thread that is stuck in the latter's buffer would spoil Python's exit.
            quiet: keep the processes' lines from the console; ``say`` still speaks.
        """
        self._output = output
        self._quiet = quiet
        known = [*names]
        self._width = max((len(name) for name in known), default=0)
        colourful = os.isatty(output) and not os.environ.get("NO_COLOR")
        self._colour = (
            {name: COLOURS[at % len(COLOURS)] for at, name in enumerate(known)} if colourful else {}
        )
        self._lines: queue.Queue[str | None] = queue.Queue(_QUEUE)
        self._lost = 0
        self._writer = threading.Thread(target=self._write, name="console", daemon=True)
        self._writer.start()

    def say(self, line: str) -> None:
        """Print a line of the supervisor's own."""
        self._put(line)

    def part(self, name: str, line: str) -> None:
        """Print a line of a process."""
        if self._quiet:
            return
        prefix = f"{name:<{self._width}} |"
        if colour := self._colour.get(name):
            prefix = f"\x1b[{colour}m{prefix}\x1b[0m"
        self._put(f"{prefix} {line}")

    def close(self, patience: float = 2.0) -> None:
        """Write out what is queued, for at most ``patience`` seconds."""
        try:
            self._lines.put(None, timeout=patience)
        except queue.Full:
            return
        self._writer.join(patience)

    def _put(self, line: str) -> None:
        try:
            self._lines.put_nowait(line)
        except queue.Full:
            self._lost += 1

    def _write(self) -> None:
        while (line := self._lines.get()) is not None:
            lost, self._lost = self._lost, 0
            if lost:
                line = f"({lost} lines were not shown here; the log files have them)\n{line}"
            rest = f"{line}\n".encode(errors="replace")
            try:
                while rest:
                    rest = rest[os.write(self._output, rest) :]
            except OSError:  # the reader went away; the product goes on without a console
                self._output = os.open(os.devnull, os.O_WRONLY)


class PartLog:
    """One process's lines: into its file (``path``), onto the console, and the last few kept (``tail``)."""

    def __init__(
        self, name: str, folder: Path, console: Console, clock: Callable[[], float] = time.time
    ) -> None:
        self._name = name
        self._console = console
        self._clock = clock
        self.path = folder / f"{name}.log"
        self._before = folder / f"{name}.log.1"
        self._forget_old()
        # The one before was written to until this one was begun; an empty one keeps that moment, too.
        if not self._before.exists():
            self._before.touch()
        self._begun = self._before.stat().st_mtime
        self._file = self.path.open("ab")
        self._rest = b""
        self.tail: deque[str] = deque(maxlen=TAIL)

    def feed(self, chunk: bytes) -> None:
        """Take bytes as they come from the process; whole lines go on at once."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            self._line(line)
        while len(self._rest) > MAX_LINE:
            self._line(self._rest[:MAX_LINE])
            self._rest = self._rest[MAX_LINE:]

    def end(self) -> None:
        """The process is gone: what it left unfinished is a line too."""
        if self._rest:
            self._line(self._rest)
            self._rest = b""

    def close(self) -> None:
        self.end()
        self._file.close()

    def _forget_old(self) -> None:
        oldest = self._clock() - FRESH
        if self.path.exists() and self.path.stat().st_mtime < oldest:
            self.path.unlink()
        if self._before.exists() and self._before.stat().st_mtime < oldest:
            self._before.unlink()
            if self.path.exists():
                self.path.rename(self._before)

    def _line(self, raw: bytes) -> None:
        text = raw.decode(errors="replace").rstrip("\r")
        self.tail.append(text)
        self._console.part(self._name, text)
        self._file.write(raw + b"\n")
        self._file.flush()
        if self._file.tell() > MAX_FILE or self._begun < self._clock() - FRESH:
            self._file.close()
            self.path.replace(self._before)
            self._file = self.path.open("ab")
            self._begun = self._clock()
