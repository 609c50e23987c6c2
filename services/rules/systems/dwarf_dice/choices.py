"""What a player chooses of a champion."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Chronicle:
    """What became of a champion's games; scenes write it.

    Attributes:
        won: Games won.
        lost: Games lost.
        felled: Champions defeated in combats that this one began or stood.
    """

    won: int = 0
    lost: int = 0
    felled: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChampionChoices:
    """Everything a player decides about a champion.

    Attributes:
        name: What the player calls her or him.
        champion: Content id of the champion sheet.
        chronicle: What became of earlier games.
    """

    name: str
    champion: str
    chronicle: Chronicle = Chronicle()
