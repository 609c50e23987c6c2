"""Answers conformance cases with the rules.

    heroes       making a hero, and what a hero carries
    lists        content packs, and the tables that a group rolls on
    actions      rolls and what they do, conflicts
    party        clocks, Group Actions, Aid
    hardship     Fortune, Harm, Saves, Marks
    rests        rests between encounters
    campaigns    quests, votes, advancement, advantages, the campaign clock
    secrets      what players may know

`stage` has the encounters that those of play are played in.
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
from tests.conformance.fortunate_blades.campaigns import (
    advancement,
    advantage_use,
    campaign_clock,
    quest_end,
    quest_size,
    vote,
)
from tests.conformance.fortunate_blades.hardship import fortune, harm_slots, mark, save
from tests.conformance.fortunate_blades.heroes import creation, gear
from tests.conformance.fortunate_blades.lists import content_pack, table
from tests.conformance.fortunate_blades.party import aid, clocks, group_action
from tests.conformance.fortunate_blades.rests import rest
from tests.conformance.fortunate_blades.secrets import hidden

AREAS: Mapping[str, Area] = {
    "advancement": advancement,
    "advantage_use": advantage_use,
    "aid": aid,
    "campaign_clock": campaign_clock,
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
    "quest_end": quest_end,
    "quest_size": quest_size,
    "rest": rest,
    "roll": roll,
    "save": save,
    "table": table,
    "vote": vote,
}
