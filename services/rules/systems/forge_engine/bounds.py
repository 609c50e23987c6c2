"""Numbers that a question may give, and how it is said that one is out of bounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from services.rules.engine.problem import KeyPath, RuleProblem

MOST = 1_000
"""Ratings, energy and the like; the greatest of the book stay far below."""

Numbers = Mapping[str, tuple[int, int, int]]
"""By the name of a field: what was given, the least and the most that it may be."""


def out_of_bounds(numbers: Numbers, rule: str, path: KeyPath = ()) -> Iterator[RuleProblem]:
    """Every number that is less or more than it may be, in the order given."""
    for name, (value, least, most) in numbers.items():
        if not least <= value <= most:
            yield RuleProblem(
                "number_out_of_range",
                f"This is from {least} to {most}, not {value}.",
                rule,
                (*path, name),
                value,
                (least, most),
            )
