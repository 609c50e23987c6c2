"""Answers conformance cases with the rules.

    heroes       making a hero, and what a hero carries
    lists        content packs, and the tables that a group rolls on
    actions      rolls and what they do, conflicts
    party        clocks, Group Actions, Aid
    hardship     Fortune, Harm, Saves, Marks
    rests        rests between encounters
    secrets      what players may know

`stage` has the encounters that the last five are played in.
"""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.engine.conformance import Area
from tests.conformance.fortunate_blades.actions import (
    difficulty,
    effect,
    gm_roll,
    harm_effect,
    pvp,
    roll,
)
from tests.conformance.fortunate_blades.hardship import fortune, harm_slots, mark, save
from tests.conformance.fortunate_blades.heroes import creation, gear
from tests.conformance.fortunate_blades.lists import content_pack, table
from tests.conformance.fortunate_blades.party import aid, clocks, group_action
from tests.conformance.fortunate_blades.rests import rest
from tests.conformance.fortunate_blades.secrets import hidden

AREAS: Mapping[str, Area] = {
    "aid": aid,
    "clock": clocks,
    "content_pack": content_pack,
    "creation": creation,
    "difficulty": difficulty,
    "effect": effect,
    "fortune": fortune,
    "gear": gear,
    "gm_roll": gm_roll,
    "group_action": group_action,
    "harm_effect": harm_effect,
    "harm_slots": harm_slots,
    "hidden": hidden,
    "mark": mark,
    "pvp": pvp,
    "rest": rest,
    "roll": roll,
    "save": save,
    "table": table,
}
