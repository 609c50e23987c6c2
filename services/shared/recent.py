"""What was worked out lately, kept as long as there is room for it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """Keeps values by their keys; those asked for least lately go first. Threads may share it.

    Args:
        room: bytes of all values together.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._used = 0
        self._values: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        """Returns a value, None where it is not at hand (any more)."""
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return None
            self._values.move_to_end(key)
            return found[0]

    def put(self, key: K, value: V, size: int) -> None:
        """Keeps a value.

        Args:
            key: its name.
            value: the value.
            size: bytes that it takes, about; what is larger than all the room is not kept.
        """
        with self._lock:
            before = self._values.pop(key, None)
            self._used -= before[1] if before is not None else 0
            if size > self._room:
                return
            self._values[key] = value, size
            self._used += size
            while self._used > self._room:
                _, (_, freed) = self._values.popitem(last=False)
                self._used -= freed

    def drop(self, key: K) -> None:
        """Forgets a value."""
        with self._lock:
            before = self._values.pop(key, None)
            self._used -= before[1] if before is not None else 0
