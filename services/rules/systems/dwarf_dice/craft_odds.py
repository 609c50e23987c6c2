"""How likely an item can be forged, exactly: before the Hoarding, and from a Hoard while Nulls still wait."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from functools import lru_cache

from services.rules.systems.dwarf_dice.forge import OUTER, affordable, blockers, open_share
from services.rules.systems.dwarf_dice.items import CraftOdds, needs
from services.rules.systems.dwarf_dice.resources import HOARD, Resource, hoards
from services.rules.systems.dwarf_dice.settings import USUAL, DieFaces


class Nulls(Enum):
    """How Nulls come to lie on the Forge.

    Attributes:
        NONE: They are not placed.
        RANDOM: Each way of placing them is as likely as the next.
        AIMED: Against this one item alone.
    """

    NONE = "none"
    RANDOM = "random"
    AIMED = "aimed"


def from_hoard(
    pattern: tuple[str, ...],
    hoard: tuple[int, int, int],
    nulls: int,
    how: Nulls,
    *,
    shifting: bool = True,
) -> Fraction:
    """How likely a pattern can be forged from resources that are known, while Nulls are still to be placed.

    Args:
        pattern: What is to be forged.
        hoard: Metal, Wood and Alchemy.
        nulls: Nulls to be placed; a ninth has no space (P3).
        how: How they are placed.
        shifting: Whether a pattern may lie anywhere (P2).
    """
    if not affordable(*needs(pattern), hoard):
        return Fraction(0)
    placed = min(nulls, len(OUTER))
    match how:
        case Nulls.NONE:
            return Fraction(1)
        case Nulls.RANDOM:
            return Fraction(*open_share(pattern, shifting=shifting)[placed])
        case Nulls.AIMED:
            least = blockers(pattern, shifting=shifting)
            return Fraction(least is None or placed < least)


@lru_cache(maxsize=1 << 12)
def craft_chance(
    pattern: tuple[str, ...],
    how: Nulls,
    *,
    faces: DieFaces = USUAL,
    dice: int = HOARD,
    aside: int = 0,
    shifting: bool = True,
) -> Fraction:
    """How likely a pattern can be forged after a Hoarding that is still to be rolled.

    Args:
        pattern: What is to be forged.
        how: How Nulls are placed.
        faces: The die.
        dice: How many are rolled.
        aside: Nulls the crafter may set aside (Mark of Quality).
        shifting: Whether a pattern may lie anywhere (P2).
    """
    shares: dict[int, Fraction] = {}
    total = Fraction(0)
    for hoard, nulls, ways in _hoards(faces, dice):
        if affordable(*needs(pattern), hoard):
            left = max(0, nulls - aside)
            if left not in shares:
                shares[left] = from_hoard(pattern, (dice, dice, dice), left, how, shifting=shifting)
            total += ways * shares[left]
    rolls: int = sum(faces.counts().values()) ** dice
    return total / rolls


@lru_cache(maxsize=64)
def _hoards(faces: DieFaces, dice: int) -> tuple[tuple[tuple[int, int, int], int, int], ...]:
    """Every Hoard as Metal, Wood and Alchemy, its Nulls, and in how many ways it falls."""
    whole = sum(faces.counts().values()) ** dice
    return tuple(
        (
            (counts[Resource.METAL], counts[Resource.WOOD], counts[Resource.ALCHEMY]),
            counts[Resource.NULL],
            int(chance * whole),
        )
        for counts, chance in hoards(dice, faces.counts())
    )


def craft_odds(pattern: tuple[str, ...], faces: DieFaces, dice: int, *, shifting: bool = True) -> CraftOdds:
    """The three chances of a pattern."""
    none, random, aimed = (
        craft_chance(pattern, how, faces=faces, dice=dice, shifting=shifting) for how in Nulls
    )
    return CraftOdds(no_nulls=none, random_nulls=random, aimed_nulls=aimed)
