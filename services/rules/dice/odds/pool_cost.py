"""What it takes to reckon pools of dice: `pools` step by step, with sizes in place of distributions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, reduce
from math import comb, gcd, inf, log2, prod, sqrt

from services.rules.dice.counting import ONE_OR_NONE
from services.rules.dice.faces import extent, meeting
from services.rules.dice.odds import pools
from services.rules.dice.odds.budget import ONE, POINT, Budget, Size, product
from services.rules.dice.odds.dice_mixture import DieGroup
from services.rules.dice.odds.selection import Term, guesses, most_kept, narrowed
from services.rules.dice.odds.single_die import COMPOUND, PENETRATE, chain_length
from services.rules.dice.odds.subdistribution import PRECISION
from services.rules.dice.pool import Count, CountKind, Dice, ExplodeKind, Faces, Fate, Select, Sides

STEP = 4.0
"""States of one step of a sweep."""

FIELD = 0.012
"""States of one word of a row in such a step."""

LINK = 30.0
"""States of one place of the distribution of a chain of exploding dice."""
FEW = 200
"""Faces of which each choice may be gone through by itself."""


class PoolCosts:
    """Adds up what pools take.

    Args:
        budget: Keeps the sum.
        rough: Whether chances may be rounded.
    """

    def __init__(self, budget: Budget, *, rough: bool) -> None:
        self._budget = budget
        self._rough = rough

    def total(self, dice: Sequence[Dice], select: Sequence[Select], counts: Sequence[Count]) -> Size:
        """What dice come to."""
        terms = [pools.lean(term) for term in dice]
        if pools.apart(terms, select):
            filtered = bool(select)
            return reduce(
                self._budget.add, [self._repeated(term, counts, filtered=filtered) for term in terms], POINT
            )
        chains = [self._chain(term, ()) for term in terms]
        low, high = effects_of(counts, min(c.low for c in chains), max(c.high for c in chains))
        if len(terms) == 1 and not select and pools.extreme(terms[0]) is not None:
            bits = chains[0].bits * _number(terms[0])
            self._budget.spend(chains[0].values * (2 + product(bits, bits)))
            return replace(chains[0], low=min(low, 0), high=max(high, 0), bits=bits)
        return self._pooled(terms, chains, select, (low, high))

    def _repeated(self, term: Dice, counts: Sequence[Count], *, filtered: bool) -> Size:
        number = _number(term)
        each = self._chain(term, counts)
        if filtered or term.select:
            each = replace(each, low=min(each.low, 0), high=max(each.high, 0))
        if not number:
            return POINT
        if self._rough:
            each = replace(each, exact=False, bits=2.0 * PRECISION)
        uniform = isinstance(term.kind, Sides | Fate) and not counts and not filtered and term.plain
        return self._budget.times(each, number, uniform=uniform)

    def _chain(self, term: Dice, counts: Sequence[Count]) -> Size:
        """One die and all further ones that it brings."""
        low, high = _extent(term)
        first, last = effects_of(counts, low, high)
        faces = _faces(term)
        points = 1 + (0 if term.reroll is None else len(term.reroll.points))
        plain = term.plain or replace(term, select=(), counts=()).plain
        self._budget.spend(faces * (2.5 if counts else 0.2 if plain else 1.2 * points))
        bits = log2(faces) * (2 if term.reroll is not None else 1)
        values = min(faces, last - first + 1)
        step = Fraction(_lattice(term.kind)) if isinstance(term.kind, Faces) and not counts else ONE
        alone = Size(first, last, step, values, bits, (last - first) / (2 if values < 3 else sqrt(12)) + 0.5)
        explode = term.explode
        if explode is None:
            return alone
        if explode.kind is ExplodeKind.ONCE:
            twice = self._budget.add(alone, alone)
            return replace(twice, low=min(first, twice.low), high=max(last, twice.high), bits=3 * bits)
        bursting, _ = meeting(term.kind, (explode.point,))
        if not bursting or bursting == faces:
            return alone
        length = 1
        while length < chain_length(bursting / faces, _number(term)):
            length *= 2
        compound = explode.kind in COMPOUND
        least, most = (low, high) if compound else (first, last)
        low_end, high_end = min(least, least * length) - length, max(most, most * length)
        share = bursting / faces
        # So many dice in a chain, which is a random number too.
        spread = alone.deviation**2 / (1 - share) + max(abs(least), abs(most)) ** 2 * share / (1 - share) ** 2
        bits = 2.0 * PRECISION
        bare = Size(low_end, high_end, ONE, inf, bits, sqrt(spread), False, high_end - low_end)
        found = replace(bare, values=bare.places)
        self._budget.spend(LINK * found.values + product(found.values * 200, found.values * 200))
        if compound and counts:
            first, last = effects_of(counts, found.low, found.high)
            return replace(found, low=first, high=last, values=min(found.values, last - first + 1))
        return found

    def _pooled(
        self,
        terms: Sequence[Dice],
        chains: Sequence[Size],
        select: Sequence[Select],
        effects: tuple[float, float],
    ) -> Size:
        lying = [_mixture(term, size) for term, size in zip(terms, chains, strict=True)]
        components = prod([number for number, _ in lying])
        rules = [term.select for term in terms]
        exact = all(size.exact for size in chains)
        self._budget.spend(10.0 * components)
        return self.swept(
            [groups for _, groups in lying], rules, select, effects, components=components, exact=exact
        )

    def swept(
        self,
        lying: Sequence[Sequence[GroupSize]],
        rules: Sequence[Sequence[Select]],
        select: Sequence[Select],
        effects: tuple[float, float],
        *,
        components: float,
        exact: bool,
        step: Fraction | None = ONE,
    ) -> Size:
        """What a sweep takes, so many times."""
        low, high = min(effects[0], 0), max(effects[1], 0)
        pool = [
            Term(tuple(DieGroup(group.count, ()) for group in groups), tuple(own))
            for groups, own in zip(lying, rules, strict=True)
        ]
        narrow, select = narrowed(pool, select)
        rules = [term.select for term in narrow]
        kept = most_kept(narrow, select)
        every = [group for groups in lying for group in groups]
        bits = sum(group.count * group.bits for group in every)
        bare = Size(low * kept, high * kept, step, inf, bits, (high - low) * kept / 2, exact)
        totals = min(bare.places, prod([group.values for group in every]) * 2.0 ** min(kept, 900))
        steps = _steps(every, rules, select)
        row = totals * max(bits, 8) / 64
        self._budget.spend(components * guesses(narrow, select) * steps * (STEP + row * FIELD + bits / 500))
        return replace(bare, values=totals, bits=bits if exact else 2.0 * PRECISION)

    def reaching(self, action: Sequence[Dice], defence: Sequence[Dice]) -> Size:
        """How many dice of the action reach the highest of the defence."""
        against = [pools.as_to_highest(pools.lean(term)) for term in defence]
        chains = [self._chain(term, ()) for term in against]
        values = sum(chain.values for chain in chains) + 1
        numbers = sum(_number(term) for term in against)
        bits = max([chain.bits for chain in chains], default=0) * numbers
        if pools.apart(against, ()):
            self._budget.spend(values * len(against) * (3 + product(bits, bits)))
        else:
            before = self._budget.spent
            self._pooled(against, chains, (), (0, 1))
            self._budget.spend((self._budget.spent - before) * (values - 1))
        before = self._budget.spent
        success = Count(CountKind.EVEN)
        found = self.total(action, (), (success,))
        self._budget.spend((self._budget.spent - before + 10) * (values - 1))
        self._budget.spend(values * found.values * (1 + (found.bits + bits) / 1_000))
        return replace(found, low=0, bits=found.bits + bits if found.exact else found.bits)


@dataclass(frozen=True, slots=True)
class GroupSize:
    """Dice in a sweep: how many, how many values each may have, and the bits of its ways."""

    count: int
    values: float
    bits: float


def _mixture(term: Dice, chain: Size) -> tuple[float, list[GroupSize]]:
    """How many components the mixture of a term's dice has, and the groups of the largest."""
    number, faces = _number(term), _faces(term)
    bits = log2(faces) * (2 if term.reroll is not None else 1)
    low, high = _extent(term)
    values = min(faces, high - low + 1)
    once = term.unique and term.reroll is not None
    components = float(number + 1 if once else 1)
    explode = term.explode
    if explode is None:
        return components, [GroupSize(number, values, bits)] * (2 if once else 1)
    bursting, _ = meeting(term.kind, (explode.point,))
    if explode.kind in COMPOUND:
        groups = [GroupSize(number, chain.values, chain.bits)]
        return (components * _choices(bursting, number), groups) if term.unique else (components, groups)
    if not bursting or bursting == faces:
        return components, [GroupSize(number, values, bits)]
    if explode.kind is ExplodeKind.ONCE:
        return components * (number + 1), [GroupSize(number, values, bits), GroupSize(number, values, bits)]
    share = bursting / faces
    more = number * share / (1 - share)
    more += 10 * sqrt(more / (1 - share)) + 40 / -log2(share)
    few = min(bursting, values)
    others = min(faces - bursting, values)
    if term.reroll is None and not term.unique and explode.kind not in PENETRATE:
        return number + more, [GroupSize(int(more), few, bits), GroupSize(number, others, bits)]
    # The usual component: of first dice as many as there are in all, and fewer explosions than the most.
    half = [GroupSize(number // 2 + 1, few, bits), GroupSize(number // 2 + 1, others, bits)]
    return components * (number + 1) * (more + 1), [*half, GroupSize(int(more) // 2 + 1, few, bits), half[1]]


def _choices(faces: int, most: int) -> float:
    """In how many ways up to so many of some faces can be chosen; no end of them where nobody would try."""
    return inf if faces > FEW else float(sum(comb(faces, number) for number in range(min(faces, most) + 1)))


def _steps(groups: Sequence[GroupSize], rules: Sequence[Sequence[Select]], select: Sequence[Select]) -> float:
    """Steps of one sweep.

    A group of one value takes no room; of others, dice are left in so many numbers until all are placed. At
    their first value all are left, and at their last one none may be.
    """
    reach = _reach(rules, select)
    wide = [group for group in groups if group.values > 1]
    narrow = sum(group.count + 1 for group in groups if group.values <= 1)
    states = 1.0
    for group in wide:
        states *= 1 + (group.count if reach is None else min(group.count, reach))
    states *= _apart(sum(group.count for group in groups), rules, select)
    found = float(narrow)
    for group in wide:
        choices = (group.count + 2) / (2 if reach is None else 1)
        inner = group.values - (2 if len(wide) == 1 else 0)
        found += inner * states * choices + 2 * (group.count + 1)
    return found


def _reach(rules: Sequence[Sequence[Select]], select: Sequence[Select]) -> int | None:
    """How many dice come before nothing more is kept, where that is plain."""
    if select and any(rules):
        return None
    own = select if select else rules[0] if len(rules) == 1 else ()
    first = next((rule for rule in own if rule.point is None), None)
    return first.count if first is not None and first.kind in pools.KEEP else None


def _apart(number: int, rules: Sequence[Sequence[Select]], select: Sequence[Select]) -> float:
    """In how many numbers selections may have seen dice of which so many are left."""
    found = 1.0
    for each in (*rules, select):
        points = [place for place, rule in enumerate(each) if rule.point is not None]
        found *= 1 + number / 2 if points and points[0] < len(each) - 1 else 1
    return found


def effects_of(counts: Sequence[Count], low: float, high: float) -> tuple[float, float]:
    """The bounds of what values count."""
    first, last = low, high
    kinds = {rule.kind for rule in counts}
    if kinds & set(ONE_OR_NONE):
        first, last = 0, 1
    if CountKind.DEDUCT in kinds:
        first, last = min(first, -1), max(last, -1)
    if CountKind.SUBTRACT in kinds:
        first, last = min(first, -high), max(last, -low)
    return first, last


def _extent(term: Dice) -> tuple[int, int]:
    found = extent(term.kind)
    assert found is not None
    low, high = found
    if term.lowest is not None:
        low, high = max(low, term.lowest), max(high, term.lowest)
    if term.highest is not None:
        low, high = min(low, term.highest), min(high, max(term.highest, low))
    return low, max(low, high)


@lru_cache(512)
def _lattice(kind: Faces) -> int:
    """The steps in which the values of a die lie."""
    return gcd(*(face.value - kind.faces[0].value for face in kind.faces))


def _faces(term: Dice) -> int:
    return meeting(term.kind, ())[1]


def _number(term: Dice) -> int:
    assert isinstance(term.count, int)
    return term.count
