"""A walk over all stored files, a few at a time, by which those that nobody names are found and removed."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime, timedelta

from services.shared.storage import LOOK, Storage

UNNAMED = timedelta(hours=1)
"""So long a file may wait to be named; it takes seconds."""

EVERY = timedelta(hours=12)
"""Between two walks: with ``UNNAMED``, what nobody names is gone within a day."""


class FileWalk:
    """Walks over stored files again and again.

    Args:
        storage: where the files are.
        begun: the present moment, at which the first walk is due.
    """

    def __init__(self, storage: Storage, begun: datetime) -> None:
        self._storage = storage
        self._walk: AsyncIterator[tuple[str, datetime]] | None = None
        self._next_walk = begun

    async def step(self, moment: datetime) -> Sequence[tuple[str, datetime]]:
        """Return the next files, each with when it was stored; none where no walk is due, or at its end.

        A walk that an outage breaks off, or a caller who waits no longer, begins anew with the next step.
        """
        if self._walk is None:
            if moment < self._next_walk:
                return ()
            self._walk, self._next_walk = self._storage.stored(moment), moment + EVERY
        found: list[tuple[str, datetime]] = []
        try:
            async for each in self._walk:
                found.append(each)
                if len(found) == LOOK:
                    return found
        except BaseException:
            self._walk, self._next_walk = None, moment
            raise
        if not found:
            self._walk = None
        return found
