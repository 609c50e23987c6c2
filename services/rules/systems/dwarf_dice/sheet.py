"""A finished champion: the sheet of the choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from services.rules.engine.explain import Explained
from services.rules.engine.sheet import RollableCheck, Track
from services.rules.systems.dwarf_dice.catalog import PowerKind
from services.rules.systems.dwarf_dice.choices import Chronicle


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerLine:
    """A power on a sheet.

    Attributes:
        id: Content id.
        name: What it is called.
        kind: How often it may be used.
        uses: How often in a game; None for any number of times.
        text: What it does, in the words of the card.
    """

    id: str
    name: str
    kind: PowerKind
    uses: int | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChampionSheet:
    """A champion sheet (Champion Card Anatomy).

    Attributes:
        system: Slug of the game system.
        name: What the champion is called here.
        tracks: What goes up and down in play.
        checks: What the champion can roll outside of the dice game.
        champion: Content id of the champion.
        champion_name: As it is printed on the sheet.
        clan: The champion's clan.
        text: What the book says of the champion.
        powers: What the champion can do beyond the dice.
        endurance: What the champion can bear, and why.
        gems: Power Gems: one on the Active Power, one on the Endurance Tracker.
        chronicle: What is told of earlier games.
    """

    system: str
    name: str
    tracks: tuple[Track, ...]
    checks: tuple[RollableCheck, ...]
    champion: str
    champion_name: str
    clan: str
    text: str
    powers: tuple[PowerLine, ...]
    endurance: Explained
    gems: int
    chronicle: Chronicle

    def named_numbers(self) -> Mapping[str, int]:
        """What dice notation can name."""
        return {"won": self.chronicle.won, "lost": self.chronicle.lost, "felled": self.chronicle.felled}
