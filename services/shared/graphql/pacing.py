"""Long lists, handed to the graph a few at a time: between them the service answers others.

To complete an object of a list takes some 20 microseconds; a list of 50,000 would hold everybody up for more
than a second.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any

AT_ONCE = 50
"""Objects that are completed before others have their turn."""


class Paced:
    """Hands out a list as the graph reads it.

    Args:
        items: the list.
        at_once: how many are completed before others have their turn.
    """

    def __init__(self, items: Iterable[Any], at_once: int = AT_ONCE) -> None:
        self._items = items
        self._at_once = at_once

    async def __aiter__(self) -> AsyncIterator[Any]:
        """Yield the items, and make room for others every so often."""
        for index, item in enumerate(self._items, 1):
            if index % self._at_once == 0:
                await asyncio.sleep(0)
            yield item


def paced(items: Sequence[Any], at_once: int = AT_ONCE) -> Any:
    """Returns a list as it is when it is short, else one that makes room for others."""
    return items if len(items) <= at_once else Paced(items, at_once)
