"""Roles: what a combatant keeps energy for, and what it cares for.

Adversaries have the role that their block prints (Adversary Templates); anyone else has the one that its
spells, shield and weapons are best for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from services.rules.systems.forge_engine.play.arms import weapon_figures
from services.rules.systems.forge_engine.play.rules.bonuses import martial
from services.rules.systems.forge_engine.play.rules.defense import PARRY, PHALANX, WARD
from services.rules.systems.forge_engine.play.rules.skills import PLEDGE, TAUNT
from services.rules.systems.forge_engine.play.rules.spells import (
    SUMMON,
    castable,
    for_creatures,
    is_attack,
    is_healing,
)
from services.rules.systems.forge_engine.play.state import Combatant, Fight
from services.rules.systems.forge_engine.profile import Weapon


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """How a role plays.

    Attributes:
        reserve: The share of its energy that it keeps for reactions, at most as much as its Agility.
        harm: How much harm done counts for it.
        hinder: How much conditions on enemies count.
        mend: How much healing counts.
        aid: How much dice and energy for itself and its allies count.
        wards: Whether it defends allies whatever their health.
    """

    reserve: float = 0.2
    harm: float = 1.0
    hinder: float = 1.0
    mend: float = 1.0
    aid: float = 1.0
    wards: bool = False


ROLES: Mapping[str, Role] = {
    "grunt": Role(),
    "striker": Role(reserve=0.0),
    "shooter": Role(reserve=0.0),
    "commander": Role(hinder=1.2, aid=1.2),
    "caster": Role(reserve=0.0, hinder=1.1),
    "healer": Role(mend=1.4, aid=1.1),
    "summoner": Role(mend=1.2, aid=1.1),
    "tank": Role(reserve=0.3, aid=1.1, wards=True),
}
"""Every role, by the name that blocks print where they print it."""

GUARDS = (WARD, PARRY, PHALANX, martial("bodyguards-stance"), martial("defensive-stance"))


def role_of(fight: Fight, one: Combatant) -> Role:
    """The role of a combatant."""
    return ROLES.get(one.profile.role) or ROLES[_role_name(fight, one)]


def _role_name(fight: Fight, one: Combatant) -> str:
    """The role that a combatant without a block is best for."""
    spells, rating = tuple(castable(fight, one)), one.profile.rating
    if rating(SUMMON):
        return "summoner"
    if any(is_healing(spell) and not for_creatures(spell) for spell in spells):
        return "healer"
    if any(is_attack(spell) for spell in spells):
        return "caster"
    if one.profile.shields or any(map(rating, GUARDS)):
        return "tank"
    if rating(PLEDGE) or rating(TAUNT):
        return "commander"
    best = max(one.profile.weapons, key=lambda each: _strength(fight, one, each), default=None)
    if best is not None and best.from_afar:
        return "shooter"
    return "grunt" if one.profile.attributes.strength >= one.profile.attributes.agility else "striker"


def _strength(fight: Fight, one: Combatant, weapon: Weapon) -> int:
    """Dice of a weapon's greatest attack."""
    attribute = one.profile.attributes.of(weapon.attribute)
    return (
        weapon_figures(fight.catalog, weapon)[1]
        + attribute
        + min(attribute, one.profile.rating(weapon.skill))
    )


def reserve(fight: Fight, one: Combatant) -> int:
    """Energy that a combatant keeps for reactions: those who hold the line more than those who strike."""
    return min(one.profile.attributes.agility, int(one.profile.energy * role_of(fight, one).reserve))
