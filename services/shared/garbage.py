"""Looking through all that a process holds for garbage, while nobody waits for an answer.

Python does so in the middle of whatever allocates: with a large answer at hand that takes 50 ms and more, in
which the loop answers nobody. So a process that serves looks at what is young as ever, and at everything in
pauses: when no request is under way, or else when it has been due for long.
"""

import asyncio
import gc
import time
from collections.abc import Callable

DUE = 10
"""Looks at the middle generation after which a look at everything is due; Python's own number."""

EVERY_SECONDS = 1.0
"""How often it is asked whether there is a pause."""

PATIENCE_SECONDS = 30.0
"""How long a look that is due waits for a pause."""

_NEVER = 1_000_000


def look_in_pauses_only() -> None:
    """Let Python look at everything only when it is told to; what is young it looks at as before."""
    first, second, _ = gc.get_threshold()
    gc.set_threshold(first, second, _NEVER)


class Pauses:
    """Knows when there is a pause, and uses it.

    Args:
        clock: seconds that never run backwards.
        since: looks at the middle generation since the last look at everything.
        collect: looks at everything.

    Attributes:
        under_way: requests that are being answered; streams that go on do not count.
    """

    def __init__(
        self,
        *,
        clock: Callable[[], float] = time.monotonic,
        since: Callable[[], int] = lambda: gc.get_count()[2],
        collect: Callable[[], object] = gc.collect,
    ) -> None:
        self.under_way = 0
        self._clock = clock
        self._since = since
        self._collect = collect
        self._due: float | None = None

    async def run(self) -> None:
        """Wait a moment, then use the pause if there is one."""
        await asyncio.sleep(EVERY_SECONDS)
        self.look()

    def look(self) -> None:
        """Look at everything if that is due, and nobody waits or it has been due for long."""
        if self._since() < DUE:
            self._due = None
            return
        now = self._clock()
        if self._due is None:
            self._due = now
        if self.under_way == 0 or now - self._due >= PATIENCE_SECONDS:
            self._due = None
            self._collect()
