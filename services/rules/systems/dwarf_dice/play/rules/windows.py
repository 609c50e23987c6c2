"""The windows of a game: the points of Crafting and combat at which powers answer.

What acts and who is asked in each stands in `powers` (`own_windows`); what is asked, in `asks`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, cast

from services.rules.engine.steps import Turn
from services.rules.systems.dwarf_dice.catalog import Catalog
from services.rules.systems.dwarf_dice.play.facts import Fact, Wound
from services.rules.systems.dwarf_dice.play.state import Table

GameTurn = Turn[Table, Fact]
"""What the rules of this game work with."""


class Catalogued(Protocol):
    """Play that has content."""

    @property
    def catalog(self) -> Catalog:
        """The content."""


def catalog_of(turn: GameTurn) -> Catalog:
    """The content that a game is played with."""
    return cast(Catalogued, turn.play).catalog


@dataclass(frozen=True, slots=True, kw_only=True)
class HoardRolled:
    """The Hoard is rolled, and no Null is placed (Hoarding)."""

    crafter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemsForged:
    """The crafter has taken the cards of what they forged (Forging)."""

    crafter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsRevealed:
    """Both sides' cards lie open, and no die has fallen (ATTACK!)."""

    attacker: str
    defender: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceLie:
    """The dice of both sides lie, and none has struck (ATTACK!)."""

    attacker: str
    defender: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wounded:
    """A fighter is about to lose Endurance (Damage and Defeat).

    Attributes:
        damage: How much, as effects have changed it so far.
    """

    fighter: str
    by: str
    wound: Wound
    damage: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Struck:
    """All damage of a combat is done, and nobody is out yet.

    Attributes:
        taken: What the defender lost.
    """

    attacker: str
    defender: str
    taken: int
