"""Where a feud stands."""

from collections.abc import Mapping
from dataclasses import dataclass

from ..catalog import CONTENT

ENOUGH = CONTENT.settings.nerve
"""Hits after which a rival has had enough."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Foe:
    """A rival who was provoked: how often hit, and whether they are met in a duel just now."""

    id: str
    name: str
    hits: int = 0
    met: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Feud:
    """Where a feud stands; `heroes` are names by id."""

    title: str
    heroes: Mapping[str, str]
    foes: tuple[Foe, ...] = ()
    settled: bool = False

    def over(self) -> bool:
        """Whether the feud is settled, or every rival has had enough."""
        return self.settled or (bool(self.foes) and all(foe.hits >= ENOUGH for foe in self.foes))
