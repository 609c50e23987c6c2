"""Consequences, Harm and clocks."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine import plain
from services.rules.engine.steps import ActorId
from services.rules.systems.fortunate_blades.clocks import Clock
from services.rules.systems.fortunate_blades.rolls import Result
from services.rules.systems.fortunate_blades.terms import (
    Consequence,
    Group,
    HarmLevel,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsequenceCame(plain.Fact):
    """A consequence came, and whom it befalls; empty for all.

    Attributes:
        consequence: Its kind.
        hero: Id of the hero whom it befalls; empty for all.
        words: What happens; empty where nothing is said.
    """

    consequence: Consequence
    hero: ActorId = ""
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsequenceDrawn(plain.Fact):
    """The kind of consequence was rolled, or picked.

    Attributes:
        consequence: The kind.
        hero: Id of the hero whose player picked it; empty where it was rolled or picked by the group.
    """

    consequence: Consequence
    hero: ActorId = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolLost(plain.Fact):
    """Gear is lost.

    Attributes:
        hero: Id of the hero who loses it.
        tool: Id of the gear among the hero's own.
    """

    hero: ActorId
    tool: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockStarted(plain.Fact):
    """A clock is drawn, or shown that was secret.

    Attributes:
        clock: The clock as it is drawn.
    """

    clock: Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockUncovered(plain.Fact):
    """A secret clock is one no longer; it is shown under an id of the open series.

    Attributes:
        clock: Id that the clock had while it was secret.
    """

    clock: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockMoved(plain.Fact):
    """Ticks of a clock were filled, or taken off.

    Attributes:
        clock: Id of the clock.
        ticks: Ticks that are filled; negative where they are taken off.
    """

    clock: ActorId
    ticks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HarmThreatened(plain.Fact):
    """Harm befalls a hero, if no Save lessens it.

    Attributes:
        hero: Id of the hero whom it befalls.
        group: Its type.
        level: How grave it is before a Save.
        words: What the Harm is, in the story; empty where nothing is said.
    """

    hero: ActorId
    group: Group
    level: HarmLevel
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowersLost(plain.Fact):
    """The party's people are lost: in place of a hero's Harm, or by a Miss that they Aided.

    Attributes:
        hero: Id of the hero whose Harm they took, or whose roll they Aided.
        advantage: Content id of the advantage that they are.
    """

    hero: ActorId
    advantage: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved(plain.Fact):
    """How a Save went; levels of Harm that it takes off, None for all of them.

    Attributes:
        hero: Id of the hero who makes the Save.
        result: Whether the Save is clear, close or a miss.
        levels: Levels of Harm that it takes off; None for all of them.
    """

    hero: ActorId
    result: Result
    levels: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Harmed(plain.Fact):
    """A hero takes Harm, in the slot of this level; `levels` of Effect are what a minor one takes off.

    Attributes:
        hero: Id of the hero who takes it.
        group: Its type.
        level: How grave it is: the row whose slot it fills.
        words: What the Harm is, in the story; empty where nothing is said.
        levels: Levels of Effect that a minor one takes off rolls of its group.
    """

    hero: ActorId
    group: Group
    level: HarmLevel
    words: str = ""
    levels: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Unharmed(plain.Fact):
    """Nothing is left of a Harm.

    Attributes:
        hero: Id of the hero who was threatened with it.
    """

    hero: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class HarmHealed(plain.Fact):
    """A Harm becomes one level less, or is gone; the id of what lasts.

    Attributes:
        hero: Id of the hero who bears it.
        harm: Id of the Harm among the encounter's effects.
    """

    hero: ActorId
    harm: str
