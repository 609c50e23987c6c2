"""Who is next, where there is not room for all at once: owners take turns.

Without turns, one account that asks a hundred times is answered a hundred times before the next one is heard.
Next is the owner who holds the fewest places; of those who hold as many, the one whose *start* is earliest
(start-time fair queueing, Goyal et al. 1996): an owner starts where its last use ended, in a time that runs
by the places' use, and who was away starts now. So what an owner has used counts, measured when it is over
and never estimated; who asks for a little now and then waits for one use of each of the others at most,
however long they have been busy. Of equals, the one who has held places for the least time lately (see
``decay``) is next: a newcomer.
"""

import asyncio
import contextlib
import time
import weakref
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextvars import ContextVar

from services.shared.limits.decay import rank_after

OWNER: ContextVar[str] = ContextVar("owner", default="")
"""On whose behalf this task works: the account that asks; where none does the house, as one more owner."""

REMEMBERED = 10_000
"""Owners whose use is remembered, the latest ones."""


_named: "weakref.WeakSet[Turns]" = weakref.WeakSet()


def named_turns() -> Sequence["Turns"]:
    """Return all turns of this process that have a name; what Prometheus is told of them is read there."""
    return tuple(_named)


class Crowded(Exception):
    """Too many are waiting; who asked is turned away."""


class Turns:
    """Hands a number of places to those who wait.

    Args:
        places: how many may be busy at once.
        waiting: how many may wait, of all owners together.
        waiting_each: how many of one owner may wait.
        clock: seconds that never run backwards.
        name: of what has the places, for Prometheus; without one it is told nothing.

    Attributes:
        name: of what has the places.
        turned_away: how many have been so far.
    """

    def __init__(
        self,
        places: int,
        *,
        waiting: int,
        waiting_each: int,
        clock: Callable[[], float] = time.monotonic,
        name: str = "",
    ) -> None:
        self.name = name
        self.turned_away = 0
        if name:
            _named.add(self)
        self._free = places
        self._room = waiting
        self._room_each = waiting_each
        self._clock = clock
        # In the order in which they came, or were served last; an owner without anybody waiting is not in it.
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._held: Counter[str] = Counter()
        self._ranks: OrderedDict[str, float] = OrderedDict()
        # In milliseconds of use: where the owner served last began, and where each one's last use ended.
        self._start = 0.0
        self._ends: OrderedDict[str, float] = OrderedDict()

    @contextlib.asynccontextmanager
    async def place(self, owner: str) -> AsyncIterator[None]:
        """Wait for a place, and hold it as long as the block runs.

        Raises:
            Crowded: too many wait already.
        """
        await self._take(owner)
        start = self._start = self._start_of(owner)
        began = self._clock()
        try:
            yield
        finally:
            self._leave_place(owner, start, began)

    @property
    def waiting(self) -> int:
        """How many wait now."""
        return sum(map(len, self._queues.values()))

    @property
    def held(self) -> int:
        """How many places are held now."""
        return self._held.total()

    async def _take(self, owner: str) -> None:
        if self._free > 0 and not self._queues:
            self._free -= 1
            self._held[owner] += 1
            return
        queue = self._queues.get(owner, ())
        if self.waiting >= self._room or len(queue) >= self._room_each:
            self.turned_away += 1
            raise Crowded
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(owner, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                # The place was handed over in the moment of giving up.
                self._leave_place(owner, self._start, self._clock())
            else:
                self._leave_queue(owner, turn)
            raise

    def _leave_queue(self, owner: str, turn: "asyncio.Future[None]") -> None:
        queue = self._queues.get(owner)
        if queue is not None and turn in queue:
            queue.remove(turn)
            if not queue:
                del self._queues[owner]

    def _leave_place(self, owner: str, start: float, began: float) -> None:
        now = self._clock()
        used = 1000 * (now - began)
        _remember(self._ranks, owner, rank_after(self._ranks.get(owner), used, now))
        _remember(self._ends, owner, max(self._ends.get(owner, 0.0), start + used))
        self._held[owner] -= 1
        if not self._held[owner]:
            del self._held[owner]
        self._pass_on()

    def _pass_on(self) -> None:
        while self._queues:
            owner = min(self._queues, key=self._standing)  # of equals the one who has waited longest
            queue = self._queues.pop(owner)
            turn = queue.popleft()
            if queue:
                self._queues[owner] = queue
            if not turn.done():
                self._held[owner] += 1
                turn.set_result(None)
                return
        self._free += 1

    def _standing(self, owner: str) -> tuple[int, float, float]:
        return self._held[owner], self._start_of(owner), self._ranks.get(owner, float("-inf"))

    def _start_of(self, owner: str) -> float:
        return max(self._start, self._ends.get(owner, 0.0))


def _remember(values: OrderedDict[str, float], owner: str, value: float) -> None:
    values[owner] = value
    values.move_to_end(owner)
    if len(values) > REMEMBERED:
        values.popitem(last=False)
