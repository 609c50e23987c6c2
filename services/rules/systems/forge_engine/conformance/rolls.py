"""Cases of dice, difficulties and odds."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from services.rules.dice import odds
from services.rules.engine.conformance import Area, UnsupportedCaseError
from services.rules.systems.forge_engine import printed_odds
from services.rules.systems.forge_engine.rolls import (
    SIDES,
    Difficulty,
    PoolReading,
    Winner,
    against_pool,
    against_target,
    contest,
)

Given = Mapping[str, Any]
Answer = dict[str, Any]


def _fixed_roll(given: Given) -> Answer:
    reading = against_target(given["dice"], given["difficulty"])
    passed = reading.successes >= given.get("required", 1)
    return {**_read(reading), "pass": passed}


def _opposed_roll(given: Given) -> Answer:
    return _read(against_pool(given["action"], given["defense"]))


def _read(reading: PoolReading) -> Answer:
    return {"successes": reading.successes, "critical_fail": reading.critical_failure}


def _contest(given: Given) -> Answer:
    ties = given.get("tie") == Winner.INSTIGATOR.value
    reading = contest(given["instigator"], given["rival"], ties_to_instigator=ties)
    return {
        "instigator_successes": reading.instigator,
        "rival_successes": reading.rival,
        "result": reading.winner.value,
    }


def _difficulty(given: Given) -> Answer:
    found = Difficulty[given["label"].upper()]
    return {"difficulty": found.target, "required_successes": found.required}


def _probability(given: Given) -> Answer:
    match given["kind"]:
        case "fixed":
            dice, target, required = given["dice"], given["difficulty"], given.get("required", 1)
            chance = odds.fixed_pool(dice, target, SIDES).at_least(required)
            return _chance(chance, printed_odds.fixed(dice, target, required))
        case "opposed":
            action, defence = given["action"], given["defense"]
            chance = odds.opposed_pool(action, defence, SIDES).at_least(1)
            return _chance(chance, printed_odds.opposed(printed_odds.OPPOSED, action, defence))
        case "critical":
            action, defence = given["action"], given["defense"]
            chance = odds.opposed_pool(action, defence, SIDES).critical_chance
            return _chance(chance, printed_odds.opposed(printed_odds.CRITICAL, action, defence))
        case kind:
            raise UnsupportedCaseError(f"a probability of the kind {kind!r}")


def _chance(chance: Fraction, book: str | None) -> Answer:
    return {"percent": float(round(chance * 100, 2)), "book": book}


AREAS: Mapping[str, Area] = {
    "fixed_roll": _fixed_roll,
    "opposed_roll": _opposed_roll,
    "contest": _contest,
    "difficulty_table": _difficulty,
    "probability": _probability,
}
