"""Damage, dying, healing and rest."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.plain import Fact
from services.rules.engine.steps import ActorId
from services.rules.systems.forge_engine.play.moves import RestKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Hurt(Fact):
    """A combatant took damage.

    Attributes:
        who: Id of the one whom it concerns.
        damage: How much damage.
        type: Kind of the damage.
        source: Id of whose doing it is; empty for a hazard.
        cause: Content id of the skill or spell that did it; empty for none.
    """

    who: ActorId
    damage: int
    type: str
    source: str = ""
    cause: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bled(Fact):
    """A dying combatant lost health at the start of its turn.

    Attributes:
        who: Id of the one whom it concerns.
    """

    who: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Collapsed(Fact):
    """A combatant's body gave out: it is dying at -1 health, unless it was worse.

    Attributes:
        who: Id of the one whom it concerns.
    """

    who: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Fainted(Fact):
    """A combatant with all its energy expended fell unconscious.

    Attributes:
        who: Id of the one whom it concerns.
    """

    who: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Stabilized(Fact):
    """A dying combatant is stable.

    Attributes:
        who: Id of the one whom it concerns.
    """

    who: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Healed(Fact):
    """A combatant recovered health; `physical` where that can be done once between encounters.

    Attributes:
        who: Id of the one whom it concerns.
        amount: How much.
        physical: Whether it can be done once between encounters.
        source: Id of whose doing it is; empty for one's own body.
        cause: Content id of the skill or spell that did it; empty for none.
    """

    who: ActorId
    amount: int
    physical: bool = False
    source: str = ""
    cause: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revived(Fact):
    """A dead combatant is dying again.

    Attributes:
        who: Id of the one whom it concerns.
    """

    who: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Rested(Fact):
    """A combatant rested, and recovered health and expended energy.

    Attributes:
        who: Id of the one whom it concerns.
        length: How long the rest is.
        health: How much health.
        energy: Energy in the pool.
    """

    who: ActorId
    length: RestKind
    health: int
    energy: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TimePassed(Fact):
    """Time passed out of a fight.

    Attributes:
        minutes: How many minutes.
    """

    minutes: int
