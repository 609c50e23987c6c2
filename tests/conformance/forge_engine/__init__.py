"""Case areas answered by the rules: each reads a case's words, asks the rule, and writes its answer."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.engine.conformance import Area
from tests.conformance.forge_engine import (
    characters,
    costing,
    counts,
    rolls,
    turns,
    wares,
    world,
)

AREAS: Mapping[str, Area] = {
    **rolls.AREAS,
    **turns.AREAS,
    **wares.AREAS,
    **world.AREAS,
    **counts.AREAS,
    **characters.AREAS,
    **costing.AREAS,
}
"""Every area of the game's cases."""
