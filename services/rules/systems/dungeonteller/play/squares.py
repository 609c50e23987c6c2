"""Where a being stands who comes into a scene."""

from __future__ import annotations

from services.rules.engine.grid import Grid, Square, around, distance
from services.rules.systems.dungeonteller.play.state import Being


def start_square(grid: Grid, beings: list[Being], wanted: tuple[Square, ...], near: Square) -> Square:
    """The first of the wanted squares that is free; else the free one nearest to them, or to another."""
    taken = {being.at for being in beings}
    free = next((square for square in wanted if square not in taken and grid.open(square)), None)
    return free or free_square(grid, beings, wanted[0] if wanted else near)


def free_square(grid: Grid, beings: list[Being], near: Square) -> Square:
    """The free square that is nearest to another; that one itself when none is free."""
    taken = {being.at for being in beings}
    for paces in range(max(grid.width, grid.height)):
        ring = [
            square
            for square in around(grid, near, paces)
            if square not in taken and distance(square, near) == paces
        ]
        if ring:
            return min(ring, key=lambda square: (abs(square.y - near.y) + abs(square.x - near.x), square))
    return near
