"""What an attack does when it hits: damage by its successes, less by what weakens, and concussions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from services.rules.dice.odds import PoolOdds
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.conditions import halved
from services.rules.systems.forge_engine.pools.attack_given import AttackGiven
from services.rules.systems.forge_engine.skills import SpellDamage
from services.rules.systems.forge_engine.wares import laid, lays
from services.rules.systems.forge_engine.world import Condition


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageChance:
    """How likely some damage is.

    Attributes:
        damage: The damage.
        chance: Chance of exactly so much.
        at_least: Chance of so much or more.
    """

    damage: int
    chance: Fraction
    at_least: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageChances:
    """The exact damage of an attack, before the target's resistance and the like.

    Attributes:
        mean: Damage on average.
        each: Every damage from 0.
    """

    mean: Fraction
    each: tuple[DamageChance, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionChance:
    """How likely a condition is.

    Attributes:
        condition: Content id.
        chance: Chance that it comes about.
    """

    condition: str
    chance: Fraction


def damage_of(
    odds: PoolOdds, attack: AttackGiven, conditions: tuple[Condition, ...], catalog: Catalog
) -> DamageChances | None:
    """The damage of an attack by its successes; None for what deals none, or counts it otherwise."""
    weapon = catalog.equipment.get(attack.weapon or "")
    spell = catalog.spells.get(attack.spell or "")
    if weapon is not None and lays(weapon):
        return None
    if spell is not None and spell.damage not in (SpellDamage.HALF, SpellDamage.PER_SUCCESS):
        return None

    def dealt(successes: int) -> int:
        half = spell is not None and spell.damage is SpellDamage.HALF
        return halved(-(-successes // 2) if half else successes, conditions)

    hurt = lessened(odds, dealt)
    each = tuple(
        DamageChance(damage=damage, chance=Fraction(weight, hurt.total), at_least=hurt.at_least(damage))
        for damage, weight in enumerate(hurt.weights)
    )
    return DamageChances(mean=hurt.successes.mean, each=each)


def conditions_of(odds: PoolOdds, attack: AttackGiven, catalog: Catalog) -> Iterator[ConditionChance]:
    """The conditions that a weapon lays in place of harm, by the successes that bring them (R-85)."""
    weapon = catalog.equipment.get(attack.weapon or "")
    if weapon is None:
        return
    weights: Counter[str] = Counter()
    for successes, weight in enumerate(odds.weights):
        if (brought := laid(weapon, successes)) is not None:
            weights[brought] += weight
    for condition, weight in weights.items():
        yield ConditionChance(condition=condition, chance=Fraction(weight, odds.total))


def lessened(odds: PoolOdds, left: Callable[[int], int]) -> PoolOdds:
    """The same pool where of each number of successes another is left; misses stay misses."""
    weights = [0] * (max(map(left, range(len(odds.weights)))) + 1)
    for successes, weight in enumerate(odds.weights):
        weights[left(successes)] += weight
    return PoolOdds(tuple(weights), odds.critical)
