"""Where a feud stands."""

from collections.abc import Mapping
from dataclasses import dataclass

from ..catalog import CONTENT

ENOUGH = CONTENT.settings.nerve
"""Hits after which a rival has had enough."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feud:
    """Where a feud stands: heroes' names by id, hits on the rival, whether they are met just now."""

    title: str
    rival: str
    heroes: Mapping[str, str]
    hits: int = 0
    met: bool = False
    settled: bool = False

    def over(self) -> bool:
        """Whether the feud is settled, or the rival has had enough."""
        return self.settled or self.hits >= ENOUGH
