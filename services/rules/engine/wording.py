"""How texts are put together: lists of names, plurals."""

from __future__ import annotations

from collections.abc import Sequence


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words in a row: "a, b and c"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def counted(number: int, one: str, several: str = "") -> str:
    """A number of something: "1 die", "3 dice".

    Args:
        number: How many.
        one: What one is called.
        several: What several are called; with an s behind it where empty.
    """
    return f"{number} {one if number == 1 else several or f'{one}s'}"
