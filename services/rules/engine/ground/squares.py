"""Squares of a grid, their corners and edges, and the eight directions."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True, order=True)
class Square:
    """A square by column and row, counted from 0 at the top left.

    Attributes:
        x: Its column.
        y: Its row.
    """

    x: int
    y: int


@dataclass(frozen=True, slots=True, order=True)
class Corner:
    """A corner of the grid: the top left one of the square with these numbers."""

    x: int
    y: int


Edge = tuple[Square, Square]
"""The side two neighbouring squares share: the smaller square first, as `edge` returns it."""


class Direction(Enum):
    """The eight directions, as columns to the right and rows down."""

    NORTH = (0, -1)
    NORTH_EAST = (1, -1)
    EAST = (1, 0)
    SOUTH_EAST = (1, 1)
    SOUTH = (0, 1)
    SOUTH_WEST = (-1, 1)
    WEST = (-1, 0)
    NORTH_WEST = (-1, -1)


def edge(one: Square, other: Square) -> Edge:
    """The side two squares share.

    Raises:
        ValueError: They do not touch along a side.
    """
    if abs(one.x - other.x) + abs(one.y - other.y) != 1:
        raise ValueError(f"{one} and {other} share no side")
    return (one, other) if one < other else (other, one)


def distance(one: Square, other: Square) -> int:
    """Steps between two squares, a slanting step counting one."""
    return max(abs(one.x - other.x), abs(one.y - other.y))


def beside(one: Square, other: Square) -> bool:
    """Whether two squares touch, at a corner too; a square touches itself."""
    return distance(one, other) <= 1


def line(one: Square, other: Square) -> tuple[Square, ...]:
    """The squares a straight line between two middles passes, both ends included, without brushed corners."""
    dx, dy = abs(other.x - one.x), abs(other.y - one.y)
    sx, sy = (1 if other.x > one.x else -1), (1 if other.y > one.y else -1)
    x, y = one.x, one.y
    found = [one]
    error = dx - dy
    for _ in range(dx + dy):
        if (x, y) == (other.x, other.y):
            break
        if error > 0:
            x, error = x + sx, error - 2 * dy
        elif error < 0:
            y, error = y + sy, error + 2 * dx
        else:
            x, y, error = x + sx, y + sy, error + 2 * (dx - dy)
        found.append(Square(x, y))
    return tuple(found)


def block(corner: Square, across: int) -> frozenset[Square]:
    """A block of squares from its top left corner."""
    return frozenset(Square(corner.x + x, corner.y + y) for x in range(across) for y in range(across))


def joined(squares: Collection[Square]) -> bool:
    """Whether squares make one shape: each can be reached from each over sides. No squares make none."""
    left = set(squares)
    if not left:
        return False
    waiting = [left.pop()]
    while waiting:
        here = waiting.pop()
        for to in (
            Square(here.x + 1, here.y),
            Square(here.x - 1, here.y),
            Square(here.x, here.y + 1),
            Square(here.x, here.y - 1),
        ):
            if to in left:
                left.remove(to)
                waiting.append(to)
    return not left
