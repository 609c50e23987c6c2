"""Reads the rules behind dice and groups."""

from __future__ import annotations

import re

from services.rules.dice.pool import Compare, Comparison, Dice, DieKind, Group, Node
from services.rules.dice.reader import Reader
from services.rules.dice.rules import RuleError, Rules
from services.rules.dice.selectors import D20, Operation, add_operation

_WITH_NUMBER = (5, 8, 9, 11, 13)
_WITH_POINT = (8, 9, 11)
_OF_ONE = "several members: {} looks at the member's total, ours at the dice in it"


def read_dice(reader: Reader, count: int | Node, kind: DieKind, place: int) -> Node:
    """Reads the rules behind a die, and what stands behind them.

    Args:
        reader: Behind the kind of the die.
        count: How many dice.
        kind: Which die.
        place: Where the dice begin.
    """
    match = reader.words.pattern.match(reader.text, reader.place)
    if match is not None and (match.lastindex or 0) <= 2:
        return reader.followed(
            Dice(count, kind), place, match[1], match.start(match.lastindex or 1), match.end()
        )
    rules = Rules(kind, reader.words.title if reader.words.ordered else "")
    last = _read_operations(reader, rules, count) if reader.words is D20 else _read_rules(reader, rules)
    dice = rules.dice(count, kind)
    reader.note(dice, place, rules)
    return reader.followed(dice, place, last[1], last.start(last.lastindex or 1), last.end())


def read_group(reader: Reader, members: tuple[Node, ...], place: int) -> Node:
    """Reads the rules behind the closing brace of a group."""
    rules = Rules(None, reader.words.title if reader.words.ordered else "")
    start = reader.place
    last = _read_rules(reader, rules)
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
    group: Group = rules.group(members)
    reader.note(group, place, rules)
    return reader.followed(group, place, last[1], last.start(last.lastindex or 1), last.end())


def _read_rules(reader: Reader, rules: Rules) -> re.Match[str]:
    """Reads rules; gives the match of what stands behind the last one. For the groups see `dialect`."""
    words = reader.words
    while True:
        match = words.pattern.match(reader.text, reader.place)
        if match is None:
            reader.misplaced(f"a rule{' of ' + words.title if words.title else ''} such as 'kh1'")
        group = match.lastindex or 0
        if group <= 2:
            return match
        value = None
        text = match[3] or match[4] or match[6] or match[12]
        place = match.start(group)
        if group in _WITH_NUMBER:
            value = reader.whole(match[group], place)
        point = None
        if group in _WITH_POINT:
            assert value is not None
            sign = match[7] or match[10]
            point = Compare(words.comparisons[sign] if sign else Comparison.EQUAL, value)
        try:
            if text:
                rules.add(words.words[text], point, value, place)
            else:
                assert point is not None
                rules.succeed(point)
        except RuleError as error:
            start = reader.skipped(reader.place)
            reader.fail(start, *error.expected, shown=repr(reader.typed[start : match.end()]))
        reader.place = match.end()


def _read_operations(reader: Reader, rules: Rules, count: int | Node | None) -> re.Match[str]:
    """Reads d20's operations; gives the match of what stands behind the last one."""
    before = None
    while True:
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
            start = reader.skipped(reader.place)
            reader.fail(start, *error.expected, shown=repr(reader.typed[start : match.end()]))
        before = operation
        reader.place = match.end()
