"""One token bucket for each owner of keys, kept in Redis.

The Lua script beside this file is the bucket; the GraphQL gateway (Node) and the REST face (Python) both run
it, so a client cannot escape its limit by changing doors.
"""

import json
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

HERE = Path(__file__).parent
LIMITS: dict[str, Any] = json.loads((HERE / "limits.json").read_text("utf-8"))
"""Every limit that the gateway (Node) and the services (Python) share."""

CAPACITY: int = LIMITS["account"]["capacity"]
REFILL_PER_SECOND: int = LIMITS["account"]["refillPerSecond"]

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Limit:
    """How large buckets of one sort are.

    Attributes:
        prefix: what the names of these buckets begin with.
        capacity: points in a full one.
        refill: points that flow in a second.
    """

    prefix: str
    capacity: int
    refill: float


ACCOUNT = Limit("hf:bucket:", CAPACITY, REFILL_PER_SECOND)
"""For requests, and for the work that is done while somebody waits for the answer."""


@dataclass(frozen=True, slots=True)
class Charge:
    """What became of a request's cost.

    Attributes:
        allowed: whether the bucket held enough.
        remaining: points left.
        retry_after: whole seconds to wait when it did not.
    """

    allowed: bool
    remaining: int
    retry_after: int


class Bucket:
    """Charges requests to the owner of the key.

    Args:
        redis: where the buckets are; while it is away every request is let through.
        limit: how large they are.
    """

    def __init__(self, redis: Redis, limit: Limit = ACCOUNT) -> None:
        self.limit = limit
        self._charge = redis.register_script((HERE / "bucket.lua").read_text("utf-8"))

    async def charge(self, owner: str, cost: int) -> Charge:
        """Take ``cost`` points from the bucket of ``owner`` (an account id, or an address)."""
        try:
            allowed, remaining, wait = await self._charge(
                keys=[f"{self.limit.prefix}{owner}"],
                args=[time.time_ns() // 1_000_000, self.limit.capacity, self.limit.refill, cost],
            )
        except (RedisError, OSError) as error:
            log.warning("limits_open", error=str(error))
            return Charge(allowed=True, remaining=self.limit.capacity, retry_after=0)
        return Charge(bool(int(allowed)), int(remaining), math.ceil(int(wait) / 1000))

    async def give_back(self, owner: str, points: int) -> None:
        """Puts points back that were charged for what was not done; no bucket gets fuller than full."""
        await self.charge(owner, -points)
