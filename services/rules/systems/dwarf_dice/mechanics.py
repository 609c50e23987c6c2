"""Dwarf Dice's own rolls, and its die by name."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from services.rules.dice.mechanic import (
    Arguments,
    Mechanic,
    Parameter,
    Reading,
    ReadingOdds,
    Rolled,
    number,
)
from services.rules.dice.pool import Dice, Face, Faces
from services.rules.systems.dwarf_dice.resources import (
    HOARD,
    ORDER,
    Exchange,
    Resource,
    exchange,
    exchange_odds,
    hoards,
)

MOST = 12
"""Dice in the box."""

MOST_VALUE = 6
"""What the cards of one side may come to (Choosing Equipment)."""

DICE: Mapping[str, tuple[Face, ...]] = {
    # A Null is the one face that is of no use.
    "resource": tuple(
        Face(resource.name.lower(), 0 if resource is Resource.NULL else 1) for resource in ORDER
    )
}


def _dice(count: int) -> Dice:
    return Dice(count, Faces(DICE["resource"], "resource"))


def _shown(faces: tuple[int, ...]) -> list[Resource]:
    return [ORDER[face - 1] for face in faces]


def _hoard_pools(arguments: Arguments) -> tuple[Dice, ...]:
    return (_dice(number(arguments, "dice")),)


def _read_hoard(_arguments: Arguments, rolled: Rolled) -> Reading:
    shown = _shown(rolled[0])
    counts = {resource.name.lower(): shown.count(resource) for resource in Resource}
    nulls = counts["null"]
    return Reading(len(shown) - nulls, "nulls" if nulls else "no_nulls", counts)


def _hoard_odds(arguments: Arguments) -> ReadingOdds:
    count = number(arguments, "dice")
    found: dict[tuple[int, str], Fraction] = {}
    for counts, chance in hoards(count):
        nulls = counts[Resource.NULL]
        key = (count - nulls, "nulls" if nulls else "no_nulls")
        found[key] = found.get(key, Fraction(0)) + chance
    return found


def _combat_pools(arguments: Arguments) -> tuple[Dice, ...]:
    return (_dice(number(arguments, "attack")), _dice(number(arguments, "defence")))


def _combat_reading(found: Exchange) -> Reading:
    hurt, back = found.defender_damage > 0, found.attacker_damage > 0
    word = "both_hurt" if hurt and back else "hit" if hurt else "countered" if back else "no_damage"
    return Reading(found.defender_damage, word, {"attacker_damage": found.attacker_damage})


def _read_combat(_arguments: Arguments, rolled: Rolled) -> Reading:
    return _combat_reading(exchange(_shown(rolled[0]), _shown(rolled[1])))


def _combat_odds(arguments: Arguments) -> ReadingOdds:
    found: dict[tuple[int, str], Fraction] = {}
    for came, chance in exchange_odds(number(arguments, "attack"), number(arguments, "defence")).items():
        reading = _combat_reading(came)
        key = (reading.total, reading.outcome)
        found[key] = found.get(key, Fraction(0)) + chance
    return found


MECHANICS = (
    Mechanic(
        name="dwarf_dice:hoard",
        title="Hoarding",
        meaning="Resource dice for the Forge: the total is how many of them are of use, all but the Nulls.",
        source="Hoarding",
        parameters=(Parameter("dice", "dice that are rolled", 1, MOST, default=HOARD),),
        outcomes=("no_nulls", "nulls"),
        pools=_hoard_pools,
        read=_read_hoard,
        odds=_hoard_odds,
    ),
    Mechanic(
        name="dwarf_dice:combat",
        title="Combat",
        meaning="Metal and Alchemy attack, Wood and Alchemy block; an attacking Alchemy deals 1 at once, a "
        "blocking one deals 1 back. The defender blocks as many as can be, with Alchemy first. The total is "
        "what the defender loses.",
        source="ATTACK!",
        parameters=(
            Parameter("attack", "dice of the offensive cards, less what powers take", 0, MOST_VALUE),
            Parameter("defence", "dice of the defensive cards, less what powers take", 0, MOST_VALUE),
        ),
        outcomes=("hit", "both_hurt", "no_damage", "countered"),
        pools=_combat_pools,
        read=_read_combat,
        odds=_combat_odds,
    ),
)
