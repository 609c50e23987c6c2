"""How likely pools are to do what they are rolled for, exactly (Dice Pool Probabilities)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from services.rules.dice.odds import fixed_pool, opposed_pool
from services.rules.systems.forge_engine.rolls import SIDES, Difficulty

DEFENSES = range(1, 6)
"""The defence pools of the book's tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DifficultyChance:
    """How likely a test succeeds against one of the named difficulties.

    Attributes:
        name: "Severe".
        target: What a die must reach.
        required: How many must.
        chance: Exact.
    """

    name: str
    target: int
    required: int
    chance: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class HitChance:
    """How likely an attack hits a defence pool.

    Attributes:
        defense: Dice of that pool.
        chance: Of one success at least, exactly.
        mean: Successes on average, exactly.
    """

    defense: int
    chance: Fraction
    mean: Fraction


def difficulty_chances(dice: int) -> tuple[DifficultyChance, ...]:
    """The chances of a test with so many dice, against every named difficulty."""
    return tuple(
        DifficultyChance(
            name=difficulty.name.capitalize(),
            target=difficulty.target,
            required=difficulty.required,
            chance=fixed_pool(dice, difficulty.target, SIDES).at_least(difficulty.required),
        )
        for difficulty in Difficulty
    )


def hit_chances(dice: int) -> tuple[HitChance, ...]:
    """The chances of an attack with so many dice, against defence pools of one to five."""
    return tuple(
        HitChance(defense=defense, chance=odds.at_least(1), mean=odds.successes.mean)
        for defense, odds in ((defense, opposed_pool(dice, defense, SIDES)) for defense in DEFENSES)
    )
