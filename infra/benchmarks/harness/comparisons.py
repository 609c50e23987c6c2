"""One thing done by several, side by side: what is measured, and the lines it is told in."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from infra.benchmarks.harness.cases import Case, Figures
from infra.benchmarks.harness.rounds import Contender, Measure


@dataclass(frozen=True, slots=True)
class Other:
    """Somebody else who does it.

    Attributes:
        name: who: "d20 1.1.2".
        measure: does it.
        target: the least ratio of ours to theirs that is wanted; None where none is.
    """

    name: str
    measure: Measure
    target: float | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """One thing that we do and others do too.

    Attributes:
        name: what is done; unique among those measured together.
        unit: of the rate: "rolls/s".
        ours: does it our way.
        others: do it theirs.
        share: how long each one's turn is, in turns.
        limit_ms: the longest that one may take, in milliseconds; told in a line of its own.
    """

    name: str
    unit: str
    ours: Measure
    others: Sequence[Other] = ()
    share: float = 1.0
    limit_ms: float | None = None

    def contenders(self) -> Iterator[Contender]:
        """Give ours and the others', to be measured next to each other."""
        yield Contender(self.name, self.ours, self.share)
        for other in self.others:
            yield Contender(self._beside(other), other.measure, self.share)

    def cases(self, figures: Mapping[str, Figures]) -> Iterator[Case]:
        """Tell a line for each of the others, and one for the limit; one line where there is neither."""
        ours = figures[self.name]
        told = {"us_each": 1e6 / ours.rate, "measured": ours.done}
        if not self.others and self.limit_ms is None:
            yield Case(self.name, ours.rate, self.unit, more=told)
        for other in self.others:
            theirs = figures[self._beside(other)]
            yield Case(
                self._beside(other),
                ours.rate,
                self.unit,
                against=theirs.rate,
                against_name=other.name,
                target=other.target,
                more={**told, "against_us_each": 1e6 / theirs.rate},
            )

        if self.limit_ms is not None:
            yield Case(
                f"{self.name}, time",
                1000 / ours.rate,
                "ms",
                against=self.limit_ms,
                against_name="the longest it may take",
                target=1.0,
                less_is_better=True,
            )

    def _beside(self, other: Other) -> str:
        return f"{self.name}, beside {other.name}"
