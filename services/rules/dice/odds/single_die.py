"""One die by itself: rerolls, lowest and highest values, explosions.

FaceWeights    ways by value, those that bring a further die apart
chain          a die with all its further ones, as what they come to together
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, log2

from services.rules.dice.distribution import Distribution
from services.rules.dice.odds.subdistribution import Subdistribution
from services.rules.dice.pool import (
    Dice,
    DieKind,
    Explode,
    ExplodeKind,
    Faces,
    Fate,
    Reroll,
    RerollKind,
    Sides,
    Value,
)

TAIL = 52
"""Explosions are followed until all that is left has a chance below 2**-TAIL."""

Effect = Callable[[Value], Value]
"""What a value counts."""

Join = Callable[[Subdistribution, Subdistribution], Subdistribution]
"""What two dice come to together."""

Ways = Mapping[int, int]
"""Ways by value."""

COMPOUND = (ExplodeKind.COMPOUND, ExplodeKind.COMPOUND_PENETRATE)
PENETRATE = (ExplodeKind.PENETRATE, ExplodeKind.COMPOUND_PENETRATE)


class Endless(Exception):
    """These dice never come to lie: the roll is always refused."""


@dataclass(frozen=True)
class FaceWeights:
    """How one die may fall.

    Attributes:
        stays: Ways by value, of faces that bring no further die.
        bursts: Ways by value, of faces that do.
    """

    stays: Ways
    bursts: Ways

    @cached_property
    def bursting(self) -> int:
        """Ways that bring a further die."""
        return sum(self.bursts.values())

    @cached_property
    def ways(self) -> int:
        """All ways."""
        return sum(self.stays.values()) + self.bursting

    @property
    def share(self) -> float:
        """The chance of a further die."""
        return self.bursting / self.ways

    def all(self) -> Ways:
        """Ways by value, whether they bring a further die or not."""
        return _added(self.stays, self.bursts)


def face_values(kind: DieKind) -> Sequence[int]:
    """What the faces of a die count, in order; its number of sides is no more to be rolled."""
    match kind:
        case Sides(int(count)):
            return range(1, count + 1)
        case Fate():
            return (-1, 0, 1)
        case Faces(faces):
            return tuple(face.value for face in faces)
        case Sides():
            raise ValueError("this die's number of sides is still to be rolled")


def first_faces(term: Dice) -> FaceWeights:
    """How the first die of a chain may fall, after it is rolled again; not for unique dice.

    Raises:
        Endless: Every face is rolled again.
    """
    values = face_values(term.kind)
    reroll = term.reroll
    if reroll is None:
        return sorted_faces(term, ((value, 1) for value in values))
    again = sum(is_rerolled(reroll, value) for value in values)
    if reroll.kind is RerollKind.ONCE:
        # A face is there at once, or after one that was rolled again, out of so many squared.
        faces = len(values)
        return sorted_faces(
            term, ((value, again + (0 if is_rerolled(reroll, value) else faces)) for value in values)
        )
    if again == len(values):
        raise Endless
    return sorted_faces(term, ((value, 1) for value in values if not is_rerolled(reroll, value)))


def further_faces(term: Dice, explode: Explode) -> FaceWeights:
    """How a further die may fall; it is not rolled again.

    Raises:
        Endless: Every face brings a further die.
    """
    less = 1 if explode.kind in PENETRATE else 0
    faces = sorted_faces(term, ((value, 1) for value in face_values(term.kind)), less)
    if not faces.stays and explode.kind is not ExplodeKind.ONCE:
        raise Endless
    return faces


def chain(term: Dice, effect: Effect, count: int, join: Join = Subdistribution.add) -> Subdistribution:
    """What one die comes to together with all further dice it brings; not for unique dice.

    Args:
        term: The dice.
        effect: What one value counts.
        count: How many such chains there are to be.
        join: What dice of one chain come to; their sum, or the higher one.

    Raises:
        Endless: The dice never come to lie.
    """
    first = first_faces(term)
    explode = term.explode
    if explode is None:
        return _counted(first.all(), effect, first.ways)
    compound = explode.kind in COMPOUND
    # Dice that are added to one are that one: they are added up before anything looks at them.
    each, join = (itself, Subdistribution.add) if compound else (effect, join)
    further = further_faces(term, explode)
    if explode.kind is ExplodeKind.ONCE:
        behind = _counted(further.all(), each, further.ways)
    else:
        behind = further_chain(further, each, chain_length(further.share, count), join)
    stays = _counted(first.stays, each, first.ways)
    both = stays
    if first.bursts:
        bursts = join(_counted(first.bursts, each, first.ways), behind)
        both = Subdistribution.mix(((1, stays), (1, bursts)), 1)
    return both.map(effect) if compound else both


def chain_length(share: float, count: int) -> int:
    """How many further dice of a chain are followed, so many of a whole of them bringing another one.

    More come, in any of so many chains, with a chance below 2**-TAIL.
    """
    return 1 + ceil((TAIL + log2(max(count, 1))) / -log2(share)) if share else 1


def further_chain(further: FaceWeights, effect: Effect, length: int, join: Join) -> Subdistribution:
    """What up to so many further dice in a row come to, the last of which brings no other.

    With B for a die that does, S for one that does not: S, then S + BS, then that and BB times that, and so
    on, doubled in length each time.
    """
    row = _counted(further.stays, effect, further.ways)
    if not further.bursts:
        return row
    power = _counted(further.bursts, effect, further.ways)
    reached = 1
    while True:
        row = Subdistribution.mix(((1, row), (1, join(power, row))), 1)
        reached *= 2
        if reached >= length:
            return row
        power = join(power, power)


def sorted_faces(term: Dice, faces: Iterable[tuple[int, int]], less: int = 0) -> FaceWeights:
    """Sorts faces by what they count and whether they bring a further die, which their own number decides."""
    stays: dict[int, int] = {}
    bursts: dict[int, int] = {}
    point = None if term.explode is None else term.explode.point
    for face, ways in faces:
        if not ways:
            continue
        value = face
        if term.lowest is not None and face < term.lowest:
            value = term.lowest
        elif term.highest is not None and face > term.highest:
            value = term.highest
        into = bursts if point is not None and point.holds(face) else stays
        into[value - less] = into.get(value - less, 0) + ways
    return FaceWeights(stays, bursts)


def _counted(ways: Ways, effect: Effect, whole: int) -> Subdistribution:
    counted: dict[Value, int] = {}
    for value, number in ways.items():
        counts = effect(value)
        counted[counts] = counted.get(counts, 0) + number
    return Subdistribution(Distribution.from_weights(counted) if counted else None, whole)


def _added(left: Ways, right: Ways) -> Ways:
    if not left or not right:
        return left or right
    return {value: left.get(value, 0) + right.get(value, 0) for value in {**left, **right}}


def is_rerolled(reroll: Reroll, value: int) -> bool:
    """Whether a face of this value is rolled again."""
    return any(point.holds(value) for point in reroll.points)


def itself(value: Value) -> Value:
    """The effect of a value that counts what it is."""
    return value
