"""What any client can draw of a character, whatever the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from services.rules.engine.explain import Explained


@dataclass(frozen=True, slots=True)
class Track:
    """A number that goes up and down in play: Luck, Harm, Health.

    Attributes:
        id: Stable within the system: `luck`.
        name: The game's word for it.
        current: Where it stands; from 0 to `maximum`.
        maximum: Where it stands when full.
    """

    id: str
    name: str
    current: int
    maximum: int


@dataclass(frozen=True, slots=True)
class RollableCheck:
    """Something a character can roll, ready for a button.

    Attributes:
        id: Stable within the sheet: `battle-longsword`.
        name: What the button says: "Battle with longsword".
        notation: Dice in the notation of `services.rules.dice`.
        reading: How to read the faces, in plain words.
        dice: How many dice, and why.
    """

    id: str
    name: str
    notation: str
    reading: str
    dice: Explained


class SheetBase(Protocol):
    """What every system's sheet holds beside its own fields. Sheets are frozen dataclasses."""

    @property
    def system(self) -> str:
        """Slug of the game system."""

    @property
    def name(self) -> str:
        """The character's name."""

    @property
    def tracks(self) -> tuple[Track, ...]:
        """Numbers that move in play."""

    @property
    def checks(self) -> tuple[RollableCheck, ...]:
        """Everything the character can roll."""
