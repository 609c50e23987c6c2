"""The content of Duel: its settings, the oaths of a table's own, and what lasts in a duel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from services.rules.engine.content import Shelf
from services.rules.engine.effects import EffectRule


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelSettings:
    """What a table may settle otherwise."""

    nerve: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelOath:
    """An oath, sworn for Nerve."""

    id: str
    name: str
    nerve: int
    tears: int


NO_OATHS: Shelf[DuelOath] = Shelf("duel", "oath", "oaths.toml", {})


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelContent:
    """The numbers of the game, and the oaths of a table's own; the game has none."""

    settings: DuelSettings = DuelSettings()
    oaths: Shelf[DuelOath] = NO_OATHS

    def shelves(self) -> tuple[Shelf[Any], ...]:
        """The oaths."""
        return (self.oaths,)


CONTENT = DuelContent()

BRACED = "duel:effect/braced"
EFFECTS = {BRACED: EffectRule(id=BRACED, name="braced", rule="Bracing", adds={"guard": 1})}
"""What lasts in a duel, and its effect."""
