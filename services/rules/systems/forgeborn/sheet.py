"""A Master Smith before a game: the sheet of the choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from services.rules.engine.explain import Explained
from services.rules.engine.sheet import RollableCheck, Track
from services.rules.systems.forgeborn.choices import ChronicleEntry
from services.rules.systems.forgeborn.pools import (
    ASCENDING,
    DiceCount,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SmithSheet:
    """A Master Smith before a game.

    Attributes:
        system: Slug of the game system.
        name: What the Smith is called.
        tracks: Faces spent, of those there are.
        checks: The best dice within the limit, all of them with sacrifices, and a try in the Forest.
        description: Who the Smith is, in the player's words.
        dice: The dice she starts with.
        faces: Their faces, and why.
        left: Faces of the budget that are not spent.
        games: Games she has played.
        victories: How many of them she won, shared ones too.
        chronicle: Those games.
    """

    system: str
    name: str
    tracks: tuple[Track, ...]
    checks: tuple[RollableCheck, ...]
    description: str
    dice: DiceCount
    faces: Explained
    left: int
    games: int
    victories: int
    chronicle: tuple[ChronicleEntry, ...]

    def named_numbers(self) -> Mapping[str, int]:
        """How many dice of each size, by the size."""
        return {size.value: self.dice.count(size) for size in ASCENDING}
