"""What dice cost, and what a total can buy: Artifacts and Heroines are made of bought dice.

Book: Create an Artifact of Wondrous Power, Recruit a Heroine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.systems.forgeborn.pools import ASCENDING, SIDES, DieSize, notation, promoted

EXTRA = 1
"""What a bought die costs beyond its faces (F7): d4 5, d6 7, d8 9, d10 11, d12 13."""

PRICES = {size: SIDES[size] + EXTRA for size in DieSize}
"""The price of each size."""

CHEAPEST = min(PRICES.values())

Purchase = tuple[DieSize, ...]
"""Bought dice, the largest first."""


def cost(dice: Iterable[DieSize]) -> int:
    """What some dice cost."""
    return sum(PRICES[size] for size in dice)


def _order(purchase: Purchase) -> tuple[int, int, tuple[int, ...]]:
    return len(purchase), cost(purchase), tuple(-SIDES[size] for size in purchase)


@lru_cache(maxsize=512)
def maximal(total: int) -> tuple[Purchase, ...]:
    """The purchases to which nothing can be added and in which nothing can be enlarged (F8).

    Worked out from what is left over: a purchase is maximal when the rest pays for no further die and for no
    larger one, so only purchases that leave less than a step are looked at.
    """
    return tuple(sorted(_tight(total, len(ASCENDING) - 1, ()), key=_order))


def _tight(total: int, largest: int, bought: Purchase) -> Iterator[Purchase]:
    if bought and not larger(bought, total):
        yield bought
    for place in range(largest, -1, -1):
        size = ASCENDING[place]
        if PRICES[size] <= total:
            yield from _tight(total - PRICES[size], place, (*bought, size))


def larger(purchase: Purchase, left: int) -> bool:
    """Whether what is left over buys one die more, or the next size of one that is bought."""
    if left >= CHEAPEST:
        return True
    steps = (
        PRICES[bigger] - PRICES[size] for size in set(purchase) if (bigger := promoted(size)) is not None
    )
    return any(step <= left for step in steps)


def most_power(total: int) -> int:
    """The highest Power a total can buy: as many of the smallest dice as it pays."""
    return total // CHEAPEST


def of_power(total: int, count: int) -> tuple[Purchase, ...]:
    """The best purchase of exactly so many dice: enlarged step by step, so that least is left over."""
    if count < 1 or count * CHEAPEST > total:
        return ()
    places = [0] * count
    left = total - count * CHEAPEST
    for place in range(count):
        while places[place] + 1 < len(ASCENDING):
            step = PRICES[ASCENDING[places[place] + 1]] - PRICES[ASCENDING[places[place]]]
            if step > left:
                break
            left -= step
            places[place] += 1
    return (tuple(ASCENDING[place] for place in sorted(places, reverse=True)),)


def purchase_problems(total: int, dice: Sequence[DieSize], path: KeyPath) -> list[RuleProblem]:
    """Why a total does not buy some dice, if it does not (F7, P17)."""
    if not dice:
        text = "At least one die is bought."
        return [RuleProblem("purchase_empty", text, "P17", path, 0, 1)]
    if cost(dice) > total:
        text = f"{notation(dice)} costs {cost(dice)}, and there are {total} points."
        rule = "Create an Artifact of Wondrous Power"
        return [RuleProblem("purchase_too_dear", text, rule, path, cost(dice), total)]
    return []
