"""A measured case and the line it is printed as; the few statistics that benchmarks need."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median


class BenchFailure(Exception):
    """Nothing could be measured; the message says why in one line."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What one contender did in one turn.

    Attributes:
        seconds: how long the turn was.
        latencies: of each thing that was done, in milliseconds, in any order; not empty. Of things too quick
            to be timed one by one, the mean of each batch.
        failures: what went wrong, one text each; these are not among the latencies.
        batch: how many things each latency stands for.
        processor: seconds on processors that each part of a product took in the turn; empty where nobody
            watched.
    """

    seconds: float
    latencies: Sequence[float] = field(repr=False)
    failures: Sequence[str] = ()
    batch: int = 1
    processor: Mapping[str, float] = field(default_factory=dict)

    @property
    def done(self) -> int:
        """How many things were done."""
        return len(self.latencies) * self.batch

    @property
    def rate(self) -> float:
        """Things done in a second."""
        return self.done / self.seconds


@dataclass(frozen=True, slots=True)
class Figures:
    """What one contender did in all of its turns: medians, so that a disturbed turn does not count.

    Attributes:
        samples: one a turn.
    """

    samples: Sequence[Sample]

    @property
    def rate(self) -> float:
        """Things done in a second."""
        return median(sample.rate for sample in self.samples)

    @property
    def failures(self) -> Sequence[str]:
        """What went wrong in any turn."""
        return [failure for sample in self.samples for failure in sample.failures]

    @property
    def done(self) -> int:
        """How many things were done in all turns."""
        return sum(sample.done for sample in self.samples)

    @property
    def processor_ms(self) -> Mapping[str, float]:
        """Milliseconds on processors that each part took for one thing: medians of the turns."""
        parts = {part for sample in self.samples for part in sample.processor}
        return {
            part: median(sample.processor.get(part, 0.0) * 1000 / sample.done for sample in self.samples)
            for part in parts
        }

    def latency(self, percent: float) -> float:
        """Give the median of the turns' percentiles, in milliseconds."""
        return median(percentile(sample.latencies, percent) for sample in self.samples)


@dataclass(frozen=True, slots=True)
class Case:
    """A measured value, alone or against another.

    Attributes:
        name: what was measured.
        value: how much.
        unit: of ``value`` and ``against``.
        against: the value it is compared with; None where there is none.
        against_name: what that is.
        target: the least ratio of the two that is wanted; None where none is.
        more: further keys of the line.
        failures: what went wrong while it was measured; the target is not met then, whatever the ratio.
        less_is_better: the value is a cost, a time or a size: the ratio is then the other by the value, so
            that a greater ratio is a better one everywhere.
    """

    name: str
    value: float
    unit: str
    against: float | None = None
    against_name: str | None = None
    target: float | None = None
    more: Mapping[str, float | int | str] = field(default_factory=dict)
    failures: Sequence[str] = ()
    less_is_better: bool = False

    @property
    def ratio(self) -> float | None:
        """How many times as good as the other; None where there is no other."""
        if self.against is None:
            return None
        return self.against / self.value if self.less_is_better else self.value / self.against

    @property
    def met(self) -> bool | None:
        """Whether the target is reached; None where there is none, unless something failed."""
        if self.failures:
            return False
        if self.target is None:
            return None
        return self.ratio is not None and self.ratio >= self.target

    def line(self) -> str:
        """Write the case as one line of JSON; ``more`` follows the keys that every line has."""
        return json.dumps(
            {
                "case": self.name,
                "value": _short(self.value),
                "unit": self.unit,
                "against": _short(self.against),
                "ratio": _short(self.ratio),
                "target": self.target,
                "met": self.met,
                **({"against_case": self.against_name} if self.against_name else {}),
                **{key: _short(found) for key, found in self.more.items()},
                **({"failed": len(self.failures)} if self.failures else {}),
            },
            ensure_ascii=False,
        )


def percentile(values: Sequence[float], percent: float) -> float:
    """Give the smallest value that at least ``percent`` of the values do not exceed (nearest rank).

    Args:
        values: in any order; not empty.
        percent: above 0, at most 100.
    """
    ordered = sorted(values)
    # Rounded first: 7 % of 100 is 7.000000000000001 to a computer, and must not become the 8th.
    return ordered[max(math.ceil(round(len(ordered) * percent / 100, 9)), 1) - 1]


def _short(value: float | int | str | None) -> float | int | str | None:
    """Round to four digits that mean something, and to whole numbers above them."""
    if not isinstance(value, float):
        return value
    digits = 3 - math.floor(math.log10(abs(value))) if value else 0
    return round(value, digits) if digits > 0 else round(value)
