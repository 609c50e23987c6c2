"""The sheet of a duellist."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.sheet import RollableCheck, Track

from .choices import DuelStyle


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelSheet:
    """A duellist at rest."""

    system: str
    name: str
    tracks: tuple[Track, ...]
    checks: tuple[RollableCheck, ...]
    style: DuelStyle
    scars: int
