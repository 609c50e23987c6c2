"""A figure that a gate measured, and the line it is printed as."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class GateFailure(Exception):
    """Nothing could be measured; the message says why in one line."""


class Wanted(Enum):
    """How a figure is compared with its target."""

    EXACTLY = "="
    AT_MOST = "<="
    AT_LEAST = ">="


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value.

    Attributes:
        gate: what was measured: the gate's name, then a point, then the figure's own.
        value: how much.
        unit: of ``value`` and ``target``.
        target: what is wanted; None where the value is only told.
        wanted: how the two are compared.
        findings: what was wrong, one text each; a figure with findings is missed, whatever its value.
        more: further keys of the line.
    """

    gate: str
    value: float
    unit: str
    target: float | None = None
    wanted: Wanted = Wanted.EXACTLY
    findings: tuple[str, ...] = ()
    more: Mapping[str, float | int | str] = field(default_factory=dict)

    @property
    def met(self) -> bool:
        """Whether the target is reached and nothing was wrong."""
        if self.findings:
            return False
        if self.target is None:
            return True
        match self.wanted:
            case Wanted.EXACTLY:
                return self.value == self.target
            case Wanted.AT_MOST:
                return self.value <= self.target
            case Wanted.AT_LEAST:
                return self.value >= self.target

    def line(self) -> str:
        """Write the figure as one line of JSON."""
        target = None if self.target is None else f"{self.wanted.value} {_short(self.target)}"
        shown = {"gate": self.gate, "value": _short(self.value), "unit": self.unit, "target": target}
        return json.dumps({**shown, "met": self.met, **self.more})


def _short(value: float) -> float | int:
    return int(value) if float(value).is_integer() else float(f"{value:.4g}")
