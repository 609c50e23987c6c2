"""How many successes it takes to talk a character into a favour (Resolving Influence Tests; R-100)."""

from __future__ import annotations

from services.rules.engine.explain import Explained
from services.rules.systems.forge_engine.world import Disposition, Magnitude

RULE = "Resolving Influence Tests"
SUCCESSES_PER_STEP = 2
GRACE = 3
"""Successes that everybody is met halfway with."""


def required_successes(disposition: Disposition, magnitude: Magnitude) -> Explained:
    """Successes needed on the opposed test; 0 where none are (R-100)."""
    return (
        Explained(0, ())
        .plus(SUCCESSES_PER_STEP * disposition.step, disposition.name, RULE)
        .plus(SUCCESSES_PER_STEP * magnitude.step, magnitude.name, RULE)
        .plus(-GRACE, "meeting halfway", "R-100")
        .at_least(0, "no test is needed", "R-100")
    )
