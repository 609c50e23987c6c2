"""What moves are made of: what Aid and Lucky Breaks bring, the numbers of a roll."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.engine import plain
from services.rules.systems.fortunate_blades.rolls import Difficulty


class Benefit(Enum):
    """What Aid brings the one who is helped (Aid; A13).

    Attributes:
        LUCKY: The roll is Lucky.
        EFFECT: The Effect is one level higher on a Close or a Clear.
        PROTECT: On a Miss, Harm is one level less, and a clock moves a tick less.
    """

    LUCKY = "lucky"
    EFFECT = "effect"
    PROTECT = "protect"


class Luck(Enum):
    """What the game master deems a roll to be, by what happens in the story.

    Attributes:
        NORMAL: One die.
        LUCKY: Two dice, the higher counts.
        UNLUCKY: Two dice, the lower counts.
    """

    NORMAL = "normal"
    LUCKY = "lucky"
    UNLUCKY = "unlucky"


class Gain(Enum):
    """What a Lucky Break is to bring (Lucky Break; E10).

    Attributes:
        POSITIONING: The hero's next roll is one set easier.
        ITEM: A needed item.
        INFORMATION: Needed information.
    """

    POSITIONING = "positioning"
    ITEM = "item"
    INFORMATION = "information"


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbered(plain.Move):
    """A move that sets the numbers of a roll.

    Attributes:
        difficulty: A set; None for numbers of one's own.
        close: The least total that is Close, without a set.
        spread: How far Clear lies above it.
    """

    difficulty: Difficulty | None = None
    close: int = 0
    spread: int = 0

    @property
    def numbers(self) -> tuple[int, int]:
        """Close and Clear."""
        own = (self.close, self.close + self.spread)
        return own if self.difficulty is None else self.difficulty.numbers
