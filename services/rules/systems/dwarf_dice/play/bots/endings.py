"""How a combat may end, exactly, in the form that a strong bot weighs."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from services.rules.systems.dwarf_dice.combat import threat
from services.rules.systems.dwarf_dice.settings import DieFaces


class CombatDice(NamedTuple):
    """The dice of a combat.

    Attributes:
        attack: How many the attacker rolls.
        defence: How many the defender rolls.
        faces: What they show.
        crits: Whether attacking Alchemy hurts at once.
    """

    attack: int
    defence: int
    faces: DieFaces
    crits: bool


@lru_cache(maxsize=1 << 14)
def endings_of(
    dice: CombatDice, attacker: int, defender: int, rebukes: bool
) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, float], ...]]:
    """How a combat may end, and how likely.

    Args:
        dice: Its dice.
        attacker: The attacker's Endurance before it.
        defender: The defender's.
        rebukes: Whether the defender has Fiery Rebuke, which every other time takes one more.

    Returns:
        What Endurance both may have left, nobody less than none; and for each exchange of damage the place of
        its ending among these, and its chance.
    """
    places: dict[tuple[int, int], int] = {}
    shares: list[tuple[int, float]] = []
    exchanges = threat(dice.attack, dice.defence, dice.faces, crits=dice.crits).exchanges
    for exchange, chance in exchanges.items():
        back, left = attacker - exchange.attacker_damage, defender - exchange.defender_damage
        backs = (back - 1, back) if rebukes and exchange.defender_damage and back > 0 else (back,)
        for one in backs:
            place = places.setdefault((max(0, one), max(0, left)), len(places))
            shares.append((place, float(chance) / len(backs)))
    return tuple(places), tuple(shares)
