"""Effect: from its level and all that moves it to ticks of a clock (Clocks & Effect; checklist C)."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.explain import Explained, Part
from services.rules.systems.fortunate_blades.settings import EffectSettings
from services.rules.systems.fortunate_blades.terms import EffectLevel, Quality, Range

LEVELS = tuple(EffectLevel)
"""The levels; the place of each is its ticks."""

EFFECT = "Clocks & Effect"


@dataclass(frozen=True, slots=True)
class Impact:
    """What an action does to a clock if it succeeds.

    Attributes:
        levels: The levels, and why; above heroic each is a tick more, below minor there is none (P11).
        stopped: Why there is no Effect whatever is spent: the clock is immune, out of range, or takes only
            something else; empty where nothing stops it.
        times: What a natural 20 or siege weapons multiply the ticks by, once all levels are counted.
        more: Further ticks, of a Fact.
    """

    levels: Explained
    stopped: str = ""
    times: int = 1
    more: int = 0

    @property
    def level(self) -> EffectLevel:
        """The level that people speak of."""
        return EffectLevel.NONE if self.stopped else LEVELS[min(max(self.levels.value, 0), len(LEVELS) - 1)]

    @property
    def ticks(self) -> int:
        """How many ticks of a clock it is worth."""
        return 0 if self.stopped else max(self.levels.value, 0) * self.times + self.more


def level_part(level: EffectLevel) -> Part:
    """What an action's Effect starts from where the game master names it."""
    return Part(LEVELS.index(level), f"{level.value.capitalize()} Effect", EFFECT)


def quality_part(quality: Quality) -> Part:
    """What an action's Effect starts from: the quality of what is used (C3)."""
    ticks = LEVELS.index(quality.effect)
    return Part(ticks, f"{quality.value.capitalize()} gear", f"{EFFECT} / Quality")


def steps_off(reach: Range | None, away: Range | None, forgiven: int = 0) -> int:
    """How many steps of the ladder a clock is off the range of what is used, without those that a talent
    forgives; none where distance is of no account.
    """
    if reach is None or away is None:
        return 0
    ladder = tuple(Range)
    return max(abs(ladder.index(reach) - ladder.index(away)) - forgiven, 0)


def range_part(steps: int, settings: EffectSettings) -> Part:
    """What steps off the range take from the Effect; `out_of_range` may stop it altogether."""
    return Part(-steps * settings.range_levels, "Off its range", f"{EFFECT} / Range")


def out_of_range(steps: int, settings: EffectSettings) -> bool:
    """Whether so many steps off the range leave no Effect."""
    return steps >= settings.range_steps
