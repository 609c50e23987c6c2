"""Groups and opposed dice: nodes that look at the dice of several others together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from services.rules.dice.arithmetic import summed
from services.rules.dice.constants import is_numeric
from services.rules.dice.counting import count, margin, select, select_and_count
from services.rules.dice.die import Die, Mark, marked
from services.rules.dice.pool import (
    Binary,
    Compare,
    Comparison,
    Count,
    CountKind,
    Dice,
    Group,
    Labelled,
    Negative,
    Node,
    Operator,
    TargetCheck,
    Value,
)
from services.rules.dice.result import NodeResult

FIVE_OR_SIX = (Count(CountKind.SUCCESS, Compare(Comparison.AT_LEAST, 5)),)
"""How six-sided dice without rules of counting are counted where successes meet successes."""


def group(node: Group, members: Sequence[NodeResult]) -> NodeResult:
    """What a group comes to."""
    if len(node.members) == 1 and is_sum_of_dice(node.members[0]):
        return _pooled(node, members[0])
    values = [member.value for member in members]
    kept = select(values, node.select)
    total: Value = 0
    parts = []
    for place, member in enumerate(members):
        if place in kept:
            total = summed(total + count(member.value, node.counts).counts)
            parts.append(member)
        else:
            parts.append(_dropped(member))
    return NodeResult(node, margin(total, node.counts), parts=tuple(parts))


def is_sum_of_dice(node: Node) -> bool:
    """Whether a node only adds up dice, which count their values, and adds or takes away plain numbers."""
    parts = parts_of_sum(node)
    return parts is not None and bool(parts[0])


def parts_of_sum(node: Node) -> tuple[list[Dice], list[Node]] | None:
    """The dice that a node adds up, and its plain numbers as nodes that are added to them.

    Returns:
        Both in the order written; None where it does anything else with dice, or they do not count their
        values.
    """
    match node:
        case Dice(counts=()):
            return [node], []
        case Labelled(inner) if not is_numeric(inner):
            return parts_of_sum(inner)
        case Binary(Operator.ADD | Operator.SUBTRACT as operator, left, right) if not is_numeric(node):
            ours, theirs = parts_of_sum(left), parts_of_sum(right)
            if ours is None or theirs is None or (operator is Operator.SUBTRACT and theirs[0]):
                return None
            numbers = theirs[1] if operator is Operator.ADD else [Negative(part) for part in theirs[1]]
            return [*ours[0], *theirs[0]], [*ours[1], *numbers]
        case _ if is_numeric(node):
            return [], [node]
        case _:
            return None


def _pooled(node: Group, member: NodeResult) -> NodeResult:
    """Selects and counts among all dice of a sum; its plain numbers are added as they are."""
    before = list(_lying(member))
    plain = member.value - sum(die.value for die in before if die.kept)
    after, total = select_and_count(before, node.select, node.counts)
    return NodeResult(node, total + plain, parts=(_with_dice(member, iter(after)),))


def _lying(result: NodeResult) -> Iterator[Die]:
    """The dice that lie on the table: those rolled for a number of dice or of sides are put away."""
    yield from result.dice
    if not isinstance(result.node, Dice):
        for part in result.parts:
            yield from _lying(part)


def _with_dice(result: NodeResult, dice: Iterator[Die]) -> NodeResult:
    """A result whose dice, in the order of `_lying`, are these."""
    own = tuple(next(dice) for _ in result.dice)
    if isinstance(result.node, Dice):
        return result._replace(dice=own)
    return result._replace(dice=own, parts=tuple(_with_dice(part, dice) for part in result.parts))


def _dropped(result: NodeResult) -> NodeResult:
    dice = tuple(marked(die, Mark.DROPPED, kept=False) if die.kept else die for die in result.dice)
    return result._replace(dice=dice, parts=tuple(_dropped(part) for part in result.parts), kept=False)


def versus(node: Node, action: NodeResult, defence: NodeResult) -> NodeResult:
    """How many kept dice of the action reach the highest kept die of the defence; ties reach."""
    against = max((die.value for die in _kept(defence)), default=None)
    point = None if against is None else Compare(Comparison.AT_LEAST, against)
    dice = [
        marked(die, Mark.SUCCESS) if die.kept and (point is None or point.holds(die.value)) else die
        for die in _lying(action)
    ]
    successes = sum(Mark.SUCCESS in die.marks for die in dice)
    return NodeResult(node, successes, parts=(_with_dice(action, iter(dice)), defence))


def target_check(node: TargetCheck, total: NodeResult, target: NodeResult) -> NodeResult:
    """1 where a total meets its target, else 0."""
    met = node.comparison.holds(total.value, target.value)
    return NodeResult(node, int(met), parts=(total, target))


def net(node: Node, ours: NodeResult, theirs: NodeResult) -> NodeResult:
    """Successes less the successes of the other side."""
    left, right = _successes(ours), _successes(theirs)
    return NodeResult(node, left.value - right.value, parts=(left, right))


def _successes(result: NodeResult) -> NodeResult:
    """A side of successes: its own rules of counting hold, and 5 and 6 succeed where it has none."""
    match result.node:
        case Dice(counts=()):
            dice, total = select_and_count(list(result.dice), (), FIVE_OR_SIX)
            return result._replace(dice=tuple(dice), value=total)
        case Binary(Operator.ADD) | Labelled():
            parts = tuple(_successes(part) for part in result.parts)
            return result._replace(parts=parts, value=sum(part.value for part in parts))
        case _:
            return result


def _kept(result: NodeResult) -> Iterator[Die]:
    return (die for die in _lying(result) if die.kept)
