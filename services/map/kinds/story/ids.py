"""Ids that tell nothing of how many things there are, for players see some of them."""

from __future__ import annotations

from collections.abc import Collection

from services.map.generation.stream import Stream


def fresh_id(seed: int, word: str, number: int, taken: Collection[str]) -> str:
    """An id such as `place-3f09a`, other than those taken.

    Args:
        seed: Of the map.
        word: What is named.
        number: Which of its kind it is.
        taken: Ids that others have.
    """
    stream = Stream(seed, "id", word, number)
    while (id := f"{word}-{stream.below(1 << 20):05x}") in taken:
        pass
    return id
