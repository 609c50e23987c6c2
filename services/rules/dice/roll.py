"""An expression and a stream make a result.

An expression is first made into a plan, once: a function for each node, chosen by what is done to its dice.
A plan is then rolled as often as one likes.

The dice of a term are drawn first, left to right; then each is rolled again as often as it must be; then each
explodes, its chain to the end. Numbers of dice and of sides that are rolled themselves come before the dice
they are about; parts come before their whole, left to right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from services.rules.dice.arithmetic import call, operate, summed
from services.rules.dice.counting import count as count_value
from services.rules.dice.counting import margin, select_and_count
from services.rules.dice.die import Die, Prepared, prepared
from services.rules.dice.drawing import Drawing
from services.rules.dice.failure import RollError
from services.rules.dice.gathering import group, net, target_check, versus
from services.rules.dice.mechanic import Mechanic
from services.rules.dice.notation import bound_arguments
from services.rules.dice.pool import (
    Binary,
    Call,
    Dice,
    Expression,
    Group,
    Labelled,
    MechanicCall,
    Negative,
    Net,
    Node,
    Number,
    Operator,
    Select,
    SelectKind,
    Sides,
    Sort,
    TargetCheck,
    Value,
    Variable,
    Versus,
)
from services.rules.dice.result import NodeResult, RollResult
from services.rules.dice.stream import FaceStream

LARGEST = 2**31 - 1
"""A total fits 32 bits."""

Step = Callable[[FaceStream], NodeResult]
Mechanics = Mapping[str, Mechanic]


@dataclass(frozen=True, slots=True)
class Plan:
    """An expression ready to be rolled.

    Attributes:
        expression: What is rolled; without variables.
        step: Rolls its topmost node.
    """

    expression: Expression
    step: Step

    def roll(self, stream: FaceStream) -> RollResult:
        """Rolls it.

        Raises:
            RollError: The dice fell so that it means nothing: a division by zero, a total beyond 32 bits.
            StreamError: The stream has too few faces, or a wrong one.
        """
        root = self.step(stream)
        if not -LARGEST <= root.value <= LARGEST:
            raise RollError("TOO_LARGE", f"The total is beyond {LARGEST}.")
        return RollResult(self.expression, root)


def plan(expression: Expression, mechanics: Mechanics | None = None) -> Plan:
    """Makes an expression ready to be rolled.

    Args:
        expression: Checked against the limits, its variables bound.
        mechanics: The games' own rolls by name.

    Raises:
        ValueError: It holds a variable, or the name of no mechanic.
    """
    return Plan(expression, _step(expression.node, mechanics or {}))


def roll(expression: Expression, stream: FaceStream, mechanics: Mechanics | None = None) -> RollResult:
    """Rolls an expression once; see `Plan.roll`."""
    return plan(expression, mechanics).roll(stream)


def _step(node: Node, mechanics: Mechanics) -> Step:
    match node:
        case Number():
            known = NodeResult(node, node.value)
            return lambda stream: known
        case Dice():
            return _dice_step(node, mechanics)
        case Binary():
            return _binary_step(node, mechanics)
        case Negative(operand):
            inner = _step(operand, mechanics)
            return lambda stream: _wrapped(node, inner(stream), negative=True)
        case Labelled(labelled):
            inner = _step(labelled, mechanics)
            return lambda stream: _wrapped(node, inner(stream), negative=False)
        case Call(function, arguments):
            steps = [_step(argument, mechanics) for argument in arguments]

            def called(stream: FaceStream) -> NodeResult:
                parts = tuple(step(stream) for step in steps)
                return NodeResult(node, call(function, [part.value for part in parts]), parts=parts)

            return called
        case Group(members):
            steps = [_step(member, mechanics) for member in members]
            return lambda stream: group(node, [step(stream) for step in steps])
        case Versus(first, second):
            action, defence = _step(first, mechanics), _step(second, mechanics)
            return lambda stream: versus(node, action(stream), defence(stream))
        case Net(first, second):
            ours, theirs = _step(first, mechanics), _step(second, mechanics)
            return lambda stream: net(node, ours(stream), theirs(stream))
        case TargetCheck(first, _, second):
            compared, target = _step(first, mechanics), _step(second, mechanics)
            return lambda stream: target_check(node, compared(stream), target(stream))
        case MechanicCall():
            return _mechanic_step(node, mechanics)
        case Variable(name):
            raise ValueError(f"the variable {name!r} is not bound")


def _wrapped(node: Node, inner: NodeResult, *, negative: bool) -> NodeResult:
    return NodeResult(node, -inner.value if negative else inner.value, (), (inner,))


def _binary_step(node: Binary, mechanics: Mechanics) -> Step:
    left, right = _step(node.left, mechanics), _step(node.right, mechanics)
    operator = node.operator
    if operator is Operator.ADD:

        def added(stream: FaceStream) -> NodeResult:
            first, second = left(stream), right(stream)
            return NodeResult(node, summed(first.value + second.value), (), (first, second))

        return added

    def done(stream: FaceStream) -> NodeResult:
        first, second = left(stream), right(stream)
        return NodeResult(node, operate(operator, first.value, second.value), (), (first, second))

    return done


def _mechanic_step(node: MechanicCall, mechanics: Mechanics) -> Step:
    mechanic = mechanics.get(node.name)
    if mechanic is None:
        raise ValueError(f"there is no roll called {node.name!r}")
    arguments = bound_arguments(node, mechanic)
    steps = [_step(pool, mechanics) for pool in mechanic.pools(arguments)]

    def read(stream: FaceStream) -> NodeResult:
        parts = tuple(step(stream) for step in steps)
        reading = mechanic.read(arguments, tuple(tuple(part.drawn) for part in parts))
        return NodeResult(node, reading.total, parts=parts, reading=reading)

    return read


def _dice_step(node: Dice, mechanics: Mechanics) -> Step:
    if not isinstance(node.count, int) or (
        isinstance(node.kind, Sides) and not isinstance(node.kind.count, int)
    ):
        return _rolled_dice_step(node, mechanics)
    kind, count = prepared(node.kind), node.count
    if kind.ready and node.plain:
        return _plain_step(node, kind, count)
    match node:
        case Dice(
            reroll=None,
            unique=False,
            lowest=None,
            highest=None,
            explode=None,
            select=(Select(SelectKind.KEEP_HIGHEST | SelectKind.KEEP_LOWEST) as rule,),
            counts=(),
            sort=None,
        ) if kind.ready and kind.numbered:
            return _keeping_step(node, kind, count, rule)
        case Dice(reroll=None, unique=False, explode=None, select=()) if kind.ready:
            return _counting_step(node, kind, count)
    return _thorough_step(node, kind, count)


def _plain_step(node: Dice, kind: Prepared, count: int) -> Step:
    """Dice that are rolled and added up."""
    faces, sides, values = kind.plain, kind.count, kind.numbered
    if count == 1:

        def one(stream: FaceStream) -> NodeResult:
            face = stream.draw(sides)
            die = faces[face]
            return NodeResult(node, die.value, (die,), (), sides, (face,))

        return one

    def several(stream: FaceStream) -> NodeResult:
        drawn = stream.draw_many(sides, count)
        dice = tuple([faces[face] for face in drawn])
        total = sum(drawn) if values else sum([die.value for die in dice])
        return NodeResult(node, total, dice, (), sides, drawn)

    return several


def _keeping_step(node: Dice, kind: Prepared, count: int, rule: Select) -> Step:
    """Dice of which the highest or the lowest are kept; of equal ones the earlier."""
    keep = min(rule.count, count)
    if keep == 0:
        return _thorough_step(node, kind, count)
    highest = rule.kind is SelectKind.KEEP_HIGHEST
    sides, plain, dropped = kind.count, kind.plain, kind.dropped

    def kept(stream: FaceStream) -> NodeResult:
        drawn = stream.draw_many(sides, count)
        chosen = sorted(drawn, reverse=highest)[:keep]
        edge = chosen[-1]
        left = chosen.count(edge)
        dice = []
        for face in drawn:
            if face == edge:
                dice.append(plain[face] if left > 0 else dropped[face])
                left -= 1
            else:
                dice.append(plain[face] if (face > edge) is highest else dropped[face])
        return NodeResult(node, sum(chosen), tuple(dice), (), sides, drawn)

    return kept


def _rolled_dice_step(node: Dice, mechanics: Mechanics) -> Step:
    """Dice whose number or whose sides are rolled first."""
    count_step = None if isinstance(node.count, int) else _step(node.count, mechanics)
    sides = node.kind.count if isinstance(node.kind, Sides) else 0
    sides_step = None if isinstance(sides, int) else _step(sides, mechanics)

    def rolled(stream: FaceStream) -> NodeResult:
        parts = tuple(step(stream) for step in (count_step, sides_step) if step is not None)
        values = [_whole(part.value) for part in parts]
        count = values[0] if count_step is not None else node.count
        kind = node.kind if sides_step is None else Sides(_at_least_one(values[-1]))
        assert isinstance(count, int)
        return _thorough_step(node, prepared(kind), count)(stream)._replace(parts=parts)

    return rolled


def _counting_step(node: Dice, kind: Prepared, count: int) -> Step:
    """Dice that are looked at one by one: what each face counts is known beforehand."""
    drawing, sides = Drawing(node, kind), kind.count
    faces: list[Die] = [kind.plain[0]]
    counts: list[Value] = [0]
    for face in range(1, sides + 1):
        die = drawing.die(face)
        counted = count_value(die.value, node.counts)
        faces.append(die if counted.mark is None else kind.marked(die, counted.mark))
        counts.append(counted.counts)

    def counting(stream: FaceStream) -> NodeResult:
        drawn = stream.draw_many(sides, count)
        dice = [faces[face] for face in drawn]
        total = sum([counts[face] for face in drawn])
        return NodeResult(node, margin(total, node.counts), _sorted(dice, node.sort), (), sides, drawn)

    return counting


def _thorough_step(node: Dice, kind: Prepared, count: int) -> Step:
    """Dice with everything that can be done to them."""
    drawing = Drawing(node, kind)

    def thorough(stream: FaceStream) -> NodeResult:
        lying, drawn = drawing.draw(count, stream)
        dice, total = select_and_count(lying, node.select, node.counts)
        return NodeResult(node, total, _sorted(dice, node.sort), (), kind.count, drawn)

    return thorough


def _sorted(dice: list[Die], sort: Sort | None) -> tuple[Die, ...]:
    if sort is not None:
        dice.sort(key=lambda die: die.value, reverse=sort is Sort.DESCENDING)
    return tuple(dice)


def _whole(value: Value) -> int:
    if isinstance(value, Fraction) or value < 0:
        raise RollError("NO_WHOLE_NUMBER", f"{value} is no number of dice or sides.")
    return value


def _at_least_one(sides: int) -> int:
    if sides < 1:
        raise RollError("NO_WHOLE_NUMBER", "A die has at least one side.")
    return sides
