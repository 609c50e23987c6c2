"""How much work the odds of an expression are, before any of it is done.

The estimate follows `exact` step by step with sizes in place of distributions, and errs to the high side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from math import log2

from services.rules.dice.faces import meeting
from services.rules.dice.gathering import is_sum_of_dice
from services.rules.dice.mechanic import Mechanic
from services.rules.dice.notation import bound_arguments
from services.rules.dice.odds import pools
from services.rules.dice.odds.budget import ONE, PAIR, POINT, STATES, Budget, Size, common, is_whole, mirrored
from services.rules.dice.odds.exact import successes, terms_of
from services.rules.dice.odds.pool_cost import GroupSize, PoolCosts, effects_of
from services.rules.dice.odds.subdistribution import PRECISION
from services.rules.dice.odds.summary import LISTED
from services.rules.dice.pool import (
    Binary,
    Call,
    Dice,
    Function,
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


def cost(node: Node, mechanics: Mapping[str, Mechanic], *, rough: bool = False, limit: int = STATES) -> float:
    """Estimates the states that an expression takes.

    Args:
        node: Its topmost node, without variables.
        mechanics: The games' own rolls by name.
        rough: Whether chances may be rounded.
        limit: States that may be spent.

    Raises:
        OddsTooLarge: It takes more; how much more is not found out.
    """
    budget = Budget(limit)
    size = _Costs(budget, mechanics, rough).node(node)
    # Mean and quantiles of all, fractions of those that are listed.
    budget.spend(size.values * (1 + size.bits / 1_000) + min(size.values, LISTED) * (4 + size.bits / 40))
    return budget.spent


class _Costs:
    """Goes through an expression and adds up what its nodes take; dice that are alike once."""

    def __init__(self, budget: Budget, mechanics: Mapping[str, Mechanic], rough: bool) -> None:
        self._budget = budget
        self._mechanics = mechanics
        self._pools = PoolCosts(budget, rough=rough)
        self._known: dict[Dice, Size] = {}

    def node(self, node: Node) -> Size:
        """The size of a node; what it takes is added."""
        if isinstance(node, Dice) and node in self._known:
            return self._known[node]
        self._budget.spend(20)
        size = self._budget.kept(self._size(node))
        if isinstance(node, Dice):
            self._known[node] = size
        return size

    def _size(self, node: Node) -> Size:
        match node:
            case Number(value):
                return replace(POINT, low=float(value), high=float(value))
            case Dice():
                return self._rolled([node], lambda dice: self._pools.total(dice, (), node.counts))
            case Negative(operand):
                return mirrored(self.node(operand))
            case Binary(operator, left, right):
                return self._operated(operator, self.node(left), self.node(right))
            case Labelled(labelled):
                return self.node(labelled)
            case Call(function, arguments):
                return self._called(function, [self.node(argument) for argument in arguments])
            case Group(members, select, counts):
                if len(members) == 1 and is_sum_of_dice(members[0]):
                    dice, _ = terms_of(members[0])
                    return self._rolled(dice, lambda dice: self._pools.total(dice, select, counts))
                return self._grouped(node, [self.node(member) for member in members])
            case Versus(action, defence):
                ours, theirs = terms_of(action)[0], terms_of(defence)[0]
                return self._rolled(
                    [*ours, *theirs], lambda dice: self._pools.reaching(dice[: len(ours)], dice[len(ours) :])
                )
            case Net(ours_node, theirs_node):
                theirs_size = mirrored(self.node(successes(theirs_node)))
                return self._budget.add(self.node(successes(ours_node)), theirs_size)
            case TargetCheck(total, _, target):
                return self._budget.pairs(self.node(total), self.node(target), 0, 1, ONE)
            case MechanicCall():
                return self._read(node)
            case Variable(name):
                raise ValueError(f"the variable {name!r} is not bound")

    def _operated(self, operator: Operator, left: Size, right: Size) -> Size:
        corners = [one * other for one in (left.low, left.high) for other in (right.low, right.high)]
        whole = ONE if is_whole(left) and is_whole(right) else None
        match operator:
            case Operator.ADD:
                return self._budget.add(left, right)
            case Operator.SUBTRACT:
                return self._budget.add(left, mirrored(right))
            case Operator.MULTIPLY:
                for one, other in ((left, right), (right, left)):
                    if one.step == 0 and one.low:
                        self._budget.spend(0.3 * other.values)
                        factor = Fraction(one.low)
                        step = None if other.step is None else abs(other.step * factor)
                        deviation = other.deviation * abs(one.low)
                        return replace(
                            other, low=min(corners), high=max(corners), step=step, deviation=deviation
                        )
                return self._budget.pairs(left, right, min(corners), max(corners), whole)
            case Operator.MODULO:
                most = max(abs(right.low), abs(right.high))
                return self._budget.pairs(left, right, -most, most, whole)
            case Operator.FLOOR_DIVIDE:
                most = max(abs(left.low), abs(left.high))
                return self._budget.pairs(left, right, -most, most, whole)
            case Operator.DIVIDE:
                most = max(abs(left.low), abs(left.high))
                return self._budget.pairs(left, right, -most, most, None)
            case Operator.POWER:
                most = 2 ** min(60, log2(max(abs(left.low), abs(left.high), 1)) * max(right.high, 0))
                return self._budget.pairs(left, right, -most, most, None)

    def _called(self, function: Function, arguments: Sequence[Size]) -> Size:
        if function in (Function.MINIMUM, Function.MAXIMUM):
            return reduce(self._budget.higher, arguments)
        only = arguments[0]
        self._budget.spend(PAIR * only.values)
        most = max(abs(only.low), abs(only.high))
        step = only.step if is_whole(only) else ONE
        low = 0 if function is Function.ABSOLUTE else only.low - 1
        bare = replace(only, low=min(low, only.low), high=most + 1, step=ONE if step == 0 else step)
        return replace(bare, values=min(only.values, bare.places))

    def _read(self, node: MechanicCall) -> Size:
        """A game's own roll: a closed form, about as large as the sum of its dice."""
        mechanic = self._mechanics.get(node.name)
        if mechanic is None:
            raise ValueError(f"there is no roll called {node.name!r}")
        dice = sides = 0
        for pool in mechanic.pools(bound_arguments(node, mechanic)):
            assert isinstance(pool.count, int)
            dice += pool.count
            sides += pool.count * meeting(pool.kind, ())[1]
        self._budget.spend(100 + 8 * dice**2)
        return Size(-sides, sides, ONE, 2 * sides + 1, 4 * dice, sides)

    def _grouped(self, node: Group, members: Sequence[Size]) -> Size:
        self._budget.spend(PAIR * sum(member.values for member in members))
        ranked = [rule for rule in node.select if rule.point is None]
        if not ranked:
            return reduce(self._budget.add, [_counted(node, member) for member in members])
        if len(node.select) == 1 and ranked[0].count == 1 and ranked[0].kind in pools.KEEP:
            return reduce(self._budget.higher, members)
        low, high = effects_of(node.counts, min(m.low for m in members), max(m.high for m in members))
        numbers = Counter(node.members)
        sizes = dict(zip(node.members, members, strict=True))
        groups = [GroupSize(number, sizes[each].values, sizes[each].bits) for each, number in numbers.items()]
        exact = all(member.exact for member in members)
        return self._pools.swept(
            [groups], [()], node.select, (low, high), components=1, exact=exact, step=_step(members)
        )

    def _rolled(self, terms: Sequence[Dice], function: Callable[[Sequence[Dice]], Size]) -> Size:
        """Takes terms whose numbers of dice or of sides are rolled at the most they can be, so many times."""
        times, lcm_bits = 1.0, 0.0
        largest = []
        for term in terms:
            count, sides = term.count, term.kind.count if isinstance(term.kind, Sides) else 1
            if not isinstance(count, int):
                size = self.node(count)
                times *= size.values
                count = max(0, int(size.high))
            kind = term.kind
            if not isinstance(sides, int):
                size = self.node(sides)
                times *= size.values
                # The least common multiple of 1 to n has about n / ln 2 bits.
                lcm_bits += 1.5 * min(size.values, size.high) * count
                kind = Sides(max(1, int(size.high)))
            largest.append(replace(term, count=count, kind=kind))
        before = self._budget.spent
        found = function(largest)
        if times == 1:
            return found
        # Parts are brought to one whole before they are mixed.
        bits = found.bits + lcm_bits + 8 * log2(times) if found.exact else 2.0 * PRECISION
        mixing = found.values * times * (1 + bits / 500)
        self._budget.spend((self._budget.spent - before) * (times - 1) + mixing)
        low = min(0, found.low)
        return replace(found, low=low, bits=bits, deviation=(found.high - low) / 2)


def _counted(node: Group, member: Size) -> Size:
    """A member of a group in which each is looked at by itself."""
    low, high = effects_of(node.counts, member.low, member.high)
    if node.select:
        low, high = min(low, 0), max(high, 0)
    values = min(member.values, high - low + 1) if node.counts else member.values
    return replace(member, low=low, high=high, values=values)


def _step(members: Sequence[Size]) -> Fraction | None:
    step: Fraction | None = Fraction(0)
    for member in members:
        if member.step is None or step is None:
            return None
        step = common(step, member.step)
    return step or ONE
