"""Spells: each that may be cast now, weighed by its entry: harm, healing, conditions, dice that last."""

from __future__ import annotations

import math
from collections.abc import Iterator

from services.rules.engine.content import slug_of
from services.rules.engine.frozen import replace
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.play.bots.roles import Role
from services.rules.systems.forge_engine.play.bots.weapons import OWN_SIDE
from services.rules.systems.forge_engine.play.bots.worth import (
    ATTACK_DIE,
    ATTACKS_TO_COME,
    DEFENSE_DIE,
    ENERGY,
    EXPENDED,
    PER_SUCCESS,
    Plan,
    at_least,
    conditions_worth,
    focus,
    halved,
    healing_worth,
    mean,
    softened,
)
from services.rules.systems.forge_engine.play.effects import bears, effect_id, rules, shakeable
from services.rules.systems.forge_engine.play.ground import in_reach
from services.rules.systems.forge_engine.play.legal.attacks import most_energy
from services.rules.systems.forge_engine.play.legal.spells import in_view, may_cast
from services.rules.systems.forge_engine.play.moves import Cast
from services.rules.systems.forge_engine.play.rules.areas import aims, caught
from services.rules.systems.forge_engine.play.rules.energy import affords, cost_of
from services.rules.systems.forge_engine.play.rules.outcomes import spell_id
from services.rules.systems.forge_engine.play.rules.pushes import steps
from services.rules.systems.forge_engine.play.rules.spells import (
    CLEANSE,
    SUMMON,
    castable,
    creatures,
    for_creatures,
    helped,
    is_attack,
    is_healing,
    is_lasting,
    spell_dice,
    summonable,
    summoning_dice,
)
from services.rules.systems.forge_engine.play.state import Combatant, Fight
from services.rules.systems.forge_engine.play.strike import Strike, action_dice, defense_dice, spell_attribute
from services.rules.systems.forge_engine.skills import Against, Spell, SpellDamage, Targets

GOES_ON = 1.8
"""How much more harm counts that goes on."""
MISSES_CLEANSE = 0.7
"""The chance that a die of Cleanse does not reach its difficulty of 8."""
COMMAND = "Stop and wait"
ALL_OR_NOTHING = spell_id("necrotic-touch")


def spell_plans(fight: Fight, one: Combatant, role: Role, budget: int) -> Iterator[Plan]:
    """Every spell that a combatant may cast now and that a bot finds of use."""
    known = tuple(castable(fight, one))
    if not known or not may_cast(fight, one):
        return
    for spell in known:
        if spell.id == SUMMON:
            continue
        if is_attack(spell):
            yield from _attacks(fight, one, spell, role, budget)
        else:
            yield from _helping(fight, one, spell, role, budget)


# Attacks


def _attacks(fight: Fight, one: Combatant, spell: Spell, role: Role, budget: int) -> Iterator[Plan]:
    """A spell that attacks, at each enemy, around the caster, or at several at once."""
    if spell.area is not None and not aims(spell):
        around = caught(fight, one, spell, one)
        if around:
            yield from _priced(fight, one, spell, "", _known(fight, one, around), role, budget)
        return
    foes = tuple(foe for foe in in_view(fight, one, spell) if foe.up)
    for foe in foes:
        targets = (foe.id,) if spell.area is None else _known(fight, one, caught(fight, one, spell, foe))
        yield from _priced(fight, one, spell, foe.id, targets, role, budget)
    if spell.targets is Targets.SEVERAL and len(foes) > 1:
        weakest = sorted(foes, key=lambda foe: (foe.health, foe.id))[:2]
        yield from _priced(fight, one, spell, weakest[0].id, tuple(e.id for e in weakest), role, budget)


def _known(fight: Fight, one: Combatant, found: tuple[str, ...]) -> tuple[str, ...]:
    known = {each.id for each in fight.known(one)}
    return tuple(each for each in found if each in known)


def _priced(
    fight: Fight,
    one: Combatant,
    spell: Spell,
    target: str,
    targets: tuple[str, ...],
    role: Role,
    budget: int,
) -> Iterator[Plan]:
    """The spell with each amount of energy that it may take."""
    plain = Strike(id="plan", attacker=one.id, spell=spell.id, targets=targets, area=spell.area is not None)
    found = most_energy(fight, plain, spell_attribute(one, spell)) if targets else None
    if found is None:
        return
    cost, most = found
    shared = 1 if spell.area is not None else len(targets)
    met = tuple((each, defense_dice(fight, plain, each).value) for each in targets)
    for added in range(1, min(most, budget - cost) + 1):
        strike = replace(plain, added=added)
        worth = sum(_worth_on(fight, strike, spell, role, *each, shared) for each in met)
        worth -= EXPENDED * spell.expend
        move = Cast(actor=one.id, spell=spell.id, target=target, added=added, words=COMMAND)
        if shared > 1:
            move = replace(move, others=targets[1:])
        yield Plan(move, cost + added, worth, spell.damage is not None, _most(fight, one, targets))


def _most(fight: Fight, one: Combatant, targets: tuple[str, ...]) -> float:
    struck = (fight.find(target) for target in targets)
    return sum((foe.health + 1) * focus(foe) for foe in struck if foe.side != one.side)


def _worth_on(
    fight: Fight, strike: Strike, spell: Spell, role: Role, target: str, defense: int, shared: int
) -> float:
    """What a spell is worth on one whom it attacks, by its entry; on one's own side as much against it."""
    one, other = fight.find(strike.attacker), fight.find(target)
    action = action_dice(fight, strike, target).value // shared
    found = 0.0
    if spell.damage is not None:
        found += role.harm * _harm(one, other, spell, action, defense)
    elif spell.conditions:
        found += role.hinder * conditions_worth(fight, other, spell.conditions, action, defense)
    elif bears(fight, target, effect_id(slug_of(spell.id))) is None:
        near = spell.area is None or in_reach(fight, other, one)
        found += role.hinder * PER_SUCCESS * mean(action, defense) * near
    return found if other.side != one.side else -OWN_SIDE * found


def _harm(one: Combatant, other: Combatant, spell: Spell, action: int, defense: int) -> float:
    """Harm of a spell on average, and the health that it returns to its caster."""
    type_ = spell.damage_type or ""
    if spell.id == ALL_OR_NOTHING:
        done = other.health * at_least(action, defense, other.health) if other.health <= action else 0.0
    else:
        done = (halved if spell.damage is SpellDamage.HALF else mean)(action, defense)
    done = softened(other, done, type_)
    returned = min(done, one.profile.health - one.health) if spell.healing is not None else 0.0
    return done * focus(other) * (GOES_ON if spell.duration else 1.0) + returned


# Help


def _helping(fight: Fight, one: Combatant, spell: Spell, role: Role, budget: int) -> Iterator[Plan]:
    """A spell that does not attack, for each whom it may be cast on, with as much energy as there is."""
    cost = cost_of(fight, one).value + spell.expend
    added = min(spell_attribute(one, spell), budget - cost)
    if added < 1 or not affords(one, cost - spell.expend + added, spell.expend):
        return
    dice = spell_dice(one, spell, added).value
    for other in helped(fight, one, spell):
        worth = _help_worth(fight, one, spell, other, dice, role) - EXPENDED * spell.expend
        if worth > 0:
            move = Cast(actor=one.id, spell=spell.id, target=other.id, added=added)
            yield Plan(move, cost + added, worth)


def _help_worth(fight: Fight, one: Combatant, spell: Spell, other: Combatant, dice: int, role: Role) -> float:
    """What the dice of a spell are worth to whom it is cast on, by its entry."""
    if spell.against is Against.TEST:
        # To be pushed off is bad for an enemy in reach, where there is something to do from afar.
        pushed = (
            other.side != one.side and other.up and in_reach(fight, other, one) and _from_afar(fight, one)
        )
        best = max(other.profile.attributes.strength, other.profile.attributes.agility)
        return role.hinder * PER_SUCCESS * mean(dice, best) if pushed else 0.0
    if other.side != one.side:
        return 0.0
    if is_healing(spell):
        return role.mend * healing_worth(other, dice)
    if spell.id == CLEANSE:
        saved = 3 * ENERGY * (1 - math.pow(MISSES_CLEANSE, dice))
        return role.aid * saved if other.up and shakeable(fight, other.id) else 0.0
    if is_lasting(fight.catalog, spell) and other.up:
        return role.aid * _lasting_worth(fight, one, spell, other, dice)
    return 0.0


def _from_afar(fight: Fight, one: Combatant) -> bool:
    """Whether a combatant attacks from afar: by spells, or with what it holds."""
    return any(weapon.from_afar and one.ready(weapon) for weapon in one.profile.weapons) or any(
        is_attack(spell) for spell in castable(fight, one)
    )


def _lasting_worth(fight: Fight, one: Combatant, spell: Spell, other: Combatant, dice: int) -> float:
    """What dice that last are worth, by what the effect of the spell adds and by its tags."""
    kind = effect_id(slug_of(spell.id))
    if bears(fight, other.id, kind) is not None:
        return 0.0
    found = rules(fight.catalog)[kind]
    few = min(dice, ATTACKS_TO_COME)
    adds = dict(getattr(found, "adds", {}))
    worth: float = adds.pop("pd", 0) * dice * DEFENSE_DIE * ATTACKS_TO_COME
    helps = [name for name in adds if _strikes_by(other, name)]
    worth += ATTACK_DIE * ATTACKS_TO_COME * dice * bool(helps)
    if "bank:pd" in found.tags or for_creatures(spell):
        worth += DEFENSE_DIE * few
    if "bank:attack" in found.tags:
        worth += ATTACK_DIE * few
    if "all:attack" in found.tags:
        worth += ATTACK_DIE * dice
    if "counter" in found.tags:
        near = [foe for foe in fight.foes(one) if foe.up and in_reach(fight, foe, one)]
        worth += max((mean(dice, foe.profile.pd) for foe in near), default=0.0)
    return worth


def _strikes_by(one: Combatant, quantity: str) -> bool:
    """Whether dice of a quantity help the weapons that a combatant is ready to use."""
    attribute = next((each for each in Attribute if quantity == f"attack_{each.value}"), None)
    held = [weapon for weapon in one.profile.weapons if one.ready(weapon) and not weapon.natural]
    return any(weapon.attribute is attribute for weapon in held)


# Before a fight


def summoning(fight: Fight, one: Combatant) -> Cast | None:
    """The strongest creature that half of a summoner's energy brings, before the first; None for none."""
    if not one.profile.rating(SUMMON) or any(True for _ in creatures(fight, one)):
        return None
    if not may_cast(fight, one) or (fight.ground is not None and not any(True for _ in steps(fight, one))):
        return None
    for energy in range(min(one.profile.attributes.acuity, one.energy // 2), 0, -1):
        known = summonable(fight.catalog, summoning_dice(one, energy))
        if known:
            return Cast(actor=one.id, spell=SUMMON, added=energy, creature=known[-1])
    return None
