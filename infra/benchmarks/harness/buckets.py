"""Cost limits that are at work but never refuse: the buckets of those who ask are filled up all the time."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from redis.asyncio import Redis

from infra.benchmarks.harness.product import Product

BETWEEN_FILLINGS = 0.1  # seconds
NETWORKS = ("network:127.0.0.1", "network:::1")
"""All who are measured come from this machine, so one bucket would pay for all of them."""


@asynccontextmanager
async def full_buckets(product: Product, owners: Sequence[str]) -> AsyncIterator[None]:
    """Keep the owners' buckets full; a bucket that is not there counts as full.

    Filling is told to stop, not cancelled: a client of Redis may swallow a cancellation, and then it would
    go on for ever.
    """
    stop = asyncio.Event()
    async with Redis.from_url(product.environment["REDIS_URL"]) as redis:

        async def fill() -> None:
            while not stop.is_set():
                await redis.delete(*(f"hf:bucket:{owner}" for owner in (*owners, *NETWORKS)))
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(stop.wait(), BETWEEN_FILLINGS)

        filling = asyncio.create_task(fill())
        try:
            yield
        finally:
            stop.set()
            await filling
