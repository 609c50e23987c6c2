"""Martial skills that are actions of their own, and stances, weighed by what their entries say."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.systems.forge_engine.play.bots.roles import Role
from services.rules.systems.forge_engine.play.bots.worth import (
    ATTACK_DIE,
    ATTACKS_TO_COME,
    DEFENSE_DIE,
    ENERGY,
    EXPENDED,
    Plan,
    condition_worth,
    conditions_worth,
    mean,
)
from services.rules.systems.forge_engine.play.effects import PRONE, bears, in_stance, rules
from services.rules.systems.forge_engine.play.ground import BESIDE, apart
from services.rules.systems.forge_engine.play.moves import Minor, MinorUse, UseSkill
from services.rules.systems.forge_engine.play.rules.bonuses import AIM, PRECISION
from services.rules.systems.forge_engine.play.rules.energy import affords, cost_of
from services.rules.systems.forge_engine.play.rules.minor import STANCES, minor_cost
from services.rules.systems.forge_engine.play.rules.skills import (
    ACTIONS,
    TAKE_INITIATIVE,
    TRIP,
    usable_skills,
)
from services.rules.systems.forge_engine.play.state import Combatant, Fight
from services.rules.systems.forge_engine.play.strike import Strike, action_dice, defense_dice, energy_of
from services.rules.systems.forge_engine.skills import Benefit, MartialKind

EARLIER = 0.4
"""What it is worth to come earlier in the order from now on."""
RESTING = 0.12
"""What each rating of a specialized skill that rests in a stance would be worth."""
NO_REACTIONS = 1.5
"""What reactions are worth in the rest of a fight."""


def skill_plans(fight: Fight, one: Combatant, role: Role, budget: int, attacks: bool) -> Iterator[Plan]:
    """Every skill that is an action of its own, on each whom it may be used on.

    Args:
        fight: The fight.
        one: The combatant.
        role: Its role.
        budget: Energy that it may use.
        attacks: Whether it can attack from where it is.
    """
    for skill in usable_skills(fight, one):
        action, base = ACTIONS[skill], cost_of(fight, one).value
        added = min(action.most(fight, one), budget - base)
        if added < 1 and action.most(fight, one):
            continue
        for target in action.targets(fight, one):
            cost = base + added + action.expend
            if target.side != one.side:
                plan = _on_enemy(fight, one, skill, target, added)
                if plan is not None:
                    yield Plan(plan.move, plan.cost, role.hinder * plan.worth)
                continue
            worth = role.aid * _on_own_side(fight, one, skill, target, added, attacks)
            own = target.id == one.id
            move = UseSkill(actor=one.id, skill=skill, target="" if own else target.id, added=added)
            if cost <= one.usable:
                yield Plan(move, cost, worth - EXPENDED * action.expend)


def _on_enemy(fight: Fight, one: Combatant, skill: str, foe: Combatant, added: int) -> Plan | None:
    """A skill used on an enemy: the conditions of its entry, or where it names none, a fall."""
    if skill == TRIP:
        best = max(one.profile.attributes.strength, one.profile.attributes.agility)
        action = min(added, best) + min(added, one.profile.rating(skill))
        defense = max(foe.profile.attributes.strength, foe.profile.attributes.agility)
        cost = cost_of(fight, one).value + added
    else:
        strike = Strike(id="plan", attacker=one.id, skill=skill, targets=(foe.id,), added=added)
        cost = energy_of(fight, strike)[0].value
        action, defense = action_dice(fight, strike, foe.id).value, defense_dice(fight, strike, foe.id).value
    if cost > one.usable or not action:
        return None
    pair = fight.catalog.martial[skill].conditions
    if pair:
        worth = conditions_worth(fight, foe, pair, action, defense)
    else:
        worth = min(1.0, mean(action, defense)) * condition_worth(fight, foe, PRONE)
    return Plan(UseSkill(actor=one.id, skill=skill, target=foe.id, added=added), cost, worth)


def _on_own_side(
    fight: Fight, one: Combatant, skill: str, target: Combatant, added: int, attacks: bool
) -> float:
    """A skill used on oneself or an ally: energy for them, dice of the next attack, a better place."""
    if skill == TAKE_INITIATIVE:
        ahead = fight.order().index(one)
        return EARLIER if ahead and any(each.side != one.side for each in fight.order()[:ahead]) else 0.0
    if skill == PRECISION:
        return ATTACK_DIE * added if attacks and bears(fight, one.id, AIM) is None else 0.0
    if target.id != one.id:
        return ENERGY * added if target.usable < target.profile.energy else 0.0
    entry = fight.catalog.martial[skill]
    attribute = entry.energy_by
    gained = one.profile.rating(skill)
    if attribute is not None:
        gained = min(gained, one.profile.attributes.of(attribute))
    return ENERGY * gained


def stance(fight: Fight, one: Combatant, role: Role) -> Minor | None:
    """The stance that is worth more than the skills that rest meanwhile; None in a stance, or for none."""
    known = tuple(skill for skill in STANCES if one.profile.rating(skill))
    if not known or in_stance(fight, one.id) is not None or not affords(one, minor_cost(fight, one).value):
        return None
    if one.minors:
        return None
    worth, best = max((_stance_worth(fight, one, skill, role), skill) for skill in known)
    return Minor(actor=one.id, use=MinorUse.STANCE, item=best) if worth > 0 else None


def _stance_worth(fight: Fight, one: Combatant, skill: str, role: Role) -> float:
    """What a stance is worth in the rest of a fight, by its entry, less what rests."""
    rating, entry = one.profile.rating(skill), fight.catalog.martial[skill]
    resting = sum(
        each.rating
        for each in one.profile.skills
        if each.skill in fight.catalog.martial
        and each.skill not in STANCES
        and fight.catalog.martial[each.skill].kind is MartialKind.SPECIALIZED
    )
    tags = rules(fight.catalog)[STANCES[skill]].tags
    lost = RESTING * resting * ATTACKS_TO_COME / 2 + NO_REACTIONS * ("no-reactions" in tags)
    if entry.benefit is Benefit.DIE_PER_ENERGY:
        ready = [weapon for weapon in one.profile.weapons if one.ready(weapon) and not weapon.natural]
        best = max((one.profile.attributes.of(weapon.attribute) for weapon in ready), default=1)
        return role.harm * ATTACK_DIE * min(rating, best) * ATTACKS_TO_COME - lost
    helped = any(
        ally.up and apart(fight, one, ally) <= BESIDE and not ally.bloodied for ally in fight.allies(one)
    )
    own = "bodyguard" not in skill
    return role.aid * DEFENSE_DIE * rating * ATTACKS_TO_COME * (own or helped) - lost
