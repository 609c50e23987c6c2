"""How Fortunate Blades reads a d20 (Rolls; rulings of the small systems)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from services.rules.engine.problem import RuleProblem

SIDES = 20


class Mode(Enum):
    """How many dice are rolled, and which is kept."""

    UNLUCKY = -1
    NORMAL = 0
    LUCKY = 1

    @classmethod
    def of(cls, lucky: int, unlucky: int) -> Mode:
        """The mode that so many sources of Lucky and of Unlucky make.

        Several of the same do not add up, and both at once cancel, however many there are of each (P26).
        """
        return cls((lucky > 0) - (unlucky > 0))

    @property
    def dice(self) -> int:
        """How many d20 are rolled."""
        return 1 if self is Mode.NORMAL else 2

    def keep(self, faces: Sequence[int]) -> int:
        """The die that counts."""
        return min(faces) if self is Mode.UNLUCKY else max(faces)


class Difficulty(Enum):
    """The difficulty sets: totals for a Close and for a Clear result."""

    TRIVIAL = (2, 8)
    MINOR = (6, 10)
    SIMPLE = (10, 13)
    CONCERNING = (12, 15)
    SERIOUS = (14, 18)
    STRUGGLING = (16, 22)
    HEROIC = (18, 24)

    @property
    def close(self) -> int:
        """The least total that is Close."""
        return self.value[0]

    @property
    def clear(self) -> int:
        """The least total that is Clear."""
        return self.value[1]


def numbers_problem(close: int, clear: int) -> RuleProblem | None:
    """What is wrong with a pair of numbers that a game master sets: a Clear total is Close as well."""
    if close <= clear:
        return None
    return RuleProblem(
        "close_above_clear",
        f"Close {close} is above Clear {clear}: whatever is Clear is Close as well.",
        "The Roll / Calling for a Roll",
        ("close",),
        close,
        clear,
    )


class Result(Enum):
    """How well it went."""

    CLEAR = "clear"
    CLOSE = "close"
    MISS = "miss"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a roll came to.

    Attributes:
        total: The kept die and everything added.
        natural: The kept die (ruling P16).
        result: How well it went.
        consequence: Whether at least one is due: on all but a Clear result, and on a natural 1.
        double_effect: Whether the Effect is doubled, and a Fact or Fortune gained: a natural 20 at something
            that is possible.
    """

    total: int
    natural: int
    result: Result
    consequence: bool
    double_effect: bool


def read(natural: int, bonus: int, close: int, clear: int, *, possible: bool = True) -> Outcome:
    """Reads the kept die: a natural 20 is Close at least, and the impossible a Miss, whatever the total.

    Args:
        natural: The kept die.
        bonus: Everything added.
        close: The least total that is Close.
        clear: The least total that is Clear; no less than `close` (`numbers_problem`).
        possible: Whether success is possible at all.
    """
    total = natural + bonus
    critical = natural == SIDES and possible
    if not possible:
        result = Result.MISS
    elif total >= clear:
        result = Result.CLEAR
    else:
        result = Result.CLOSE if critical or total >= close else Result.MISS
    return Outcome(total, natural, result, result is not Result.CLEAR or natural == 1, critical)


@dataclass(frozen=True, slots=True)
class Save:
    """What a Save came to.

    Attributes:
        total: The die and everything added.
        natural: The die.
        result: How well it went; a natural 20 is Clear.
        levels: Harm levels that are taken off: 1 for Close, 2 for Clear; None for all of them, a natural 20.
    """

    total: int
    natural: int
    result: Result
    levels: int | None


def save(natural: int, bonus: int, close: int, clear: int) -> Save:
    """Reads a Save; a natural 1 means nothing more (ruling P23)."""
    total = natural + bonus
    if natural == SIDES:
        return Save(total, natural, Result.CLEAR, None)
    if total >= clear:
        return Save(total, natural, Result.CLEAR, 2)
    return Save(total, natural, Result.CLOSE, 1) if total >= close else Save(total, natural, Result.MISS, 0)
