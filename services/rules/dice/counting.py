"""Which of several values are kept, and what those that are kept count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from services.rules.dice.die import Die, Mark, marked
from services.rules.dice.pool import Comparison, Count, CountKind, Select, SelectKind, Value

ONE_OR_NONE = (CountKind.SUCCESS, CountKind.FAILURES, CountKind.EVEN, CountKind.ODD)
"""Rules by which a value counts 1 or 0 in place of itself."""


def select(values: Sequence[Value], rules: Sequence[Select]) -> set[int]:
    """The places of the values that are kept; of equal ones the earlier is chosen first."""
    kept = list(range(len(values)))
    for rule in rules:
        if rule.point is not None:
            wanted = rule.kind is SelectKind.KEEP_WHERE
            kept = [place for place in kept if rule.point.holds(values[place]) is wanted]
            continue
        highest = rule.kind in (SelectKind.KEEP_HIGHEST, SelectKind.DROP_HIGHEST)
        # Sorting is stable: of equal values the earlier comes first.
        ranked = sorted(kept, key=lambda place: -values[place] if highest else values[place])
        if rule.kind in (SelectKind.KEEP_HIGHEST, SelectKind.KEEP_LOWEST):
            kept = ranked[: rule.count]
        else:
            kept = ranked[rule.count :]
    return set(kept)


@dataclass(frozen=True, slots=True)
class Counted:
    """What one value counts, and whether that is a success or a failure."""

    counts: Value
    mark: Mark | None = None


def count(value: Value, rules: Sequence[Count]) -> Counted:
    """What one kept value counts; MARGIN is no matter of a single value and is left out."""
    mark: Mark | None = None
    counts = value
    deciding = [rule for rule in rules if rule.kind in ONE_OR_NONE]
    if deciding:
        hits = [rule for rule in deciding if _hits(rule, value)]
        counts = 1 if hits else 0
        if hits:
            mark = Mark.FAILURE if hits[0].kind is CountKind.FAILURES else Mark.SUCCESS
    for rule in rules:
        if rule.kind is CountKind.DEDUCT and _hits(rule, value):
            counts, mark = -1, Mark.FAILURE
        elif rule.kind is CountKind.SUBTRACT and _hits(rule, value):
            counts, mark = -value, Mark.FAILURE
    return Counted(counts, mark)


def margin(total: Value, rules: Sequence[Count]) -> Value:
    """A sum after the rules of MARGIN: how far it is beyond the point; below it, for `<` and `<=`."""
    for rule in rules:
        if rule.kind is CountKind.MARGIN and rule.point is not None:
            below = rule.point.comparison in (Comparison.LESS, Comparison.AT_MOST)
            total = rule.point.value - total if below else total - rule.point.value
    return total


def select_and_count(
    dice: list[Die], selects: Sequence[Select], counts: Sequence[Count]
) -> tuple[list[Die], Value]:
    """Dice after selections and rules of counting, and what they come to."""
    units = [place for place, die in enumerate(dice) if die.kept]
    if selects:
        kept = select([dice[place].value for place in units], selects)
        for rank, place in enumerate(units):
            if rank not in kept:
                dice[place] = marked(dice[place], Mark.DROPPED, kept=False)
        units = [place for place in units if dice[place].kept]
    if not counts:
        return dice, sum([dice[place].value for place in units])
    total: Value = 0
    for place in units:
        counted = count(dice[place].value, counts)
        total += counted.counts
        if counted.mark is not None:
            dice[place] = marked(dice[place], counted.mark)
    return dice, margin(total, counts)


def _hits(rule: Count, value: Value) -> bool:
    match rule.kind:
        case CountKind.EVEN:
            return value % 2 == 0
        case CountKind.ODD:
            return value % 2 == 1
        case _:
            return rule.point is not None and rule.point.holds(value)
