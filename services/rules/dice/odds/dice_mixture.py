"""All dice of a term as a mixture of groups of identically distributed ones, before anything is selected.

    DieGroup   dice of one kind, each on its own or drawn without replacement
    mixture    all dice of a term: groups, and the ways of each choice of them

Every further die of an exploding one is drawn on its own. So, given how many dice exploded, those that did
and those that did not are dice of two kinds: the whole endless chain is a mixture of ordinary pools.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import comb, exp, lcm, lgamma, log

from services.rules.dice.odds.single_die import (
    COMPOUND,
    TAIL,
    Endless,
    FaceWeights,
    Ways,
    chain,
    chain_length,
    face_values,
    first_faces,
    further_chain,
    further_faces,
    is_rerolled,
    itself,
    sorted_faces,
)
from services.rules.dice.odds.subdistribution import Subdistribution
from services.rules.dice.pool import Dice, ExplodeKind, RerollKind, Value


@dataclass(frozen=True, slots=True)
class DieGroup:
    """Dice that lie on the table.

    Attributes:
        count: How many.
        ways: Values, highest first, and the ways of each.
        independent: Whether each falls on its own; else they are drawn without replacement.
        blank: Ways to show nothing that matters.
    """

    count: int
    ways: tuple[tuple[Value, int], ...]
    independent: bool = True
    blank: int = 0

    @property
    def total(self) -> int:
        """In how many ways they may lie, in no order where they are drawn like cards."""
        each = self.blank + sum(ways for _, ways in self.ways)
        return each**self.count if self.independent else comb(each, self.count)


@dataclass(frozen=True, slots=True)
class Mixture:
    """All dice of a term: some groups of dice or others.

    Attributes:
        parts: Ways of each component, beside those of its groups, and the groups.
        whole: All ways, those of the groups and those that were not followed among them.
    """

    parts: tuple[tuple[int, tuple[DieGroup, ...]], ...]
    whole: int


def mixture(term: Dice) -> Mixture:
    """How all dice of a term may lie.

    Raises:
        Endless: They never come to lie.
    """
    assert isinstance(term.count, int)
    count, explode = term.count, term.explode
    if not count:
        return Mixture(((1, ()),), 1)
    if explode is not None and explode.kind in COMPOUND and not term.unique:
        values = chain(term, itself, count)
        return Mixture(((1, (_group(count, dict(values.pairs())),)),), values.whole**count)
    lying, whole = _first_dice(term, count)
    if explode is None:
        return Mixture(tuple((ways, _groups(parts)) for ways, parts in lying), whole)
    further = further_faces(term, explode)
    if explode.kind in COMPOUND:
        return _compounded(
            lying,
            whole,
            further_chain(further, itself, chain_length(further.share, count), Subdistribution.add),
            count,
        )
    return _exploded(lying, whole, further, count, once=explode.kind is ExplodeKind.ONCE)


Kinds = tuple[tuple[FaceWeights, int, bool], ...]
"""Dice of several kinds: how each falls, how many, and whether each falls on its own."""


def _exploded(
    lying: Iterable[tuple[int, Kinds]], whole: int, further: FaceWeights, count: int, *, once: bool
) -> Mixture:
    """Adds further dice to first ones."""
    most = 0 if once else explosions(further, count)
    longest = count + most
    gathered: dict[tuple[DieGroup, ...], int] = {}
    for first_ways, parts in lying:
        for split_ways, split, bursting in _splits(parts):
            followed = range(1) if once or not bursting or not further.bursting else range(most + 1)
            for more in followed:
                behind: Kinds = (
                    ((FaceWeights(further.all(), {}), bursting, True),)
                    if once
                    else (
                        (FaceWeights(further.bursts, {}), more, True),
                        (FaceWeights(further.stays, {}), bursting, True),
                    )
                )
                groups = _groups((*split, *behind))
                # Of so many chains the explosions are shared out in so many ways.
                shared = comb(bursting + more - 1, more) if more else 1
                unused = further.ways ** (longest - bursting - more)
                ways = first_ways * split_ways * shared * unused
                gathered[groups] = gathered.get(groups, 0) + ways
    parts_found = tuple((ways, groups) for groups, ways in gathered.items())
    return Mixture(parts_found, whole * further.ways**longest)


def _compounded(
    lying: Iterable[tuple[int, Kinds]], whole: int, behind: Subdistribution, count: int
) -> Mixture:
    """Adds to each first die that explodes what comes behind it; the first dice are drawn like cards."""
    found = []
    for first_ways, parts in lying:
        for ways, exploding, staying in _choices(parts):
            values = tuple(
                _group(number, {value + more: weight for more, weight in behind.pairs()})
                for value, number in exploding
            )
            unused = behind.whole ** (count - sum(number for _, number in exploding))
            found.append((first_ways * ways * unused, (*_groups(staying), *values)))
    return Mixture(tuple(found), whole * behind.whole**count)


def _choices(parts: Kinds) -> Iterator[tuple[int, tuple[tuple[int, int], ...], Kinds]]:
    """Which of dice drawn like cards explode: ways, values and how many of each, and the dice that stay."""
    if not parts:
        yield 1, (), ()
        return
    (faces, count, independent), *rest = parts
    for own_ways, own in _subsets(tuple(faces.bursts.items()), count):
        staying = count - sum(number for _, number in own)
        if not _enough(faces.stays, staying, independent):
            continue
        for ways, exploding, others in _choices(tuple(rest)):
            yield (
                own_ways * ways,
                (*own, *exploding),
                ((FaceWeights(faces.stays, {}), staying, independent), *others),
            )


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


def _splits(parts: Kinds) -> Iterator[tuple[int, Kinds, int]]:
    """Shares dice out among those that bring a further one and those that do not: ways, dice, how many do."""
    if not parts:
        yield 1, (), 0
        return
    (faces, count, independent), *rest = parts
    for bursting in range(count + 1):
        staying = count - bursting
        if not (_enough(faces.bursts, bursting, independent) and _enough(faces.stays, staying, independent)):
            continue
        ways = comb(count, bursting) if independent else 1
        own: Kinds = (
            (FaceWeights(faces.bursts, {}), bursting, independent),
            (FaceWeights(faces.stays, {}), staying, independent),
        )
        for more_ways, more, others in _splits(tuple(rest)):
            yield ways * more_ways, (*own, *more), bursting + others


def _enough(ways: Ways, count: int, independent: bool) -> bool:
    """Whether so many dice can show faces of these ways."""
    return not count or (bool(ways) if independent else sum(ways.values()) >= count)


def _first_dice(term: Dice, count: int) -> tuple[list[tuple[int, Kinds]], int]:
    """The dice before any brings a further one: ways beside those of the dice, the dice, and the whole."""
    if not term.unique:
        first = first_faces(term)
        return [(1, ((first, count, True),))], first.ways**count
    values, reroll = face_values(term.kind), term.reroll
    again = [value for value in values if reroll is not None and is_rerolled(reroll, value)]
    others = [value for value in values if reroll is None or not is_rerolled(reroll, value)]
    if reroll is None or reroll.kind is RerollKind.UNTIL:
        if count > len(others):
            raise Endless
        faces = sorted_faces(term, ((value, 1) for value in others))
        return [(1, ((faces, count, False),))], comb(len(others), count)
    if count > len(values):
        raise Endless
    return _unique_rerolled_once(term, again, others, count)


def _unique_rerolled_once(
    term: Dice, again: list[int], others: list[int], count: int
) -> tuple[list[tuple[int, Kinds]], int]:
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
    lying: list[tuple[int, Kinds]] = []
    subsets = {found: comb(len(again), found) * comb(len(others), count - found) for found in chances}
    common = lcm(*subsets.values())
    for found, ways in chances.items():
        parts: Kinds = (
            (sorted_faces(term, ((value, 1) for value in again)), found, False),
            (sorted_faces(term, ((value, 1) for value in others)), count - found, False),
        )
        lying.append((ways * (common // subsets[found]), parts))
    return lying, whole * common


def explosions(further: FaceWeights, count: int) -> int:
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


def _groups(parts: Kinds) -> tuple[DieGroup, ...]:
    """Dice as groups; those that fall alike become one."""
    gathered: dict[tuple[tuple[Value, int], ...], int] = {}
    drawn: list[DieGroup] = []
    for faces, count, independent in parts:
        ways = _descending(faces.all())
        if not count:
            continue
        if independent:
            gathered[ways] = gathered.get(ways, 0) + count
        else:
            drawn.append(DieGroup(count, ways, independent=False))
    return (*drawn, *(DieGroup(count, ways) for ways, count in sorted(gathered.items())))


def _group(count: int, ways: Mapping[Value, int]) -> DieGroup:
    return DieGroup(count, _descending(ways))


def _descending(ways: Mapping[int, int] | Mapping[Value, int]) -> tuple[tuple[Value, int], ...]:
    return tuple(sorted(ways.items(), reverse=True))
