"""Token buckets, kept in Redis: of owners of keys, of keys with a limit, of networks, two for signing up.

The Lua script beside this file is the bucket; the GraphQL gateway (Node) and the REST face (Python) both run
it, so a client cannot escape its limit by changing doors.
"""

import math
import time
from pathlib import Path

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from services.shared.limits.purses import Charge, Draw
from services.shared.metrics import BUDGETS_REFUSED

SCRIPT = Path(__file__).with_suffix(".lua")

log = structlog.get_logger(__name__)


class Bucket:
    """Charges requests to their owners' buckets.

    Args:
        redis: where the buckets are; while it is away every request is let through.
    """

    def __init__(self, redis: Redis) -> None:
        self._charge = redis.register_script(SCRIPT.read_text("utf-8"))

    async def charge(self, first: Draw, *others: Draw) -> Charge:
        """Takes points from all of the buckets named, or from none, in one round trip.

        A negative cost puts points back; no bucket gets fuller than full.
        """
        draws = (first, *others)
        terms = (
            term for draw in draws for term in (draw.rate.capacity, draw.rate.refill_per_second, draw.cost)
        )
        try:
            allowed, remaining, wait, slowest, *further = await self._charge(
                keys=[f"hf:bucket:{draw.owner}" for draw in draws],
                args=[time.time_ns() // 1_000_000, *terms],
            )
        except (RedisError, OSError) as error:
            log.warning("limits_open", error=str(error))
            return Charge(allowed=True, remaining=first.rate.capacity, retry_after=0)
        left = zip((int(remaining), *map(int, further)), draws, strict=True)
        fewest, tightest = min(
            ((points, draw) for points, draw in left if draw is first or not draw.shared),
            key=lambda one: one[0],
        )
        refusing = draws[max(int(slowest) - 1, 0)].limit
        if not int(allowed):
            BUDGETS_REFUSED.labels(refusing).inc()
        return Charge(
            bool(int(allowed)),
            fewest,
            math.ceil(int(wait) / 1000),
            refusing,
            tightest.rate.capacity,
        )
