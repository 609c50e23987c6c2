"""Time as a named parameter: processes are handed a clock, tests hand them another."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Clock = Callable[[], datetime]

SET = timedelta(seconds=1)
"""By so much a clock is set at least; less is how clocks are kept right."""


def system_clock() -> datetime:
    """Give the present moment in UTC."""
    return datetime.now(UTC)


class SteadyClock:
    """The present moment as a clock tells it that nobody has set since this process began.

    What people are given time for is measured by it: they lose none and gain none where the system's clock is
    set. A process that begins anew begins with the system's clock.

    Args:
        clock: the system's.
        seconds: of a clock that goes on evenly, whatever that one is set to.
    """

    def __init__(self, clock: Clock = system_clock, seconds: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seconds = seconds
        self._began, self._since = clock(), seconds()

    def __call__(self) -> datetime:
        """Return the present moment."""
        return self._began + timedelta(seconds=self._seconds() - self._since)

    def shown(self, moment: datetime) -> datetime:
        """Return a moment of this clock as the system's clock, as it is set now, will tell it."""
        ahead = self._clock() - self()
        return moment + ahead if abs(ahead) >= SET else moment
