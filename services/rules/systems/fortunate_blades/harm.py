"""Harm: its levels, the slots it fills, and how it climbs where they are full (Harm; checklist F)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum


class HarmLevel(Enum):
    """How bad Harm is; none is what a Save may leave."""

    NONE = "none"
    MINOR = "minor"
    SERIOUS = "serious"
    HEROIC = "heroic"
    LETHAL = "lethal"

    def less(self, levels: int | None) -> HarmLevel:
        """The Harm that is left when levels are taken off; None takes off all of them."""
        return HarmLevel.NONE if levels is None else LEVELS[max(LEVELS.index(self) - levels, 0)]

    @property
    def worse(self) -> HarmLevel:
        """The Harm one level up; lethal is the worst."""
        return LEVELS[min(LEVELS.index(self) + 1, len(LEVELS) - 1)]


LEVELS = tuple(HarmLevel)


SLOTS: Mapping[HarmLevel, int] = {HarmLevel.MINOR: 2, HarmLevel.SERIOUS: 2, HarmLevel.HEROIC: 1}
"""How many Harms of each level a character has room for, whatever their kinds."""

FORTUNE_FOR_HARM: Mapping[HarmLevel, int] = {HarmLevel.MINOR: 2, HarmLevel.SERIOUS: 4, HarmLevel.HEROIC: 6}
"""The Fortune that a character who has run out of it gets for a Harm."""

MOST_MARKS = 4
"""The Mark with which a character is Defeated."""

HarmCount = Mapping[HarmLevel, int]
"""How many slots of each level are filled."""


@dataclass(frozen=True, slots=True)
class Placed:
    """Where new Harm ends up.

    Attributes:
        level: The row whose slot it takes; lethal where there is none left.
        marks: Whether it fills the last slot of all, which is a Mark (P4).
    """

    level: HarmLevel
    marks: bool

    @property
    def defeats(self) -> bool:
        """Whether it is lethal."""
        return self.level is HarmLevel.LETHAL


def placed(filled: HarmCount, level: HarmLevel) -> Placed:
    """Places new Harm: where its row is full it moves one level up; beyond heroic it is lethal.

    Args:
        filled: The slots that are filled already.
        level: The level of the new Harm; not none.
    """
    while level is not HarmLevel.LETHAL and filled.get(level, 0) >= SLOTS[level]:
        level = level.worse
    lethal = level is HarmLevel.LETHAL
    return Placed(level, not lethal and sum(filled.values()) + 1 == sum(SLOTS.values()))
