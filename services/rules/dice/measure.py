"""How much an expression asks for, before anything is rolled: dice, draws, and how large it can become."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from services.rules.dice.arguments import Misfit, known_arguments
from services.rules.dice.bounds import (
    CEILING,
    LARGEST_EXPONENT,
    Bounds,
    called,
    combined,
    cut,
    known,
    negated,
)
from services.rules.dice.constants import is_numeric
from services.rules.dice.faces import extent
from services.rules.dice.gathering import is_sum_of_dice
from services.rules.dice.impossible import Impossible, draws, require_dice
from services.rules.dice.lexicon import Limits
from services.rules.dice.mechanic import Mechanic
from services.rules.dice.pool import (
    Binary,
    Call,
    Dice,
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
    Variable,
    Versus,
)
from services.rules.dice.render import render_node
from services.rules.dice.units import Units, counted, exploded, selected, total
from services.rules.dice.walk import points

_DIVISIONS = (Operator.DIVIDE, Operator.FLOOR_DIVIDE, Operator.MODULO)
_SUMS = (Operator.ADD, Operator.SUBTRACT)
_UNLIMITED = Limits(*[CEILING] * 8)


@dataclass(frozen=True, slots=True)
class Measure:
    """How much an expression asks for; where a number is still to be rolled, the most it can be.

    Attributes:
        dice: Dice, without those that explosions bring.
        expected_draws: How often dice are expected to be drawn.
        low: The least it can come to.
        high: The greatest; of exploding dice, with chains of CHAIN dice.
    """

    dice: int
    expected_draws: float
    low: int
    high: int


def most_dice(node: Dice | Group) -> int | None:
    """The most dice that the selections of dice, or of a pool of them, may choose from.

    Returns:
        None where they mean nothing.
    """
    try:
        return Survey(_UNLIMITED, {}).most_dice(node)
    except Impossible:
        return None


class Excess(Exception):
    """Something that goes beyond a limit.

    Attributes:
        node: The node with which it does.
        limit: Name of the limit.
        found: How much it is.
    """

    def __init__(self, node: Node, limit: str, found: str) -> None:
        self.node = node
        self.limit = limit
        self.found = found
        super().__init__(limit, found)


def measure(node: Node, mechanics: Mapping[str, Mechanic] | None = None) -> Measure:
    """How much a node asks for. A variable counts as 1; beyond `bounds.CEILING` nothing is told apart.

    Args:
        node: What is to be rolled.
        mechanics: The games' own rolls by name; of others only the arguments are known.

    Raises:
        Impossible: It means nothing however the dice fall.
    """
    survey = Survey(_UNLIMITED, mechanics or {})
    low, high, _ = survey.bounds(node)
    return Measure(survey.dice, survey.draws, low, high)


class Survey:
    """Goes through an expression, adds up what it asks for, and stops where that goes beyond a limit.

    Args:
        limits: How much it may ask for.
        mechanics: The games' own rolls by name.

    Attributes:
        nodes: Nodes gone through.
        dice: Their dice.
        draws: How often dice are expected to be drawn.
    """

    __slots__ = ("_level", "_limits", "_magnitude", "_mechanics", "_open", "dice", "draws", "nodes")

    def __init__(self, limits: Limits, mechanics: Mapping[str, Mechanic]) -> None:
        self.nodes = 0
        self.dice = 0
        self.draws = 0.0
        self._limits = limits
        self._magnitude = limits.magnitude
        self._mechanics = mechanics
        self._level = 0
        self._open = 0

    def most_dice(self, node: Dice | Group) -> int:
        """The most dice that selections may choose from; see `most_dice`."""
        if isinstance(node, Dice):
            return self._units(replace(node, select=())).most
        return sum(term.most for term in self._terms(node.members[0])[0])

    def bounds(self, node: Node, *, deeper: int = 1) -> Bounds:
        """The bounds of a node.

        Args:
            node: The node.
            deeper: How much deeper it is than the one above it: 1, or 0 within a chain.

        Raises:
            Impossible: It means nothing however the dice fall.
            Excess: It asks for too much.
        """
        self._level += deeper
        self._count(node)
        found = _BY_TYPE[type(node)](self, node)
        low, high, _ = found
        if high > self._magnitude or -low > self._magnitude:
            size = max(high, -low)
            raise Excess(
                node, "magnitude", f"up to {size}" if size < CEILING else "more than can be reckoned"
            )
        self._level -= deeper
        return found

    def _count(self, node: Node) -> None:
        """Counts a node, and looks how deep it is."""
        self.nodes += 1
        if self.nodes > self._limits.nodes:
            raise Excess(node, "nodes", f"{self.nodes} parts")
        if self._level > self._limits.depth:
            raise Excess(node, "depth", f"level {self._level}")

    def _number(self, node: Number) -> Bounds:
        if node.value > self._limits.number:
            raise Excess(node, "number", str(node.value))
        return known(node.value)

    def _variable(self, node: Variable) -> Bounds:
        self._open += 1
        return 1, 1, 1

    def _dice(self, node: Dice) -> Bounds:
        units = self._units(node)
        if node.counts:
            return counted(units, node.counts)
        low, high = total(units)
        return low, high, 1

    def _units(self, node: Dice) -> Units:
        """The dice of a term, as they are counted; adds them up."""
        count, kind = node.count, node.kind
        opened = self._open
        if isinstance(count, int):
            fewest = most = count
        else:
            fewest, most = self._number_of_dice(node, count)
        sides = (1, 1)
        if isinstance(kind, Sides):
            if isinstance(kind.count, int):
                sides = kind.count, kind.count
            else:
                sides = self._number_of_sides(node, kind.count)
            low, high = 1, sides[1]
            if high > self._limits.sides:
                raise Excess(node, "sides", str(high))
        else:
            low, high = extent(kind) or (1, 1)
        if not node.plain:
            self._points(node)
        known_now = opened == self._open
        self.dice += most
        if self.dice > self._limits.dice:
            raise Excess(node, "dice", f"{self.dice} dice")
        if known_now and (node.explode is not None or node.reroll is not None or node.unique):
            self.draws += draws(node, most, sides)
        else:
            self.draws += most
        if self.draws > self._limits.draws:
            raise Excess(node, "draws", f"about {self.draws:.0f} draws")
        if node.lowest is not None:
            if node.highest is not None and node.lowest > node.highest:
                raise Impossible(
                    node, "highest", f"max{node.highest}", f"at least {node.lowest}, as in min{node.lowest}"
                )
            low, high = max(low, node.lowest), max(high, node.lowest)
        if node.highest is not None:
            low, high = min(low, node.highest), min(high, node.highest)
        units = Units(fewest, most, low, high)
        if node.explode is not None:
            units = exploded(units, node.explode.kind)
        return selected(node, units, node.select, known_now=known_now) if node.select else units

    def _points(self, node: Dice | Group) -> None:
        """Looks at the compare points: each is a whole number, and open where a variable is in it."""
        for point in points(node):
            if abs(point.value) > self._limits.number:
                raise Excess(node, "number", str(point.value))
            if point.source is None:
                continue
            opened = self._open
            self.bounds(point.source)
            if opened == self._open:
                raise Impossible(point.source, None, render_node(point.source), "a whole number")

    def _number_of_dice(self, node: Dice, count: Node) -> tuple[int, int]:
        opened = self._open
        low, high, _ = self.bounds(count)
        whole = not isinstance(count, Number) or isinstance(count.value, int)
        if opened == self._open and (high < 0 or not whole):
            raise Impossible(node, "count", _shown(count, high), "a whole number of dice, 0 or more")
        return max(0, low), max(0, high)

    def _number_of_sides(self, node: Dice, count: Node) -> tuple[int, int]:
        opened = self._open
        low, high, _ = self.bounds(count)
        whole = not isinstance(count, Number) or isinstance(count.value, int)
        if opened == self._open and (high < 1 or not whole):
            raise Impossible(node, "sides", _shown(count, high), "a whole number of sides, 1 or more")
        return max(1, low), max(1, high)

    def _group(self, node: Group) -> Bounds:
        if len(node.members) == 1 and is_sum_of_dice(node.members[0]):
            return self._pooled(node)
        opened = self._open
        members = [self.bounds(member) for member in node.members]
        self._points(node)
        grain = 1
        for member in members:
            grain = min(grain * member[2], CEILING)
        if not node.select and not node.counts:
            return cut(sum(member[0] for member in members), sum(member[1] for member in members), grain)
        low, high = min(member[0] for member in members), max(member[1] for member in members)
        units = Units(len(members), len(members), low, high)
        units = selected(node, units, node.select, known_now=opened == self._open)
        low, high, _ = counted(units, node.counts)
        return low, high, grain

    def _pooled(self, node: Group) -> Bounds:
        """A group of a single member: its rules look at all dice of it; its plain numbers are added."""
        opened = self._open
        self._level += 1
        terms, plain = self._terms(node.members[0])
        self._level -= 1
        self._points(node)
        units = Units(
            sum(term.fewest for term in terms),
            sum(term.most for term in terms),
            min((term.low for term in terms), default=0),
            max((term.high for term in terms), default=0),
        )
        units = selected(node, units, node.select, known_now=opened == self._open)
        if node.select or node.counts:
            low, high, _ = counted(units, node.counts)
        else:
            totals = [total(term) for term in terms]
            low, high = sum(total[0] for total in totals), sum(total[1] for total in totals)
        return combined(Operator.ADD, (low, high, 1), plain)

    def _terms(self, node: Node) -> tuple[list[Units], Bounds]:
        """The dice of a sum, and what its plain numbers add up to."""
        self._count(node)
        if is_numeric(node):
            return [], _BY_TYPE[type(node)](self, node)
        match node:
            case Dice():
                return [self._units(node)], (0, 0, 1)
            case Labelled(inner):
                self._level += 1
                found = self._terms(inner)
                self._level -= 1
                return found
            case Binary(Operator.ADD | Operator.SUBTRACT as operator, left, right):
                below = 0 if _chained(node) else 1
                self._level += below
                terms, plain = self._terms(left)
                self._level += 1 - below
                more, further = self._terms(right)
                self._level -= 1
                return terms + more, combined(operator, plain, further)
            case _:
                raise Impossible(node, None, "", "dice only")

    def _versus(self, node: Versus) -> Bounds:
        for side in (node.action, node.defence):
            require_dice(side, counting=False)
        self._level += 1
        ours, _ = self._terms(node.action)
        self._terms(node.defence)
        self._level -= 1
        return cut(0, sum(term.most for term in ours), 1)

    def _target_check(self, node: TargetCheck) -> Bounds:
        self.bounds(node.total)
        self.bounds(node.target)
        return 0, 1, 1

    def _net(self, node: Net) -> Bounds:
        for side in (node.ours, node.theirs):
            require_dice(side, counting=True)
        self._level += 1
        ours, theirs = self._successes(node.ours), self._successes(node.theirs)
        self._level -= 1
        return combined(Operator.SUBTRACT, ours, theirs)

    def _successes(self, node: Node) -> Bounds:
        self._count(node)
        match node:
            case Dice(counts=()):
                return cut(0, self._units(node).most, 1)
            case Binary(Operator.ADD, left, right):
                below = 0 if _chained(node) else 1
                self._level += below
                first = self._successes(left)
                self._level += 1 - below
                second = self._successes(right)
                self._level -= 1
                return combined(Operator.ADD, first, second)
            case Labelled(inner):
                self._level += 1
                found = self._successes(inner)
                self._level -= 1
                return found
            case _:
                return _BY_TYPE[type(node)](self, node)

    def _negative(self, node: Negative) -> Bounds:
        return negated(self.bounds(node.operand))

    def _labelled(self, node: Labelled) -> Bounds:
        return self.bounds(node.node)

    def _binary(self, node: Binary) -> Bounds:
        operator, right = node.operator, node.right
        # The left side of a chain such as 1 + 2 + 3 stands without brackets, on the same level.
        left_bounds = self.bounds(node.left, deeper=0 if _chained(node) else 1)
        opened = self._open
        right_bounds = self.bounds(right)
        if opened == self._open and operator not in (Operator.ADD, Operator.SUBTRACT):
            if operator in _DIVISIONS and right_bounds[0] == right_bounds[1] == 0:
                raise Impossible(right, None, "0", "a number other than 0")
            if operator is Operator.POWER:
                self._exponent(right, right_bounds)
        return combined(operator, left_bounds, right_bounds)

    def _exponent(self, node: Node, bounds: Bounds) -> None:
        whole = not isinstance(node, Number) or isinstance(node.value, int)
        if not whole or bounds[1] < 0 or bounds[0] > LARGEST_EXPONENT:
            raise Impossible(
                node, None, _shown(node, bounds[1]), f"a whole number from 0 to {LARGEST_EXPONENT}"
            )

    def _call(self, node: Call) -> Bounds:
        return called(node.function, [self.bounds(argument) for argument in node.arguments])

    def _mechanic(self, node: MechanicCall) -> Bounds:
        dice, draws_before, opened = self.dice, self.draws, self._open
        given = [self.bounds(argument) for argument in node.arguments]
        size = sum(max(abs(low), abs(high)) for low, high, _ in given)
        mechanic = self._mechanics.get(node.name)
        if mechanic is not None and opened == self._open:
            try:
                pools = mechanic.pools(known_arguments(node, mechanic))
            except Misfit:
                return cut(-size, size, 1)
            # Dice given as an argument are those of the pools, and not rolled twice.
            self.dice, self.draws = dice, draws_before
            size += sum(total(self._units(pool))[1] for pool in pools)
        return cut(-size, size, 1)


_BY_TYPE: Mapping[type, Callable[[Survey, Any], Bounds]] = {
    Number: Survey._number,
    Variable: Survey._variable,
    Dice: Survey._dice,
    Group: Survey._group,
    Negative: Survey._negative,
    Binary: Survey._binary,
    Call: Survey._call,
    Labelled: Survey._labelled,
    Versus: Survey._versus,
    Net: Survey._net,
    TargetCheck: Survey._target_check,
    MechanicCall: Survey._mechanic,
}


def _chained(node: Binary) -> bool:
    """Whether the left side stands without brackets, as in 1 + 2 + 3 and 1 * 2 + 3."""
    match node.left:
        case Binary(operator) if node.operator is not Operator.POWER:
            return operator not in _SUMS or node.operator in _SUMS
        case _:
            return False


def _shown(node: Node, most: int) -> str:
    return render_node(node) if isinstance(node, Number) else f"at most {most}"
