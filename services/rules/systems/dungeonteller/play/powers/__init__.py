"""The powers in play, by family. Importing this package makes all of them known to `play.use`."""

from __future__ import annotations

from services.rules.systems.dungeonteller.play.powers import (
    binding,
    changing,
    climbing,
    companions,
    filling,
    gripping,
    helping,
    hitting,
    laying,
    lights,
    lore,
    pretending,
    runes,
    sending,
    stepping,
    talking,
)

__all__ = [
    "binding",
    "changing",
    "climbing",
    "companions",
    "filling",
    "gripping",
    "helping",
    "hitting",
    "laying",
    "lights",
    "lore",
    "pretending",
    "runes",
    "sending",
    "stepping",
    "talking",
]
