"""What work costs: a service estimates it, charges for it, and only then begins.

The gateway charges each operation for its fields. That bounds small work; a roll of 100,000 dice, the odds of
a pool, a picture or a question about a huge map cost far more than the field they stand in. Whoever does such
work estimates its processor time and charges the owner's bucket for it first::

    await meter.charge(viewer, points_for(estimated_milliseconds))

What was charged in a request is told in two headers of its answer, which every caller inside the house adds
to its own (``Peer`` does), up to the gateway, which shows the sum as ``extensions.cost`` or
``x-ratelimit-remaining``.
"""

import math
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass

from services.shared.auth import Viewer
from services.shared.limits.bucket import Bucket
from services.shared.limits.purses import REQUESTS, Limit, Purse, of_key
from services.shared.metrics import BUDGETS_REFUSED
from services.shared.problems import PublicError

MILLISECONDS_PER_POINT = 3.0
"""Processor time, of all processes together, that one point pays for: about that of a small query."""

MOST_POINTS = REQUESTS.most
"""The most that one piece of work may cost, like one operation at the gateway."""

CHARGED_HEADER = "x-hearthforge-charged"
REMAINING_HEADER = "x-hearthforge-remaining"


class LimitReached(PublicError):
    """Work that was not begun because of what it costs.

    ::

        LimitReached
        |-- RateLimited     the bucket does not hold enough for it now
        `-- TooExpensive    it costs more than any one piece of work may
    """


class RateLimited(LimitReached):
    """The bucket does not hold enough for the work now.

    Attributes:
        retry_after: whole seconds until it will.
        limit: whose it is; None where another service did not tell.
    """

    def __init__(self, retry_after: int, limit: Limit | None = None) -> None:
        self.limit = limit
        self.retry_after = max(1, retry_after)
        super().__init__(
            "RATE_LIMITED",
            f"The limit is used up. Try again in {self.retry_after} s.",
            retryAfter=self.retry_after,
            **({"limit": limit} if limit else {}),
        )


class TooExpensive(LimitReached):
    """The work costs more points than one piece of work may.

    Attributes:
        requested: points that it would cost.
    """

    def __init__(self, requested: int, message: str | None = None, *, allowed: int = MOST_POINTS) -> None:
        self.requested = requested
        super().__init__(
            "QUERY_TOO_EXPENSIVE",
            message
            or f"This costs {requested:,} points, more than the {allowed:,} that one request may cost.",
            requested=requested,
            allowed=allowed,
        )


@dataclass(slots=True)
class Tally:
    """What was charged for work in one request, beside the price of the request itself.

    Attributes:
        charged: points.
        remaining: points left in the bucket after the last charge; None before the first.
    """

    charged: int = 0
    remaining: int | None = None

    def add(self, charged: int, remaining: int) -> None:
        """Adds a charge that was paid."""
        self.charged += charged
        self.remaining = remaining if self.remaining is None else min(self.remaining, remaining)

    def add_told(self, headers: Mapping[str, str]) -> None:
        """Adds what another service reports in the headers of its answer."""
        charged, remaining = headers.get(CHARGED_HEADER, ""), headers.get(REMAINING_HEADER, "")
        if charged.isdigit() and remaining.isdigit():
            self.add(int(charged), int(remaining))

    def told(self) -> dict[str, str]:
        """Returns the headers that report it; none where nothing was charged."""
        if self.remaining is None:
            return {}
        return {CHARGED_HEADER: str(self.charged), REMAINING_HEADER: str(self.remaining)}


TALLY: ContextVar[Tally | None] = ContextVar("tally", default=None)
"""The tally of the request that is being answered; every process begins one for each request."""


def points_for(milliseconds: float) -> int:
    """Computes the points that an amount of processor time costs, rounded up."""
    return max(0, math.ceil(milliseconds / MILLISECONDS_PER_POINT))


def points_beyond(milliseconds: float) -> int:
    """Computes the points of work beside a request's own price, which pays for what is less than one."""
    return int(milliseconds / MILLISECONDS_PER_POINT)


class Meter:
    """Charges accounts for work before it is done.

    Args:
        bucket: the buckets.
        purse: which of them pay. What is paid from the same ones as requests is told in the answer's headers
            beside the price of the request; the rest is told elsewhere.
    """

    def __init__(self, bucket: Bucket, purse: Purse = REQUESTS) -> None:
        self._bucket = bucket
        self._purse = purse

    async def charge(self, viewer: Viewer, points: int) -> None:
        """Takes points from the buckets of the viewer, of a key that has a limit, and of their network.

        0 costs nothing and is always allowed. A key's limit is one of requests: it bounds no other purse.

        Raises:
            TooExpensive: more than one piece of work may cost.
            RateLimited: a bucket does not hold so much now; nothing was taken.
        """
        if points <= 0:
            return
        if points > self._purse.most:
            BUDGETS_REFUSED.labels("operation").inc()
            raise TooExpensive(points, allowed=self._purse.most)
        owner = viewer.network if viewer.anonymous and viewer.network else viewer.account
        # Their network pays too: otherwise many accounts at one place would be an unlimited budget for work.
        draws = self._purse.draws(owner, viewer.network, points)
        own = of_key(viewer, points) if self._purse is REQUESTS else ()
        charge = await self._bucket.charge(*draws, *own)
        if not charge.allowed:
            raise RateLimited(charge.retry_after, charge.limit)
        tally = TALLY.get()
        if tally is not None and self._purse is REQUESTS:
            tally.add(points, charge.remaining)

    async def give_back(self, account: str, points: int) -> None:
        """Puts points back into an account's bucket, for work that was not begun."""
        if points > 0:
            await self._bucket.charge(*self._purse.draws(account, None, -points))
