"""What things are worth to a bot, in health of an enemy: harm at exact odds, healing, conditions, dice.

A power is weighed by what its entry says, and by nothing else; a new one needs no line here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from services.rules.dice.odds import opposed_pool
from services.rules.systems.forge_engine.play.effects import bears
from services.rules.systems.forge_engine.play.ground import in_reach
from services.rules.systems.forge_engine.play.moves import FightMove
from services.rules.systems.forge_engine.play.rules.outcomes import STRONG
from services.rules.systems.forge_engine.play.state import Combatant, Fight
from services.rules.systems.forge_engine.rolls import SIDES
from services.rules.systems.forge_engine.traits import Response
from services.rules.systems.forge_engine.world import Condition

ENERGY = 0.35
"""Harm that 1 energy does on average."""
EXPENDED = 0.5
"""What 1 energy expended is worth beside its use now: it does not come back."""
ATTACK_DIE, DEFENSE_DIE = 0.35, 0.25
"""What a die of an attack does, and what a die of a defense keeps off."""
ATTACKS_TO_COME = 4
"""Attacks of a combatant, and on it, in the rest of a fight."""
ROUNDS_BORNE = 1.4
"""Rounds that a condition lasts until it is shaken off."""
PER_SUCCESS = 0.4
"""What a success is worth that neither harms nor heals nor leaves a condition of the book."""
AWAKE = 3.0
"""What it is worth that an ally stands again."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Something that could be done, and what it is worth.

    Attributes:
        move: The move.
        cost: Energy in all, that expended among it.
        worth: What it is worth once, in health of an enemy.
        again: Whether it is worth as much when it is done again, as an attack is.
        most: What doing it again and again is worth at most.
    """

    move: FightMove
    cost: int
    worth: float
    again: bool = False
    most: float = 0.0


@lru_cache(maxsize=4096)
def mean(action: int, defense: int) -> float:
    """Successes on average."""
    return float(opposed_pool(action, defense, SIDES).successes.mean)


@lru_cache(maxsize=4096)
def at_least(action: int, defense: int, successes: int) -> float:
    """The chance of so many successes or more."""
    return float(opposed_pool(action, defense, SIDES).at_least(successes))


@lru_cache(maxsize=4096)
def halved(action: int, defense: int) -> float:
    """Half of the successes, rounded up, on average."""
    return sum(at_least(action, defense, number) for number in range(1, action + 1, 2))


def softened(foe: Combatant, damage: float, type_: str) -> float:
    """Damage of a type as a combatant takes it on average (H3)."""
    found = foe.profile.response(type_)
    if Response.IMMUNE in found:
        return 0.0
    taken = damage / 2 if Response.RESISTANT in found else damage
    return 2 * taken if Response.VULNERABLE in found else taken


def threat(foe: Combatant) -> float:
    """Harm that a combatant does in a round."""
    return foe.profile.energy * ENERGY


def focus(foe: Combatant) -> float:
    """How much more harm counts against who falls sooner."""
    return 1.7 / (1 + 0.1 * foe.health)


def conditions_worth(fight: Fight, foe: Combatant, pair: tuple[str, ...], action: int, defense: int) -> float:
    """What it is worth to leave a combatant under the first or the second of a pair of conditions (A8)."""
    weaker, stronger = (condition_worth(fight, foe, each) for each in (pair[0], pair[-1]))
    strong = at_least(action, defense, STRONG)
    return (at_least(action, defense, 1) - strong) * weaker + strong * stronger


def condition_worth(fight: Fight, foe: Combatant, kind: str) -> float:
    """What a condition on an enemy is worth, by its figures; nothing where the enemy bears it or is down."""
    if not foe.up or bears(fight, foe.id, kind) is not None:
        return 0.0
    found = fight.catalog.conditions[kind]
    return min(1.0, _energy_lost(found) + _blunted(found) + _held_off(fight, foe, found)) * threat(
        foe
    ) * ROUNDS_BORNE + DEFENSE_DIE * -(found.pd + found.defense + found.pd_melee)


def _energy_lost(found: Condition) -> float:
    """The share of a round's energy that a condition takes."""
    regained = {None: 0.0, 2: 0.35, 1: 0.7}.get(found.regained, 0.0)
    return 0.25 * found.action_energy + regained + 0.1 * (found.stand_energy + found.expend)


def _blunted(found: Condition) -> float:
    """The share of a round's harm that a condition takes."""
    if found.barred:
        return 1.0
    dice = -(found.attack + found.attack_melee) * 0.1
    return dice + 0.35 * found.fewer_successes + 0.5 * found.halved


def _held_off(fight: Fight, foe: Combatant, found: Condition) -> float:
    """The share that standing still takes: much from who has to come nearer first."""
    if not found.immobile and not found.segment_energy:
        return 0.0
    near = any(in_reach(fight, foe, each) for each in fight.combatants if each.side != foe.side and each.up)
    far = any(weapon.from_afar and foe.ready(weapon) for weapon in foe.profile.weapons)
    if near or far:
        return 0.05
    return 0.7 if found.immobile else 0.3


def healing_worth(one: Combatant, dice: int) -> float:
    """What it is worth to heal a combatant by so much, which cannot come above its maximum."""
    missing = one.profile.health - one.health
    found = min(dice, missing) * (1.0 if one.bloodied else 0.5)
    return found + (AWAKE if not one.up and one.health + dice > 0 else 0.0)
