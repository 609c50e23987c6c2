"""What is known of a kind of die before it is rolled: its values, and how many faces meet a compare point."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from services.rules.dice.pool import Compare, Comparison, DieKind, Faces, Fate, Sides

FATE = (-1, 0, 1)


def extent(kind: DieKind) -> tuple[int, int] | None:
    """The lowest and the highest value of a die; None where its number of sides is still to be rolled."""
    match kind:
        case Sides(int(count)):
            return 1, count
        case Fate():
            return -1, 1
        case Faces(faces):
            values = [face.value for face in faces]
            return min(values), max(values)
        case Sides():
            return None


def meeting(kind: DieKind, points: Sequence[Compare]) -> tuple[int, int]:
    """How many faces meet one of the points, of how many.

    Raises:
        ValueError: The die's number of sides is still to be rolled.
    """
    match kind:
        case Sides(int(count)):
            return meeting_sides(count, points), count
        case Fate():
            values: Sequence[int] = FATE
        case Faces(faces):
            values = sorted([face.value for face in faces])
        case Sides():
            raise ValueError("this die's number of sides is still to be rolled")
    spans = _spans(values[0], values[-1], points)
    met = sum(bisect_right(values, last) - bisect_left(values, first) for first, last in spans)
    return met, len(values)


def meeting_sides(count: int, points: Sequence[Compare]) -> int:
    """How many of the faces 1 to `count` meet one of the points; without going through them."""
    return sum(last - first + 1 for first, last in _spans(1, count, points))


def _spans(low: int, high: int, points: Sequence[Compare]) -> list[tuple[int, int]]:
    """The whole numbers from `low` to `high` that meet one of the points, as spans that do not overlap."""
    found: list[tuple[int, int]] = []
    reached = low - 1
    for begin, end in sorted(span for point in points for span in _spans_of(low, high, point)):
        first, last = max(begin, reached + 1), min(end, high)
        if first <= last:
            found.append((first, last))
            reached = last
    return found


def _spans_of(low: int, high: int, point: Compare) -> list[tuple[int, int]]:
    value = point.value
    match point.comparison:
        case Comparison.EQUAL:
            return [(value, value)]
        case Comparison.NOT_EQUAL:
            return [(low, value - 1), (value + 1, high)]
        case Comparison.LESS:
            return [(low, value - 1)]
        case Comparison.AT_MOST:
            return [(low, value)]
        case Comparison.MORE:
            return [(value + 1, high)]
        case Comparison.AT_LEAST:
            return [(value, high)]
