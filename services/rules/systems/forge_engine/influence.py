"""How many successes it takes to talk somebody into something (Resolving Influence Tests; R-100)."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.explain import Explained
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.world import Disposition, Magnitude

RULE = "Resolving Influence Tests"
SUCCESSES_PER_STEP = 2
GRACE = 3
"""Successes that everybody is met halfway with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InfluenceCell:
    """A cell of the table of required successes.

    Attributes:
        required: Successes needed; 0 where the target agrees without a test.
    """

    disposition: Disposition
    magnitude: Magnitude
    required: int


def required_successes(disposition: Disposition, magnitude: Magnitude) -> Explained:
    """Successes needed on the opposed test; 0 where none are (R-100)."""
    return (
        Explained(0, ())
        .plus(SUCCESSES_PER_STEP * disposition.step, disposition.name, RULE)
        .plus(SUCCESSES_PER_STEP * magnitude.step, magnitude.name, RULE)
        .plus(-GRACE, "meeting halfway", "R-100")
        .at_least(0, "no test is needed", "R-100")
    )


def influence_table(catalog: Catalog) -> tuple[InfluenceCell, ...]:
    """Every cell of the table, row by row."""
    return tuple(
        InfluenceCell(
            disposition=disposition,
            magnitude=magnitude,
            required=required_successes(disposition, magnitude).value,
        )
        for disposition in catalog.dispositions
        for magnitude in catalog.magnitudes
    )
