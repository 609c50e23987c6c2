"""The powers in play, by family. Importing this package makes all of them known to `play.rules.power`."""

from __future__ import annotations

from services.rules.systems.dungeonteller.play.rules.powers import (
    aid,
    blows,
    climb,
    clouds,
    companions,
    disguise,
    enchantments,
    forms,
    journeys,
    knockback,
    lights,
    lore,
    patches,
    runes,
    talk,
    teleport,
)

__all__ = [
    "aid",
    "blows",
    "climb",
    "clouds",
    "companions",
    "disguise",
    "enchantments",
    "forms",
    "journeys",
    "knockback",
    "lights",
    "lore",
    "patches",
    "runes",
    "talk",
    "teleport",
]
