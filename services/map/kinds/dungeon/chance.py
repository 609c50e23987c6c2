"""Random numbers inside compiled kernels: SplitMix64 over a state that a named stream has started.

The state is an array of one unsigned 64-bit word, made by `start` from `Stream(seed, "stage", ...)`; the
kernels advance it in place. All arithmetic is on whole numbers, so every machine draws the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numba
import numpy as np
import numpy.typing as npt

from services.map.generation.stream import Stream

Ints = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.uint8]
State = npt.NDArray[np.uint64]

if TYPE_CHECKING:
    _Function = TypeVar("_Function")

    def kernel(function: _Function) -> _Function:
        """A function compiled to machine code at its first call, and kept on disk."""

else:
    kernel = numba.njit(cache=True)

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


def start(seed: int, *name: str | int) -> State:
    """The state of the stream of this name."""
    return np.array([Stream(seed, *name).word()], dtype=np.uint64)


@kernel
def word(state: State) -> Any:
    """The next number from 0 to 2**64 - 1."""
    state[0] = state[0] + _GOLDEN
    value = state[0]
    value = (value ^ (value >> np.uint64(30))) * _FIRST
    value = (value ^ (value >> np.uint64(27))) * _SECOND
    return value ^ (value >> np.uint64(31))


@kernel
def below(state: State, count: int) -> Any:
    """The next number from 0 to count - 1; count is at least 1 and far below 2**32."""
    return np.int64(((word(state) >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))


@kernel
def shuffle(state: State, items: Ints) -> None:
    """Puts the items in a random order, in place."""
    for last in range(items.shape[0] - 1, 0, -1):
        other = below(state, last + 1)
        kept = items[last]
        items[last] = items[other]
        items[other] = kept


@kernel
def words(state: State, count: int) -> npt.NDArray[np.int64]:
    """The next numbers from 0 to 2**31 - 1, many at once: for choices that are made outside of kernels."""
    drawn = np.empty(count, np.int64)
    for index in range(count):
        drawn[index] = np.int64(word(state) >> np.uint64(33))
    return drawn
