"""Calls other workers while there is more to do, and tells those who watch what was done.

Neither may fail a task: what is not sent or told here the sweeper sends, and the service tells.
"""

import asyncio
from collections.abc import Callable
from typing import Protocol

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from services.shared.jobs import Job
from services.shared.outbox import Relay
from services.shared.problems import Unavailable

PUBLISH_SECONDS = 2.0

log = structlog.get_logger(__name__)

Send = Callable[[Job], object]
"""Sends a message that there is work."""


class Waiting(Protocol):
    """Knows whether there is work."""

    async def waiting(self) -> Job | None:
        """Read any job that is due and that nobody works at."""


async def call_others(work: Waiting, redis: Redis, send: Send) -> None:
    """See to it that a message is waiting as long as a job is."""
    try:
        more = await work.waiting()
        if more is not None and not await redis.llen(more.queue):
            await asyncio.to_thread(send, more)
    except Exception as error:  # the sweeper does the same every two seconds
        log.warning("message_unsent", reason=f"{type(error).__name__}: {error}")


async def tell_the_rest(relay: Relay) -> None:
    """Publish what is not published yet, as far as that goes quickly."""
    # What cannot be told now is told by the map service's own relay.
    try:
        async with asyncio.timeout(PUBLISH_SECONDS):
            while await relay.relay_once():
                pass
    except (TimeoutError, RedisError, OSError, Unavailable, SQLAlchemyError) as error:
        log.warning("events_left_to_the_service", error=str(error))
