"""Clocks: what takes more than one roll, and the dangers that draw near (Clocks & Effect; checklist C)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.systems.fortunate_blades.terms import Group, Range


class ClockKind(Enum):
    """What a clock stands for.

    Attributes:
        ENEMY: An enemy, or a group of them, who take a turn when all heroes have had theirs.
        CHALLENGE: A trial that takes several rolls.
        LOOMING: A danger that draws near: the game master fills it, heroes take ticks off.
        PROJECT: Work or a plan that an encounter does not hang on; the campaign clock is one.
    """

    ENEMY = "enemy"
    CHALLENGE = "challenge"
    LOOMING = "looming"
    PROJECT = "project"


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """A clock.

    Attributes:
        id: Its id; those of hidden ones are of another series, so that they leave no gap.
        name: What it stands for.
        kind: Its kind.
        size: How many ticks fill it.
        filled: How many are filled.
        hidden: Whether the game master keeps it secret.
        only: What alone has an Effect on it: groups of attributes, or sources such as `magic`; empty for
            anything.
        resistant: Groups whose Effect is lower on it.
        immune: Groups that have no Effect on it.
        away: How far off it is; None where distance is of no account.
        acted: Whether its enemies have had their turn in this round.
    """

    id: str
    name: str
    kind: ClockKind
    size: int
    filled: int = 0
    hidden: bool = False
    only: tuple[str, ...] = ()
    resistant: tuple[Group, ...] = ()
    immune: tuple[Group, ...] = ()
    away: Range | None = None
    acted: bool = False

    @property
    def full(self) -> bool:
        """Whether it is full: overcome, or for a looming one that the danger is here."""
        return self.filled >= self.size

    @property
    def reversed(self) -> bool:
        """Whether heroes take ticks off it."""
        return self.kind is ClockKind.LOOMING

    @property
    def stands_in_the_way(self) -> bool:
        """Whether the encounter goes on as long as it is not full."""
        return self.kind in (ClockKind.ENEMY, ClockKind.CHALLENGE) and not self.full

    def ticked(self, ticks: int) -> int:
        """How many ticks are filled after so many more, or fewer: from none to all."""
        return min(max(self.filled + ticks, 0), self.size)

    def by_heroes(self, ticks: int) -> int:
        """What heroes' Effect adds to the ticks: of a looming clock it takes them off."""
        return -ticks if self.reversed else ticks

    def admits(self, *sources: str) -> bool:
        """Whether an action of these sources has any Effect on it: groups, and what is used."""
        return not self.only or any(source in self.only for source in sources)
