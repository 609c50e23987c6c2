"""Named random streams from one seed.

Each stage of a generator draws from its own stream, named by what it is for. A stage added later has another
name and so disturbs no older one. The numbers come from SplitMix64 over 64-bit integers (Steele, Lea, Flood
2014): the same on every machine, in every process, whatever the version of any library.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TypeVar

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15

T = TypeVar("T")


def _mixed(value: int) -> int:
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)


def digest(text: str) -> int:
    """A 64-bit number for a text, equal texts giving equal numbers everywhere (not for secrets)."""
    state = len(text)
    for byte in text.encode():
        state = _mixed((state + _GOLDEN + byte) & _MASK)
    return state


class Stream:
    """One endless stream of random numbers, fixed by a seed and a name."""

    __slots__ = ("_state",)

    def __init__(self, seed: int, *name: str | int) -> None:
        """Starts the stream of this name.

        Args:
            seed: The map's seed.
            name: What the stream is for, e.g. `"drop", 0`.
        """
        self._state = _mixed((seed + _GOLDEN) & _MASK) ^ digest("/".join(map(str, name)))

    def word(self) -> int:
        """The next number from 0 to 2**64 - 1."""
        self._state = (self._state + _GOLDEN) & _MASK
        return _mixed(self._state)

    def below(self, count: int) -> int:
        """The next number from 0 to count - 1, every one equally likely.

        Raises:
            ValueError: count is not positive.
        """
        if count < 1:
            raise ValueError("below() needs a positive count")
        fair = (1 << 64) - (1 << 64) % count
        while (word := self.word()) >= fair:
            pass
        return word % count

    def between(self, low: int, high: int) -> int:
        """The next number from low to high, both included."""
        return low + self.below(high - low + 1)

    def choice(self, items: Sequence[T]) -> T:
        """One of the items, every one equally likely."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Puts the items in a random order, every order equally likely."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
