"""Work in threads that is truly stopped: it looks at its own processor time between its steps.

No step takes long: on the largest map a field of view takes a quarter of a second, and half a second the
longest walls that fog in patches cuts. The compiled loops let other threads run meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")

SECONDS = 5.0
"""Processor time that one piece of work may take in a thread."""

_UNTIL: ContextVar[float | None] = ContextVar("until", default=None)


class TooLong(Exception):
    """The work took all the processor time it had."""


def within_time(work: Callable[[], T], seconds: float = SECONDS) -> T:
    """Does some work in this thread.

    Args:
        work: calls `check_time` between its steps.
        seconds: processor time of this thread that it may take.

    Raises:
        TooLong: it was stopped.
    """
    token = _UNTIL.set(time.thread_time() + seconds)
    try:
        return work()
    finally:
        _UNTIL.reset(token)


def check_time() -> None:
    """Stops the work of this thread when its time is used up.

    Raises:
        TooLong: it is.
    """
    until = _UNTIL.get()
    if until is not None and time.thread_time() > until:
        raise TooLong
