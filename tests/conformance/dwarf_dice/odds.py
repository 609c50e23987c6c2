"""Cases of odds: what the game's own rolls publish, read fall by fall."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial, prod
from operator import eq, ge, le
from typing import Any, cast

from services.rules.dice.mechanic import Arguments, Reading
from services.rules.dice.pool import Dice
from services.rules.dice.pool import Faces as Kind
from services.rules.engine.conformance import Area, UnsupportedCaseError
from services.rules.systems.dwarf_dice.craft_odds import Nulls, craft_chance
from services.rules.systems.dwarf_dice.items import WIDTH
from services.rules.systems.dwarf_dice.mechanics import MECHANICS
from services.rules.systems.dwarf_dice.resources import exchange_odds, hoards
from services.rules.systems.dwarf_dice.settings import DieFaces

Given = Mapping[str, Any]
Answer = dict[str, Any]

ROLLS = {mechanic.name: mechanic for mechanic in MECHANICS}
WORDS = {"M": "metal", "W": "wood", "A": "alchemy", "N": "null"}
"""What a roll calls the resources that cases call by a letter."""

# What the cases call their events.
ONE_DIE = re.compile(r"\((?P<letters>[MWAN](?: or [MWAN])*)\)$")
SO_MANY = re.compile(
    r"^(?P<compare>exactly|at least|at most) k (?P<resource>\w+) in a Hoard of (?P<dice>\d+)$"
)
HOARDED = re.compile(r"(\d+) ([MWAN])\b")
COMPARISONS = {"exactly": eq, "at least": ge, "at most": le}


def _falls(dice: Dice) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every fall of dice whatever their order, as faces counted from 1, and how likely it is."""
    sides, count = len(cast(Kind, dice.kind).faces), cast(int, dice.count)
    for faces in combinations_with_replacement(range(1, sides + 1), count):
        ways = factorial(count) // prod(map(factorial, Counter(faces).values()))
        yield faces, Fraction(ways, sides**count)


def _readings(roll: str, **arguments: int) -> Iterator[tuple[Reading, Fraction]]:
    """How a roll of the game reads each fall of its dice."""
    mechanic, called = ROLLS[roll], cast(Arguments, arguments)
    for falls in product(*(tuple(_falls(dice)) for dice in mechanic.pools(called))):
        faces, chances = zip(*falls, strict=True)
        yield mechanic.read(called, faces), prod(chances)


def _faces(given: Given) -> DieFaces:
    """The faces of the case's die, as a table may set them."""
    return DieFaces(**{word: given["faces"].get(letter, 0) for letter, word in WORDS.items()})


def _hoards(given: Given, dice: int) -> Iterator[tuple[Mapping[str, int], Fraction]]:
    """Every Hoard by how many dice show each resource, and how likely it is."""
    faces = _faces(given)
    if faces != DieFaces():
        for counts, chance in hoards(dice, faces.counts()):
            yield {WORDS[resource.value]: count for resource, count in counts.items()}, chance
        return
    for reading, chance in _readings("dwarf_dice:hoard", dice=dice):
        yield reading.values, chance


def _odds(given: Given) -> Answer:
    event = given["event"]
    if shown := ONE_DIE.search(event):
        words = [WORDS[letter] for letter in shown["letters"].split(" or ")]
        return _told(_chance(given, 1, lambda counts: any(counts[word] for word in words)))
    if shown := SO_MANY.search(event):
        word, k, compare = _named(shown["resource"]), given["k"], COMPARISONS[shown["compare"]]
        return _told(_chance(given, int(shown["dice"]), lambda counts: compare(counts[word], k)))
    if "enough resources" in event:
        signs = "M" * given.get("metal", 0) + "W" * given.get("wood", 0)
        if len(signs) > WIDTH**2:
            raise UnsupportedCaseError(f"an item of {len(signs)} dice")
        rows = signs.ljust(WIDTH**2, ".")
        pattern = tuple(rows[row : row + WIDTH] for row in range(0, WIDTH**2, WIDTH))
        return _told(craft_chance(pattern, Nulls.NONE, faces=_faces(given)))
    if "in any order" in event:
        wanted = dict.fromkeys(WORDS.values(), 0)
        wanted |= {WORDS[letter]: int(count) for count, letter in HOARDED.findall(event)}
        return _told(_chance(given, sum(wanted.values()), lambda counts: counts == wanted))
    raise UnsupportedCaseError(f"the event {event!r}")


def _named(words: str) -> str:
    """The resource that a case calls by name: "Nulls", "Metal"."""
    word = words.lower().removesuffix("s")
    if word not in WORDS.values():
        raise UnsupportedCaseError(f"a resource called {words!r}")
    return word


def _chance(given: Given, dice: int, holds: Callable[[Mapping[str, int]], bool]) -> Fraction:
    return sum((chance for counts, chance in _hoards(given, dice) if holds(counts)), Fraction(0))


def _told(chance: Fraction) -> Answer:
    return {"p": _pair(chance), "approx": round(float(chance), 6)}


def _pair(number: Fraction) -> list[int]:
    return [number.numerator, number.denominator]


def _exchanges(given: Given) -> Mapping[tuple[int, int], Fraction]:
    """What the defender and the attacker lose, and how likely that is."""
    found: dict[tuple[int, int], Fraction] = {}
    faces = _faces(given)
    if faces != DieFaces():
        odds = exchange_odds(given["attack_dice"], given["defence_dice"], faces.counts())
        return {(came.defender_damage, came.attacker_damage): chance for came, chance in odds.items()}
    dice = {"attack": given["attack_dice"], "defence": given["defence_dice"]}
    for reading, chance in _readings("dwarf_dice:combat", **dice):
        lost = reading.total, reading.values["attacker_damage"]
        found[lost] = found.get(lost, Fraction(0)) + chance
    return found


def _combat(given: Given) -> Answer:
    return {
        "distribution": [
            {"defender_damage": defender, "attacker_damage": attacker, "p": _pair(chance)}
            for (defender, attacker), chance in sorted(_exchanges(given).items())
        ]
    }


def _combat_mean(given: Given) -> Answer:
    found = _exchanges(given).items()
    defender = sum((lost * chance for (lost, _), chance in found), Fraction(0))
    attacker = sum((lost * chance for (_, lost), chance in found), Fraction(0))
    six = sum((chance for (lost, _), chance in found if lost >= 6), Fraction(0))
    return {
        "defender_damage": _pair(defender),
        "attacker_damage": _pair(attacker),
        "defender_6_or_more": _pair(six),
        "approx": [round(float(number), 6) for number in (defender, attacker, six)],
    }


def _mean(given: Given) -> Answer:
    means = dict.fromkeys(WORDS.values(), Fraction(0))
    for counts, chance in _hoards(given, given["dice"]):
        for word in means:
            means[word] += counts[word] * chance
    return {word: _pair(mean) for word, mean in means.items()}


AREAS: Mapping[str, Area] = {
    "odds": _odds,
    "odds_combat": _combat,
    "odds_combat_mean": _combat_mean,
    "odds_mean": _mean,
}
