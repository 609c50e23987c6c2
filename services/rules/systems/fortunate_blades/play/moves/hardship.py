"""Answers: consequences, Harm, Marks, and the ways of the Defeated."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine import plain
from services.rules.engine.steps import ActorId, ItemId
from services.rules.systems.fortunate_blades.play.moves.values import Numbered
from services.rules.systems.fortunate_blades.terms import Consequence, Group, HarmLevel


@dataclass(frozen=True, slots=True, kw_only=True)
class ReduceEffect(plain.Move):
    """Let what just happened do less.

    Attributes:
        levels: By how many levels of Effect.
    """

    levels: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Twist(plain.Move):
    """A consequence that is told, and counts nothing.

    Attributes:
        consequence: Which of the list it is.
        target: Id of the hero whom it befalls; None for all.
        words: What happens.
    """

    consequence: Consequence
    target: ActorId | None = None
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeAway(plain.Move):
    """Take something important away.

    Attributes:
        target: Id of the hero who loses it.
        tool: Id of the gear that is lost; None for something else.
        words: What is lost, and how.
    """

    target: ActorId
    tool: ItemId | None = None
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CauseHarm(Numbered):
    """Cause Harm, against which a Save may be made.

    Attributes:
        target: Id of the hero.
        group: Its type.
        level: How grave it is.
        words: What it is.
        called: Whether the game master calls for the Save, which then is free.
    """

    target: ActorId
    group: Group
    level: HarmLevel
    words: str = ""
    called: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RollConsequence(plain.Move):
    """Roll a d8 for the kind of consequence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOver(plain.Move):
    """Let a player pick the kind of consequence.

    Attributes:
        target: Id of their hero.
    """

    target: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class PickConsequence(plain.Move):
    """Pick a kind of consequence from the list.

    Attributes:
        consequence: Which one.
    """

    consequence: Consequence


@dataclass(frozen=True, slots=True, kw_only=True)
class Enough(plain.Move):
    """Let no further consequence come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeSave(plain.Move):
    """Make a Save against Harm, at the moment it befalls.

    Attributes:
        fortune: Fortune that is added, one for one.
    """

    fortune: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SendFollowers(plain.Move):
    """Let the party's people be lost in place of a Harm (A Following; L9)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeHarm(plain.Move):
    """Take Harm as it comes; or, where Fortune has run out, take it for Fortune.

    Attributes:
        level: How grave it is, where it is taken for Fortune.
        group: Its type, where it is taken for Fortune.
        words: What it is.
    """

    level: HarmLevel | None = None
    group: Group | None = None
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revive(plain.Move):
    """Be out for the rest of the Quest, and come back changed in a later one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retire(plain.Move):
    """Finish this encounter, and be a background figure from then on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlazeOfGlory(plain.Move):
    """Perform a Final Act, and die.

    Attributes:
        act: Content id of the Final Act.
        clock: Id of the clock that it fills, where it does; None otherwise.
        words: How it is done.
    """

    act: str
    clock: str | None = None
    words: str = ""
