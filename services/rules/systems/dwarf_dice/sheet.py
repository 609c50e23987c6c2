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
        uses: How often in a game; None for any number of times.
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
        champion: Content id of the champion.
        champion_name: As it is printed on the sheet.
        endurance: What the champion can bear, and why.
        gems: Power Gems: one on the Active Power, one on the Endurance Tracker.
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
