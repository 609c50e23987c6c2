"""What a player chooses of a Master Smith (Creating Master Smiths of the Forge)."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.systems.forgeborn.pools import (
    NO_DICE,
    DiceCount,
)

BOOK = "Creating Master Smiths of the Forge"
LONGEST_NAME = 60
LONGEST_TEXT = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class ChronicleEntry:
    """A game that is over, as a Smith remembers it.

    Attributes:
        title: Of the game.
        points: Victory points she had at the end.
        rank: Her place among the players, counted from 1; equal points share one.
        players: How many played.
        artifacts: Names of the Artifacts she made.
    """

    title: str
    points: int
    rank: int
    players: int
    artifacts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SmithChoices:
    """What a player decides about a Smith.

    Attributes:
        name: What she is called.
        description: A few words.
        dice: The dice that the budget of faces pays for.
        chronicle: The games she has played; they change nothing about the next one.
    """

    name: str
    description: str = ""
    dice: DiceCount = NO_DICE
    chronicle: tuple[ChronicleEntry, ...] = ()
