"""Named games for any of the examples: a realm that lies there, one in a hurry, and a blank sheet."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from services.rules.systems.forgeborn.catalog import TableSettings
from services.rules.systems.forgeborn.drop import DroppedDie
from services.rules.systems.forgeborn.geometry import Point
from services.rules.systems.forgeborn.play.setup.document import Setup

_LYING = (
    (4, 2, 31, 20),
    (4, 3, 52, 58),
    (4, 1, 84, 24),
    (4, 4, 97, 63),
    (6, 2, 62, 14),
    (6, 4, 70, 38),
    (6, 6, 66, 74),
    (6, 3, 22, 66),
    (6, 5, 34, 78),
    (6, 1, 104, 44),
    (8, 7, 46, 33),
    (8, 3, 14, 40),
    (8, 5, 108, 16),
    (10, 4, 26, 46),
    (12, 9, 88, 80),
)
"""Sides, face and position in units of fifteen dice."""

DROP = tuple(DroppedDie(sides, face, Point.of(x, y)) for sides, face, x, y in _LYING)

SETUPS: Mapping[str, Setup] = MappingProxyType(
    {
        "realm": Setup(title="The Smiths of the Forge", realm_title="The Realm of Wilum", drop=DROP),
        "market-day": Setup(
            title="Twelve Rounds at the Forge",
            players=3,
            realm_title="The Realm of Wilum",
            drop=DROP,
            settings=TableSettings(artifact_approval=False, round_limit=12, answer_seconds=60),
        ),
        "blank-sheet": Setup(title="A Blank Sheet", realm_title="The Realm of Nerock"),
    }
)

SETUP_TEXTS: Mapping[str, str] = MappingProxyType(
    {
        "realm": "A whole game in a realm whose dice have fallen.",
        "market-day": "Twelve Rounds of three Smiths, with a minute for an answer and no vote on artifacts.",
        "blank-sheet": "A whole game that begins with the fall of the dice that make the realm.",
    }
)
"""What each of them is."""
