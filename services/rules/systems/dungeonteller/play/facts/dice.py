"""Dice that fell, what is told, and Luck that changed."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.explain import Explained
from services.rules.engine.plain import Fact
from services.rules.engine.play import EVERYONE, Audience
from services.rules.engine.steps import ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled(Fact):
    """Dice fell.

    Attributes:
        roll: The roll's name in its check.
        being: Who rolled.
        label: What for.
        dice: How many, and why.
        faces: How they fell.
        successes: How many of them succeed.
    """

    roll: str
    being: ActorId
    label: str
    dice: Explained
    faces: tuple[int, ...]
    successes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened(Fact):
    """Something for people to read and for clients to show; it changes nothing by itself.

    Attributes:
        code: What happened, for programs, and which sentence tells it: "attack.hit", "power.zap".
        by: Who did it.
        targets: Whom it concerns.
        power: Content id of the power, if it was one.
        successes: Successes that count in the end.
        number: What else is counted: paces, turns, dice.
        words: Words of players, or the name of what has no id: a weapon, a place.
        rule: Where the rule stands.
    """

    code: str
    by: ActorId = ""
    targets: tuple[ActorId, ...] = ()
    power: str = ""
    successes: int = 0
    number: int = 0
    words: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckChanged(Fact):
    """A being's Luck changed.

    Attributes:
        being: Id of the one whose Luck it is.
        luck: What it is now.
        change: By how much.
        cause: Content id of what did it, or a name of `content/sentences.toml`: "fire", "rest".
        words: What the game master calls the cause, where it has no name.
        by: Whose doing it is; empty for a hazard, and for what a being does to itself.
        cause_for: Who may know by whom and why: the others learn of the loss, and of nothing behind it.
    """

    being: ActorId
    luck: int
    change: int
    cause: str
    words: str = ""
    by: str = ""
    cause_for: Audience = EVERYONE
