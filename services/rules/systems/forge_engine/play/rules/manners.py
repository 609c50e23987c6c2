"""Attacks made in another manner: for a condition in place of harm, to disarm, or split among targets."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.explain import Part
from services.rules.engine.frozen import replace
from services.rules.engine.steps import refuse
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.equipment import EquipmentKind
from services.rules.systems.forge_engine.play.arms import reach_feet
from services.rules.systems.forge_engine.play.ground import BESIDE, apart
from services.rules.systems.forge_engine.play.rules.bonuses import SKILLS, martial, trained
from services.rules.systems.forge_engine.play.rules.outcomes import DISARMING, held_things, with_both_hands
from services.rules.systems.forge_engine.play.state import Combatant, Fight, Life
from services.rules.systems.forge_engine.play.strike import (
    Strike,
    action_dice,
    attribute_of,
    is_melee,
    weapon_of,
)
from services.rules.systems.forge_engine.profile import Weapon
from services.rules.systems.forge_engine.wares import reload_ways

WHIRLWIND, SPLIT_TONGUE = martial("whirlwind-attack"), martial("split-tongue-shot")
MANNERS = (*map(martial, ("pinning-attack", "stunning-attack", "weakening-attack")), DISARMING)
"""Skills that say what an attack does in place of harm."""
BOTH_HANDS = -2
"""Dice of an attack that disarms a target that holds on with both hands."""


def manners(fight: Fight, strike: Strike) -> tuple[str, ...]:
    """The manners in which an attack with a weapon could be made."""
    if strike.area or len(strike.targets) != 1:
        return ()
    other = fight.find(strike.targets[0])
    known = (skill for skill in MANNERS if trained(fight, strike.attacker, skill))
    return tuple(
        skill
        for skill in known
        if skill != DISARMING or (is_melee(fight, strike) and bool(held_things(other)))
    )


def check_manner(fight: Fight, strike: Strike) -> None:
    """Refuses a manner that the attacker has not learned, or that fits no such attack."""
    if not strike.manner:
        return
    known = manners(fight, strike)
    if strike.manner not in known:
        refuse("skill_unknown", "Not so, with this attack.", SKILLS, ("manner",), strike.manner, known)


def manner_dice(fight: Fight, strike: Strike) -> Iterator[Part]:
    """Dice that a manner takes from the pool."""
    if strike.manner == DISARMING and with_both_hands(fight.find(strike.targets[0])):
        yield Part(BOTH_HANDS, "held with both hands", SKILLS)


def splitting(fight: Fight, one: Combatant, weapon: Weapon) -> tuple[str, int]:
    """The skill that splits attacks with a weapon, and how many further targets it allows."""
    skill = SPLIT_TONGUE if weapon.from_afar else WHIRLWIND
    most = trained(fight, one.id, skill)
    if weapon.from_afar and not _nocks_several(fight.catalog, weapon):
        shots = one.shots(weapon.id)
        most = 0 if weapon.holds == 1 else most if shots is None else min(most, shots - 1)
    return skill, most


def _nocks_several(catalog: Catalog, weapon: Weapon) -> bool:
    """Whether a weapon looses several pieces at once, as bows and slings do and crossbows do not."""
    item = catalog.equipment.get(weapon.item)
    held = item is not None and any(way.energy is None for way in reload_ways(catalog, item))
    return weapon.kind is EquipmentKind.PROJECTILE and not held


def beside(fight: Fight, strike: Strike) -> tuple[str, ...]:
    """Those beside the first target whom a split attack could take in too."""
    one, first = fight.find(strike.attacker), fight.find(strike.targets[0])
    weapon = weapon_of(fight, strike)
    if weapon is None:
        return ()
    far = reach_feet(fight, one, weapon, strike.supports)
    return tuple(
        each.id
        for each in fight.foes(one)
        if each.id != first.id
        and each.life is not Life.DEAD
        and apart(fight, first, each) <= BESIDE
        and apart(fight, one, each) <= far
    )


def split(fight: Fight, strike: Strike, others: tuple[str, ...]) -> Strike:
    """The attack with further targets; refused where no skill allows them."""
    one, weapon = fight.find(strike.attacker), weapon_of(fight, strike)
    if weapon is None or strike.area or strike.manner or len(strike.targets) != 1 or strike.fire:
        refuse("not_split", "Such an attack is not split.", SKILLS, ("others",), others)
    _, most = splitting(fight, one, weapon)
    known = beside(fight, strike)
    if not set(others) <= set(known) or len(set(others)) < len(others):
        refuse(
            "unknown_target", "They must be beside the first, in reach.", SKILLS, ("others",), others, known
        )
    if len(others) > most:
        refuse("too_many_targets", "The skill allows fewer.", SKILLS, ("others",), len(others), most)
    return replace(strike, targets=(*strike.targets, *others))


def parts_of(fight: Fight, strike: Strike) -> tuple[Strike, ...]:
    """The attack as pools of its own: one, or one for each target where the dice are split.

    A skill splits as evenly as can be, the first targets having what is left over, and adds to each pool a
    die for each energy added, up to the rating (R-89). A spell's dice fall as the caster assigned them.
    """
    if strike.area or len(strike.targets) < 2:
        return (strike,)
    shares, weapon = strike.shares, weapon_of(fight, strike)
    if not shares and weapon is not None:
        total = action_dice(fight, strike, strike.targets[0]).value
        skill, _ = splitting(fight, fight.find(strike.attacker), weapon)
        more = min(
            strike.added, attribute_of(fight, strike), fight.find(strike.attacker).profile.rating(skill)
        )
        each, over = divmod(total, len(strike.targets))
        shares = tuple(each + (place < over) + more for place in range(len(strike.targets)))
    return tuple(
        replace(strike, id=f"{strike.id}-{target}", targets=(target,), dice=dice, shares=(), attack_parts=())
        for target, dice in zip(strike.targets, shares, strict=True)
    )
