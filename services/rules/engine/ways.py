"""Ways over the plain grids of DungeonTeller's scenes; see `services.rules.engine.ground.walking`."""

from __future__ import annotations

from collections.abc import Collection

from services.rules.engine.grid import Grid, Square
from services.rules.engine.ground import walking
from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.walking import Reach


def way(
    grid: Grid,
    start: Square,
    goal: Square,
    taken: Collection[Square] = (),
    avoid: Collection[Square] = (),
) -> tuple[Square, ...] | None:
    """A way of the fewest paces, without its start; None when there is none."""
    return walking.way(grid.ground, Footprint(start), goal, taken, avoid)


def reach(grid: Grid, start: Square, paces: int) -> Reach:
    """One search for the ways to many goals."""
    return walking.reach(grid.ground, Footprint(start), paces)
