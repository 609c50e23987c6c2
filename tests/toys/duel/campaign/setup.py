"""What the game master decides before a feud."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FeudSetup:
    """The name of the feud."""

    title: str
