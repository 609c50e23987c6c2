"""What a finished map has to pass, and what is told of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Gate:
    """One gate: its name, and every way in which the map fails it."""

    name: str
    faults: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether the map passes."""
        return not self.faults


@dataclass(frozen=True, slots=True)
class GateReport:
    """The gates a map went through.

    Attributes:
        gates: Each gate with its faults.
        figures: What was measured on the way, by name: rooms, loops per room, share of leaf rooms, ...
    """

    gates: tuple[Gate, ...]
    figures: tuple[tuple[str, float], ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the map passes all of them."""
        return all(gate.passed for gate in self.gates)

    @property
    def faults(self) -> tuple[str, ...]:
        """Every fault, each with the name of its gate."""
        return tuple(f"{gate.name}: {fault}" for gate in self.gates for fault in gate.faults)
