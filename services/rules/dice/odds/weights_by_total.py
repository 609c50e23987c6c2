"""Ways by total, while totals are being put together: packed (Kronecker substitution) or sparse.

A row is kept in one long whole number, a field of bits for each total, wide enough for all ways there are: to
add a value to every total is one shift, to put two rows together one addition. Where totals lie too far apart
for that, it is kept in a dictionary.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol


class WeightsByTotal(Protocol):
    """Ways by total, a row, in a form of its own."""

    def start(self) -> Any:
        """A total of 0, in one way."""

    def nothing(self) -> Any:
        """No total at all."""

    def moved(self, row: Any, by: int, factor: int) -> Any:
        """A row with something added to each total, and so many times the ways."""

    def added(self, left: Any, right: Any) -> Any:
        """Two rows together."""

    def items(self, row: Any) -> Iterable[tuple[int, int]]:
        """Totals and their ways."""


class PackedWeights:
    """WeightsByTotal as one whole number: where its first field is, and the fields."""

    def __init__(self, largest: int) -> None:
        self._width = (largest.bit_length() + 7) // 8 * 8

    def start(self) -> tuple[int, int]:
        return 0, 1

    def nothing(self) -> tuple[int, int]:
        return 0, 0

    def moved(self, row: tuple[int, int], by: int, factor: int) -> tuple[int, int]:
        first, fields = row
        return first + by, fields * factor

    def added(self, left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
        if not left[1]:
            return right
        if left[0] > right[0]:
            left, right = right, left
        return left[0], left[1] + (right[1] << (right[0] - left[0]) * self._width)

    def items(self, row: tuple[int, int]) -> Iterator[tuple[int, int]]:
        first, fields = row
        width = self._width // 8
        written = fields.to_bytes((fields.bit_length() // self._width + 1) * width, "little")
        for place in range(0, len(written), width):
            ways = int.from_bytes(written[place : place + width], "little")
            if ways:
                yield first + place // width, ways


class SparseWeights:
    """WeightsByTotal as ways by total."""

    def start(self) -> dict[int, int]:
        return {0: 1}

    def nothing(self) -> dict[int, int]:
        return {}

    def moved(self, row: dict[int, int], by: int, factor: int) -> dict[int, int]:
        return {total + by: ways * factor for total, ways in row.items()}

    def added(self, left: dict[int, int], right: dict[int, int]) -> dict[int, int]:
        if len(left) < len(right):
            left, right = right, left
        both = dict(left)
        for total, ways in right.items():
            both[total] = both.get(total, 0) + ways
        return both

    def items(self, row: dict[int, int]) -> Iterable[tuple[int, int]]:
        return row.items()
