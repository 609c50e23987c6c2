"""Chance as content needs it that is drawn rather than rolled: names, sorts, a sentence to build on.

Whoever draws hands in a stream of its own for each thing, so that a thing drawn later changes no older one.
Dice that the table rolls are `services.rules.dice.stream` instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")
Weights = Mapping[T, int]


class Chance(Protocol):
    """An endless stream of random numbers, fixed by whoever hands it in."""

    def below(self, count: int) -> int:
        """The next number from 0 to count - 1, every one equally likely.

        Raises:
            ValueError: count is not positive.
        """

    def choice(self, items: Sequence[T]) -> T:
        """One of the items, every one equally likely."""


def weighted(chance: Chance, weights: Weights[T]) -> T:
    """One of some things, each as likely as its weight.

    Raises:
        ValueError: No weight is positive.
    """
    left = chance.below(sum(weights.values()))
    for thing, weight in weights.items():
        left -= weight
        if left < 0:
            return thing
    raise ValueError("no weight is positive")
