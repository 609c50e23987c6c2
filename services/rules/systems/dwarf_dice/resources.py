"""The Resource dice of Dwarf Dice: what they show, and how combat reads them (Resource Dice; ATTACK!)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import comb, factorial, prod

HOARD = 9
"""Dice of a Hoarding."""


class Resource(Enum):
    """What a face shows.

    Attributes:
        METAL: Metal.
        WOOD: Wood.
        ALCHEMY: Alchemy, which counters in combat.
        NULL: Nothing to forge with; the left neighbour places it.
    """

    METAL = "M"
    WOOD = "W"
    ALCHEMY = "A"
    NULL = "N"


Faces = Mapping[Resource, int]
"""How many faces of a die show each resource."""

FACES: Faces = {Resource.METAL: 2, Resource.WOOD: 2, Resource.ALCHEMY: 1, Resource.NULL: 1}
"""The box does not print them: ruling of the small systems, a setting of the table."""

ORDER = tuple(resource for resource in Resource for _ in range(FACES[resource]))
"""The faces 1 to 6 of a die as it is rolled here."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """What an attack and a defence come to.

    Attributes:
        defender_damage: What the defender loses: 1 for each attacking Alchemy at once, and 1 for each
            attacking die that is not blocked.
        attacker_damage: What the attacker loses: 1 for each Alchemy that blocks.
    """

    defender_damage: int
    attacker_damage: int


def exchange(attack: Iterable[Resource], defence: Iterable[Resource]) -> Exchange:
    """Reads both rolls; the defender blocks as many attacking dice as can be, with Alchemy first."""
    attacking, defending = list(attack), list(defence)
    crits = attacking.count(Resource.ALCHEMY)
    hits = crits + attacking.count(Resource.METAL)
    return _exchanged(crits, hits, defending.count(Resource.ALCHEMY), defending.count(Resource.WOOD))


def exchange_odds(
    attack: int, defence: int, faces: Faces = FACES, *, crits: bool = True, counters: bool = True
) -> Mapping[Exchange, Fraction]:
    """How likely each exchange of so many dice is.

    Args:
        attack: Dice of the attacker.
        defence: Dice of the defender.
        faces: The die.
        crits: Whether the attacker's Alchemy counts (Forge's Fury sets it aside).
        counters: Whether the defender's Alchemy counts.
    """
    metal, wood, alchemy = faces[Resource.METAL], faces[Resource.WOOD], faces[Resource.ALCHEMY]
    sides = sum(faces.values())
    striking, blocking = alchemy if crits else 0, alchemy if counters else 0
    attacks = _two_of(attack, striking, metal, sides - striking - metal)
    defences = _two_of(defence, blocking, wood, sides - blocking - wood)
    weights: dict[Exchange, int] = {}
    for critical, hits, ways in attacks:
        for alchemists, blockers, others in defences:
            found = _exchanged(critical, critical + hits, alchemists, blockers)
            weights[found] = weights.get(found, 0) + ways * others
    whole = sides ** (attack + defence)
    return {found: Fraction(weight, whole) for found, weight in weights.items() if weight}


def _exchanged(crits: int, hits: int, alchemy: int, wood: int) -> Exchange:
    return Exchange(crits + max(0, hits - alchemy - wood), min(alchemy, hits))


def _two_of(dice: int, first: int, second: int, others: int) -> Sequence[tuple[int, int, int]]:
    """How many dice show each of two resources, and in how many ways."""
    return [
        (
            ones,
            twos,
            comb(dice, ones)
            * comb(dice - ones, twos)
            * first**ones
            * second**twos
            * others ** (dice - ones - twos),
        )
        for ones in range(dice + 1)
        for twos in range(dice - ones + 1)
    ]


def hoards(dice: int = HOARD, faces: Faces = FACES) -> Iterator[tuple[Mapping[Resource, int], Fraction]]:
    """Every Hoard by how many dice show each resource, and how likely it is."""
    whole = sum(faces.values()) ** dice
    for metal in range(dice + 1):
        for wood in range(dice - metal + 1):
            for alchemy in range(dice - metal - wood + 1):
                counts = dict(
                    zip(Resource, (metal, wood, alchemy, dice - metal - wood - alchemy), strict=True)
                )
                ways = factorial(dice) // prod(factorial(count) for count in counts.values())
                weight = ways * prod(faces[resource] ** count for resource, count in counts.items())
                if weight:
                    yield counts, Fraction(weight, whole)
