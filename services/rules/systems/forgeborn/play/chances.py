"""How likely things are, as exact fractions: what is shown beside a button, worked out once each."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from services.rules.dice import odds
from services.rules.systems.forgeborn import mechanics
from services.rules.systems.forgeborn.prices import CHEAPEST

Sides = tuple[int, ...]
"""The sides of some dice, the most first, so that equal pools are equal keys."""


@lru_cache(maxsize=8192)
def win(dice: Sides, power: int) -> Fraction:
    """The chance that dice reach so many d12 (D7)."""
    return mechanics.conflict_chance(dice, power)


@lru_cache(maxsize=1024)
def gain(dice: Sides, limit: int) -> Fraction:
    """The chance that a wish for these dice comes true (F19)."""
    return mechanics.forest_chance(dice, limit)


@lru_cache(maxsize=2048)
def junk(dice: Sides, below: int) -> Fraction:
    """The chance that a creation or recruiting comes to nothing (F10)."""
    return mechanics.junk_chance(dice, below)


@lru_cache(maxsize=2048)
def power_at_least(dice: Sides, power: int) -> Fraction:
    """The chance that a total buys at least so many dice."""
    return odds.sum_of_dice(dice).at_least(power * CHEAPEST)


def likely_power(dice: Sides) -> int:
    """The Power that the mean of a total buys; at least 1."""
    return max(1, sum(sides + 1 for sides in dice) // (2 * CHEAPEST))
