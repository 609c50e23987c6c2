"""Attacks, spells and reactions."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.ground.squares import Square
from services.rules.engine.plain import Fact
from services.rules.engine.steps import ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Attacked(Fact):
    """An attack was declared; `shots` of the weapon are used, or it was `thrown`.

    Attributes:
        who: Id of the one whom it concerns.
        targets: Ids of those it is aimed at.
        weapon: Id of the weapon.
        name: What it is called.
        shots: Shots of the weapon that are used or left.
        thrown: Whether it was thrown.
    """

    who: ActorId
    targets: tuple[ActorId, ...]
    weapon: str
    name: str
    shots: int = 0
    thrown: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Burst(Fact):
    """An explosive burst in a square, or where no grid is, around its target.

    Attributes:
        name: What it is called.
        at: The square; none where there is no grid.
        feet: How many feet.
    """

    name: str
    at: Square | None = None
    feet: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SpellCast(Fact):
    """A spell was cast.

    Attributes:
        who: Id of the one whom it concerns.
        targets: Ids of those it is aimed at.
        spell: Content id of the spell.
        name: What it is called.
    """

    who: ActorId
    targets: tuple[ActorId, ...]
    spell: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Summoned(Fact):
    """A creature of an adversary's kind appeared beside its summoner.

    Attributes:
        who: Id of the one whom it concerns.
        creature: Id of the creature.
        name: What it is called.
        adversary: Content id of its stat block.
        at: The square; none where there is no grid.
    """

    who: ActorId
    creature: str
    name: str
    adversary: str
    at: Square | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reacted(Fact):
    """A combatant reacted to an attack with so many dice.

    Attributes:
        who: Id of the one whom it concerns.
        how: How, in plain words.
        dice: How many dice.
    """

    who: ActorId
    how: str
    dice: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ShieldRaised(Fact):
    """A combatant paid for its shield until its next turn.

    Attributes:
        who: Id of the one whom it concerns.
        name: What it is called.
    """

    who: ActorId
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Struck(Fact):
    """An attack came to so many successes; none is a miss.

    Attributes:
        who: Id of the one whom it concerns.
        target: Id of the target.
        successes: How many successes.
        critical: Whether it is a critical failure.
    """

    who: ActorId
    target: ActorId
    successes: int
    critical: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Faltered(Fact):
    """An attack came to nothing, because the attacker can no longer act.

    Attributes:
        who: Id of the one whom it concerns.
    """

    who: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockedAway(Fact):
    """A weapon or shield flew out of a combatant's hands, so many feet; `name` is what it is called.

    Attributes:
        who: Id of the one whom it concerns.
        item: What it is done with; empty for nothing.
        name: What it is called.
        feet: How many feet.
    """

    who: ActorId
    item: str
    name: str
    feet: int
