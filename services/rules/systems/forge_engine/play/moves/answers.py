"""Answers to the questions of a window, or of an opposed test (Reactions)."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.ground.squares import Square
from services.rules.engine.plain import Move
from services.rules.engine.steps import ActorId, ItemId
from services.rules.systems.forge_engine.attributes import Attribute


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline(Move):
    """Do nothing: the answer that stands for silence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dodge(Move):
    """Add energy to a defense: by Agility, or by a skill that goes by another attribute.

    Attributes:
        added: Energy added.
        skill: Content id of the skill; empty for a plain Dodge.
        ward: The ally whose PD it helps in place of one's own; empty for oneself.
    """

    added: int
    skill: str = ""
    ward: ActorId = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RaiseShield(Move):
    """Pay for the shield; its rating adds to PD until one's next turn (R-73).

    Attributes:
        ward: The ally whose PD it helps in place of one's own, this once; empty for oneself.
    """

    ward: ActorId = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parry(Move):
    """Pay the cost of a melee weapon; its rating adds to PD.

    Attributes:
        weapon: Its id in the profile.
        ward: The ally whose PD it helps in place of one's own; empty for oneself.
    """

    weapon: ItemId
    ward: ActorId = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift(Move):
    """Step, or move a target, once an attack is over.

    Attributes:
        skill: Content id.
        to: The square; None where there is no grid.
    """

    skill: str
    to: Square | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Exert(Move):
    """Spend or expend energy by a skill that turns it into something else.

    Attributes:
        skill: Content id.
        energy: How much.
    """

    skill: str
    energy: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Oppose(Move):
    """Resist an opposed test: by the attribute's dice for nothing, or by energy and skill (R-47).

    Attributes:
        attribute: Strength or Agility.
        added: Energy added in place of the free dice.
    """

    attribute: Attribute
    added: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AddDice(Move):
    """Add dice to a pool that lies on the table, by a skill that does so.

    Attributes:
        skill: Content id.
        added: Energy added.
    """

    skill: str
    added: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StrikeBack(Move):
    """Make an attack as a reaction, by a skill that allows it.

    Attributes:
        skill: Content id.
        weapon: Id of the weapon; empty for a spell.
        added: Energy added.
        target: Whom, where the skill leaves a choice.
    """

    skill: str
    weapon: ItemId
    added: int = 0
    target: ActorId = ""
