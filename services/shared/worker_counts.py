"""What processes without a port have counted, handed over through Valkey to one that has one.

A worker hands over after each task, the sweeper after each round, what it has counted since the last time;
the account app shows the sums. A process that dies takes its last counts with it, and a Valkey that loses its
memory begins at nothing, as a process does that was started anew: Prometheus knows how to count on.
"""

import asyncio
from collections.abc import Sequence
from typing import cast

import orjson
import structlog
from prometheus_client.core import Metric
from redis.asyncio import Redis
from redis.exceptions import RedisError

from services.shared.metrics import WORKER_REGISTRY

KEY = "hf:counts"
"""A hash: name and labels of a counter as JSON, and its sum."""

HAND_OVER_SECONDS = 1.0

log = structlog.get_logger(__name__)

_handed: dict[bytes, float] = {}
"""What this process has handed over so far, by the hash's field."""


async def hand_over(redis: Redis) -> None:
    """Add what this process has counted since the last time to the sums; without Valkey, the next time."""
    grown = {
        field: value - _handed.get(field, 0.0)
        for field, value in _counted().items()
        if value > _handed.get(field, 0.0)
    }
    if not grown:
        return
    try:
        async with asyncio.timeout(HAND_OVER_SECONDS), redis.pipeline() as pipeline:
            for field, growth in grown.items():
                pipeline.hincrby(KEY, field, round(growth))
            await pipeline.execute()
    except (TimeoutError, RedisError, OSError) as error:
        log.warning("counts_kept", error=f"{type(error).__name__}: {error}"[:200])
        return
    for field, growth in grown.items():
        _handed[field] = _handed.get(field, 0.0) + growth


async def handed_over(redis: Redis) -> Sequence[Metric]:
    """Return the sums of what all processes without a port have counted.

    Raises:
        RedisError: Valkey is away.
    """
    told = cast("dict[bytes, bytes]", await redis.hgetall(KEY))
    families = {one.name: Metric(one.name, one.documentation, one.type) for one in WORKER_REGISTRY.collect()}
    for field, value in sorted(told.items()):
        name, labels = orjson.loads(field)
        if name in families:  # else of another version
            families[name].add_sample(f"{name}_total", labels, float(value))
    return list(families.values())


def _counted() -> dict[bytes, float]:
    return {
        orjson.dumps([metric.name, sample.labels], option=orjson.OPT_SORT_KEYS): sample.value
        for metric in WORKER_REGISTRY.collect()
        for sample in metric.samples
        if sample.name == f"{metric.name}_total"
    }
