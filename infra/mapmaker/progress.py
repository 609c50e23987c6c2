"""How far the work is: a bar on a terminal, a plain line now and then elsewhere."""

import shutil
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TextIO

REDRAW = 0.1
LINE = 5.0
"""Seconds between plain lines, for those who read them in a file."""

WINDOW = 20.0
"""Seconds whose work says how fast it goes: a slow start is forgotten."""

BAR = 28
_DAY = 86_400


@dataclass(slots=True)
class Progress:
    """Tells how far the work is, how fast it goes, and how long it will take.

    Attributes:
        stream: where to.
        total: how much there is to do.
        unit: of what: `maps`.
        shown: whether anything is told.
        clock: seconds that only go on.
        scale: what one is counted as, such as bytes that are told in megabytes.
        done: how much is done.
        note: what else is known by now.
    """

    stream: TextIO
    total: float
    unit: str = "maps"
    shown: bool = True
    clock: Callable[[], float] = time.monotonic
    scale: float = 1.0
    done: float = 0.0
    note: str = ""
    _told: float = field(default=float("-inf"), init=False)
    _width: int = field(default=0, init=False)
    _seen: deque[tuple[float, float]] = field(default_factory=deque, init=False)

    def __post_init__(self) -> None:
        self._seen.append((self.clock(), self.done))

    def move_to(self, done: float) -> None:
        """Say how much is done by now."""
        now = self.clock()
        first = len(self._seen) == 1
        self.done = done
        self.total = max(self.total, done)  # how much is to be fetched is known only nearly
        self._seen.append((now, done))
        while self._seen[0][0] < now - WINDOW and len(self._seen) > 2:
            self._seen.popleft()
        if first or now - self._told >= (REDRAW if self._bar else LINE):
            self._tell(now)

    def advance(self) -> None:
        """Say that one more is done."""
        self.move_to(self.done + 1)

    def end(self) -> None:
        """Tell the last state, and leave the line."""
        self._tell(self.clock())
        if self._bar:
            self.stream.write("\n")
            self.stream.flush()

    def line(self) -> str:
        """Write the state: `120/500 maps  24%  61.2 maps/s  ETA 0:06`."""
        share = self.done / self.total if self.total else 1.0
        rate = self._rate()
        left = (self.total - self.done) / rate if rate > 0 else None
        digits = 0 if self.scale == 1 else 1
        done, total = (f"{value * self.scale:,.{digits}f}" for value in (self.done, self.total))
        counted = f"{done}/{total} {self.unit}"
        told = f"{counted}  {share:4.0%}  {rate * self.scale:.1f} {self.unit}/s  ETA {duration(left)}"
        return f"{told}  {self.note}" if self.note else told

    @property
    def _bar(self) -> bool:
        return self.shown and self.stream.isatty()

    def _rate(self) -> float:
        began, before = self._seen[0]
        now, done = self._seen[-1]
        return (done - before) / (now - began) if now > began else 0.0

    def _tell(self, now: float) -> None:
        if not self.shown:
            return
        self._told = now
        if not self._bar:
            print(self.line(), file=self.stream, flush=True)
            return
        full = round(BAR * self.done / self.total) if self.total else BAR
        text = f"[{'#' * full}{'.' * (BAR - full)}] {self.line()}"[: shutil.get_terminal_size().columns - 1]
        self.stream.write(f"\r{text:<{self._width}}")
        self.stream.flush()
        self._width = len(text)


def duration(seconds: float | None) -> str:
    """Write a time: `0:06`, `1:02:03`; `--:--` where it is not known."""
    if seconds is None or seconds >= _DAY:
        return "--:--"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
