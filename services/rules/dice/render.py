"""An expression as text: one spelling for everything, in our own dialect.

`parse(render(expression)) == expression` for every expression that `parse` gives, read with the same lexicon.
"""

from __future__ import annotations

from fractions import Fraction

from services.rules.dice.lexer import label_value
from services.rules.dice.pool import (
    Binary,
    Call,
    Compare,
    Comparison,
    Count,
    CountKind,
    Dice,
    DieKind,
    Expression,
    Face,
    Faces,
    Fate,
    Group,
    Labelled,
    MechanicCall,
    Negative,
    Net,
    Node,
    Number,
    Operator,
    Sides,
    TargetCheck,
    Value,
    Variable,
    Versus,
)

WHOLE, SUM, PRODUCT, SIGN, POWER, ATOM = range(6)
"""How tightly a node holds together; what holds less tightly than its place needs stands in brackets."""

RANK = {
    Operator.ADD: SUM,
    Operator.SUBTRACT: SUM,
    Operator.MULTIPLY: PRODUCT,
    Operator.DIVIDE: PRODUCT,
    Operator.FLOOR_DIVIDE: PRODUCT,
    Operator.MODULO: PRODUCT,
    Operator.POWER: POWER,
}

_BARE = (Comparison.LESS, Comparison.AT_MOST, Comparison.MORE, Comparison.AT_LEAST)
"""Successes that are written without a word: `>=5`."""


def render(expression: Expression) -> str:
    """An expression as text: `2d20kh1 - 1d4 + 3 # a narrow ledge`."""
    text = render_node(expression.node)
    return f"{text} # {expression.comment}" if expression.comment else text


def render_node(node: Node) -> str:
    """A node as text."""
    match node:
        case Number(value):
            return _number(value)
        case Dice(count, kind):
            rules = render_rules(node)
            # The name of a die would run into the rule behind it: `dboon kh1`.
            blank = " " if rules and isinstance(kind, Faces) and kind.name else ""
            return f"{_count(count)}d{_kind(kind)}{blank}{rules}"
        case Binary(Operator.POWER, left, right):
            return f"{_within(left, ATOM)} ** {_within(right, SIGN)}"
        case Binary(operator, left, right):
            own = RANK[operator]
            # Chains are read from the left, so that an equal operator on the right side needs brackets.
            return f"{_within(left, own)} {operator.value} {_within(right, own + 1)}"
        case Variable(name):
            return f"@{name}"
        case Negative(operand):
            return f"-{_within(operand, SIGN)}"
        case Labelled(inner, label):
            return f"{_within(inner, ATOM)}[{label}]"
        case Group(members):
            return f"{{{_list(members)}}}{render_rules(node)}"
        case Call(function, arguments):
            return f"{function.value}({_list(arguments)})"
        case Versus(action, defence):
            return f"{_within(action, SUM)} vs {_within(defence, SUM)}"
        case Net(ours, theirs):
            return f"{_within(ours, SUM)} net {_within(theirs, SUM)}"
        case TargetCheck(total, comparison, target):
            return f"{_within(total, SUM)} total{comparison.value}{_within(target, SUM)}"
        case MechanicCall(name, arguments):
            return f"{name}({_list(arguments)})"


def render_rules(node: Dice | Group) -> str:
    """What is done to dice, or to the members of a group, as it stands behind them: `r=1!=6kh3`."""
    rules = [] if isinstance(node, Group) else _drawing_rules(node)
    for rule in node.select:
        rules.append(f"{rule.kind.value}{rule.count if rule.point is None else render_point(rule.point)}")
    rules += [_counting_rule(rule) for rule in node.counts]
    if node.sort is not None:
        rules.append(node.sort.value)
    return "".join(rules)


def render_point(point: Compare) -> str:
    """A compare point: `>=5`, `<=@skill`, `>=(@level + 2)`."""
    match point.source:
        case None:
            return f"{point.comparison.value}{point.value}"
        case Variable() as source:
            # What follows would run into the variable's name.
            return f"{point.comparison.value}@{{{source.name}}}"
        case source:
            return f"{point.comparison.value}({render_node(source)})"


def _drawing_rules(dice: Dice) -> list[str]:
    rules = []
    if dice.reroll is not None:
        rules += [f"{dice.reroll.kind.value}{render_point(point)}" for point in dice.reroll.points]
    if dice.unique:
        rules.append("u")
    if dice.lowest is not None:
        rules.append(f"min{dice.lowest}")
    if dice.highest is not None:
        rules.append(f"max{dice.highest}")
    if dice.explode is not None:
        word = dice.explode.kind.value
        if dice.explode.point.comparison is Comparison.NOT_EQUAL:
            # `!!=6` is a compound explosion on 6; the other spelling leaves no doubt.
            word = word.replace("!", "x")
        rules.append(f"{word}{render_point(dice.explode.point)}")
    return rules


def _counting_rule(rule: Count) -> str:
    if rule.point is None:
        return rule.kind.value
    bare = rule.kind is CountKind.SUCCESS and rule.point.comparison in _BARE
    return f"{'' if bare else rule.kind.value}{render_point(rule.point)}"


def rank(node: Node) -> int:
    """How tightly a node holds together."""
    match node:
        case Binary(operator):
            return RANK[operator]
        case Negative():
            return SIGN
        case Versus() | Net() | TargetCheck():
            return WHOLE
        case Number(Fraction() as value) if not _finite(value):
            return PRODUCT
        case _:
            return ATOM


def _within(node: Node, least: int) -> str:
    text = render_node(node)
    return text if rank(node) >= least else f"({text})"


def _list(nodes: tuple[Node, ...]) -> str:
    return ", ".join([render_node(node) for node in nodes])


def _count(count: int | Node) -> str:
    if isinstance(count, int):
        return str(count)
    return f"@{count.name} " if isinstance(count, Variable) else f"({render_node(count)})"


def _kind(kind: DieKind) -> str:
    match kind:
        case Sides(count):
            return str(count) if isinstance(count, int) else f"({render_node(count)})"
        case Fate():
            return "F"
        case Faces(faces, name):
            return name or f"[{','.join([_face(face) for face in faces])}]"


def _face(face: Face) -> str:
    told = label_value(face.label) or 0
    return face.label if told == face.value else f"{face.label}:{face.value}"


def _finite(value: Fraction) -> bool:
    """Whether a fraction has an end when it is written as a decimal."""
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1


def _number(value: Value) -> str:
    if isinstance(value, int):
        return str(value)
    if not _finite(value):
        return f"{value.numerator} / {value.denominator}"
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
    digits = str(int(value * 10**places)).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}"
