"""Case files about rolls and odds are answered by the rules, each area in its own words."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import pytest

from services.rules.engine.conformance import Area, Verdict, run_case

DIE = {"M": 2, "W": 2, "A": 1, "N": 1}

CASES: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
    (
        "forge_engine",
        "fixed_roll",
        {"dice": [10, 3], "difficulty": 10, "required": 2},
        {"successes": 1, "pass": False, "critical_fail": False},
    ),
    (
        "forge_engine",
        "opposed_roll",
        {"action": [1, 4], "defense": [5]},
        {"successes": 0, "critical_fail": True},
    ),
    (
        "forge_engine",
        "contest",
        {"instigator": [9, 4], "rival": [9, 2]},
        {"instigator_successes": 0, "rival_successes": 0, "result": "tie"},
    ),
    (
        "forge_engine",
        "contest",
        {"instigator": [9, 9], "rival": [9, 2], "tie": "instigator"},
        {"instigator_successes": 2, "rival_successes": 0, "result": "instigator"},
    ),
    ("forge_engine", "difficulty_table", {"label": "Severe"}, {"difficulty": 9, "required_successes": 2}),
    (
        "forge_engine",
        "probability",
        {"dice": 8, "difficulty": 9, "required": 2, "kind": "fixed"},
        {"percent": 49.67, "book": "49%"},
    ),
    (
        "forge_engine",
        "probability",
        {"action": 10, "defense": 5, "kind": "opposed"},
        {"percent": 82.39, "book": "82%"},
    ),
    (
        "forge_engine",
        "probability",
        {"action": 11, "defense": 5, "kind": "critical"},
        {"percent": 0.01, "book": None},
    ),
    (
        "dwarf_dice",
        "odds",
        {"faces": DIE, "event": "one attack die crits (A)"},
        {"p": [1, 6], "approx": 0.166667},
    ),
    (
        "dwarf_dice",
        "odds",
        {"faces": {"M": 1, "W": 3, "A": 1, "N": 1}, "event": "one attack die hits (M or A)"},
        {"p": [1, 3], "approx": 0.333333},
    ),
    (
        "dwarf_dice",
        "odds",
        {"faces": DIE, "event": "at most k Metal in a Hoard of 2", "k": 1},
        {"p": [8, 9], "approx": 0.888889},
    ),
    (
        "dwarf_dice",
        "odds",
        {"faces": DIE, "event": "one Hoard: 1 M, 1 A in any order"},
        {"p": [1, 9], "approx": 0.111111},
    ),
    ("dwarf_dice", "odds_mean", {"faces": DIE, "dice": 4}, {"metal": [4, 3], "null": [2, 3]}),
    (
        "dwarf_dice",
        "odds_combat",
        {"faces": {"M": 1, "W": 1, "A": 0, "N": 0}, "attack_dice": 1, "defence_dice": 1},
        {
            "distribution": [
                {"defender_damage": 0, "attacker_damage": 0, "p": [3, 4]},
                {"defender_damage": 1, "attacker_damage": 0, "p": [1, 4]},
            ]
        },
    ),
    (
        "forgeborn",
        "odds_forest",
        {"dice": [4] * 5, "limit": 9},
        {"gain": [121, 1024], "approx": 0.118164, "book": "12%"},
    ),
    ("forgeborn", "odds_forest", {"dice": [12, 4], "limit": 4}, {"gain": [1, 8], "book": None}),
    ("forgeborn", "odds_junk", {"dice": [6, 4], "below": 5}, {"junk": [1, 4], "approx": 0.25}),
    ("forgeborn", "odds_conflict", {"dice": [12], "power": 2}, {"win": [143, 864], "approx": 0.165509}),
    ("fortunate_blades", "difficulty", {"set": "minor"}, {"close": 6, "clear": 10, "valid": True}),
    ("fortunate_blades", "difficulty", {"custom": [15, 12]}, {"valid": False}),
    (
        "fortunate_blades",
        "roll",
        {
            "d20": [9],
            "mode": "lucky+lucky+unlucky",
            "attribute": 3,
            "talents": 0,
            "fortune": 0,
            "close": 12,
            "clear": 15,
            "possible": True,
        },
        {"kept": 9, "result": "close"},
    ),
    (
        "fortunate_blades",
        "roll",
        {
            "d20": [9],
            "mode": "normal",
            "attribute": 3,
            "talents": 0,
            "fortune": 40,
            "close": 12,
            "clear": 15,
            "possible": False,
        },
        {"legal": False, "error": "impossible"},
    ),
    (
        "fortunate_blades",
        "difficulty",
        {"set": "minor", "positioning_to": "heroic"},
        {"close": 18, "clear": 24},
    ),
    (
        "fortunate_blades",
        "gm_roll",
        {"d20": 3, "bonus": 1, "close": 10, "clear": 13, "important": False},
        {"result": "miss", "players_pick_consequence": False},
    ),
    (
        "fortunate_blades",
        "roll",
        {
            "d20": [20, 4],
            "mode": "lucky",
            "attribute": -1,
            "talents": 0,
            "fortune": 0,
            "close": 22,
            "clear": 24,
            "possible": False,
        },
        {"legal": False, "error": "impossible"},
    ),
]


def areas_of(system: str) -> Mapping[str, Area]:
    """Give the areas that a system answers."""
    found: Mapping[str, Area] = import_module(f"tests.conformance.{system}").AREAS
    return found


@pytest.mark.parametrize(("system", "area", "given", "expect"), CASES)
def test_a_case_is_answered(system: str, area: str, given: dict[str, Any], expect: dict[str, Any]) -> None:
    outcome = run_case(areas_of(system), {"id": "one", "area": area, "given": given, "expect": expect})
    assert outcome.verdict is Verdict.PASSED, outcome.detail


@pytest.mark.parametrize(
    ("system", "area", "given"),
    [
        ("forge_engine", "probability", {"kind": "guess"}),
        ("dwarf_dice", "odds", {"faces": DIE, "event": "exactly k Silver in a Hoard of 9", "k": 1}),
        ("dwarf_dice", "odds", {"faces": DIE, "event": "a rainy day"}),
        ("fortunate_blades", "save", {"guess": 1}),
    ],
)
def test_what_the_rules_do_not_answer_is_said_to_be_so(system: str, area: str, given: dict[str, Any]) -> None:
    outcome = run_case(areas_of(system), {"id": "one", "area": area, "given": given, "expect": {}})
    assert outcome.verdict is Verdict.UNSUPPORTED
