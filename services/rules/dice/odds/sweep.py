"""Goes through the values of dice that lie together, from one end to the other, and keeps count.

Which dice a selection keeps depends on how many lie above (or below) them and on nothing else. So the values
are passed in order; at each, some of the dice are taken to show it. What has to be remembered is how many
dice of each group are left, how many each selection has seen, and the ways to each total so far.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, product
from math import comb, gcd, lcm, prod
from typing import Any

from services.rules.dice.arithmetic import whole
from services.rules.dice.odds.selection import (
    Plan,
    Term,
    Window,
    full,
    most_kept,
    narrowed,
    plans,
    through,
    windows,
)
from services.rules.dice.odds.single_die import Effect
from services.rules.dice.odds.weights_by_total import PackedWeights, SparseWeights, WeightsByTotal
from services.rules.dice.pool import Select, Value

DENSE = 64
"""How many times more places than totals a row may have and still be one number."""


def sweep(terms: Sequence[Term], select: Sequence[Select], effect: Effect) -> dict[Value, int]:
    """The ways to every total.

    Args:
        terms: Dice that lie together.
        select: What is kept of the dice that the terms keep.
        effect: What a kept value counts.

    Returns:
        Ways by total; their sum is the product of the totals of all groups.
    """
    terms, select = narrowed(terms, select)
    found: dict[Value, int] = {}
    for plan in plans(terms, select):
        for total, ways in _Sweep(terms, select, plan, effect).run():
            found[total] = found.get(total, 0) + ways
    return found


class _Sweep:
    """One sweep."""

    def __init__(self, terms: Sequence[Term], select: Sequence[Select], plan: Plan, effect: Effect) -> None:
        self._groups = [group for term in terms for group in term.groups]
        self._owners = [place for place, term in enumerate(terms) for _ in term.groups]
        self._terms = range(len(terms))
        self._stages = plan.stages[:-1]
        self._outer = plan.stages[-1]
        self._slots = [0, *accumulate(windows(stages) for stages in plan.stages)]
        self._guessed = [
            (slot, stage.size)
            for slot, stage in enumerate(
                stage for stages in plan.stages for stage in stages if isinstance(stage, Window)
            )
            if stage.size is not None
        ]
        shown = {value for group in self._groups for value, _ in group.ways}
        self._values = sorted(shown, reverse=plan.descending)
        effects = [effect(value) for value in self._values]
        self._scale = lcm(*(counts.denominator for counts in effects))
        scaled = [int(counts * self._scale) for counts in effects]
        self._step = gcd(*scaled) or 1
        self._effects = [counts // self._step for counts in scaled]
        self._ways = [dict(group.ways) for group in self._groups]
        self._kept = most_kept(terms, select)
        self._rows = self._kind_of_rows()

    def run(self) -> Iterator[tuple[Value, int]]:
        """Totals and their ways."""
        left = tuple(group.count for group in self._groups)
        states: dict[_State, Any] = {(left, (0,) * self._slots[-1]): self._rows.start()}
        found = self._rows.nothing()
        behind = [
            sum(ways.values()) + group.blank for group, ways in zip(self._groups, self._ways, strict=True)
        ]
        counting = max((place for place, counts in enumerate(self._effects) if counts), default=-1)
        for place, value in enumerate(self._values):
            for group, ways in enumerate(self._ways):
                behind[group] -= ways.get(value, 0)
            after: dict[_State, Any] = {}
            for state, row in states.items():
                for followed, factor, kept in self._steps(state, value, behind):
                    moved = self._rows.moved(row, kept * self._effects[place], factor)
                    known = after.get(followed)
                    after[followed] = moved if known is None else self._rows.added(known, moved)
            states = {}
            for state, row in after.items():
                if self._decided(state) or (place >= counting and not self._guessed):
                    found = self._rows.added(found, self._rows.moved(row, 0, self._rest(state, behind)))
                else:
                    states[state] = row
        for state, row in states.items():
            if self._supposed(state):
                found = self._rows.added(found, self._rows.moved(row, 0, self._rest(state, behind)))
        for total, number in self._rows.items(found):
            yield whole(Fraction(total * self._step, self._scale)), number

    def _steps(self, state: _State, value: Value, behind: Sequence[int]) -> Iterator[tuple[_State, int, int]]:
        """In which ways dice may show a value: the state after it, the ways, how many of them are kept."""
        left, seen = state
        showing = [group for group, ways in enumerate(self._ways) if left[group] and value in ways]
        choices = [self._choices(group, left[group], value, behind[group]) for group in showing]
        for chosen in product(*choices):
            factor = prod([ways for _, ways in chosen])
            remaining, arriving = list(left), [0] * len(self._stages)
            for group, (count, _) in zip(showing, chosen, strict=True):
                remaining[group] -= count
                arriving[self._owners[group]] += count
            counters = list(seen)
            passed = 0
            for term in self._terms:
                if arriving[term]:
                    passed += through(self._stages[term], value, arriving[term], counters, self._slots[term])
            if passed:
                passed = through(self._outer, value, passed, counters, self._slots[-2])
            yield (tuple(remaining), tuple(counters)), factor, passed

    def _choices(self, group: int, left: int, value: Value, behind: int) -> list[tuple[int, int]]:
        """How many dice of a group may show a value, and in how many ways."""
        ways = self._ways[group][value]
        if self._groups[group].independent:
            if not behind:
                return [(left, ways**left)]
            found, factor = [(0, 1)], 1
            for count in range(1, left + 1):
                factor = factor * (left - count + 1) // count
                found.append((count, factor * ways**count if ways > 1 else factor))
            return found
        least = max(0, left - behind)
        return [(count, comb(ways, count)) for count in range(least, min(left, ways) + 1)]

    def _decided(self, state: _State) -> bool:
        """Whether nothing more is kept, whatever the dice that are left show."""
        if self._guessed:
            return False
        left, seen = state
        if full(self._outer, seen, self._slots[-2]):
            return True
        return all(
            full(self._stages[term], seen, self._slots[term])
            for term, count in zip(self._owners, left, strict=True)
            if count
        )

    def _rest(self, state: _State, behind: Sequence[int]) -> int:
        """The ways in which the dice that are left may lie."""
        return prod(
            [
                ways**count if group.independent else comb(ways, count)
                for group, ways, count in zip(self._groups, behind, state[0], strict=True)
                if count
            ]
        )

    def _supposed(self, state: _State) -> bool:
        """Whether as many dice came as was supposed."""
        return all(state[1][slot] == size for slot, size in self._guessed)

    def _kind_of_rows(self) -> WeightsByTotal:
        count = self._kept
        span = count * (max([0, *self._effects]) - min([0, *self._effects])) + 1
        # So many dice with so many different effects come to no more totals than that.
        totals = comb(count + len(set(self._effects)), count)
        dense = span <= DENSE * totals
        return PackedWeights(prod([group.total for group in self._groups])) if dense else SparseWeights()


_State = tuple[tuple[int, ...], tuple[int, ...]]
"""How many dice of each group are left, and how many each window has seen."""
