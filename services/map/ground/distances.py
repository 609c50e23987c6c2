"""Distances on a map in cells, in paces of five feet, and in feet.

A cell of most maps is a pace; an imported map may count more feet a cell. Cells are counted as paces are: a
slanting one counts one.
"""

from __future__ import annotations

from services.map.generation.grid.model import Cell

FEET_A_PACE = 5


def cells_between(one: Cell, other: Cell) -> int:
    """Cells between two cells, as nothing stood in the way."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def feet_between(one: Cell, other: Cell, feet: int) -> int:
    """Feet between two cells.

    Args:
        one: A cell.
        other: Another.
        feet: Feet along one side of a cell.
    """
    return cells_between(one, other) * feet


def paces_between(one: Cell, other: Cell, feet: int) -> int:
    """Paces between two cells; part of a pace counts as a whole one, as it does for a range.

    Args:
        one: A cell.
        other: Another.
        feet: Feet along one side of a cell.
    """
    return -(-feet_between(one, other, feet) // FEET_A_PACE)


def cells_within(paces: int, feet: int) -> int:
    """Whole cells that some paces reach.

    Args:
        paces: Of five feet.
        feet: Feet along one side of a cell.
    """
    return paces * FEET_A_PACE // feet
