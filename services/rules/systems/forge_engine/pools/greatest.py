"""The greatest action: with all the energy added that its attribute and the maximum allow (S.A.G.E.; B6).

The sheet names it for each attack and spell, a stat block prints it for each weapon.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from services.rules.engine.explain import Explained, Part
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.pools.attack_given import PoolSkill
from services.rules.systems.forge_engine.pools.attack_pool import SAGE, action_pool
from services.rules.systems.forge_engine.stat_block import BlockFigures
from services.rules.systems.forge_engine.traits import Size

SIZES = "Size Traits [R-16]"


@dataclass(frozen=True, slots=True, kw_only=True)
class GreatestAction:
    """An action with all energy added that may be.

    Attributes:
        cost: Energy it takes in all.
        dice: Its pool.
    """

    cost: Explained
    dice: Explained


def greatest_action(
    cost: Explained,
    start: Explained,
    energy: int,
    attribute: Attribute,
    rating: int,
    skills: Iterable[PoolSkill],
    externalities: Iterable[Part] = (),
) -> GreatestAction | None:
    """The greatest action of a cost; None where the energy does not pay for it.

    Args:
        cost: Energy to spend or expend before any is added.
        start: Dice of the weapon or spell.
        energy: All that there is.
        attribute: What the action goes by.
        rating: Its rating; more energy is not added.
        skills: What helps (B4).
        externalities: What helps and what hinders beside them.
    """
    spare = energy - cost.value
    if spare < 0:
        return None
    added = min(rating, spare)
    words = f"energy up to {attribute.label}" if added == rating else "what energy is left"
    return GreatestAction(
        cost=cost.plus(added, words, SAGE),
        dice=action_pool(start, rating, added, skills, externalities, words=words),
    )


def greatest_attack(
    cost: int, rating: int, attribute: Attribute, block: BlockFigures, skill: int, size: Size
) -> GreatestAction:
    """The greatest attack of a stat block, with a weapon of a cost and rating, and one skill's rating.

    A weapon that costs more than the maximum of energy has no dice.
    """
    spent = Explained.of(Part(cost, "weapon", SAGE))
    found = greatest_action(
        spent,
        Explained.of(Part(rating, "weapon", SAGE)),
        block.energy.value,
        attribute,
        block.attributes.of(attribute),
        (PoolSkill(name="skill", rating=skill),),
        strength_parts(attribute, size, "size"),
    )
    return GreatestAction(cost=spent, dice=Explained(0, ())) if found is None else found


def strength_parts(attribute: Attribute, size: Size, source: str) -> tuple[Part, ...]:
    """Dice that size adds to an attack by Strength."""
    if attribute is not Attribute.STRENGTH or not size.strength_dice:
        return ()
    return (Part(size.strength_dice, source, SIZES),)
