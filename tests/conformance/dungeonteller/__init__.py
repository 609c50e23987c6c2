"""Case areas answered by the rules: each reads a case's words, asks the rule, and writes its answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.rules.engine.conformance import Area, UnsupportedCaseError
from services.rules.engine.content import slug_of
from tests.conformance.dungeonteller import (
    growth,
    pools,
    powers_bodies,
    powers_places,
    powers_talk,
    tables,
    turns,
)
from tests.conformance.dungeonteller.reading import CATALOG, find

POWERS: Mapping[str, Area] = {
    **powers_bodies.ANSWERS,
    **powers_places.ANSWERS,
    **powers_talk.ANSWERS,
}
"""Uses of powers, by the slug of the power."""


def power_use(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """A power in use: played in a small scene."""
    slug = slug_of(find(CATALOG.powers, given["power"]).id)
    if slug not in POWERS:
        raise UnsupportedCaseError(f"nobody plays {given['power']!r}")
    return POWERS[slug](given)


AREAS: Mapping[str, Area] = {
    "action_pool": pools.actions,
    "armor": tables.armor,
    "armor_table": tables.armor_table,
    "attack_pool": pools.attacks,
    "cast_right": growth.cast_right,
    "climb_fall_jump": turns.climb_fall_jump,
    "cold": turns.cold,
    "double_move": pools.double_move,
    "hidden": powers_talk.hidden,
    "luck": turns.luck,
    "movement": turns.movement,
    "pin": powers_bodies.pin,
    "power_data": tables.power_data,
    "power_use": power_use,
    "reward": growth.rewards,
    "role": tables.role,
    "successes": pools.successes,
    "summon": powers_talk.summon,
    "task": turns.tasks,
    "weapon_dice": pools.weapon_dice_added,
    "weapon_table": tables.weapon_table,
    "zone": powers_places.zone,
}
"""Every area of the game's cases."""
