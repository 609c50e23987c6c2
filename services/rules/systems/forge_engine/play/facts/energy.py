"""Energy used, lost and regained."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.effects import Duration
from services.rules.engine.plain import Fact
from services.rules.engine.steps import ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class EnergyUsed(Fact):
    """A combatant used energy for `what`: spent, added to a pool, expended.

    Attributes:
        who: Id of the one whom it concerns.
        what: What for, in plain words.
        spent: Energy that is spent.
        added: Energy that is added to the pool.
        expended: Energy that is expended until a rest.
        power: Content id of the skill or spell that it is used for; empty for none.
    """

    who: ActorId
    what: str
    spent: int = 0
    added: int = 0
    expended: int = 0
    power: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnergyLost(Fact):
    """Poison or the like expended energy, that of the pool or spent energy (R-110).

    Attributes:
        who: Id of the one whom it concerns.
        expended: Energy that is expended until a rest.
        what: What for, in plain words.
    """

    who: ActorId
    expended: int
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BonusGained(Fact):
    """A combatant gained bonus energy.

    Attributes:
        who: Id of the one whom it concerns.
        amount: How much.
        lasts: How long it lasts.
        what: What for, in plain words.
    """

    who: ActorId
    amount: int
    lasts: Duration
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillUsed(Fact):
    """A combatant used a skill that is counted: each turn, or `once` in a fight.

    Attributes:
        who: Id of the one whom it concerns.
        skill: Content id of the skill.
        once: Whether it is used up for the whole fight.
    """

    who: ActorId
    skill: str
    once: bool = False
