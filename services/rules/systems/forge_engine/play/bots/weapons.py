"""Attacks with weapons: each weapon, way of firing, target, amount of energy, and manner, with its worth."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.frozen import replace
from services.rules.systems.forge_engine.play.bots.worth import (
    Plan,
    at_least,
    conditions_worth,
    focus,
    mean,
    softened,
    threat,
)
from services.rules.systems.forge_engine.play.effects import hands_do
from services.rules.systems.forge_engine.play.legal.attacks import fires_of, most_energy
from services.rules.systems.forge_engine.play.moves import Attack
from services.rules.systems.forge_engine.play.rules.attack import planned
from services.rules.systems.forge_engine.play.rules.bonuses import with_bonuses
from services.rules.systems.forge_engine.play.rules.manners import beside, manners, splitting
from services.rules.systems.forge_engine.play.state import Combatant, Fight
from services.rules.systems.forge_engine.play.strike import Strike, action_dice, defense_dice
from services.rules.systems.forge_engine.profile import Weapon

DISARMED = 0.4
"""The share of a round's harm that who is disarmed does not do."""
OWN_SIDE = 1.5
"""How much harm to one's own side counts against harm to enemies."""


def weapon_plans(fight: Fight, one: Combatant, foes: tuple[Combatant, ...], budget: int) -> Iterator[Plan]:
    """Every attack with a weapon that is ready."""
    for weapon in one.profile.weapons:
        if not (one.ready(weapon) and hands_do(fight, one, weapon) and _is_set(one, weapon)):
            continue
        for fire in fires_of(fight, one, weapon):
            for foe in foes:
                move = Attack(actor=one.id, weapon=weapon.id, target=foe.id, fire=fire)
                yield from _attacks(fight, one, weapon, planned(fight, one, weapon, move), budget)


def _is_set(one: Combatant, weapon: Weapon) -> bool:
    """Whether an explosive is lit; others need not be."""
    return not weapon.item or weapon.kind.value != "explosive" or weapon.id in one.armed


def _attacks(fight: Fight, one: Combatant, weapon: Weapon, plain: Strike, budget: int) -> Iterator[Plan]:
    """An attack with each amount of energy that it may take, and in each manner with the most."""
    found = most_energy(fight, plain, one.profile.attributes.of(weapon.attribute))
    if found is None:
        return
    cost, most = found
    defenses = tuple(defense_dice(fight, plain, target).value for target in plain.targets)
    worth = most_worth(fight, plain)
    for added in range(max(0, min(most, budget - cost)) + 1):
        if cost + added < 1:
            continue
        strike = with_bonuses(fight, replace(plain, added=added))
        harm = harm_worth(fight, strike, weapon.damage, defenses)
        if harm:
            yield Plan(_move_of(strike), cost + added, harm, True, worth)
    strongest = with_bonuses(fight, replace(plain, added=max(0, min(most, budget - cost))))
    if cost + strongest.added:
        yield from _in_manners(fight, strongest, cost + strongest.added)
        yield from _split(fight, one, weapon, strongest, cost + strongest.added)


def harm_worth(fight: Fight, strike: Strike, type_: str, defenses: tuple[int, ...]) -> float:
    """Harm of an attack on all whom it takes in, that to one's own side against it.

    Args:
        fight: The fight.
        strike: The attack.
        type_: Content id of its damage type.
        defenses: Dice of each target's defense.
    """
    found = 0.0
    side = fight.find(strike.attacker).side
    for target, defense in zip(strike.targets, defenses, strict=True):
        other = fight.find(target)
        harm = softened(other, mean(action_dice(fight, strike, target).value, defense), type_)
        found += harm * focus(other) if other.side != side else -OWN_SIDE * harm
    return found


def most_worth(fight: Fight, strike: Strike) -> float:
    """What the fall of all whom an attack takes in is worth."""
    side = fight.find(strike.attacker).side
    struck = (fight.find(target) for target in strike.targets)
    return sum((foe.health + 1) * focus(foe) for foe in struck if foe.side != side)


def _in_manners(fight: Fight, strike: Strike, cost: int) -> Iterator[Plan]:
    """The attack in place of harm: by the conditions that the skill's entry names, or to disarm."""
    for skill in manners(fight, strike):
        foe, rating = fight.find(strike.targets[0]), fight.find(strike.attacker).profile.rating(skill)
        action, defense = action_dice(fight, strike, foe.id).value, defense_dice(fight, strike, foe.id).value
        pair = fight.catalog.martial[skill].conditions
        if pair:
            # Successes beyond the rating do not count, so a low one leaves the weaker condition alone.
            worth = conditions_worth(fight, foe, pair if rating > 2 else pair[:1], action, defense)
        else:
            worth = at_least(action, defense, 1) * DISARMED * threat(foe)
        yield Plan(_move_of(replace(strike, manner=skill)), cost, worth)


def _split(fight: Fight, one: Combatant, weapon: Weapon, strike: Strike, cost: int) -> Iterator[Plan]:
    """The attack split among as many as the skill allows (R-89)."""
    skill, further = splitting(fight, one, weapon)
    if further < 1 or strike.area or strike.fire or len(strike.targets) != 1:
        return
    others = beside(fight, strike)[:further]
    if not others:
        return
    total = action_dice(fight, strike, strike.targets[0]).value
    more = min(strike.added, one.profile.rating(skill))
    share = total // (1 + len(others)) + more
    worth = 0.0
    for target in (*strike.targets, *others):
        foe = fight.find(target)
        harm = mean(share, defense_dice(fight, strike, target).value)
        worth += min(softened(foe, harm, weapon.damage), foe.health + 1) * focus(foe)
    yield Plan(replace(_move_of(strike), others=others), cost, worth, True, worth * 2)


def _move_of(strike: Strike) -> Attack:
    return Attack(
        actor=strike.attacker,
        weapon=strike.weapon,
        target=strike.targets[0],
        added=strike.added,
        fire=strike.fire,
        manner=strike.manner,
    )
