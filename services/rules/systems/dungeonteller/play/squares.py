"""Where a being stands who comes into a scene."""

from __future__ import annotations

from collections.abc import Collection

from services.rules.engine.grid import Grid, Square, around, distance
from services.rules.systems.dungeonteller.play.state import Being


def start_square(
    grid: Grid,
    beings: list[Being],
    wanted: tuple[Square, ...],
    near: Square,
    kept: Collection[Square] = (),
) -> Square:
    """The first of the wanted squares that is free; else the free one nearest to them, or to another.

    Args:
        grid: The place.
        beings: Who is there already.
        wanted: Squares where they may start, the best first.
        near: Where they start without those.
        kept: Squares that are kept for others.
    """
    taken = {being.at for being in beings}.union(kept)
    free = next((square for square in wanted if square not in taken and grid.open(square)), None)
    return free or free_square(grid, beings, wanted[0] if wanted else near, kept)


def free_square(grid: Grid, beings: list[Being], near: Square, kept: Collection[Square] = ()) -> Square:
    """The free square that is nearest to another; that one itself when none is free."""
    taken = {being.at for being in beings}.union(kept)
    for paces in range(max(grid.width, grid.height)):
        ring = [
            square
            for square in around(grid, near, paces)
            if square not in taken and distance(square, near) == paces
        ]
        if ring:
            return min(ring, key=lambda square: (abs(square.y - near.y) + abs(square.x - near.x), square))
    return near
