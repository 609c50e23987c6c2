"""Operators and selectors of d20, and what they are in our rules.

An operator is followed by a selector: `3` are the dice that equal 3, `h3` and `l3` the three highest or
lowest, `>3` and `<3` those above or below. d20 applies operators in the order written, and puts the selectors
of equal operators next to each other together; what that means is kept, or refused:

    k p                         keep and drop those selected
    rr ro, with 3 >3 <3         reroll until none is left, once
    e, with 3 >3 <3             explode
    ra, on one die              explode once: of several dice d20 adds to one at most, which ours cannot say
    mi ma                       lowest and highest value
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from services.rules.dice.dialect import AFTER_D20, BLANK, TOTALS_D20, Use, Word, Words
from services.rules.dice.pool import Compare, Comparison, ExplodeKind, Node, RerollKind, SelectKind
from services.rules.dice.rules import RuleError, Rules

D20 = Words(
    title="d20",
    words={},
    comparisons=TOTALS_D20,
    ordered=True,
    pooled=False,
    open_point=re.compile(r"(?!)"),
    pattern=re.compile(rf"{AFTER_D20}|(rr|ro|ra|mi|ma|e|k|p)(?:{BLANK}([hl<>]))?+(?:{BLANK}([0-9]++))?+)"),
)
"""Its pattern finds one operation, or what stands behind the last one: groups 1 and 2 as in `AFTER`; 3 the
operator, 4 the kind of the selector and 5 its number."""

_COMPARISONS = {"": Comparison.EQUAL, "<": Comparison.LESS, ">": Comparison.MORE}
_RANKS = {
    "kh": SelectKind.KEEP_HIGHEST,
    "kl": SelectKind.KEEP_LOWEST,
    "ph": SelectKind.DROP_HIGHEST,
    "pl": SelectKind.DROP_LOWEST,
}
_RANK_WORDS = {text: Word(text, Use.SELECT, kind) for text, kind in _RANKS.items()}
_WORDS = {
    "k": Word("k", Use.WHERE, SelectKind.KEEP_WHERE),
    "p": Word("p", Use.WHERE, SelectKind.DROP_WHERE),
    "rr": Word("rr", Use.REROLL, RerollKind.UNTIL),
    "ro": Word("ro", Use.REROLL, RerollKind.ONCE),
    "ra": Word("ra", Use.EXPLODE, ExplodeKind.ONCE),
    "e": Word("e", Use.EXPLODE, ExplodeKind.NORMAL),
    "mi": Word("mi", Use.LOWEST),
    "ma": Word("ma", Use.HIGHEST),
}


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator and its selector.

    Attributes:
        operator: `k`, `p`, `rr`, `ro`, `ra`, `e`, `mi` or `ma`.
        selector: `h`, `l`, `<`, `>`, or empty for those that equal the number.
        number: The selector's number.
    """

    operator: str
    selector: str
    number: int

    @property
    def ranks(self) -> bool:
        """Whether it is about the highest or lowest."""
        return self.selector in ("h", "l")


def add_operation(
    rules: Rules, operation: Operation, before: Operation | None, count: int | Node | None, place: int
) -> None:
    """Adds an operation to the rules.

    Args:
        rules: The rules so far.
        operation: What is added.
        before: The operation before it, if any.
        count: How many dice; None for a set.
        place: Where it stands in the text.

    Raises:
        RuleError: It has no meaning in ours, or not here.
    """
    operator, number = operation.operator, operation.number
    if operator in ("k", "p"):
        if before is not None and before.operator == operator:
            _apart(operation, before)
        if operation.ranks:
            rules.add(_RANK_WORDS[operator + operation.selector], None, number, place)
        else:
            rules.add(_WORDS[operator], _point(operation), None, place)
    elif operator in ("mi", "ma"):
        if operation.selector:
            raise RuleError("a number")
        rules.add(_WORDS[operator], None, number, place)
    elif operation.ranks:
        raise RuleError("'<', '>' or a number: the highest and lowest can only be kept and dropped")
    elif operator == "ra" and count != 1:
        raise RuleError("'e', or 'ra' behind one die: of several dice d20 lets one at most add to itself")
    else:
        rules.add(_WORDS[operator], _point(operation), None, place)


def _apart(operation: Operation, before: Operation) -> None:
    """Refuses equal operators next to each other where one after another is not the same as both at once."""
    both_where = not operation.ranks and not before.ranks
    both_ends = {operation.selector, before.selector} == {"h", "l"}
    if operation.operator == "k" or not (both_where or both_ends):
        raise RuleError(f"another operator than '{operation.operator}': d20 would apply both at once")


def _point(operation: Operation) -> Compare:
    return Compare(_COMPARISONS[operation.selector], operation.number)
