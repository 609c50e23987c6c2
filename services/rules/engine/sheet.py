"""What any client can draw of a character, whatever the game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, runtime_checkable

from services.rules.engine.explain import Explained

_NAME = re.compile(r"[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*")


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


class CheckOutcome(Enum):
    """Which part of a roll is the outcome of a check.

    Attributes:
        TOTAL: Its total, a sum or the highest die.
        SUCCESSES: Its total, which counts successes.
        FACES: What its dice show; the total means nothing by itself.
    """

    TOTAL = "total"
    SUCCESSES = "successes"
    FACES = "faces"


@dataclass(frozen=True, slots=True)
class RollableCheck:
    """Something a character can roll, ready for a button.

    Attributes:
        id: Stable within the sheet: `battle-longsword`.
        name: What the button says: "Battle with longsword".
        notation: What to roll, as `roll` takes it: an expression, or a roll of the game's own.
        reading: How to read the roll, in plain words.
        dice: How many dice, and why.
        outcome: Which part of the roll is the outcome.
    """

    id: str
    name: str
    notation: str
    reading: str
    dice: Explained
    outcome: CheckOutcome = CheckOutcome.TOTAL


class SheetBase(Protocol):
    """What every system's sheet holds beside its own fields."""

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


@runtime_checkable
class Numbered(Protocol):
    """A sheet with numbers of its game that are neither tracks nor checks."""

    def named_numbers(self) -> Mapping[str, int]:
        """Those numbers by the name they have in dice notation: `muscle` for `@muscle`."""


def variables(sheet: SheetBase) -> dict[str, int]:
    """Every number of a sheet that dice notation can name, by its name without the `@`.

    A track names `luck` and `luck.max`; a check `battle-longsword` names its number of dice as
    `battle_longsword.dice`; the rest is what the sheet itself names. Where two claim a name, the
    sheet's own numbers go before tracks, and those before checks.

    Returns:
        Names of lower-case letters, digits, `_` and `.`; what cannot be written so is left out.
    """
    found: dict[str, int] = {}
    for name, value in _named(sheet):
        known = name.lower().replace("-", "_")
        if _NAME.fullmatch(known):
            found.setdefault(known, value)
    return found


def _named(sheet: SheetBase) -> Iterator[tuple[str, int]]:
    if isinstance(sheet, Numbered):
        yield from sheet.named_numbers().items()
    for track in sheet.tracks:
        yield track.id, track.current
        yield f"{track.id}.max", track.maximum
    for check in sheet.checks:
        yield f"{check.id}.dice", check.dice.value
