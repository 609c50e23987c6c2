"""What lasts."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.effects import Effect
from services.rules.engine.plain import Fact
from services.rules.engine.steps import ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectBegan(Fact):
    """Something that lasts began.

    Attributes:
        effect: What lasts.
    """

    effect: Effect


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectEnded(Fact):
    """Something that lasts ended.

    Attributes:
        effect: What lasts.
        bearer: Id of the one that bears it.
        what: What for, in plain words.
    """

    effect: str
    bearer: ActorId
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectChanged(Fact):
    """What an effect counts is another number now.

    Attributes:
        effect: What lasts.
        bearer: Id of the one that bears it.
        amount: How much.
    """

    effect: str
    bearer: ActorId
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Climbed(Fact):
    """A combatant climbed, jumped or fell so many feet.

    Attributes:
        who: Id of the one whom it concerns.
        what: What for, in plain words.
        feet: How many feet.
    """

    who: ActorId
    what: str
    feet: int
