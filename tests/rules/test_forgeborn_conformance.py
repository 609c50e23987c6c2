"""Answers to conformance cases of the map."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.forgeborn import AREAS

SETTLEMENTS = {
    "Citadel": [20, 20],
    "City": [60, 20],
    "V1": [100, 20],
    "V2": [20, 70],
    "V3": [60, 70],
    "V4": [100, 70],
}

CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("map_drop", {"placed": [[50, 50]], "drop": [54, 50]}, {"accepted": True}),
    ("map_drop", {"placed": [], "drop": [121, 5]}, {"accepted": False, "reason": "off the sheet"}),
    (
        "map_drop",
        {"die_width": 8, "placed": [[50, 50]], "drop": [54, 50]},
        {"accepted": False, "reason": "closer than a die's width"},
    ),
    ("map_lair", {"d12": 3}, {"dragon_power": 8}),
    ("map_lair", {"d12": 3, "dragon_minimum": 12}, {"dragon_power": 12}),
    ("map_citadel", {"d10": 10}, {"citadel_power": 10}),
    (
        "map_city",
        {
            "sheet": [120, 90],
            "d8": [{"face": 1, "at": [1, 1]}, {"face": 8, "at": [9, 9]}, {"face": 2, "at": [60, 45]}],
        },
        {"city": 1, "city_power": 8, "ruins": {"0": 1, "2": 2}},
    ),
    ("map_villages", {"d4": [1, 2, 3, 4]}, {"village_powers": [1, 2, 3, 4], "villages": 4}),
    ("map_range", {"peaks": [[0, 0], [50, 0], [20, 0]]}, {"range": [[0, 0], [20, 0], [50, 0]]}),
    (
        "map_forest",
        {"forest_dice": [[20, 20], [30, 20], [90, 20], [102, 20]], "ranges": [[[60, 0], [60, 90]]]},
        {"patches": [[0, 1], [2, 3]], "largest": [2, 3]},
    ),
    (
        "map_trails",
        {"sheet": [120, 90], "settlements": {"City": [10, 10]}, "ranges": [], "lair": [110, 80]},
        {"to": "City", "kind": "trail", "forced": True},
    ),
    (
        "map_trails",
        {
            "settlements": SETTLEMENTS,
            "spent_ruins": {},
            "ruins": {"R2": [30, 45]},
            "new_ruin": [40, 45],
            "d8": 2,
        },
        {"to": "R2", "kind": "trail", "power": 2},
    ),
    (
        "map_roads",
        {"settlements": {"Citadel": [10, 10], "City": [30, 10]}, "ranges": [[[20, 0], [20, 10]]]},
        {"links": [["Citadel", "City", "trail"]], "connected": True},
    ),
]


@pytest.mark.parametrize(("area", "given", "expect"), CASES)
def test_a_case_is_answered(area: str, given: dict[str, Any], expect: dict[str, Any]) -> None:
    assert AREAS[area](given) == expect


def test_a_drop_that_is_none_is_answered_with_its_problems() -> None:
    die = {"face": 1, "at": [10, 10]}
    given = {"d12": die, "d10": die, "d8": [die], "d4": [die], "d6": [die]}
    assert "realm_dice_count" in AREAS["map_full"](given)["problems"]


def _shared_cases() -> list[dict[str, Any]]:
    path = Path(__file__).resolve().parents[3] / "shared" / "conformance" / "forgeborn.jsonl"
    if not path.is_file():
        return []
    cases = map(json.loads, path.read_text().splitlines())
    return [case for case in cases if case["area"].startswith("map_")]


@pytest.mark.parametrize("case", _shared_cases(), ids=lambda case: case["id"])
def test_a_case_of_the_shared_file_is_answered(case: dict[str, Any]) -> None:
    assert AREAS[case["area"]](case["given"]) == case["expect"]
