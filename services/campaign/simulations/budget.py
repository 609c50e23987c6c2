"""Processor time that simulations use is paid for when it is used, from the account's budget."""

from dataclasses import dataclass

from services.shared.auth import Viewer
from services.shared.limits.meter import MILLISECONDS_PER_POINT, Meter, RateLimited

LONGEST_PAUSE = 60
"""Seconds after which it is tried again at the latest."""


@dataclass(frozen=True, slots=True)
class Payment:
    """What came of paying.

    Attributes:
        paid: points that were taken.
        wait: seconds until there will be enough; 0 where there was.
    """

    paid: int
    wait: int = 0


class Budget:
    """Takes what was used from an account's budget of background work.

    Args:
        meter: of background work.
        most: points that the meter takes at once.
        owner: account that asked.
        network: where it asked from, if that is known.
    """

    def __init__(self, meter: Meter, most: int, owner: str, network: str | None) -> None:
        self._meter = meter
        self._most = most
        self._viewer = Viewer(owner, frozenset(), network=network)

    async def pay(self, owed: int) -> Payment:
        """Pay what is owed, all of it or nothing; more than a full budget in several goes."""
        points = min(owed, self._most)
        if points <= 0:
            return Payment(0)
        try:
            await self._meter.charge(self._viewer, points)
        except RateLimited as refused:
            return Payment(0, min(refused.retry_after, LONGEST_PAUSE))
        return Payment(points, 1 if points < owed else 0)


def points_of(milliseconds_before: float, milliseconds: float) -> int:
    """Compute the points of processor time: what is less than one is paid with what follows.

    Args:
        milliseconds_before: what was used until now.
        milliseconds: what was used on top of it.
    """
    before, after = milliseconds_before, milliseconds_before + milliseconds
    return int(after / MILLISECONDS_PER_POINT) - int(before / MILLISECONDS_PER_POINT)
