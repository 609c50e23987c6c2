"""Effect: from its level and all that moves it to ticks of a clock (Clocks & Effect; checklist C)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.engine.explain import Explained, Part


class Level(Enum):
    """A level of Effect, and of what sets it; none at all is one as well."""

    NONE = "none"
    MINOR = "minor"
    STANDARD = "standard"
    SERIOUS = "serious"
    HEROIC = "heroic"

    @property
    def label(self) -> str:
        """What people call it: "Standard"."""
        return self.value.capitalize()

    @property
    def rank(self) -> int:
        """How many levels above none it is, which are its ticks."""
        return LEVELS.index(self)


LEVELS = tuple(Level)


class Quality(Enum):
    """How good gear is; it sets the Effect it has."""

    MINOR = "minor"
    SIMPLE = "simple"
    SERIOUS = "serious"
    HEROIC = "heroic"

    @property
    def level(self) -> Level:
        """The Effect that gear of this quality has: normal gear, the standard one."""
        return LEVELS[tuple(Quality).index(self) + 1]


class Range(Enum):
    """The ladder of ranges."""

    TOUCH = "touch"
    CLOSE = "close"
    REACH = "reach"
    MID = "mid"
    FAR = "far"
    VERY_FAR = "very_far"

    def steps_to(self, other: Range) -> int:
        """How many steps of the ladder lie between two ranges."""
        ladder = tuple(Range)
        return abs(ladder.index(self) - ladder.index(other))


FARTHEST = 1
"""Steps off its range at which gear still does anything."""


@dataclass(frozen=True, slots=True)
class ActionEffect:
    """What an action does to a clock if it succeeds.

    Attributes:
        levels: The levels, and why; above heroic each is a tick more, below minor there is none (P11).
        stopped: Why there is no Effect whatever is spent: the target is immune, out of range, or takes no
            harm from this; empty where nothing stops it.
        doubled: Whether a natural 20 doubles the ticks, once all levels are counted.
        tripled: Whether siege weapons triple them.
    """

    levels: Explained
    stopped: str = ""
    doubled: bool = False
    tripled: bool = False

    @property
    def level(self) -> Level:
        """The level that people speak of."""
        return Level.NONE if self.stopped else LEVELS[min(max(self.levels.value, 0), Level.HEROIC.rank)]

    @property
    def ticks(self) -> int:
        """How many ticks of a clock it is worth."""
        whole = 0 if self.stopped else max(self.levels.value, 0)
        return whole * (2 if self.doubled else 1) * (3 if self.tripled else 1)


def base_level(level: Level | None, quality: Quality | None = None) -> Part:
    """What an action's Effect starts from: a level that is named, that of the gear, else the standard one."""
    if level is not None:
        return Part(level.rank, f"{level.label} Effect", "Clocks & Effect")
    if quality is not None:
        return Part(quality.level.rank, f"{quality.value.capitalize()} gear", "Clocks & Effect / Quality")
    return Part(Level.STANDARD.rank, "Standard Effect", "Clocks & Effect")


def range_part(weapon: Range | None, target: Range | None) -> Part | None:
    """What a target that is off its range by a step takes from gear; None where it takes nothing."""
    if weapon is None or target is None or weapon.steps_to(target) == 0:
        return None
    return Part(-weapon.steps_to(target), "Off its range", "Clocks & Effect / Range")


def out_of_range(weapon: Range | None, target: Range | None) -> bool:
    """Whether gear does nothing at a target so far from its range."""
    return weapon is not None and target is not None and weapon.steps_to(target) > FARTHEST
