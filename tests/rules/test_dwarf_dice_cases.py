"""Case files are answered by the rules, each area in its own words; cases of ours beside the shared ones."""

from __future__ import annotations

from typing import Any

import pytest

from services.rules.engine.conformance import Verdict, run_case
from tests.conformance.dwarf_dice import AREAS

BELINDA, GRIM = {"champion": "Belinda", "cards": [["Helm", 2]]}, {"champion": "Grim", "cards": []}
BRON = {"champion": "Bron", "cards": [["Dagger", 1]]}

CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "armory_return",
        {"hand": ["Helm", "Dagger"], "attack_cards": ["Dagger"]},
        {"returned": ["Dagger"], "kept": ["Helm"]},
    ),
    (
        "armory_return",
        {"hand": ["Helm", "Dagger"], "attack_cards": ["Dagger"], "defeated": True},
        {"returned": ["Dagger", "Helm"], "kept": []},
    ),
    (
        "armory_return",
        {"attack_cards": ["Dagger"], "armory_before": {"Dagger": 1}},
        {"armory_after": {"Dagger": 2}},
    ),
    ("armory_total", {"players": 2, "items_by_dice": {"1": 2, "2": 8, "3": 4, "5": 2}}, {"cards": 18}),
    (
        "champion",
        {"champion": "Gor"},
        {"passive": "Adaptability", "active": "Furious Assault", "active_uses": 1},
    ),
    (
        "combat",
        {
            "attacker": {"champion": "Gor", "cards": [["Hatchet", 2]]},
            "defender": BELINDA,
            "attack_roll": ["A"],
        },
        {"attack_dice": 1, "defence_dice": 2, "defender_endurance": 4},
    ),
    (
        "combat",
        {
            "attacker": {"champion": "Bron", "cards": [["Hatchet", 2]]},
            "defender": {"champion": "Gor", "cards": [["Helm", 2]]},
            "attack_roll": ["M", "A"],
            "defence_roll": ["A", "W"],
            "blocks": [[1, 0]],
            "powers": ["Forge's Fury"],
        },
        {"crit_damage": 1, "unblocked": 1, "counter_damage": 0, "defender_endurance": 4},
    ),
    (
        "combat",
        {
            "attacker": BRON,
            "defender": BELINDA,
            "attack_roll": ["M"],
            "defence_roll": ["M", "W"],
            "blocks": [[0, 0]],
        },
        {"legal": False, "reason": "only Wood or Alchemy blocks"},
    ),
    (
        "combat",
        {
            "attacker": BRON,
            "defender": BELINDA,
            "attack_roll": ["W"],
            "defence_roll": ["W"],
            "blocks": [[0, 0]],
        },
        {"legal": False},
    ),
    (
        "combat",
        {
            "attacker": BRON,
            "defender": BELINDA,
            "attack_roll": ["M"],
            "defence_roll": ["W", "W"],
            "blocks": [[0, 0], [1, 0]],
        },
        {"legal": False, "reason": "nothing to block"},
    ),
    (
        "combat",
        {"attacker": BRON, "defender": {**GRIM, "endurance": 2}, "attack_roll": ["W"], "rebuke_die": "M"},
        {"attacker_endurance": 6, "defender_endurance": 2, "defeated": []},
    ),
    ("dark_pact", {"power_left": False}, {"legal": False, "reason": "once per game"}),
    ("dark_pact", {"stage": "after the roll", "resource": "W"}, {"legal": True}),
    ("extra_copies", {"players": 4, "item_dice": 2}, {"extra": 2}),
    ("fiery_rebuke", {"grim": "defender", "damage_taken": 0}, {"legal": False}),
    ("fiery_rebuke", {"grim": "defender", "damage_taken": 1, "die": "A"}, {"legal": True, "damage": 1}),
    (
        "forges_fury",
        {"stage": "after the roll", "power_left": False},
        {"legal": False, "reason": "once per game"},
    ),
    ("furious_assault", {"stage": "after the reveal", "gor": "defender"}, {"legal": False}),
    (
        "forge_claim",
        {
            "champion": "Gor",
            "forge": ["WW.", "...", "..."],
            "items": [
                {
                    "name": "Buckler",
                    "side": "defence",
                    "pattern": ["...", ".W.", "..."],
                    "spaces": [[0, column]],
                }
                for column in (0, 1)
            ],
            "armory": {"Buckler": 1},
        },
        {"legal": False, "reason": "no copy left"},
    ),
    (
        "forge_feasible",
        {"pool": {"M": 1, "W": 1}, "patterns": [["...", ".M.", "..."], ["...", ".W.", "..."]]},
        {"feasible": True},
    ),
    (
        "hoard",
        {"roll": ["N"] * 9, "crafter": "Bron", "mark_of_quality": True},
        {"nulls_to_place": 8, "nulls_set_aside": 1},
    ),
    (
        "hoard",
        {"roll": ["N"] * 9, "crafter": "Gor", "dark_pact": "M"},
        {"legal": False, "reason": "own Hoarding only"},
    ),
    (
        "left_neighbour",
        {"seats_clockwise": ["A", "B", "C"], "crafter": "B", "out": ["C"]},
        {"places_nulls": "A"},
    ),
    ("mark_of_quality", {"craftings": 3, "nulls": [0, 1, 4]}, {"set_aside": [0, 1, 1]}),
    ("null_placement", {"nulls": 2, "spaces": [[0, 0], [0, 0]]}, {"legal": False, "reason": "one per space"}),
    ("pattern_match", {"pattern": ["...", ".M.", "..."], "forge": ["MWA", "NNN", "..M"]}, {"placements": 3}),
    (
        "reveal",
        {"side": "attack", "values": [2, 2], "names": ["Hatchet", "Hatchet"], "hand": ["Hatchet", "Helm"]},
        {"legal": False, "reason": "not in hand"},
    ),
    ("reveal", {"side": "defence", "values": [5, 1]}, {"legal": True, "total": 6}),
    (
        "reveal",
        {"side": "defence", "values": [3], "kind": "offence card"},
        {"legal": False, "reason": "Offensive card"},
    ),
    (
        "secrecy",
        {"attack_choice": "in", "defence_choice": "pending", "viewer": "attacker"},
        {"attack_visible": False, "defence_visible": False},
    ),
    (
        "secrecy",
        {"attack_choice": "pending", "defence_choice": "in", "viewer": "attacker"},
        {"defence_visible": False},
    ),
    (
        "secrecy",
        {"attack_choice": "in", "defence_choice": "pending", "viewer": "gm"},
        {"attack_visible": False, "defence_visible": False},
    ),
    ("setup", {"players": 5}, {"legal": False, "reason": "2 to 4 players"}),
    ("setup", {"players": 1}, {"legal": False, "reason": "2 to 4 players"}),
    ("setup", {"champions": ["Bron", "Bron"]}, {"legal": False, "reason": "each champion exists once"}),
    ("shrink_ray", {"revealed": [3, 2], "times_used": 0}, {"legal": False}),
    ("stock", {"copies": 4, "taken": 1, "forge": 3}, {"legal": True}),
    ("target", {"endurance": {"A": 4, "B": 4, "C": 5}, "attacker": "C", "target": "B"}, {"legal": True}),
    ("turn", {"player": "A", "action": "combat", "offence_in_hand": 0}, {"legal": False}),
    ("turn", {"seats_clockwise": ["A", "B"], "current": "B"}, {"next": "A"}),
    (
        "upgrade",
        {"own_item_dice": 2, "forged_item_dice": 5},
        {"legal": False, "reason": "more than 2 dice less"},
    ),
    (
        "upgrade",
        {"belinda_hand": ["Dagger"], "forged": ["Longsword"], "give": "Dagger", "take": "Longsword"},
        {"legal": True},
    ),
    (
        "victory",
        {"endurance_after": {"A": 0, "B": 2, "C": 0, "D": 1}, "attacker": "C"},
        {"out": ["A", "C"], "game_over": False},
    ),
]


@pytest.mark.parametrize(
    ("area", "given", "expect"), CASES, ids=[f"{it[0]}-{n}" for n, it in enumerate(CASES)]
)
def test_the_rules_answer_a_case(area: str, given: dict[str, Any], expect: dict[str, Any]) -> None:
    outcome = run_case(AREAS, {"id": "x", "area": area, "given": given, "expect": expect})
    assert outcome.verdict is Verdict.PASSED, outcome.detail


def test_a_champion_nobody_knows_is_unsupported() -> None:
    outcome = run_case(AREAS, {"id": "x", "area": "champion", "given": {"champion": "Thorin"}, "expect": {}})
    assert outcome.verdict is Verdict.UNSUPPORTED
