"""Answers to the questions of a window, or of an opposed test (Reactions)."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.plain import Move
from services.rules.systems.forge_engine.attributes import Attribute


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline(Move):
    """Do nothing: the answer that stands for silence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dodge(Move):
    """Add energy to PD.

    Attributes:
        added: Energy added.
    """

    added: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RaiseShield(Move):
    """Pay for the shield; its rating adds to PD until one's next turn (R-73)."""


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
    """Make a melee attack as a reaction, by a skill that allows it.

    Attributes:
        skill: Content id.
        weapon: Id of the weapon.
        added: Energy added.
    """

    skill: str
    weapon: str
    added: int = 0
