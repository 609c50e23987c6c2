"""What pools of dice come to: totals, their highest die, and dice opposed to one another.

A pool is one term of dice or several that are looked at together, their numbers and sides known. Where
nothing depends on how a die compares with others, each chain of dice is reckoned once and repeated; else all
of them are swept through together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from services.rules.dice.counting import count, margin
from services.rules.dice.odds.dice_mixture import mixture
from services.rules.dice.odds.selection import Term, kept
from services.rules.dice.odds.single_die import COMPOUND, Effect, Endless, chain
from services.rules.dice.odds.subdistribution import Subdistribution
from services.rules.dice.odds.sweep import sweep
from services.rules.dice.pool import Count, Dice, Select, SelectKind, Value

NONE = -(10**12)
"""Below every value: the highest of no dice."""

KEEP = (SelectKind.KEEP_HIGHEST, SelectKind.KEEP_LOWEST)


def total(
    dice: Sequence[Dice],
    select: Sequence[Select] = (),
    counts: Sequence[Count] = (),
    *,
    rough: bool = False,
) -> Subdistribution:
    """What the dice come to.

    Args:
        dice: Terms with numbers and sides that are known; their own rules of counting are not looked at.
        select: Selections among all that the terms keep.
        counts: Rules of counting.
        rough: Whether chances may be rounded, so that many dice are added up faster.
    """
    terms = [lean(term) for term in dice]
    try:
        summed = _total(terms, select, lambda value: count(value, counts).counts, rough=rough)
    except Endless:
        return Subdistribution.nothing()
    return summed.map(lambda value: margin(value, counts)) if counts else summed


def reaching(action: Sequence[Dice], defence: Sequence[Dice]) -> Subdistribution:
    """How many kept dice of the action are at least as high as the highest kept die of the defence."""
    terms = [lean(term) for term in action]
    try:
        against = _highest([lean(term) for term in defence])
        parts = [(ways, _reaching(terms, value)) for value, ways in against.ways]
    except Endless:
        return Subdistribution.nothing()
    return Subdistribution.mix(parts, against.whole)


def lean(term: Dice) -> Dice:
    """The same dice without what makes no difference to what they come to."""
    number = term.count
    assert isinstance(number, int)
    select = term.select
    if not more_dice(term):
        while select and _needless(select[0], number):
            select = select[1:]
    return replace(term, select=select, counts=(), sort=None)


def more_dice(term: Dice) -> bool:
    """Whether explosions bring dice of their own."""
    return term.explode is not None and term.explode.kind not in COMPOUND


def apart(terms: Sequence[Dice], select: Sequence[Select]) -> bool:
    """Whether nothing depends on how a die compares with others."""
    return not any(term.unique for term in terms) and all(
        rule.point is not None for rules in (select, *(term.select for term in terms)) for rule in rules
    )


def extreme(term: Dice) -> SelectKind | None:
    """Whether the highest or the lowest die is all that is kept, of dice that are alike and independent."""
    match term.select:
        case (Select(SelectKind.KEEP_HIGHEST | SelectKind.KEEP_LOWEST as kind, 1),):
            return None if term.unique or more_dice(term) else kind
        case _:
            return None


def _needless(rule: Select, number: int) -> bool:
    if rule.point is not None:
        return False
    return rule.count >= number if rule.kind in KEEP else rule.count == 0


def _total(
    terms: Sequence[Dice], select: Sequence[Select], effect: Effect, *, rough: bool = False
) -> Subdistribution:
    if apart(terms, select):
        summed = Subdistribution.constant(0)
        for term in terms:
            summed = summed.add(_repeated(term, select, effect, rough=rough))
        return summed
    if len(terms) == 1 and not select and (kind := extreme(terms[0])) is not None:
        return _extreme(terms[0], kind).map(effect)
    ways, whole = _swept(terms, select, effect)
    return Subdistribution.from_ways(ways, whole)


def _repeated(term: Dice, select: Sequence[Select], effect: Effect, *, rough: bool) -> Subdistribution:
    number = _number(term)
    if not number:
        return Subdistribution.constant(0)
    rules = (*term.select, *select)
    each = chain(term, lambda value: effect(value) if kept(rules, value) else 0, number)
    return (each.rounded() if rough else each).repeat(number)


def _extreme(term: Dice, kind: SelectKind) -> Subdistribution:
    number = _number(term)
    each = chain(term, lambda value: value, number)
    if each.chances is None:
        return Subdistribution.nothing()
    highest = kind is SelectKind.KEEP_HIGHEST
    chances = each.chances.highest(number) if highest else each.chances.lowest(number)
    return Subdistribution(chances, each.whole**number).settled()


def _swept(terms: Sequence[Dice], select: Sequence[Select], effect: Effect) -> tuple[dict[Value, int], int]:
    """Ways by total, and all ways."""
    mixtures = [mixture(term) for term in terms]
    found: dict[Value, int] = {}
    for chosen in product(*(each.parts for each in mixtures)):
        factor = prod([ways for ways, _ in chosen])
        pool = [Term(groups, term.select) for (_, groups), term in zip(chosen, terms, strict=True)]
        for value, ways in sweep(pool, select, effect).items():
            found[value] = found.get(value, 0) + ways * factor
    return found, prod([each.whole for each in mixtures])


@dataclass(frozen=True, slots=True)
class _Highest:
    """The highest of some dice.

    Attributes:
        ways: Each value it may be, `NONE` where no die is kept, and its ways.
        whole: All ways, those that were not followed among them.
    """

    ways: tuple[tuple[Value, int], ...]
    whole: int


def _highest(dice: Sequence[Dice]) -> _Highest:
    """The highest kept die of a pool.

    Whatever was not followed is left out of all its ways alike, so that their differences are ways too.
    """
    terms = [as_to_highest(term) for term in dice]
    upto, whole = _upto_each(terms) if apart(terms, ()) else _upto_swept(terms)
    found = []
    before = 0
    for value, ways in upto:
        if ways > before:
            found.append((value, ways - before))
        before = ways
    return _Highest(tuple(found), whole)


def as_to_highest(term: Dice) -> Dice:
    """The same dice without selections that keep the highest anyway."""
    select = term.select
    while select and select[-1].kind is SelectKind.KEEP_HIGHEST and select[-1].count:
        select = select[:-1]
    if all(rule.kind is SelectKind.DROP_LOWEST for rule in select):
        dropped = sum(rule.count for rule in select)
        select = select if dropped >= _number(term) else ()
    return replace(term, select=select)


def _upto_each(terms: Sequence[Dice]) -> tuple[list[tuple[Value, int]], int]:
    """In how many ways no kept die is above a value, chain by chain: all are not when each is not."""
    chains = [(_highest_of_chain(term), _number(term)) for term in terms if term.count]
    values = sorted({NONE, *(value for found, _ in chains for value, _ in found.pairs())})
    ways = [dict(found.pairs()) for found, _ in chains]
    reached = [0] * len(chains)
    found = []
    for value in values:
        for place, each in enumerate(ways):
            reached[place] += each.get(value, 0)
        numbers = (number for _, number in chains)
        found.append((value, prod([upto**number for upto, number in zip(reached, numbers, strict=True)])))
    return found, prod([each.whole**number for each, number in chains])


def _highest_of_chain(term: Dice) -> Subdistribution:
    return chain(
        term, lambda value: value if kept(term.select, value) else NONE, _number(term), Subdistribution.higher
    )


def _upto_swept(terms: Sequence[Dice]) -> tuple[list[tuple[Value, int]], int]:
    """In how many ways no kept die is above a value: none of them counts, if only those above it do."""
    mixtures = [mixture(term) for term in terms]
    values = {value for each in mixtures for _, groups in each.parts for s in groups for value, _ in s.ways}
    found, whole = [], 1
    for value in sorted({NONE, *values}):
        ways, whole = _swept(terms, (), _above(value))
        found.append((value, ways.get(0, 0)))
    return found, whole


def _reaching(terms: Sequence[Dice], value: Value) -> Subdistribution:
    return _total(terms, (), lambda found: 1 if found >= value else 0)


def _above(value: Value) -> Effect:
    return lambda found: 1 if found > value else 0


def _number(term: Dice) -> int:
    assert isinstance(term.count, int)
    return term.count
