"""What the game master decides before a feud."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FeudSetup:
    """The name of the feud."""

    title: str
