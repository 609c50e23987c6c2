"""Case areas answered by the rules: each reads a case's words, asks the rule, and writes its answer."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.engine.conformance import Area
from tests.conformance.forge_engine import (
    actions,
    characters,
    costing,
    counts,
    energy,
    hazards,
    healing,
    initiative,
    magic,
    martial,
    rolls,
    wares,
    world,
    wounds,
)

AREAS: Mapping[str, Area] = {
    **rolls.AREAS,
    **actions.AREAS,
    **wounds.AREAS,
    **energy.AREAS,
    **hazards.AREAS,
    **healing.AREAS,
    **initiative.AREAS,
    **martial.AREAS,
    **magic.AREAS,
    **wares.AREAS,
    **world.AREAS,
    **counts.AREAS,
    **characters.AREAS,
    **costing.AREAS,
}
"""Every area of the game's cases."""
