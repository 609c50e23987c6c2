"""Case areas answered by the rules: each reads a case's words, asks the rule, and writes its answer."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.engine.conformance import Area
from services.rules.systems.dungeonteller.conformance import growth, pools, tables, turns

AREAS: Mapping[str, Area] = {
    "action_pool": pools.actions,
    "armor": tables.armor,
    "armor_table": tables.armor_table,
    "attack_pool": pools.attacks,
    "cast_right": growth.cast_right,
    "climb_fall_jump": turns.climb_fall_jump,
    "cold": turns.cold,
    "double_move": pools.double_move,
    "luck": turns.luck,
    "movement": turns.movement,
    "power_data": tables.power_data,
    "reward": growth.rewards,
    "role": tables.role,
    "successes": pools.successes,
    "task": turns.tasks,
    "weapon_dice": pools.weapon_dice_added,
    "weapon_table": tables.weapon_table,
}
"""The areas whose rules are here today."""
