"""Harm: how it shrinks in a Save, and how it climbs where slots are full (Harm; checklist F)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from services.rules.systems.fortunate_blades.settings import FortuneGains
from services.rules.systems.fortunate_blades.terms import HarmLevel

LEVELS = tuple(HarmLevel)
BORNE = LEVELS[:-1]
"""The levels that there are slots for."""

Slots = Mapping[HarmLevel, int]
"""Slots of each level that can be borne: how many there are, or how many are filled."""


def lessened(level: HarmLevel, levels: int | None) -> HarmLevel | None:
    """The Harm that is left when levels are taken off; None takes off all of them.

    Returns:
        None where nothing is left.
    """
    left = -1 if levels is None else LEVELS.index(level) - levels
    return LEVELS[left] if left >= 0 else None


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


def placed(slots: Slots, filled: Slots, level: HarmLevel) -> Placed:
    """Places new Harm: where its row is full it moves one level up; beyond heroic it is lethal.

    Args:
        slots: The slots there are.
        filled: The slots that are filled already.
        level: The level of the new Harm.
    """
    while level is not HarmLevel.LETHAL and filled[level] >= slots[level]:
        level = LEVELS[LEVELS.index(level) + 1]
    lethal = level is HarmLevel.LETHAL
    return Placed(level, not lethal and sum(filled.values()) + 1 == sum(slots.values()))


def fortune_for(level: HarmLevel, gains: FortuneGains) -> int:
    """The Fortune that a hero who has run out of it gets for a Harm; none for a lethal one (E12)."""
    return dict(zip(BORNE, (gains.minor_harm, gains.serious_harm, gains.heroic_harm), strict=True)).get(
        level, 0
    )
