"""A watch over an event loop: whatever holds it longer than 100 ms is logged with its stack.

A thread asks the loop again and again whether it is there. Where no answer comes, it looks at what the loop's
thread is doing; once the loop answers, one line tells how long it was held, how much processor time its
thread had meanwhile (little: it waited for the disk, or other processes had the processor), and where it was.
Nobody else is slowed down: the loop counts an answer some tens of times a second.
"""

import asyncio
import contextlib
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, TracebackType
from typing import Self

import structlog

HELD_SECONDS = 0.1
"""How long a step may take."""

EVERY_SECONDS = 0.025
"""How often the loop is asked; by so much may a step be longer than it is told to be."""

DEEPEST = 25
"""The most frames of a stack that are told, the innermost ones."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class HeldLoop:
    """A step that held a loop too long.

    Attributes:
        seconds: how long the loop did not answer.
        processor_seconds: processor time of its thread meanwhile.
        stack: where it was when it had been held ``HELD_SECONDS``, innermost first: ``file:line function``.
    """

    seconds: float
    processor_seconds: float
    stack: tuple[str, ...]


def log_held(held: HeldLoop) -> None:
    """Write the line of a step that held the loop.

    Its stack is told as ``frames``: ``stack`` is a key that structlog's console writes in a form of its own.
    """
    log.warning(
        "loop_held",
        ms=round(held.seconds * 1_000),
        processor_ms=round(held.processor_seconds * 1_000),
        frames=list(held.stack),
    )


class LoopWatch:
    """Watches the loop in which it is entered, until it is left.

    Args:
        report: is told of each step that held the loop, in the thread of the watch.
        most: seconds that a step may take.
    """

    def __init__(self, report: Callable[[HeldLoop], None] = log_held, most: float = HELD_SECONDS) -> None:
        self._report = report
        self._most = most
        self._ended = threading.Event()
        self._answered = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        """Begin to watch the running loop."""
        loop, own = asyncio.get_running_loop(), threading.get_ident()
        self._thread = threading.Thread(target=self._watch, args=(loop, own), name="loop watch", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        """Stop watching."""
        self._ended.set()

    def _watch(self, loop: asyncio.AbstractEventLoop, thread: int) -> None:
        clock = time.pthread_getcpuclockid(thread)
        while not self._ended.wait(EVERY_SECONDS):
            self._answered.clear()
            began, spent = time.monotonic(), time.clock_gettime(clock)
            try:
                loop.call_soon_threadsafe(self._answered.set)
            except RuntimeError:
                return  # The loop is closed.
            if self._answered.wait(self._most):
                continue
            stack = _stack(sys._current_frames().get(thread))
            while not self._answered.wait(EVERY_SECONDS):
                if self._ended.is_set():
                    return
            seconds = time.monotonic() - began
            with contextlib.suppress(Exception):  # What cannot be told of one step does not end the watch.
                self._report(HeldLoop(seconds, time.clock_gettime(clock) - spent, stack))


def _stack(frame: FrameType | None) -> tuple[str, ...]:
    found: list[str] = []
    while frame is not None and len(found) < DEEPEST:
        code = frame.f_code
        found.append(f"{_short(code.co_filename)}:{frame.f_lineno} {code.co_qualname}")
        frame = frame.f_back
    return tuple(found)


def _short(path: str) -> str:
    """Shorten a path to its last three parts."""
    return "/".join(Path(path).parts[-3:])
