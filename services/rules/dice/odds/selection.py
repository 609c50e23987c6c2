"""Selections as stages that dice pass one by one, in the order of their values.

    Where       lets pass what meets a point
    Window      lets pass those that come at certain places

Whether the best three are kept can be told as dice come, best first. Whether the worst three are cannot,
unless it is known how many come in all: behind a `Where` that number is guessed, each guess is followed by
itself, and a guess that was wrong counts for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product, takewhile

from services.rules.dice.odds.dice_mixture import DieGroup
from services.rules.dice.pool import Compare, Select, SelectKind, Value

HIGHEST = (SelectKind.KEEP_HIGHEST, SelectKind.DROP_HIGHEST)
KEEP = (SelectKind.KEEP_HIGHEST, SelectKind.KEEP_LOWEST)


@dataclass(frozen=True, slots=True)
class Term:
    """Dice that selections of their own look at, before those of the whole.

    Attributes:
        groups: The dice.
        select: What is kept of them.
        sure: Whether all of them come to be selected; else those that show nothing that matters do not.
    """

    groups: tuple[DieGroup, ...]
    select: tuple[Select, ...] = ()
    sure: bool = True


def narrowed(terms: Sequence[Term], select: Sequence[Select]) -> tuple[tuple[Term, ...], tuple[Select, ...]]:
    """The same without points that come first: what does not meet them does not matter."""
    found = []
    for term in terms:
        points, rest = _points_first(term.select)
        found.append(Term(tuple(_blanked(group, points) for group in term.groups), rest, not points))
    if any(term.select for term in found):
        return tuple(found), tuple(select)
    points, rest = _points_first(select)
    return tuple(
        Term(tuple(_blanked(group, points) for group in term.groups), (), term.sure and not points)
        for term in found
    ), rest


def kept(rules: Iterable[Select], value: Value) -> bool:
    """Whether rules that look at one die only keep a value."""
    return all(
        rule.point is None or rule.point.holds(value) is (rule.kind is SelectKind.KEEP_WHERE)
        for rule in rules
    )


def _points_first(select: Sequence[Select]) -> tuple[tuple[Select, ...], tuple[Select, ...]]:
    points = tuple(takewhile(lambda rule: rule.point is not None, select))
    return points, tuple(select[len(points) :])


def _blanked(group: DieGroup, points: Sequence[Select]) -> DieGroup:
    if not points:
        return group
    shown = tuple((value, ways) for value, ways in group.ways if kept(points, value))
    blank = sum(ways for _, ways in group.ways) - sum(ways for _, ways in shown)
    return replace(group, ways=shown, blank=group.blank + blank)


@dataclass(frozen=True, slots=True)
class Where:
    """Lets pass what meets a point, or what does not."""

    point: Compare
    wanted: bool


@dataclass(frozen=True, slots=True)
class Window:
    """Lets pass those that come at places `start` to `end`, counted from 0 in the order of the sweep.

    Attributes:
        size: How many are supposed to come, where that had to be guessed; if others came, the sweep counts
            for nothing.
    """

    start: int
    end: int
    size: int | None = None


Stage = Where | Window


@dataclass(frozen=True, slots=True)
class Plan:
    """The selections of each term and of the whole as stages, and the order in which values are passed."""

    descending: bool
    stages: tuple[tuple[Stage, ...], ...]


def guesses(terms: Sequence[Term], select: Sequence[Select]) -> int:
    """How many sweeps these selections take at most."""
    return min(_guesses(terms, select, descending=descending) for descending in (True, False))


def most_kept(terms: Sequence[Term], select: Sequence[Select]) -> int:
    """How many dice are kept at most."""
    return _most(select, sum(_most(term.select, sum(s.count for s in term.groups)) for term in terms))


def _most(select: Sequence[Select], size: int) -> int:
    for rule in select:
        if rule.kind in KEEP:
            size = min(size, rule.count)
        elif rule.point is None:
            size = max(0, size - rule.count)
    return size


def _guesses(terms: Sequence[Term], select: Sequence[Select], *, descending: bool) -> int:
    number, most, known = 1, 0, True
    for term in terms:
        size, sure = sum(group.count for group in term.groups), term.sure
        most += size
        for rule in term.select:
            number *= 1 if sure or (rule.kind in HIGHEST) is descending or rule.point else size + 1
            sure = (sure or (rule.kind in HIGHEST) is not descending) and not rule.point
        known = known and sure
    for rule in select:
        number *= 1 if known or (rule.kind in HIGHEST) is descending or rule.point else most + 1
        known = (known or (rule.kind in HIGHEST) is not descending) and not rule.point
    return number


def plans(terms: Sequence[Term], select: Sequence[Select]) -> Iterator[Plan]:
    """Every plan that is needed: more than one where the number of dice behind a WHERE had to be guessed."""
    # Of orders that take as many sweeps, the one in which a selection is full first leaves more unlooked at.
    ranked = [rule.kind for rules in (*(term.select for term in terms), select) for rule in rules]
    lowest = SelectKind.KEEP_LOWEST in ranked and SelectKind.KEEP_HIGHEST not in ranked
    down, up = (_guesses(terms, select, descending=order) for order in (True, False))
    descending = down < up or (down == up and not lowest)
    for stages in _staged(terms, select, descending=descending):
        yield Plan(descending, stages)


def _staged(
    terms: Sequence[Term], select: Sequence[Select], *, descending: bool
) -> Iterator[tuple[tuple[Stage, ...], ...]]:
    rows = [
        list(_stages(term.select, sum(group.count for group in term.groups), term.sure, descending))
        for term in terms
    ]
    for chosen in product(*rows):
        most = sum(size for _, size, _ in chosen)
        known = all(known for _, _, known in chosen)
        for outer, _, _ in _stages(select, most, known, descending):
            yield (*(stages for stages, _, _ in chosen), outer)


def _stages(
    select: Sequence[Select], size: int, known: bool, descending: bool
) -> Iterator[tuple[tuple[Stage, ...], int, bool]]:
    """Stages for selections of up to so many dice; the most that they let pass, and whether it is known."""
    if not select:
        yield (), size, known
        return
    rule, *rest = select
    if rule.point is not None:
        where = Where(rule.point, rule.kind is SelectKind.KEEP_WHERE)
        for stages, most, still in _stages(rest, size, False, descending):
            yield (where, *stages), most, still
        return
    first = (rule.kind in HIGHEST) is descending
    # What comes first is kept or dropped whatever follows; for what comes last the number must be known.
    sizes = (size,) if first or known else range(size + 1)
    for supposed in sizes:
        window = _window(rule, supposed, first)
        if not first and not known:
            window = Window(window.start, window.end, supposed)
        passed = max(0, min(window.end, supposed) - window.start)
        for stages, most, still in _stages(rest, passed, known or not first, descending):
            yield (window, *stages), most, still


def _window(rule: Select, size: int, first: bool) -> Window:
    match rule.kind in KEEP, first:
        case True, True:
            return Window(0, rule.count)
        case True, False:
            return Window(max(0, size - rule.count), size)
        case False, True:
            return Window(rule.count, max(size, rule.count))
        case _:
            return Window(0, max(0, size - rule.count))


def windows(stages: Iterable[Stage]) -> int:
    return sum(isinstance(stage, Window) for stage in stages)


def through(stages: Iterable[Stage], value: Value, count: int, seen: list[int], slot: int) -> int:
    """How many of so many alike dice pass; what each window has seen is counted up."""
    for stage in stages:
        if isinstance(stage, Where):
            if stage.point.holds(value) is not stage.wanted:
                return 0
            continue
        before = seen[slot]
        seen[slot] = after = before + count
        slot += 1
        count = min(after, stage.end) - max(before, stage.start)
        if count <= 0:
            return 0
    return count


def full(stages: Iterable[Stage], seen: Sequence[int], slot: int) -> bool:
    """Whether a window lets no more pass."""
    for stage in stages:
        if isinstance(stage, Window):
            if seen[slot] >= stage.end:
                return True
            slot += 1
    return False
