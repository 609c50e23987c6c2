"""Waking those who wait: a service's stream turned into local signals, and subscriptions that miss nothing.

The stream only says *that* something happened; what happened is read from the database, with the viewer's
rights checked anew each time. A subscription therefore replays and tails through the same query, can resume
after any number, and goes on (more slowly) while Redis is away.

Topics that no event tells travel between the replicas of a service on a short stream of their own, some
gathered in one entry. An entry that is lost costs who waits for it ``POLL_SECONDS``.
"""

import asyncio
import secrets
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
GATHER_SECONDS = 0.02
"""How long topics for other replicas are gathered: unseen by people, and many commits of a busy table."""
TOPICS_LENGTH = 1_000
"""Entries that the stream of topics keeps; each is read as it is written."""


def topics_key(service: str) -> str:
    """Name the Redis stream on which the replicas of a service tell each other topics."""
    return f"hf:topics:{service}"


class Wakes:
    """Signals of one process, by topic; several subscriptions may wait for the same topic."""

    def __init__(self) -> None:
        self._waiting: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._name = secrets.token_hex(8).encode()
        self._untold: set[str] = set()
        self._poke = asyncio.Event()

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

    def tell_replicas(self, topics: frozenset[str]) -> None:
        """Have ``tell`` tell the service's other replicas of topics."""
        self._untold |= topics
        self._poke.set()

    async def tell(self, redis: Redis, service: str) -> None:
        """Tell the service's other replicas of topics until cancelled."""

        async def step() -> None:
            await self._poke.wait()
            await asyncio.sleep(GATHER_SECONDS)
            self._poke.clear()
            topics, self._untold = self._untold, set()
            entry: Any = {"from": self._name, "topic": "\n".join(topics)}
            await redis.xadd(topics_key(service), entry, maxlen=TOPICS_LENGTH, approximate=True)

        await repeat(step, name=f"telling replicas of {service}", patient_with=(RedisError, OSError))

    async def run(self, redis: Redis, service: str) -> None:
        """Turn the service's stream, and what its other replicas tell, into signals until cancelled."""
        keys = stream_key(service), topics_key(service)
        last: dict[str, bytes] | None = None

        async def step() -> None:
            nonlocal last
            # Forgotten until this round ends well: whoever waits looks for itself after a break.
            positions, last = last, None
            if positions is None:
                positions = {key: await _newest(redis, key) for key in keys}
                self.wake_topics(frozenset(self._waiting))
            asked: Any = dict(positions)
            answer: Any = await redis.xread(asked, count=500, block=BLOCK_MILLISECONDS)
            for stream, entries in answer or ():
                for entry_id, fields in entries:
                    positions[stream.decode()] = entry_id
                    if fields.get(b"from") != self._name:
                        self.wake_topics(frozenset(fields.get(b"topic", b"").decode().split("\n")))
            last = positions

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
