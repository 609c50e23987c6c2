"""Bounds of values that are selected and counted: the dice of a term, or the members of a group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from services.rules.dice.bounds import Bounds, cut
from services.rules.dice.impossible import Impossible
from services.rules.dice.pool import (
    Comparison,
    Count,
    CountKind,
    Dice,
    ExplodeKind,
    Group,
    Select,
    SelectKind,
)

CHAIN = 100
"""Dice of one exploding die that are reckoned with; longer chains are left to the limits of a roll."""

_DECIDING = (CountKind.SUCCESS, CountKind.FAILURES, CountKind.EVEN, CountKind.ODD)
_WHERE = (SelectKind.KEEP_WHERE, SelectKind.DROP_WHERE)
DROPPING = (SelectKind.DROP_HIGHEST, SelectKind.DROP_LOWEST)


class Units(NamedTuple):
    """Values that are selected and counted: how many there are, and each one's bounds."""

    fewest: int
    most: int
    low: int
    high: int


def selected(node: Dice | Group, units: Units, rules: Sequence[Select], *, known_now: bool) -> Units:
    """The values that are kept.

    Args:
        node: Whose values.
        units: The values.
        rules: What is kept and dropped.
        known_now: Whether their number is known, and not left open by a variable.

    Raises:
        Impossible: More are kept or dropped than there can be.
    """
    fewest, most = units.fewest, units.most
    for index, rule in enumerate(rules):
        if rule.kind in _WHERE:
            fewest = 0
            continue
        if rule.count > most and known_now:
            raise Impossible(node, index, str(rule.count), f"a number from 0 to {most}")
        if rule.kind in DROPPING:
            fewest, most = max(0, fewest - rule.count), max(0, most - rule.count)
        else:
            fewest, most = min(fewest, rule.count), min(most, rule.count)
    return Units(fewest, most, units.low, units.high)


def exploded(units: Units, kind: ExplodeKind) -> Units:
    """The dice with further ones: more of them, or, where they are added to the first, larger ones."""
    chain = 2 if kind is ExplodeKind.ONCE else CHAIN
    taken = 1 if kind in (ExplodeKind.PENETRATE, ExplodeKind.COMPOUND_PENETRATE) else 0
    low, high = units.low - taken, units.high - taken
    if kind in (ExplodeKind.COMPOUND, ExplodeKind.COMPOUND_PENETRATE):
        further = chain - 1
        return Units(
            units.fewest, units.most, units.low + further * min(0, low), units.high + further * max(0, high)
        )
    return Units(units.fewest, units.most * chain, min(low, units.low), units.high)


def total(units: Units) -> tuple[int, int]:
    """The least and the greatest that values can add up to."""
    low, high = units.low, units.high
    return low * (units.fewest if low > 0 else units.most), high * (units.most if high > 0 else units.fewest)


def counted(units: Units, rules: Sequence[Count]) -> Bounds:
    """What comes of values by the rules of counting."""
    low, high = units.low, units.high
    if any(rule.kind in _DECIDING for rule in rules):
        low, high = 0, 1
    for rule in rules:
        if rule.kind is CountKind.DEDUCT:
            low, high = min(low, -1), max(high, -1)
        elif rule.kind is CountKind.SUBTRACT:
            low, high = min(low, -units.high), max(high, -units.low)
    low, high = total(Units(units.fewest, units.most, low, high))
    for rule in rules:
        if rule.kind is CountKind.MARGIN and rule.point is not None:
            value = rule.point.value
            if rule.point.comparison in (Comparison.LESS, Comparison.AT_MOST):
                low, high = value - high, value - low
            else:
                low, high = low - value, high - value
    return cut(low, high, 1)
