"""Who is next, where there is not room for all at once: owners take turns.

Without turns, one account that asks a hundred times is answered a hundred times before the next one is heard.
"""

import asyncio
import contextlib
from collections import OrderedDict, deque
from collections.abc import AsyncIterator


class Crowded(Exception):
    """Too many are waiting; who asked is turned away."""


class Turns:
    """Hands a number of places to those who wait.

    Args:
        places: how many may be busy at once.
        waiting: how many may wait, of all owners together.
        waiting_each: how many of one owner may wait.
    """

    def __init__(self, places: int, *, waiting: int, waiting_each: int) -> None:
        self._free = places
        self._room = waiting
        self._room_each = waiting_each
        # In the order of their turns; an owner without anybody waiting is not in it.
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @contextlib.asynccontextmanager
    async def place(self, owner: str) -> AsyncIterator[None]:
        """Waits for a place, and holds it as long as the block runs.

        Raises:
            Crowded: too many wait already.
        """
        await self._take(owner)
        try:
            yield
        finally:
            self._pass_on()

    @property
    def waiting(self) -> int:
        """How many wait now."""
        return sum(map(len, self._queues.values()))

    async def _take(self, owner: str) -> None:
        if self._free > 0 and not self._queues:
            self._free -= 1
            return
        queue = self._queues.get(owner, ())
        if self.waiting >= self._room or len(queue) >= self._room_each:
            raise Crowded
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(owner, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._pass_on()  # the place was handed over in the moment of giving up
            else:
                self._leave(owner, turn)
            raise

    def _leave(self, owner: str, turn: "asyncio.Future[None]") -> None:
        queue = self._queues.get(owner)
        if queue is not None and turn in queue:
            queue.remove(turn)
            if not queue:
                del self._queues[owner]

    def _pass_on(self) -> None:
        while self._queues:
            owner, queue = self._queues.popitem(last=False)
            turn = queue.popleft()
            if queue:
                self._queues[owner] = queue  # to the end of the line
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
