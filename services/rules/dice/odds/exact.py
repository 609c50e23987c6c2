"""What is known of an expression: a distribution for each of its nodes, from the leaves up.

All dice are independent and every node is rolled once, so that the parts of a node are independent of each
other and may be reckoned apart. A number of dice or of sides that is rolled itself makes a mixture.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import product
from math import lcm, prod

from services.rules.dice.arithmetic import call, operate
from services.rules.dice.counting import count, margin
from services.rules.dice.distribution import Distribution
from services.rules.dice.failure import RollError
from services.rules.dice.gathering import FIVE_OR_SIX, is_sum_of_dice, parts_of_sum
from services.rules.dice.mechanic import Mechanic, ReadingOdds
from services.rules.dice.notation import bound_arguments
from services.rules.dice.odds import pools
from services.rules.dice.odds.dice_mixture import DieGroup
from services.rules.dice.odds.selection import Term, kept
from services.rules.dice.odds.subdistribution import Subdistribution
from services.rules.dice.odds.sweep import sweep
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
    Select,
    SelectKind,
    Sides,
    TargetCheck,
    Value,
    Variable,
    Versus,
)
from services.rules.dice.roll import LARGEST

Mechanics = Mapping[str, Mechanic]


def distribution_of(node: Node, mechanics: Mechanics, *, rough: bool = False) -> Subdistribution:
    """What is known of an expression's total.

    Args:
        node: Its topmost node, without variables; its cost was found to be bearable.
        mechanics: The games' own rolls by name.
        rough: Whether chances may be rounded, so that many dice are added up faster.

    Raises:
        ValueError: It holds a variable, or the name of no mechanic.
    """
    found = _Evaluator(mechanics, rough).node(node)
    chances = found.chances
    if chances is None or -LARGEST <= chances.minimum <= chances.maximum <= LARGEST:
        return found
    return found.map(_within)


def word_chances(node: Node, mechanics: Mechanics) -> dict[str, Fraction]:
    """The chances of the words in which a game's own roll ends, best first; none for plain dice."""
    while isinstance(node, Labelled):
        node = node.node
    if not isinstance(node, MechanicCall):
        return {}
    mechanic = mechanics[node.name]
    found = dict.fromkeys(mechanic.outcomes, Fraction(0))
    for (_, word), chance in mechanic.odds(bound_arguments(node, mechanic)).items():
        found[word] += chance
    return {word: chance for word, chance in found.items() if chance}


def _within(value: Value) -> Value:
    if not -LARGEST <= value <= LARGEST:
        raise RollError("TOO_LARGE", f"The total is beyond {LARGEST}.")
    return value


class _Evaluator:
    """Reckons nodes; dice that are alike once."""

    def __init__(self, mechanics: Mechanics, rough: bool) -> None:
        self._mechanics = mechanics
        self._rough = rough
        self._known: dict[Dice, Subdistribution] = {}

    def node(self, node: Node) -> Subdistribution:
        """What is known of a node."""
        match node:
            case Number(value):
                return Subdistribution.constant(value)
            case Dice():
                if node not in self._known:
                    self._known[node] = self._dice(node)
                return self._known[node]
            case Negative(operand):
                return self.node(operand).negate()
            case Binary(operator, left, right):
                return _operated(operator, self.node(left), self.node(right))
            case Labelled(labelled):
                return self.node(labelled)
            case Call(function, arguments):
                return _called(function, [self.node(argument) for argument in arguments])
            case Group(members):
                if len(members) == 1 and is_sum_of_dice(members[0]):
                    return self._pooled(node)
                return _grouped(node, [self.node(member) for member in members])
            case Versus(action, defence):
                return self._versus(action, defence)
            case TargetCheck(total, comparison, target):
                return self.node(total).combine(
                    self.node(target), lambda value, against: int(comparison.holds(value, against))
                )
            case Net(ours, theirs):
                return self.node(successes(ours)).subtract(self.node(successes(theirs)))
            case MechanicCall(name):
                mechanic = self._mechanics.get(name)
                if mechanic is None:
                    raise ValueError(f"there is no roll called {name!r}")
                return _read(mechanic.odds(bound_arguments(node, mechanic)))
            case Variable(name):
                raise ValueError(f"the variable {name!r} is not bound")

    def _dice(self, node: Dice) -> Subdistribution:
        if node.plain and isinstance(node.count, int) and isinstance(node.kind, Sides):
            sides = node.kind.count
            if isinstance(sides, int):
                die = Subdistribution.exactly(Distribution.die(sides))
                return (die.rounded() if self._rough else die).repeat(node.count)
        return self._whatever_rolled(
            [node], lambda dice: pools.total(dice, counts=node.counts, rough=self._rough)
        )

    def _pooled(self, node: Group) -> Subdistribution:
        dice, numbers = terms_of(node.members[0])
        pooled = self._whatever_rolled(
            dice, lambda dice: pools.total(dice, node.select, node.counts, rough=self._rough)
        )
        return reduce(Subdistribution.add, [self.node(number) for number in numbers], pooled)

    def _versus(self, action: Node, defence: Node) -> Subdistribution:
        ours, _ = terms_of(action)
        theirs, _ = terms_of(defence)
        return self._whatever_rolled(
            [*ours, *theirs], lambda dice: pools.reaching(dice[: len(ours)], dice[len(ours) :])
        )

    def _whatever_rolled(
        self, terms: Sequence[Dice], function: Callable[[Sequence[Dice]], Subdistribution]
    ) -> Subdistribution:
        """Reckons terms for each of the numbers of dice and of sides that may be rolled for them."""
        options = [self._options(term) for term in terms]
        mixed = (
            (prod([ways for ways, _ in chosen]), function([term for _, term in chosen]))
            for chosen in product(*(parts for parts, _, _ in options))
        )
        whole = prod([each for _, each, _ in options])
        followed = prod([sum(ways for ways, _ in parts) for parts, _, _ in options])
        known = prod([failing + sum(ways for ways, _ in parts) for parts, _, failing in options])
        return Subdistribution.mix(mixed, whole, known - followed)

    def _options(self, term: Dice) -> tuple[list[tuple[int, Dice]], int, int]:
        """Terms with known numbers and sides: ways and terms, all ways, and the ways that come to nothing."""
        sides = term.kind.count if isinstance(term.kind, Sides) else 1
        if isinstance(term.count, int) and isinstance(sides, int):
            return [(1, term)], 1, 0
        number, size = (
            Subdistribution.constant(part) if isinstance(part, int) else self.node(part)
            for part in (term.count, sides)
        )
        known = (number.followed + number.failing) * (size.followed + size.failing)
        parts = []
        for (dice, ways), (faces, more) in product(number.pairs(), size.pairs()):
            if isinstance(dice, int) and isinstance(faces, int) and dice >= 0 and faces >= 1:
                kind = Sides(faces) if isinstance(term.kind, Sides) else term.kind
                parts.append((ways * more, replace(term, count=dice, kind=kind)))
        return parts, number.whole * size.whole, known - sum(ways for ways, _ in parts)


def terms_of(node: Node) -> tuple[list[Dice], list[Node]]:
    """The dice of a sum of dice, and its plain numbers as nodes that are added to them.

    Raises:
        ValueError: It is something else.
    """
    parts = parts_of_sum(node)
    if parts is None:
        raise ValueError("only dice, and sums of them, are looked at together")
    return parts


def successes(node: Node) -> Node:
    """A side of successes: 5 and 6 succeed where its dice have no rules of counting."""
    match node:
        case Dice(counts=()):
            return replace(node, counts=FIVE_OR_SIX)
        case Binary(Operator.ADD, left, right):
            return Binary(Operator.ADD, successes(left), successes(right))
        case Labelled(labelled):
            return successes(labelled)
        case _:
            return node


def _operated(operator: Operator, left: Subdistribution, right: Subdistribution) -> Subdistribution:
    match operator:
        case Operator.ADD:
            return left.add(right)
        case Operator.SUBTRACT:
            return left.subtract(right)
    for one, other in ((left, right), (right, left)):
        factor = _certain(one)
        if operator is Operator.MULTIPLY and factor:
            return other.scale(factor)
    return left.combine(right, lambda ours, theirs: operate(operator, ours, theirs))


def _certain(distribution: Subdistribution) -> Value | None:
    """The only value there is."""
    chances = distribution.chances
    if chances is None or len(chances.values) != 1 or distribution.whole != distribution.followed:
        return None
    return chances.values[0]


def _called(function: Function, arguments: Sequence[Subdistribution]) -> Subdistribution:
    match function:
        case Function.MAXIMUM:
            return reduce(Subdistribution.higher, arguments)
        case Function.MINIMUM:
            return reduce(Subdistribution.higher, [each.negate() for each in arguments]).negate()
        case _:
            return arguments[0].map(lambda value: call(function, [value]))


def _read(odds: ReadingOdds) -> Subdistribution:
    whole = lcm(*(chance.denominator for chance in odds.values()))
    ways: dict[Value, int] = {}
    for (total, _), chance in odds.items():
        ways[total] = ways.get(total, 0) + chance.numerator * (whole // chance.denominator)
    return Subdistribution.from_ways(ways, whole)


def _grouped(node: Group, members: Sequence[Subdistribution]) -> Subdistribution:
    """Several members, or one that is more than a sum of dice: each is looked at as one value."""
    match node.select:
        case (Select(SelectKind.KEEP_HIGHEST, 1),):
            summed = reduce(Subdistribution.higher, members).map(
                lambda value: count(value, node.counts).counts
            )
        case (Select(SelectKind.KEEP_LOWEST, 1),):
            lowest = reduce(Subdistribution.higher, [member.negate() for member in members]).negate()
            summed = lowest.map(lambda value: count(value, node.counts).counts)
        case select if all(rule.point is not None for rule in select):
            counted = [member.map(lambda value: _counted(node, value)) for member in members]
            summed = reduce(Subdistribution.add, counted)
        case _:
            summed = _swept(node, members)
    return summed.map(lambda value: margin(value, node.counts)) if node.counts else summed


def _counted(node: Group, value: Value) -> Value:
    """What a member counts where each is looked at by itself."""
    return count(value, node.counts).counts if kept(node.select, value) else 0


def _swept(node: Group, members: Sequence[Subdistribution]) -> Subdistribution:
    whole = prod([member.whole for member in members])
    known = prod([member.followed + member.failing for member in members])
    followed = prod([member.followed for member in members])
    if not followed:
        return Subdistribution(None, whole, known)
    alike: dict[tuple[tuple[Value, int], ...], int] = {}
    for member in members:
        ways = tuple(member.pairs())[::-1]
        alike[ways] = alike.get(ways, 0) + 1
    groups = tuple(DieGroup(number, ways) for ways, number in alike.items())
    ways_found = sweep([Term(groups)], node.select, lambda value: count(value, node.counts).counts)
    return Subdistribution.from_ways(ways_found, whole, known - followed)
