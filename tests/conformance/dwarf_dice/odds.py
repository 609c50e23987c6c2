"""Cases of odds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from operator import eq, ge, le
from typing import Any

from services.rules.engine.conformance import Area, UnsupportedCaseError
from services.rules.systems.dwarf_dice.forge import affordable
from services.rules.systems.dwarf_dice.resources import (
    HOARD,
    Faces,
    Resource,
    exchange_odds,
    hoards,
)

Given = Mapping[str, Any]
Answer = dict[str, Any]
Counts = Mapping[Resource, int]

# What the cases call their events.
ONE_DIE = re.compile(r"\((?P<letters>[MWAN](?: or [MWAN])*)\)$")
SO_MANY = re.compile(
    r"^(?P<compare>exactly|at least|at most) k (?P<resource>\w+) in a Hoard of (?P<dice>\d+)$"
)
HOARDED = re.compile(r"(\d+) ([MWAN])\b")
COMPARISONS = {"exactly": eq, "at least": ge, "at most": le}


def _faces(given: Given) -> Faces:
    return {resource: given["faces"].get(resource.value, 0) for resource in Resource}


def _odds(given: Given) -> Answer:
    faces, event = _faces(given), given["event"]
    if shown := ONE_DIE.search(event):
        counting = sum(faces[Resource(letter)] for letter in shown["letters"].split(" or "))
        return _told(Fraction(counting, sum(faces.values())))
    if shown := SO_MANY.search(event):
        resource, k = _named(shown["resource"]), given["k"]
        dice, compare = int(shown["dice"]), COMPARISONS[shown["compare"]]
        return _told(_chance(dice, faces, lambda counts: compare(counts[resource], k)))
    if "enough resources" in event:
        metal, wood = given.get("metal", 0), given.get("wood", 0)
        return _told(_chance(HOARD, faces, lambda counts: affordable(metal, wood, _hoard(counts))))
    if "in any order" in event:
        wanted = {Resource(letter): int(count) for count, letter in HOARDED.findall(event)}
        exactly = {resource: wanted.get(resource, 0) for resource in Resource}
        return _told(_chance(sum(wanted.values()), faces, lambda counts: counts == exactly))
    raise UnsupportedCaseError(f"the event {event!r}")


def _named(words: str) -> Resource:
    """The resource that a case calls by name: "Nulls", "Metal"."""
    try:
        return Resource[words.upper().removesuffix("S")]
    except KeyError:
        raise UnsupportedCaseError(f"a resource called {words!r}") from None


def _chance(dice: int, faces: Faces, holds: Callable[[Counts], bool]) -> Fraction:
    return sum((chance for counts, chance in hoards(dice, faces) if holds(counts)), Fraction(0))


def _hoard(counts: Counts) -> tuple[int, int, int]:
    return counts[Resource.METAL], counts[Resource.WOOD], counts[Resource.ALCHEMY]


def _told(chance: Fraction) -> Answer:
    return {"p": _pair(chance), "approx": round(float(chance), 6)}


def _pair(number: Fraction) -> list[int]:
    return [number.numerator, number.denominator]


def _combat(given: Given) -> Answer:
    found = exchange_odds(given["attack_dice"], given["defence_dice"], _faces(given))
    ordered = sorted(found.items(), key=lambda item: (item[0].defender_damage, item[0].attacker_damage))
    return {
        "distribution": [
            {
                "defender_damage": came.defender_damage,
                "attacker_damage": came.attacker_damage,
                "p": _pair(chance),
            }
            for came, chance in ordered
        ]
    }


def _combat_mean(given: Given) -> Answer:
    found = exchange_odds(given["attack_dice"], given["defence_dice"], _faces(given))
    defender = sum((came.defender_damage * chance for came, chance in found.items()), Fraction(0))
    attacker = sum((came.attacker_damage * chance for came, chance in found.items()), Fraction(0))
    six = sum((chance for came, chance in found.items() if came.defender_damage >= 6), Fraction(0))
    return {
        "defender_damage": _pair(defender),
        "attacker_damage": _pair(attacker),
        "defender_6_or_more": _pair(six),
        "approx": [round(float(number), 6) for number in (defender, attacker, six)],
    }


def _mean(given: Given) -> Answer:
    faces = _faces(given)
    sides = sum(faces.values())
    return {
        resource.name.lower(): _pair(Fraction(given["dice"] * faces[resource], sides))
        for resource in Resource
    }


AREAS: Mapping[str, Area] = {
    "odds": _odds,
    "odds_combat": _combat,
    "odds_combat_mean": _combat_mean,
    "odds_mean": _mean,
}
