"""The model of a realm map: the realm of the rules, with what makes a map of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from services.rules.systems.forgeborn import Realm

GENERATOR_VERSION = 1
"""Raised whenever the same seed and parameters would give another model."""


class Corner(StrEnum):
    """A corner of the sheet.

    Attributes:
        NORTH_WEST: Top left.
        NORTH_EAST: Top right.
        SOUTH_WEST: Bottom left.
        SOUTH_EAST: Bottom right.
    """

    NORTH_WEST = "north-west"
    NORTH_EAST = "north-east"
    SOUTH_WEST = "south-west"
    SOUTH_EAST = "south-east"


@dataclass(frozen=True, slots=True)
class RealmMap:
    """One finished map.

    Attributes:
        seed: What names and decoration are drawn from, and the drop too unless it was given.
        attempt: Which sub-seed of the drop passed the gates, from 0.
        given_dice: Whether the drop was given instead of drawn.
        title: Name of the realm.
        range_name: Name of the mountain range; empty when there is none.
        compass: The corner of the compass rose (I2), the one farthest from any die.
        realm: Places, range, forests and links.
        generator_version: The version of the generator that made it.
    """

    seed: int
    attempt: int
    given_dice: bool
    title: str
    range_name: str
    compass: Corner
    realm: Realm
    generator_version: int = GENERATOR_VERSION
