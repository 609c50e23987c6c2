"""Answers conformance cases of rolls with the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.rules.engine.conformance import Area
from services.rules.systems.fortunate_blades.rolls import Difficulty, Mode, Result, read

Given = Mapping[str, Any]
Answer = dict[str, Any]


def _difficulty(given: Given) -> Answer:
    found = Difficulty[given.get("positioning_to", given["set"]).upper()]
    return {"close": found.close, "clear": found.clear}


def _roll(given: Given) -> Answer:
    mode = Mode[given["mode"].upper()]
    kept = mode.keep(given["d20"])
    bonus = given["attribute"] + given["talents"] + given["fortune"]
    outcome = read(kept, bonus, given["close"], given["clear"], possible=given["possible"])
    return {
        "total": outcome.total,
        "result": outcome.result.value,
        "consequence": outcome.consequence,
        "kept": kept,
        "natural": outcome.natural,
        "double_effect": outcome.double_effect,
        "bonus_choice": ["fact", "1d3 fortune"] if outcome.double_effect else [],
    }


def _gm_roll(given: Given) -> Answer:
    outcome = read(given["d20"], given["bonus"], given["close"], given["clear"])
    return {
        "total": outcome.total,
        "result": outcome.result.value,
        # On an important roll that misses, the players choose what comes of it (DM Rolls).
        "players_pick_consequence": bool(given["important"]) and outcome.result is Result.MISS,
    }


AREAS: Mapping[str, Area] = {"difficulty": _difficulty, "gm_roll": _gm_roll, "roll": _roll}
