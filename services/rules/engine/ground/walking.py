"""Walking: what is within reach, what ways cost, and the cheapest ways, for footprints of any size."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from operator import itemgetter

from services.rules.engine.ground.even import even, even_walks, even_way
from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.measure import Diagonal
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.squares import Square
from services.rules.engine.ground.steps import SLANTS, moves, origins, prices_of

_FAR = 2**60
"""Points that lead anywhere."""


def way_cost(
    ground: Ground, start: Footprint, way: Iterable[Square], taken: Collection[Square] = ()
) -> int | None:
    """Units that a way costs, step by step; None where it cannot be walked.

    Args:
        ground: The ground.
        start: Who walks, and from where.
        way: The squares of the top left one, in order, without its start.
        taken: Squares others stand in.
    """
    if not ground.holds(start.at):
        return None
    blocked, prices = origins(taken, start.size), prices_of(ground.measure)
    here, points, odd = start.at.y * ground.width + start.at.x, 0, 0
    for to in way:
        number = to.y * ground.width + to.x
        found = ground.holds(to) and to not in blocked
        step = next((one for one in moves(ground.index, start.size, here) if one[0] == number), None)
        if not found or step is None:
            return None
        points += prices[step[1] + odd]
        here, odd = number, odd ^ (step[1] & SLANTS) // SLANTS
    return ground.measure.spent(points)


def is_way(ground: Ground, start: Square, way: Iterable[Square], taken: Collection[Square] = ()) -> bool:
    """Whether this way can be walked, one step after the other, without entering a taken square."""
    return way_cost(ground, Footprint(start), way, taken) is not None


@dataclass(frozen=True, slots=True)
class Reach:
    """Every square that can be walked to from one footprint, what it costs, and how.

    Attributes:
        ground: The ground.
        start: Where one walks from.
        points: By the number of each cell, and twice that plus one after an odd number of slanting steps by
            alternating diagonals, the points it takes.
        before: By the same numbers, where one comes from.
    """

    ground: Ground
    start: Footprint
    points: Mapping[int, int]
    before: Mapping[int, int]

    def costs(self) -> dict[Square, int]:
        """Each square reached with the units it takes, the nearest first, the start with 0."""
        width, spent, found = self.ground.width, self.ground.measure.spent, dict[int, int]()
        for node, points in sorted(self.points.items(), key=itemgetter(1)):
            found.setdefault(node >> 1, points)
        return {Square(number % width, number // width): spent(points) for number, points in found.items()}

    def cost(self, goal: Square) -> int | None:
        """The units it takes to a square; None where it is not reached."""
        node = self._end(goal)
        return None if node is None else self.ground.measure.spent(self.points[node])

    def way(self, goal: Square) -> tuple[Square, ...] | None:
        """A cheapest way to a square, without its start; None where it is not reached."""
        node = self._end(goal)
        if node is None:
            return None
        width, found = self.ground.width, list[Square]()
        while self.before[node] != node:
            found.append(Square((node >> 1) % width, (node >> 1) // width))
            node = self.before[node]
        return tuple(reversed(found))

    def _end(self, goal: Square) -> int | None:
        if not self.ground.holds(goal):
            return None
        node = 2 * (goal.y * self.ground.width + goal.x)
        ends = [end for end in (node, node + 1) if end in self.points]
        return min(ends, key=lambda end: self.points[end], default=None)


def reach(
    ground: Ground,
    start: Footprint,
    units: int | None = None,
    taken: Collection[Square] = (),
    goal: Square | None = None,
) -> Reach:
    """Everything that can be walked to with at most some units; remembered where nothing narrows it.

    Args:
        ground: The ground.
        start: Who walks, and from where.
        units: The most it may cost; None for as far as it goes.
        taken: Squares others stand in.
        goal: A square at which the search may end: what is farther away than it is left out.
    """
    if taken or goal is not None:
        return _search(ground, start, units, taken, (), goal)
    key = ("reach", start.at.x, start.at.y, start.size, units)
    known: Reach | None = ground.index.memory.get(key)
    if known is not None:
        return known
    made: Reach = ground.index.keep(key, _search(ground, start, units, (), (), None))
    return made


def walks(
    ground: Ground,
    start: Footprint,
    units: int,
    taken: Collection[Square] = (),
    filled: Collection[Square] = (),
) -> Mapping[tuple[int, int], Sequence[Square]]:
    """Every square in which a walk of at most some units can end, but the start.

    Args:
        ground: The ground.
        start: Who walks, and from where.
        units: The most it may cost.
        taken: Squares others stand in, through which the walk cannot lead.
        filled: Squares others stand in, in which it cannot end.

    Returns:
        The squares of the top left one by the steps of a cheapest way and the units that it takes, the
        nearest first.
    """
    if start.size > 1 or not even(ground):
        return searched_walks(ground, start, units, taken, filled)
    rings = even_walks(ground, start.at, ground.measure.points(units), taken, filled)
    return {(steps, steps * ground.measure.units): ring for steps, ring in enumerate(rings, 1) if ring}


def searched_walks(
    ground: Ground,
    start: Footprint,
    units: int,
    taken: Collection[Square] = (),
    filled: Collection[Square] = (),
) -> Mapping[tuple[int, int], Sequence[Square]]:
    """The same squares, searched for one by one on any ground; see `walks`."""
    reached = reach(ground, start, units, taken)
    spent = {points: ground.measure.spent(points) for points in set(reached.points.values())}
    found: dict[tuple[int, int], list[Square]] = {}
    steps: dict[int, int] = {}
    left_out = {_number(ground, one) for one in (start.at, *origins(filled, start.size)) if ground.holds(one)}
    # Nearer nodes stand first, so that the steps to where a way comes from are known by then.
    for node, points in sorted(reached.points.items(), key=itemgetter(1)):
        before, number = reached.before[node], node >> 1
        steps[node] = 0 if before == node else steps[before] + 1
        if number not in left_out:
            left_out.add(number)
            found.setdefault((steps[node], spent[points]), []).append(ground.index.square(number))
    return found


def way(
    ground: Ground,
    start: Footprint,
    goal: Square,
    taken: Collection[Square] = (),
    avoid: Collection[Square] = (),
) -> tuple[Square, ...] | None:
    """A cheapest way, without its start; None when there is none.

    Args:
        ground: The ground.
        start: Who walks, and from where.
        goal: Where its top left square is to be.
        taken: Squares others stand in.
        avoid: Squares to go round where the next step leads past them as cheaply.
    """
    if start.size == 1 and even(ground):
        return even_way(ground, start.at, goal, taken, avoid)
    return searched_way(ground, start, goal, taken, avoid)


def searched_way(
    ground: Ground,
    start: Footprint,
    goal: Square,
    taken: Collection[Square] = (),
    avoid: Collection[Square] = (),
) -> tuple[Square, ...] | None:
    """The same way, searched for square by square on any ground; see `way`."""
    return _search(ground, start, None, taken, avoid, goal).way(goal)


def _search(
    ground: Ground,
    start: Footprint,
    units: int | None,
    taken: Collection[Square],
    avoid: Collection[Square],
    goal: Square | None,
) -> Reach:
    """Uniform-cost search by buckets of points; of ways as cheap the one found first is kept."""
    points: dict[int, int] = {}
    before: dict[int, int] = {}
    found = Reach(ground, start, points, before)
    if not ground.holds(start.at):
        return found
    index, size, measure = ground.index, start.size, ground.measure
    closed = {_number(ground, one) for one in origins(taken, size) if ground.holds(one)}
    wary = {_number(ground, one) for one in avoid if ground.holds(one)}
    end = _number(ground, goal) if goal is not None and ground.holds(goal) else -1
    most = _FAR if units is None else measure.points(units)
    prices = prices_of(measure)
    alternating = measure.diagonal is Diagonal.ALTERNATING
    known = index.steps.setdefault(size, {})
    begin = 2 * _number(ground, start.at)
    points[begin], before[begin] = 0, begin
    closed.discard(begin >> 1)
    buckets: dict[int, list[int]] = {0: [begin]}
    for spent in count():
        if not buckets or (end >= 0 and _settled(points, end, spent)):
            return found
        for node in buckets.pop(spent, ()):
            if points[node] != spent:
                continue
            odd = node & 1
            steps = known.get(node >> 1) or moves(index, size, node >> 1)
            if wary:
                steps = tuple(sorted(steps, key=lambda step: step[0] in wary))
            for number, kind in steps:
                cost = spent + prices[kind + odd]
                to = 2 * number
                if alternating:
                    to += odd ^ (kind & SLANTS) // SLANTS
                if points.get(to, _FAR) <= cost or cost > most or number in closed:
                    continue
                points[to], before[to] = cost, node
                buckets.setdefault(cost, []).append(to)
    raise AssertionError("buckets run out")


def _settled(points: Mapping[int, int], end: int, spent: int) -> bool:
    return any(points.get(node, spent + 1) <= spent for node in (2 * end, 2 * end + 1))


def _number(ground: Ground, square: Square) -> int:
    return square.y * ground.width + square.x
