"""Answers conformance cases with the rules.

    heroes       making a hero, and what a hero carries
    lists        content packs, and the tables that a group rolls on

Rolls are answered here.
"""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.engine.conformance import Area, UnsupportedCaseError
from services.rules.systems.fortunate_blades.rolls import Difficulty, Mode, Result, numbers_problem, read
from tests.conformance.fortunate_blades.heroes import creation, gear
from tests.conformance.fortunate_blades.lists import content_pack, table
from tests.conformance.fortunate_blades.reading import Answer, Given, only


def _difficulty(given: Given) -> Answer:
    only(given, "set", "positioning_to", "custom")
    if "custom" in given:
        close, clear = given["custom"]
    else:
        found = Difficulty[given.get("positioning_to", given["set"]).upper()]
        close, clear = found.close, found.clear
    return {"close": close, "clear": clear, "valid": numbers_problem(close, clear) is None}


def _refused(given: Given) -> Answer | None:
    problem = numbers_problem(given["close"], given["clear"])
    return None if problem is None else {"legal": False, "error": problem.code}


def _mode(word: str) -> Mode:
    """The mode of a roll's sources: "lucky+unlucky"."""
    sources = word.split("+")
    if not set(sources) <= {"normal", "lucky", "unlucky"}:
        raise UnsupportedCaseError(f"nothing is known of {word!r}")
    return Mode.of(sources.count("lucky"), sources.count("unlucky"))


def _roll(given: Given) -> Answer:
    only(given, "d20", "mode", "attribute", "talents", "fortune", "close", "clear", "possible")
    if (refused := _refused(given)) is not None:
        return refused
    kept = _mode(given["mode"]).keep(given["d20"])
    bonus = given["attribute"] + given["talents"] + given["fortune"]
    outcome = read(kept, bonus, given["close"], given["clear"], possible=given["possible"])
    return {
        "legal": True,
        "total": outcome.total,
        "result": outcome.result.value,
        "consequence": outcome.consequence,
        "kept": kept,
        "natural": outcome.natural,
        "double_effect": outcome.double_effect,
        "bonus_choice": ["fact", "1d3 fortune"] if outcome.double_effect else [],
    }


def _gm_roll(given: Given) -> Answer:
    only(given, "d20", "bonus", "close", "clear", "important")
    if (refused := _refused(given)) is not None:
        return refused
    outcome = read(given["d20"], given["bonus"], given["close"], given["clear"])
    return {
        "total": outcome.total,
        "result": outcome.result.value,
        # On an important roll that misses, the players choose the consequence (DM Rolls).
        "players_pick_consequence": bool(given["important"]) and outcome.result is Result.MISS,
    }


AREAS: Mapping[str, Area] = {
    "content_pack": content_pack,
    "creation": creation,
    "difficulty": _difficulty,
    "gear": gear,
    "gm_roll": _gm_roll,
    "roll": _roll,
    "table": table,
}
