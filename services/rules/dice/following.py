"""Reads the rules behind dice and groups."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce

from services.rules.dice.constants import is_numeric, point_of, shifted
from services.rules.dice.gathering import parts_of_sum
from services.rules.dice.lexicon import Dialect
from services.rules.dice.pool import (
    Binary,
    Compare,
    Comparison,
    Count,
    Dice,
    DieKind,
    Group,
    Node,
    Operator,
)
from services.rules.dice.reader import Reader
from services.rules.dice.rules import RuleError, Rules
from services.rules.dice.selectors import D20, Operation, add_operation
from services.rules.dice.slips import BATCH, luck, repeated

Inner = Callable[[Reader], Node]
"""Reads an expression up to its closing bracket."""

_WITH_NUMBER = (5, 8, 9, 11, 13)
_WITH_POINT = (8, 9, 11)
_OF_ONE = "several members: {} looks at the member's total, ours at the dice in it"


def read_dice(reader: Reader, count: int | Node, kind: DieKind, place: int, inner: Inner) -> Node:
    """Reads the rules behind a die, and what stands behind them.

    Args:
        reader: Behind the kind of the die.
        count: How many dice.
        kind: Which die.
        place: Where the dice begin.
        inner: Reads an expression up to its closing bracket.
    """
    match = reader.words.pattern.match(reader.text, reader.place)
    if match is not None and (match.lastindex or 0) <= 2:
        return reader.followed(
            Dice(count, kind), place, match[1], match.start(match.lastindex or 1), match.end()
        )
    rules = Rules(kind, reader.words.title if reader.words.ordered else "")
    as_d20 = reader.words is D20
    last = _read_operations(reader, rules, count) if as_d20 else _read_rules(reader, rules, inner)
    dice = rules.dice(count, kind)
    reader.note(dice, place, rules)
    return reader.followed(dice, place, last[1], last.start(last.lastindex or 1), last.end())


def read_group(reader: Reader, members: tuple[Node, ...], place: int, inner: Inner) -> Node:
    """Reads the rules behind the closing brace of a group; for the arguments see `read_dice`."""
    rules = Rules(None, reader.words.title if reader.words.ordered else "")
    start = reader.place
    last = _read_rules(reader, rules, inner)
    if rules.any and len(members) == 1 and reader.words.pooled is False:
        reader.fail(reader.skipped(start), _OF_ONE.format(reader.words.title))
    return _grouped(reader, rules, members, place, last)


def read_set(reader: Reader, members: tuple[Node, ...], place: int, *, comma: bool) -> Node | None:
    """Reads the operations behind one of d20's sets.

    Args:
        reader: Behind the closing bracket.
        members: The members.
        place: Where the set begins.
        comma: Whether a comma stands in it; without one it is a set only when an operation follows.

    Returns:
        A group; None for an ordinary bracket.
    """
    match = D20.pattern.match(reader.text, reader.place)
    if not comma and (match is None or (match.lastindex or 0) <= 2):
        return None
    rules = Rules(None, D20.title)
    start = reader.place
    last = _read_operations(reader, rules, None)
    if rules.any and len(members) == 1 and (comma or not isinstance(members[0], Dice)):
        reader.fail(reader.skipped(start), _OF_ONE.format(D20.title))
    return _grouped(reader, rules, members, place, last)


def _grouped(
    reader: Reader, rules: Rules, members: tuple[Node, ...], place: int, last: re.Match[str]
) -> Node:
    group = rules.group(members)
    if reader.lexicon.dialect is Dialect.ROLL20:
        group = _added_to_each(group)
    reader.note(group, place, rules)
    return reader.followed(group, place, last[1], last.start(last.lastindex or 1), last.end())


def _added_to_each(group: Group) -> Group:
    """A group in Roll20's sense: plain numbers beside dice that are counted are added to each of the dice."""
    pooled = parts_of_sum(group.members[0]) if len(group.members) == 1 else None
    if pooled is None or not all(pooled) or not any(rule.point for rule in group.counts):
        return group
    terms, numbers = pooled
    dice, added = _sum(terms), _sum(numbers)
    counts = [
        rule if rule.point is None else Count(rule.kind, shifted(rule.point, added)) for rule in group.counts
    ]
    return replace(group, members=(dice,), counts=tuple(counts))


def _sum(nodes: Sequence[Node]) -> Node:
    first, *others = nodes
    return reduce(lambda left, right: Binary(Operator.ADD, left, right), others, first)


def _read_rules(reader: Reader, rules: Rules, inner: Inner) -> re.Match[str]:
    """Reads rules; returns the match of what stands behind the last one. For the groups see `dialect`."""
    words = reader.words
    while True:
        start = reader.skipped(reader.place)
        slip = luck(reader.text, start)
        if slip:
            reader.fail(start, *slip)
        match = words.pattern.match(reader.text, reader.place)
        if match is None or match.lastindex == 6:
            opened = words.open_point.match(reader.text, reader.place)
            if opened is not None:
                _read_open_rule(reader, rules, opened, inner)
                continue
        if match is None:
            reader.misplaced(f"a rule{' of ' + words.title if words.title else ''} such as 'kh1'")
        group = match.lastindex or 0
        if group <= 2:
            return match
        if match[6] == "x" and group == 9 and repeated(reader.text, reader.place, match.end()):
            reader.fail(start, "'x' without a blank before it for explosions", BATCH)
        place = match.start(group)
        value = reader.whole(match[group], place) if group in _WITH_NUMBER else None
        point = None
        if group in _WITH_POINT:
            assert value is not None
            sign = match[7] or match[10]
            point = Compare(words.comparisons[sign] if sign else Comparison.EQUAL, value)
        text = match[3] or match[4] or match[6] or match[12]
        _add_rule(reader, rules, text, point, value, (start, place, match.end()))
        reader.place = match.end()


def _read_open_rule(reader: Reader, rules: Rules, match: re.Match[str], inner: Inner) -> None:
    """Reads a rule whose compare point is a variable or stands in brackets: `>=@skill`, `r<(1 + 2)`."""
    start = reader.skipped(reader.place)
    reader.place = match.end()
    place = reader.skipped(reader.place)
    node: Node
    if reader.takes("@"):
        node = reader.variable()
        reader.note(node, place)
    else:
        node = reader.deeper(reader.take("("), inner)
        reader.close(")")
    if not is_numeric(node):
        reader.fail(place, "numbers and variables: a compare point is known before the dice fall")
    sign = match[2] or match[3]
    point = point_of(reader.words.comparisons[sign] if sign else Comparison.EQUAL, node)
    _add_rule(reader, rules, match[1], point, None, (start, place, reader.place))


def _add_rule(
    reader: Reader,
    rules: Rules,
    text: str | None,
    point: Compare | None,
    value: int | None,
    places: tuple[int, int, int],
) -> None:
    """Adds a rule, by its word or as successes; `places` are its beginning, that of its number, its end."""
    start, place, end = places
    try:
        if text:
            rules.add(reader.words.words[text], point, value, place)
        else:
            assert point is not None
            rules.succeed(point)
    except RuleError as error:
        reader.fail(start, *error.expected, shown=repr(reader.typed[start:end]))


def _read_operations(reader: Reader, rules: Rules, count: int | Node | None) -> re.Match[str]:
    """Reads d20's operations; returns the match of what stands behind the last one."""
    before = None
    while True:
        start = reader.skipped(reader.place)
        slip = luck(reader.text, start)
        if slip:
            reader.fail(start, *slip)
        match = D20.pattern.match(reader.text, reader.place)
        if match is None:
            reader.misplaced("an operation of d20 such as 'kh1'")
        if (match.lastindex or 0) <= 2:
            return match
        if match[5] is None:
            signs = () if match[4] else ("'h', 'l', '<' or '>'",)
            reader.fail(reader.skipped(match.end()), *signs, "a number")
        place = match.start(5)
        operation = Operation(match[3], match[4] or "", reader.whole(match[5], place))
        try:
            add_operation(rules, operation, before, count, place)
        except RuleError as error:
            reader.fail(start, *error.expected, shown=repr(reader.typed[start : match.end()]))
        before = operation
        reader.place = match.end()
