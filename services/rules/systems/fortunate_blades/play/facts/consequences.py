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
        consequence: The consequence.
        hero: Id of the hero.
        words: In the words of whoever said it; empty for none.
    """

    consequence: Consequence
    hero: ActorId = ""
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsequenceDrawn(plain.Fact):
    """The kind of consequence was rolled, or picked.

    Attributes:
        consequence: The consequence.
        hero: Id of the hero.
    """

    consequence: Consequence
    hero: ActorId = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolLost(plain.Fact):
    """Gear is lost.

    Attributes:
        hero: Id of the hero.
        tool: Id of the gear; empty for none.
    """

    hero: ActorId
    tool: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockStarted(plain.Fact):
    """A clock is drawn, or shown that was secret.

    Attributes:
        clock: Id of the clock; empty for none.
    """

    clock: Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockUncovered(plain.Fact):
    """A secret clock is one no longer; it is shown under an id of the open series.

    Attributes:
        clock: Id of the clock; empty for none.
    """

    clock: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockMoved(plain.Fact):
    """Ticks of a clock were filled, or taken off.

    Attributes:
        clock: Id of the clock; empty for none.
        ticks: How many ticks.
    """

    clock: ActorId
    ticks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HarmThreatened(plain.Fact):
    """Harm befalls a hero, if no Save lessens it.

    Attributes:
        hero: Id of the hero.
        group: The type of Harm or of attributes.
        level: The level.
        words: In the words of whoever said it; empty for none.
    """

    hero: ActorId
    group: Group
    level: HarmLevel
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowersLost(plain.Fact):
    """The party's people are lost: in place of a hero's Harm, or by a Miss that they Aided.

    Attributes:
        hero: Id of the hero.
        advantage: Content id of the advantage.
    """

    hero: ActorId
    advantage: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved(plain.Fact):
    """How a Save went; levels of Harm that it takes off, None for all of them.

    Attributes:
        hero: Id of the hero.
        result: How it went.
        levels: How many levels.
    """

    hero: ActorId
    result: Result
    levels: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Harmed(plain.Fact):
    """A hero takes Harm, in the slot of this level; `levels` of Effect are what a minor one takes off.

    Attributes:
        hero: Id of the hero.
        group: The type of Harm or of attributes.
        level: The level.
        words: In the words of whoever said it; empty for none.
        levels: How many levels.
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
        hero: Id of the hero.
    """

    hero: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class HarmHealed(plain.Fact):
    """A Harm becomes one level less, or is gone; the id of what lasts.

    Attributes:
        hero: Id of the hero.
        harm: Id of the Harm.
    """

    hero: ActorId
    harm: str
