"""Runs added up: whole numbers only, so that the order in which they are added changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class RunFigures:
    """What one run came to.

    Attributes:
        number: The run's number, from 0.
        values: Each figure, by the name under which it is told.
        rounds: Figures that are told by round, by that name with its scene (`luck@side:heroes#1`): of each
            scene that the run came to, at the end of each round, and last of all at the end of the scene.
    """

    number: int
    values: Mapping[str, int]
    rounds: Mapping[str, Sequence[int]]


EXACT = 1_000
"""Values up to here have a place of their own in the histogram; larger ones share one with their neighbours
of the same first three digits, so that memory stays bounded."""

MOST_ROUNDS = 50
"""Rounds of a scene of which the figures are told; a scene that is over stays as it ended."""


def place_of(value: int) -> int:
    """Return the place of a value in a histogram: itself, or its first three digits and zeros."""
    size = abs(value)
    if size <= EXACT:
        return value
    step: int = 10 ** (len(str(size)) - 3)
    return (size - size % step) * (1 if value > 0 else -1)


@dataclass(slots=True)
class Distribution:
    """The values of one figure over many runs.

    Attributes:
        runs: How many.
        total: Their sum.
        squares: The sum of their squares.
        places: How many runs lie at each place of the histogram, and the first of them by its number.
    """

    runs: int = 0
    total: int = 0
    squares: int = 0
    places: dict[int, tuple[int, int]] = field(default_factory=dict)

    def add(self, value: int, run: int, times: int = 1) -> None:
        """Take in the value of a run.

        Args:
            value: The value.
            run: The run's number.
            times: How many runs, of which this is the first, have it.
        """
        self.runs += times
        self.total += value * times
        self.squares += value * value * times
        place = place_of(value)
        count, first = self.places.get(place, (0, run))
        self.places[place] = (count + times, min(first, run))

    def merge(self, other: Distribution) -> None:
        """Take in the runs of another."""
        self.runs += other.runs
        self.total += other.total
        self.squares += other.squares
        for place, (count, first) in other.places.items():
            known, before = self.places.get(place, (0, first))
            self.places[place] = (known + count, min(before, first))

    def form(self) -> dict[str, Any]:
        """Return its JSON form."""
        return {
            "runs": self.runs,
            "total": self.total,
            "squares": self.squares,
            "places": [[place, count, first] for place, (count, first) in sorted(self.places.items())],
        }

    @classmethod
    def read(cls, form: Mapping[str, Any]) -> Distribution:
        """Return the distribution of a JSON form."""
        places = {place: (count, first) for place, count, first in form["places"]}
        return cls(form["runs"], form["total"], form["squares"], places)


@dataclass(slots=True)
class RoundSums:
    """A figure by round in one scene, added up over the runs that came to the scene.

    Attributes:
        runs: How many did.
        sums: At the end of each round, the sum over these runs, and the sum of squares, as far as any of them
            went on; a scene that is over stays as it ended.
        ended: The same at the end of the scene.
    """

    runs: int = 0
    sums: list[tuple[int, int]] = field(default_factory=list)
    ended: tuple[int, int] = (0, 0)

    @classmethod
    def of(cls, values: Sequence[int]) -> RoundSums:
        """Return those of one run: at the end of each round, and last of all at the end of the scene."""
        *sums, ended = ((value, value * value) for value in values)
        return cls(1, sums[:MOST_ROUNDS], ended)

    def merge(self, other: RoundSums) -> None:
        """Take in the runs of another of the same figure and scene."""
        length = max(len(self.sums), len(other.sums))
        pairs = zip(self._up_to(length), other._up_to(length), strict=True)
        self.sums = [(a + c, b + d) for (a, b), (c, d) in pairs]
        self.ended = (self.ended[0] + other.ended[0], self.ended[1] + other.ended[1])
        self.runs += other.runs

    def _up_to(self, length: int) -> list[tuple[int, int]]:
        return self.sums + [self.ended] * (length - len(self.sums))

    def form(self) -> dict[str, Any]:
        """Return its JSON form."""
        return {"runs": self.runs, "sums": [list(pair) for pair in self.sums], "ended": list(self.ended)}

    @classmethod
    def read(cls, form: Mapping[str, Any]) -> RoundSums:
        """Return the sums of a JSON form."""
        total, squares = form["ended"]
        return cls(form["runs"], [(each, square) for each, square in form["sums"]], (total, squares))


@dataclass(slots=True)
class CaseTally:
    """What the runs of one case came to. Every run has the same figures.

    Attributes:
        runs: How many.
        values: The distribution of each figure, by the name under which it is told.
        differences: Of cases that are compared: of each figure, what the run had more than the same run of
            the opening itself.
        rounds: Figures that are told by round, by the name with its scene: `luck@side:heroes#2`.
    """

    runs: int = 0
    values: dict[str, Distribution] = field(default_factory=dict)
    differences: dict[str, Distribution] = field(default_factory=dict)
    rounds: dict[str, RoundSums] = field(default_factory=dict)

    def add(self, run: RunFigures, base: RunFigures | None) -> None:
        """Take in a run.

        Args:
            run: Its figures.
            base: Those of the same run of the opening itself, where the case is compared with it; a figure of
                an actor who is not in the opening is not.
        """
        alone = CaseTally(1)
        for key, value in run.values.items():
            alone.values[key] = Distribution()
            alone.values[key].add(value, run.number)
            if base is not None and key in base.values:
                alone.differences[key] = Distribution()
                alone.differences[key].add(value - base.values[key], run.number)
        for key, values in run.rounds.items():
            alone.rounds[key] = RoundSums.of(values)
        self.merge(alone)

    def merge(self, other: CaseTally) -> None:
        """Take in the runs of another."""
        for key, added in other.rounds.items():
            self.rounds.setdefault(key, RoundSums()).merge(added)
        for mine, theirs in ((self.values, other.values), (self.differences, other.differences)):
            for key, more in theirs.items():
                mine.setdefault(key, Distribution()).merge(more)
        self.runs += other.runs

    def form(self) -> dict[str, Any]:
        """Return its JSON form."""
        return {
            "runs": self.runs,
            "values": {key: each.form() for key, each in self.values.items()},
            "differences": {key: each.form() for key, each in self.differences.items()},
            "rounds": {key: each.form() for key, each in self.rounds.items()},
        }

    @classmethod
    def read(cls, form: Mapping[str, Any]) -> CaseTally:
        """Return the tally of a JSON form."""
        return cls(
            form["runs"],
            {key: Distribution.read(each) for key, each in form["values"].items()},
            {key: Distribution.read(each) for key, each in form["differences"].items()},
            {key: RoundSums.read(each) for key, each in form["rounds"].items()},
        )


@dataclass(slots=True)
class Tally:
    """What the runs of all cases of a request came to, in the order of the cases."""

    cases: list[CaseTally]

    @classmethod
    def empty(cls, cases: int) -> Tally:
        """Return the tally of no runs."""
        return cls([CaseTally() for _ in range(cases)])

    def merge(self, other: Tally) -> None:
        """Take in the runs of another of the same request."""
        for mine, theirs in zip(self.cases, other.cases, strict=True):
            mine.merge(theirs)

    def form(self) -> dict[str, Any]:
        """Return its JSON form."""
        return {"cases": [each.form() for each in self.cases]}

    @classmethod
    def read(cls, form: Mapping[str, Any]) -> Tally:
        """Return the tally of a JSON form."""
        return cls([CaseTally.read(each) for each in form["cases"]])

    def __iter__(self) -> Iterator[CaseTally]:
        return iter(self.cases)
