"""What is typed most, read at one stroke: `d20`, `3d6 + 2`, `4d6kh3 - 1`.

Nothing is refused here: whatever is not plainly within the limits is left to the grammar, which knows what to
say.
"""

from __future__ import annotations

import re

from services.rules.dice.lexicon import Limits
from services.rules.dice.pool import (
    Binary,
    Dice,
    Expression,
    Node,
    Number,
    Operator,
    Select,
    SelectKind,
    Sides,
)

_EVERYDAY = re.compile(
    r"(?P<count>[0-9]{1,6})?[dD](?P<sides>[0-9]{1,7})"
    r"(?:(?P<rule>[kKdD][hHlL])(?P<kept>[0-9]{1,6})?)?"
    r"(?: ?(?P<sign>[-+]) ?(?P<number>[0-9]{1,6}))?"
).fullmatch


def read_everyday(text: str, limits: Limits) -> Expression | None:
    """Reads an everyday text; None for every other one."""
    match = _EVERYDAY(text)
    if match is None or len(text) > limits.text:
        return None
    count_text, sides_text, rule, kept_text, sign, number_text = match.groups()
    count, sides = int(count_text or 1), int(sides_text)
    number = int(number_text or 0)
    if not (
        1 <= count <= min(limits.dice, limits.draws)
        and 1 <= sides <= limits.sides
        and number <= limits.number
        and count * sides + number <= limits.magnitude
        and limits.nodes >= 3
        and limits.depth >= 2
    ):
        return None
    select: tuple[Select, ...] = ()
    if rule is not None:
        kept = int(kept_text or 1)
        if kept > count:
            return None
        select = (Select(SelectKind(rule.lower()), kept),)
    node: Node = Dice(count, Sides(sides), select=select)
    if sign is not None:
        node = Binary(Operator.ADD if sign == "+" else Operator.SUBTRACT, node, Number(number))
    return Expression(node)
