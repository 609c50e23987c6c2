"""Long lists, completed a few objects at a time: between them the service answers others.

To complete an object of a list takes some 20 to 100 microseconds; an answer of 50,000 would hold everybody up
for seconds.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

AT_ONCE = 50
"""Objects that one operation completes before others have their turn."""


class Pace:
    """Counts what one operation has completed since others had their turn."""

    def __init__(self) -> None:
        self._completed = 0
        self._resting = asyncio.Lock()

    def slowed(self, items: Sequence[Any]) -> Any:
        """Return a list as it is while there is room for all of it, else one that makes room for others."""
        if self._completed + len(items) > AT_ONCE:
            return _Paced(items, self)
        self._completed += len(items)
        return items

    async def step(self) -> None:
        """Count an object; let others have their turn before it where that is due.

        Lists of one operation that are completed side by side go on one after the other.
        """
        while self._completed >= AT_ONCE:
            async with self._resting:
                if self._completed >= AT_ONCE:
                    await asyncio.sleep(0)
                    self._completed = 0
        self._completed += 1


class _Paced:
    """Hands out a list as the graph reads it."""

    def __init__(self, items: Sequence[Any], pace: Pace) -> None:
        self._items = items
        self._pace = pace

    async def __aiter__(self) -> AsyncIterator[Any]:
        """Yield the items, and make room for others every so often."""
        for item in self._items:
            await self._pace.step()
            yield item
