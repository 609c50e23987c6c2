"""Numbers that say why they are what they are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """One step of a number.

    Attributes:
        value: What this step adds; negative when it takes away, as a cap does.
        source: What adds it: "Longsword", "Muscle 4", "cut to Luck 7".
        rule: The book section or ruling id that says so.
    """

    value: int
    source: str
    rule: str


@dataclass(frozen=True, slots=True)
class Explained:
    """A number and the ordered steps that make it.

    Raises:
        ValueError: The parts do not add up to the value.

    Attributes:
        value: The number itself: the sum of its parts.
        parts: The steps that make it, in their order.
    """

    value: int
    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        total = 0
        for part in self.parts:
            total += part.value
        if total != self.value:
            raise ValueError(f"the parts add up to {total}, not {self.value}")

    @classmethod
    def of(cls, *parts: Part) -> Explained:
        """The number these parts add up to."""
        return cls(sum([part.value for part in parts]), parts)

    def __add__(self, other: Explained) -> Explained:
        """Both numbers together, with the steps of this one first."""
        return Explained(self.value + other.value, (*self.parts, *other.parts))

    def plus(self, value: int, source: str, rule: str) -> Explained:
        """This number with one more step; a step of zero is kept, since it may be what a reader looks for."""
        return Explained(self.value + value, (*self.parts, Part(value, source, rule)))

    def at_most(self, limit: int, source: str, rule: str) -> Explained:
        """This number cut down to a limit; unchanged when it is within it."""
        return self if self.value <= limit else self.plus(limit - self.value, source, rule)

    def at_least(self, limit: int, source: str, rule: str) -> Explained:
        """This number raised to a floor; unchanged when it is above it."""
        return self if self.value >= limit else self.plus(limit - self.value, source, rule)

    def text(self) -> str:
        """One line, fit for a tooltip: `7 = Battle 4 + Longsword 3`."""
        return f"{self.value} = {explain_parts(self.parts)}" if self.parts else str(self.value)


def explain_parts(parts: Iterable[Part]) -> str:
    """The parts in one line, each with its sign: `4 (Battle) + 3 (Longsword) - 1 (cut to Luck 6)`."""
    text = ""
    for part in parts:
        if text:
            text += f" {'-' if part.value < 0 else '+'} {abs(part.value)} ({part.source})"
        else:
            text = f"{part.value} ({part.source})"
    return text
