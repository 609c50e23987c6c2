"""Odds by going through every way dice can fall: slow, short, and written apart from what it checks.

`play` is an evaluator of its own, made from the docstrings of `services.rules.dice.pool` alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor

from services.rules.dice.pool import (
    Binary,
    Call,
    Comparison,
    Count,
    CountKind,
    Dice,
    ExplodeKind,
    Faces,
    Fate,
    Function,
    Group,
    Labelled,
    Negative,
    Net,
    Node,
    Number,
    Operator,
    RerollKind,
    Select,
    SelectKind,
    Sides,
    TargetCheck,
    Value,
    Versus,
)

Draw = Callable[[int], int]
"""Draws 0 to n - 1."""


class Refused(Exception):
    """The dice fell so that the roll comes to nothing."""


class _Cut(Exception):
    """This way is not followed any further."""


@dataclass
class Ways:
    """All ways an expression can fall.

    Attributes:
        chances: The chance of each total.
        refused: The chance that it comes to nothing.
        cut: The chance of what was not followed.
    """

    chances: dict[Value, Fraction] = field(default_factory=dict)
    refused: Fraction = Fraction(0)
    cut: Fraction = Fraction(0)


def every_way(node: Node, *, least: Fraction = Fraction(1, 10**6), most: int = 20_000) -> Ways | None:
    """Goes through all ways that are likelier than `least` on the way; None if there are more than `most`."""
    found = Ways()
    path: list[tuple[int, int]] = []
    for _ in range(most):
        place, chance = 0, Fraction(1)

        def draw(faces: int) -> int:
            nonlocal place, chance
            if place == len(path):
                if chance < least:
                    raise _Cut
                path.append((0, faces))
            shown = path[place][0]
            place += 1
            chance /= faces
            return shown

        try:
            total = play(node, draw)
        except Refused:
            found.refused += chance
        except _Cut:
            found.cut += chance
        else:
            found.chances[total] = found.chances.get(total, Fraction(0)) + chance
        while path and path[-1][0] == path[-1][1] - 1:
            path.pop()
        if not path:
            return found
        path[-1] = (path[-1][0] + 1, path[-1][1])
    return None


def play(node: Node, draw: Draw) -> Value:
    """What a node comes to."""
    match node:
        case Number(value):
            return value
        case Labelled(inner):
            return play(inner, draw)
        case Negative(inner):
            return -play(inner, draw)
        case Dice():
            return _margins(sum(_counts(value, node.counts) for value in _lie(node, draw)), node.counts)
        case Binary(operator, left, right):
            return _operate(operator, play(left, draw), play(right, draw))
        case Call(function, arguments):
            return _call(function, [play(argument, draw) for argument in arguments])
        case TargetCheck(total, comparison, target):
            return int(_compares(comparison, play(total, draw), play(target, draw)))
        case Group((member,), select, counts) if _only_dice(member) and _any_dice(member):
            dice: list[Value] = []
            plain = _gather(member, draw, dice)
            return plain + _margins(sum(_counts(v, counts) for v in _select(dice, select)), counts)
        case Group(members, select, counts):
            values = [play(member, draw) for member in members]
            return _margins(sum(_counts(v, counts) for v in _select(values, select)), counts)
        case Versus(action, defence):
            ours: list[Value] = []
            theirs: list[Value] = []
            _gather(action, draw, ours)
            _gather(defence, draw, theirs)
            return sum(all(value >= other for other in theirs) for value in ours)
        case Net(ours_node, theirs_node):
            return _successes(ours_node, draw) - _successes(theirs_node, draw)
    raise AssertionError(node)


def _compares(comparison: Comparison, value: Value, other: Value) -> bool:
    return {
        Comparison.EQUAL: value == other,
        Comparison.NOT_EQUAL: value != other,
        Comparison.LESS: value < other,
        Comparison.AT_MOST: value <= other,
        Comparison.MORE: value > other,
        Comparison.AT_LEAST: value >= other,
    }[comparison]


def _any_dice(node: Node) -> bool:
    match node:
        case Number():
            return False
        case Labelled(inner) | Negative(inner):
            return _any_dice(inner)
        case Binary(_, left, right):
            return _any_dice(left) or _any_dice(right)
        case Call(_, arguments):
            return any(_any_dice(argument) for argument in arguments)
    return True


def _only_dice(node: Node) -> bool:
    """Whether dice are added up, and plain numbers added to them or taken away."""
    if not _any_dice(node):
        return True
    match node:
        case Dice():
            return not node.counts
        case Labelled(inner):
            return _only_dice(inner)
        case Binary(Operator.ADD, left, right):
            return _only_dice(left) and _only_dice(right)
        case Binary(Operator.SUBTRACT, left, right):
            return _only_dice(left) and not _any_dice(right)
    return False


def _gather(node: Node, draw: Draw, dice: list[Value]) -> Value:
    """Puts the dice of a sum with the others; gives its plain numbers."""
    match node:
        case Dice():
            dice += _lie(node, draw)
            return 0
        case _ if not _any_dice(node):
            return play(node, draw)
        case Labelled(inner):
            return _gather(inner, draw, dice)
        case Binary(operator, left, right):
            return _operate(operator, _gather(left, draw, dice), _gather(right, draw, dice))
    raise AssertionError(node)


def _successes(node: Node, draw: Draw) -> Value:
    match node:
        case Dice() if not node.counts:
            return sum(value >= 5 for value in _lie(node, draw))
        case Binary(Operator.ADD, left, right):
            return _successes(left, draw) + _successes(right, draw)
        case Labelled(inner):
            return _successes(inner, draw)
    return play(node, draw)


def _lie(node: Dice, draw: Draw) -> list[Value]:
    """The values of the dice that are kept."""
    number = node.count if isinstance(node.count, int) else play(node.count, draw)
    match node.kind:
        case Sides(count):
            sides = count if isinstance(count, int) else play(count, draw)
            if not isinstance(sides, int) or sides < 1:
                raise Refused
            faces = list(range(1, sides + 1))
        case Fate():
            faces = [-1, 0, 1]
        case Faces(own):
            faces = [face.value for face in own]
    if not isinstance(number, int) or number < 0:
        raise Refused
    first = [draw(len(faces)) for _ in range(number)]
    lying: list[int] = []
    for place, first_shown in enumerate(first):
        shown, times = first_shown, 0
        while True:
            rerolled = node.reroll is not None and any(p.holds(faces[shown]) for p in node.reroll.points)
            if node.reroll is not None and node.reroll.kind is RerollKind.ONCE and times:
                rerolled = False
            if not rerolled and not (node.unique and shown in lying[:place]):
                break
            _endless(node, faces, number)
            shown = draw(len(faces))
            times += 1
        lying.append(shown)
    values: list[Value] = []
    for shown in lying:
        values += _chain(node, faces, shown, draw)
    return _select(values, node.select)


def _endless(node: Dice, faces: list[int], number: int) -> None:
    """Refuses dice that would be rolled again for ever."""
    free = len(faces)
    if node.reroll is not None and node.reroll.kind is RerollKind.UNTIL:
        free = sum(not any(point.holds(face) for point in node.reroll.points) for face in faces)
    if free == 0 or (node.unique and number > free):
        raise Refused


def _chain(node: Dice, faces: list[int], shown: int, draw: Draw) -> list[Value]:
    def clamped(face: int) -> int:
        if node.lowest is not None and face < node.lowest:
            return node.lowest
        if node.highest is not None and face > node.highest:
            return node.highest
        return face

    face = faces[shown]
    values: list[Value] = [clamped(face)]
    if node.explode is None:
        return values
    kind, point = node.explode.kind, node.explode.point
    if kind is not ExplodeKind.ONCE and point.holds(face) and all(map(point.holds, faces)):
        raise Refused
    while point.holds(face):
        face = faces[draw(len(faces))]
        less = kind in (ExplodeKind.PENETRATE, ExplodeKind.COMPOUND_PENETRATE)
        values.append(clamped(face) - less)
        if kind is ExplodeKind.ONCE:
            break
    return [sum(values)] if kind in (ExplodeKind.COMPOUND, ExplodeKind.COMPOUND_PENETRATE) else values


def _select(values: list[Value], rules: tuple[Select, ...]) -> list[Value]:
    kept = sorted(values)
    for rule in rules:
        size = len(kept)
        match rule.kind:
            case SelectKind.KEEP_HIGHEST:
                kept = kept[max(0, size - rule.count) :]
            case SelectKind.KEEP_LOWEST:
                kept = kept[: rule.count]
            case SelectKind.DROP_HIGHEST:
                kept = kept[: max(0, size - rule.count)]
            case SelectKind.DROP_LOWEST:
                kept = kept[rule.count :]
            case SelectKind.KEEP_WHERE:
                kept = [value for value in kept if _meets(rule, value)]
            case SelectKind.DROP_WHERE:
                kept = [value for value in kept if not _meets(rule, value)]
    return kept


def _meets(rule: Select | Count, value: Value) -> bool:
    assert rule.point is not None
    against = rule.point.value
    return {
        Comparison.EQUAL: value == against,
        Comparison.NOT_EQUAL: value != against,
        Comparison.LESS: value < against,
        Comparison.AT_MOST: value <= against,
        Comparison.MORE: value > against,
        Comparison.AT_LEAST: value >= against,
    }[rule.point.comparison]


def _counts(value: Value, rules: tuple[Count, ...]) -> Value:
    counts = value
    ones = {
        CountKind.SUCCESS: lambda rule: _meets(rule, value),
        CountKind.FAILURES: lambda rule: _meets(rule, value),
        CountKind.EVEN: lambda rule: value % 2 == 0,
        CountKind.ODD: lambda rule: value % 2 == 1,
    }
    deciding = [rule for rule in rules if rule.kind in ones]
    if deciding:
        counts = int(any(ones[rule.kind](rule) for rule in deciding))
    for rule in rules:
        if rule.kind is CountKind.DEDUCT and _meets(rule, value):
            counts = -1
        if rule.kind is CountKind.SUBTRACT and _meets(rule, value):
            counts = -value
    return counts


def _margins(total: Value, rules: tuple[Count, ...]) -> Value:
    for rule in rules:
        if rule.kind is CountKind.MARGIN and rule.point is not None:
            below = rule.point.comparison in (Comparison.LESS, Comparison.AT_MOST)
            total = rule.point.value - total if below else total - rule.point.value
    return total


def _operate(operator: Operator, left: Value, right: Value) -> Value:
    one, two = Fraction(left), Fraction(right)
    if operator in (Operator.DIVIDE, Operator.FLOOR_DIVIDE, Operator.MODULO) and two == 0:
        raise Refused
    if operator is Operator.POWER and (two.denominator > 1 or not 0 <= two <= 64):
        raise Refused
    found = {
        Operator.ADD: lambda: one + two,
        Operator.SUBTRACT: lambda: one - two,
        Operator.MULTIPLY: lambda: one * two,
        Operator.DIVIDE: lambda: one / two,
        Operator.FLOOR_DIVIDE: lambda: Fraction(floor(one / two)),
        Operator.MODULO: lambda: one - two * floor(one / two),
        Operator.POWER: lambda: one ** int(two),
    }[operator]()
    return int(found) if found.denominator == 1 else found


def _call(function: Function, values: list[Value]) -> Value:
    return {
        Function.FLOOR: lambda: floor(values[0]),
        Function.CEIL: lambda: ceil(values[0]),
        Function.ROUND: lambda: floor(values[0] + Fraction(1, 2)),
        Function.ABSOLUTE: lambda: abs(values[0]),
        Function.MINIMUM: lambda: min(values),
        Function.MAXIMUM: lambda: max(values),
    }[function]()
