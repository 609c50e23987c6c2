"""What was reckoned before, bounded in bytes, and questions that are being reckoned now, each once."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

V = TypeVar("V")

KEPT = 32 * 2**20
"""Bytes of answers that are kept."""


class Cache(Generic[V]):
    """Answers by question: those asked for last are kept.

    Args:
        weigh: returns the bytes of a question and its answer, roughly.
        size: bytes that are kept at most.
    """

    def __init__(self, weigh: Callable[[Hashable, V], int], size: int = KEPT) -> None:
        self._weigh = weigh
        self._size = size
        self._used = 0
        self._kept: OrderedDict[Hashable, tuple[int, V]] = OrderedDict()
        self._flights: dict[Hashable, asyncio.Task[V]] = {}
        self._waiting: Counter[Hashable] = Counter()

    @property
    def used(self) -> int:
        """Return the bytes of what is kept."""
        return self._used

    def has(self, key: Hashable) -> bool:
        """Tell whether an answer is kept, or being made."""
        return key in self._kept or key in self._flights

    def known(self, key: Hashable) -> V | None:
        """Return an answer that is kept."""
        found = self._kept.get(key)
        if found is None:
            return None
        self._kept.move_to_end(key)
        return found[1]

    def keep(self, key: Hashable, answer: V) -> None:
        """Keep an answer, and forget those that were not asked for the longest."""
        weight = self._weigh(key, answer)
        if key in self._kept or weight > self._size:
            return
        self._kept[key] = (weight, answer)
        self._used += weight
        while self._used > self._size:
            _, (freed, _) = self._kept.popitem(last=False)
            self._used -= freed

    async def once(self, key: Hashable, make: Callable[[], Coroutine[Any, Any, V]]) -> V:
        """Return a kept answer, or the one that is being made, or make it; what fails is not kept.

        An answer goes on being made for those who still wait when one who asked goes away, and is given up
        when nobody does.
        """
        found = self.known(key)
        if found is not None:
            return found
        flight = self._flights.get(key)
        if flight is None or flight.cancelling():
            flight = asyncio.create_task(make())
            self._flights[key] = flight
            flight.add_done_callback(lambda done: self._landed(key, done))
        self._waiting[key] += 1
        try:
            return await asyncio.shield(flight)
        finally:
            self._waiting[key] -= 1
            if not self._waiting[key]:
                del self._waiting[key]
                flight.cancel()

    def _landed(self, key: Hashable, flight: asyncio.Task[V]) -> None:
        if self._flights.get(key) is flight:
            del self._flights[key]
        if not flight.cancelled() and flight.exception() is None:
            self.keep(key, flight.result())
