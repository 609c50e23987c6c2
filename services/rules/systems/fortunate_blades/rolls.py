"""How Fortunate Blades reads a d20 (Rolls; rulings of the small systems)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

    TRIVIAL = "trivial"
    MINOR = "minor"
    SIMPLE = "simple"
    CONCERNING = "concerning"
    SERIOUS = "serious"
    STRUGGLING = "struggling"
    HEROIC = "heroic"

    @property
    def label(self) -> str:
        """What people call it: "Trivial"."""
        return self.name.capitalize()

    @property
    def close(self) -> int:
        """The least total that is Close."""
        return self.numbers[0]

    @property
    def clear(self) -> int:
        """The least total that is Clear."""
        return self.numbers[1]

    @property
    def numbers(self) -> tuple[int, int]:
        """Close and Clear."""
        return SETS[self]


SETS: Mapping[Difficulty, tuple[int, int]] = {
    Difficulty.TRIVIAL: (2, 8),
    Difficulty.MINOR: (6, 10),
    Difficulty.SIMPLE: (10, 13),
    Difficulty.CONCERNING: (12, 15),
    Difficulty.SERIOUS: (14, 18),
    Difficulty.STRUGGLING: (16, 22),
    Difficulty.HEROIC: (18, 24),
}
"""Close and Clear of each set, the easiest first (Typical Close and Clear Sets)."""


EASED = (2, 3)
"""What one step of positioning is worth, off Close and Clear, where the numbers are those of no set."""


def shifted(close: int, clear: int, steps: int) -> tuple[int, int]:
    """Close and Clear, some steps harder, or easier where it is negative (Positioning, Devil's Bargain).

    A set becomes the next one, and stays at the ends of the list; other pairs move by `EASED` a step and
    never below 0.
    """
    sets = list(SETS.values())
    if (close, clear) in sets:
        return sets[min(max(sets.index((close, clear)) + steps, 0), len(sets) - 1)]
    moved = max(close + steps * EASED[0], 0)
    return moved, max(clear + steps * EASED[1], moved)


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
    """How well it went.

    Attributes:
        CLEAR: It goes well.
        CLOSE: It goes well, with a consequence.
        MISS: It fails, with a consequence.
    """

    CLEAR = "clear"
    CLOSE = "close"
    MISS = "miss"

    @property
    def lifted(self) -> Result:
        """The result one step up: a Miss becomes Close, all else Clear (Group Actions)."""
        return Result.CLOSE if self is Result.MISS else Result.CLEAR


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
        missed_by: How far a Miss is below Close, which its consequences grow with; 0 for all else.
    """

    total: int
    natural: int
    result: Result
    consequence: bool
    double_effect: bool
    missed_by: int = 0


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
    due = result is not Result.CLEAR or natural == 1
    missed_by = max(close - total, 0) if result is Result.MISS else 0
    return Outcome(total, natural, result, due, critical, missed_by)


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
