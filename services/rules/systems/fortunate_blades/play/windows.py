"""The windows of an encounter: the points at which heroes may help, and spend Fortune."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from services.rules.engine.steps import Turn
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.play.attempt import Attempt
from services.rules.systems.fortunate_blades.play.facts import Fact
from services.rules.systems.fortunate_blades.play.state import Encounter
from services.rules.systems.fortunate_blades.rolls import Result

if TYPE_CHECKING:
    from services.rules.systems.fortunate_blades.play.scene import FortunateBladesPlay

GameTurn = Turn[Encounter, Fact]


def catalog_of(turn: GameTurn) -> Catalog:
    """The content that a turn is played with."""
    return cast("FortunateBladesPlay", turn.play).catalog


@dataclass(frozen=True, slots=True)
class HelpWanted:
    """Before a roll: the others may Aid, or add Fortune."""

    attempt: Attempt


@dataclass(frozen=True, slots=True)
class PriceWanted:
    """Before a roll that Harm puts a price on: the hero or another may pay it; `paid` once one has."""

    attempt: Attempt
    cost: int
    paid: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceFell:
    """After a roll: heroes may add Fortune, and a talent may have it rolled again.

    Attributes:
        hero: Who rolled.
        natural: The kept die.
        total: What it comes to.
        close: The least total that is Close.
        clear: The least total that is Clear.
        shown: Whether players see those numbers.
        attempt: What was tried; None for a Save.
    """

    hero: str
    natural: int
    total: int
    close: int
    clear: int
    shown: bool = True
    attempt: Attempt | None = None

    @property
    def short(self) -> int:
        """How many points the next better result is away; 0 where there is none."""
        if self.total < self.close:
            return self.close - self.total
        return max(self.clear - self.total, 0)


@dataclass(frozen=True, slots=True)
class Succeeded:
    """A roll has gone well enough to have an Effect, which its hero may raise.

    Attributes:
        hero: Who rolled.
        ticks: What it is worth as it is.
        levels: Levels that Fortune adds.
        room: Ticks that the clock has left for it.
    """

    hero: str
    ticks: int
    room: int
    levels: int = 0


@dataclass(frozen=True, slots=True)
class GroupRolled:
    """Everybody has rolled for a Group Action: those with Clear may lift others.

    Attributes:
        results: By the id of each hero, as pairs, in their order.
        lifts: Who has lifted whom already.
    """

    results: tuple[tuple[str, Result], ...]
    lifts: tuple[tuple[str, str], ...] = ()
