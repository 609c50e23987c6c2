"""Waking those who wait: a service's stream turned into local signals, and subscriptions that miss nothing.

The stream only says *that* something happened; what happened is read from the database, with the viewer's
rights checked anew each time. A subscription therefore replays and tails through the same query, can resume
after any number, and goes on (more slowly) while Redis is away.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from redis.asyncio import Redis
from redis.exceptions import RedisError

from services.shared.loops import repeat
from services.shared.outbox import stream_key

T = TypeVar("T")
POLL_SECONDS = 5.0
BLOCK_MILLISECONDS = 2_000


class Wakes:
    """Signals of one process, by topic; several subscriptions may wait for the same topic."""

    def __init__(self) -> None:
        self._waiting: dict[str, set[asyncio.Event]] = defaultdict(set)

    @contextmanager
    def watch(self, topic: str) -> Iterator[asyncio.Event]:
        """Register for a topic; the signal is set at each event until the block ends."""
        signal = asyncio.Event()
        self._waiting[topic].add(signal)
        try:
            yield signal
        finally:
            self._waiting[topic].discard(signal)
            if not self._waiting[topic]:
                del self._waiting[topic]

    def wake(self, topic: str) -> None:
        """Set the signal of everyone who waits for ``topic``."""
        for signal in self._waiting.get(topic, ()):
            signal.set()

    def wake_topics(self, topics: frozenset[str]) -> None:
        """Set the signals of several topics, as this process's own commits do at once."""
        for topic in topics:
            self.wake(topic)

    async def run(self, redis: Redis, service: str) -> None:
        """Turn the service's stream into signals until cancelled."""
        key = stream_key(service)
        last: bytes | None = None

        async def step() -> None:
            nonlocal last
            # Forgotten until this round ends well: whoever waits looks for itself after a break.
            position, last = last, None
            if position is None:
                position = await _newest(redis, key)
                self.wake_topics(frozenset(self._waiting))
            answer: Any = await redis.xread({key: position}, count=500, block=BLOCK_MILLISECONDS)
            for _stream, entries in answer or ():
                for entry_id, fields in entries:
                    position = entry_id
                    self.wake(fields.get(b"topic", b"").decode())
            last = position

        await repeat(step, name=f"listening to {service}", patient_with=(RedisError, OSError))


async def _newest(redis: Redis, key: str) -> bytes:
    found: Any = await redis.xrevrange(key, count=1)
    return bytes(found[0][0]) if found else b"0-0"


async def follow(
    wakes: Wakes,
    topic: str,
    fetch: Callable[[int], Awaitable[Sequence[T]]],
    number: Callable[[T], int],
    *,
    after: int,
) -> AsyncIterator[T]:
    """Yield what ``fetch`` finds after a number, then everything new, in order, each once.

    Args:
        wakes: the process's signals.
        topic: what to wait for.
        fetch: reads a batch with numbers above its argument, in order, as far as the viewer may see;
            it raises when the viewer may no longer see any of it.
        number: the number of an item.
        after: number of the last item that the subscriber has.
    """
    last = after
    with wakes.watch(topic) as signal:
        while True:
            signal.clear()
            batch = await fetch(last)
            for item in batch:
                last = number(item)
                yield item
            if not batch:
                try:
                    async with asyncio.timeout(POLL_SECONDS):
                        await signal.wait()
                except TimeoutError:
                    pass
