"""How all dice of a term may lie, before anything is selected.

    Source      dice of one kind, each on its own or drawn like cards
    scenarios   all dice of a term: mixtures of sources

Every further die of an exploding one is drawn on its own. So, given how many dice exploded, those that did
and those that did not are dice of two kinds: the whole endless chain is a mixture of ordinary pools.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import comb, exp, lcm, lgamma, log

from services.dice.odds.falls import (
    COMPOUND,
    TAIL,
    Endless,
    Fall,
    Ways,
    chain,
    chain_length,
    face_values,
    fall_of,
    first_fall,
    further_fall,
    is_rerolled,
    itself,
    run,
)
from services.dice.odds.reckoned import Reckoned
from services.rules.dice.pool import Dice, ExplodeKind, RerollKind, Value


@dataclass(frozen=True, slots=True)
class Source:
    """Dice that lie on the table.

    Attributes:
        count: How many.
        ways: Values, highest first, and the ways of each.
        again: Whether each falls on its own; else a way that one took is gone for the others.
        blank: Ways to show nothing that matters.
    """

    count: int
    ways: tuple[tuple[Value, int], ...]
    again: bool = True
    blank: int = 0

    @property
    def total(self) -> int:
        """In how many ways they may lie, in no order where they are drawn like cards."""
        each = self.blank + sum(ways for _, ways in self.ways)
        return each**self.count if self.again else comb(each, self.count)


@dataclass(frozen=True, slots=True)
class Scenarios:
    """All dice of a term: one scenario or another.

    Attributes:
        parts: Ways of a scenario, beside those of its sources, and the sources.
        whole: All ways, those of the sources and those that were not followed among them.
    """

    parts: tuple[tuple[int, tuple[Source, ...]], ...]
    whole: int


def scenarios(term: Dice) -> Scenarios:
    """How all dice of a term may lie.

    Raises:
        Endless: They never come to lie.
    """
    assert isinstance(term.count, int)
    count, explode = term.count, term.explode
    if not count:
        return Scenarios(((1, ()),), 1)
    if explode is not None and explode.kind in COMPOUND and not term.unique:
        values = chain(term, itself, count)
        return Scenarios(((1, (_source(count, dict(values.pairs())),)),), values.whole**count)
    lying, whole = _first_dice(term, count)
    if explode is None:
        return Scenarios(tuple((ways, _sources(parts)) for ways, parts in lying), whole)
    further = further_fall(term, explode)
    if explode.kind in COMPOUND:
        return _compounded(
            lying, whole, run(further, itself, chain_length(further.share, count), Reckoned.add), count
        )
    return _exploded(lying, whole, further, count, once=explode.kind is ExplodeKind.ONCE)


Lying = tuple[tuple[Fall, int, bool], ...]
"""Dice of several kinds: how each falls, how many, and whether each falls on its own."""


def _exploded(
    lying: Iterable[tuple[int, Lying]], whole: int, further: Fall, count: int, *, once: bool
) -> Scenarios:
    """Adds further dice to first ones."""
    most = 0 if once else explosions(further, count)
    longest = count + most
    gathered: dict[tuple[Source, ...], int] = {}
    for first_ways, parts in lying:
        for split_ways, split, bursting in _splits(parts):
            followed = range(1) if once or not bursting or not further.bursting else range(most + 1)
            for more in followed:
                behind: Lying = (
                    ((Fall(further.all(), {}), bursting, True),)
                    if once
                    else ((Fall(further.bursts, {}), more, True), (Fall(further.stays, {}), bursting, True))
                )
                sources = _sources((*split, *behind))
                # Of so many chains the explosions are shared out in so many ways.
                shared = comb(bursting + more - 1, more) if more else 1
                unused = further.ways ** (longest - bursting - more)
                ways = first_ways * split_ways * shared * unused
                gathered[sources] = gathered.get(sources, 0) + ways
    parts_found = tuple((ways, sources) for sources, ways in gathered.items())
    return Scenarios(parts_found, whole * further.ways**longest)


def _compounded(lying: Iterable[tuple[int, Lying]], whole: int, behind: Reckoned, count: int) -> Scenarios:
    """Adds to each first die that explodes what comes behind it; the first dice are drawn like cards."""
    found = []
    for first_ways, parts in lying:
        for ways, exploding, staying in _choices(parts):
            values = tuple(
                _source(number, {value + more: weight for more, weight in behind.pairs()})
                for value, number in exploding
            )
            unused = behind.whole ** (count - sum(number for _, number in exploding))
            found.append((first_ways * ways * unused, (*_sources(staying), *values)))
    return Scenarios(tuple(found), whole * behind.whole**count)


def _choices(parts: Lying) -> Iterator[tuple[int, tuple[tuple[int, int], ...], Lying]]:
    """Which of dice drawn like cards explode: ways, values and how many of each, and the dice that stay."""
    if not parts:
        yield 1, (), ()
        return
    (fall, count, again), *rest = parts
    for own_ways, own in _subsets(tuple(fall.bursts.items()), count):
        staying = count - sum(number for _, number in own)
        if not _enough(fall.stays, staying, again):
            continue
        for ways, exploding, others in _choices(tuple(rest)):
            yield own_ways * ways, (*own, *exploding), ((Fall(fall.stays, {}), staying, again), *others)


def _subsets(
    faces: tuple[tuple[int, int], ...], most: int
) -> Iterator[tuple[int, tuple[tuple[int, int], ...]]]:
    """Up to so many of some faces, which may be alike: ways, and how many of each."""
    if not faces:
        yield 1, ()
        return
    (value, alike), *rest = faces
    for number in range(min(alike, most) + 1):
        chosen = ((value, number),) if number else ()
        for ways, more in _subsets(tuple(rest), most - number):
            yield comb(alike, number) * ways, (*chosen, *more)


def _splits(parts: Lying) -> Iterator[tuple[int, Lying, int]]:
    """Shares dice out among those that bring a further one and those that do not: ways, dice, how many do."""
    if not parts:
        yield 1, (), 0
        return
    (fall, count, again), *rest = parts
    for bursting in range(count + 1):
        staying = count - bursting
        if not (_enough(fall.bursts, bursting, again) and _enough(fall.stays, staying, again)):
            continue
        ways = comb(count, bursting) if again else 1
        own: Lying = ((Fall(fall.bursts, {}), bursting, again), (Fall(fall.stays, {}), staying, again))
        for more_ways, more, others in _splits(tuple(rest)):
            yield ways * more_ways, (*own, *more), bursting + others


def _enough(ways: Ways, count: int, again: bool) -> bool:
    """Whether so many dice can show faces of these ways."""
    return not count or (bool(ways) if again else sum(ways.values()) >= count)


def _first_dice(term: Dice, count: int) -> tuple[list[tuple[int, Lying]], int]:
    """The dice before any brings a further one: ways beside those of the dice, the dice, and the whole."""
    if not term.unique:
        first = first_fall(term)
        return [(1, ((first, count, True),))], first.ways**count
    values, reroll = face_values(term.kind), term.reroll
    again = [value for value in values if reroll is not None and is_rerolled(reroll, value)]
    others = [value for value in values if reroll is None or not is_rerolled(reroll, value)]
    if reroll is None or reroll.kind is RerollKind.UNTIL:
        if count > len(others):
            raise Endless
        fall = fall_of(term, ((value, 1) for value in others))
        return [(1, ((fall, count, False),))], comb(len(others), count)
    if count > len(values):
        raise Endless
    return _unique_rerolled_once(term, again, others, count)


def _unique_rerolled_once(
    term: Dice, again: list[int], others: list[int], count: int
) -> tuple[list[tuple[int, Lying]], int]:
    """Unique dice that are rolled again once: how many come to lie on a face that is.

    A first face that is rolled again, or lies already, is followed by any face that does not lie yet.
    """
    faces = len(again) + len(others)
    chances = {0: 1}
    whole = 1
    for place in range(count):
        free = faces - place
        followed: dict[int, int] = {}
        for found, ways in chances.items():
            left, open_ = len(again) - found, len(others) - (place - found)
            # Out of faces * free: at once, and after a first face that does not count.
            second = left + place
            for step, step_ways in ((1, second * left), (0, open_ * free + second * open_)):
                if step_ways:
                    followed[found + step] = followed.get(found + step, 0) + ways * step_ways
        chances = followed
        whole *= faces * free
    lying: list[tuple[int, Lying]] = []
    subsets = {found: comb(len(again), found) * comb(len(others), count - found) for found in chances}
    common = lcm(*subsets.values())
    for found, ways in chances.items():
        parts: Lying = (
            (fall_of(term, ((value, 1) for value in again)), found, False),
            (fall_of(term, ((value, 1) for value in others)), count - found, False),
        )
        lying.append((ways * (common // subsets[found]), parts))
    return lying, whole * common


def explosions(further: Fall, count: int) -> int:
    """How many explosions of so many chains together are followed, by the same bound."""
    if not further.bursting or not count:
        return 0
    share = further.share
    found = int(count * share / (1 - share))
    while True:
        ratio = share * (count + found) / (found + 1)
        if ratio < 1:
            chance = (
                lgamma(count + found)
                - lgamma(count)
                - lgamma(found + 1)
                + found * log(share)
                + count * log(1 - share)
            )
            if exp(chance) * ratio / (1 - ratio) < 2.0**-TAIL:
                return found
        found += 1


def _sources(parts: Lying) -> tuple[Source, ...]:
    """Dice as sources; those that fall alike become one."""
    gathered: dict[tuple[tuple[Value, int], ...], int] = {}
    drawn: list[Source] = []
    for fall, count, again in parts:
        ways = _descending(fall.all())
        if not count:
            continue
        if again:
            gathered[ways] = gathered.get(ways, 0) + count
        else:
            drawn.append(Source(count, ways, again=False))
    return (*drawn, *(Source(count, ways) for ways, count in sorted(gathered.items())))


def _source(count: int, ways: Mapping[Value, int]) -> Source:
    return Source(count, _descending(ways))


def _descending(ways: Mapping[int, int] | Mapping[Value, int]) -> tuple[tuple[Value, int], ...]:
    return tuple(sorted(ways.items(), reverse=True))
