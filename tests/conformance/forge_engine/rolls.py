"""Cases of dice, difficulties and odds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.rules.engine.conformance import Area, UnsupportedCaseError
from services.rules.engine.content import content_id
from services.rules.systems.forge_engine.catalog import SLUG, own_catalog
from services.rules.systems.forge_engine.printed_odds import OddsColumn, OddsMeasure, exact_value
from services.rules.systems.forge_engine.rolls import (
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
    target, required = given["difficulty"], given.get("required", 1)
    if isinstance(target, str):
        named = Difficulty[target.upper()]
        target, required = named.target, given.get("required", named.required)
    reading = against_target(given["dice"], target)
    passed = reading.successes >= required
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
    """A chance, exactly to two digits of a percent, and what the book prints for it."""
    match given["kind"]:
        case "fixed":
            measure, slug = OddsMeasure.CHANCE, "fixed"
        case "opposed":
            measure, slug = OddsMeasure.CHANCE, "opposed"
        case "critical":
            measure, slug = OddsMeasure.CRITICAL, "critical"
        case "median" | "mean":
            measure = OddsMeasure.MEDIAN
            slug = "fixed-medians" if "difficulty" in given else "opposed-medians"
        case kind:
            raise UnsupportedCaseError(f"a probability of the kind {kind!r}")
    if "difficulty" in given:
        column = OddsColumn(label="", difficulty=given["difficulty"], required=given.get("required", 1))
    else:
        column = OddsColumn(label="", defence=given["defense"])
    dice = given["dice"] if "dice" in given else given["action"]
    table = own_catalog().odds[content_id(SLUG, "odds", slug)]
    cell = table.cell(dice, column)
    book = (cell.printed or None) if cell else None
    exact = exact_value(measure, dice, column)
    if measure is OddsMeasure.MEDIAN:
        mean = round(float(column.odds_of(dice).successes.mean), 2)
        return {"median": int(exact), "mean": mean, "book": None if book is None else int(book.strip("()"))}
    return {"percent": float(round(exact * 100, 2)), "book": book}


AREAS: Mapping[str, Area] = {
    "fixed_roll": _fixed_roll,
    "opposed_roll": _opposed_roll,
    "contest": _contest,
    "difficulty_table": _difficulty,
    "probability": _probability,
}
