"""Time as a named parameter: processes are handed a clock, tests hand them another."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def system_clock() -> datetime:
    """Give the present moment in UTC."""
    return datetime.now(UTC)
