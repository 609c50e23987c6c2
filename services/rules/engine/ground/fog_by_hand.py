"""Fog by hand: the game master uncovers or covers cells of a place while a scene is played there.

What the party sees where it stands is known again at once: looking round is the game's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from services.rules.engine.ground import fog
from services.rules.engine.ground.explored import Explored
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.squares import Square
from services.rules.engine.problem import RuleProblem

MOST_OFFERED = 100
"""Squares offered at most, along the rim of what is known; all others of the place are as legal."""

RULE = "Game Mastering: fog"
VERBS = {True: "Uncover", False: "Cover"}
"""What offers say, by whether the players know the squares then."""

TEXTS = {True: "Players know these squares from now on.", False: "Players know these squares no more."}
TOLD = {True: "More of the place is known.", False: "A part of the place is known no more."}
"""How a change is told at the table."""


def changing(
    explored: Explored | None, ground: Ground | None, squares: Iterable[Square], *, known: bool
) -> tuple[Square, ...] | RuleProblem:
    """Return those of some squares that a change of the fog changes, or why it cannot be made.

    Args:
        explored: What is known of the place; None without fog.
        ground: The place.
        squares: The squares that are uncovered or covered.
        known: Whether the players know them then.
    """
    if explored is None or ground is None:
        return RuleProblem("no_fog", "There is no fog on this place.", RULE, ("kind",))
    squares = tuple(squares)
    for index, square in enumerate(squares):
        if not ground.holds(square):
            path, found = ("squares", index), (square.x, square.y)
            return RuleProblem("square_unknown", "That is beyond the place.", RULE, path, found)
    changed = fog.cells_of(ground, squares) & (
        ~fog.read(explored.cells) if known else explored.known(explored.own)
    )
    if changed:
        return tuple(fog.squares_of(ground, changed))
    text = "Players know these squares already." if known else "Players do not know these squares."
    return RuleProblem("fog_stands_so", text, RULE, ("squares",))


def offered(explored: Explored | None, ground: Ground | None) -> Iterator[tuple[bool, tuple[Square, ...]]]:
    """Yield what may be uncovered, and what may be covered: the squares along the rim of what all know."""
    if explored is None or ground is None:
        return
    cells, size = fog.read(explored.cells), ground.width * ground.height
    for known, inside in ((True, ~cells & ((1 << size) - 1)), (False, cells)):
        squares = _rim(ground, inside)
        if squares:
            yield known, squares


def _rim(ground: Ground, cells: int) -> tuple[Square, ...]:
    """The first cells of a set that lie beside others, row by row; where none does, the first of the set."""
    width, size = ground.width, ground.width * ground.height
    every, column = (1 << size) - 1, sum(1 << row * width for row in range(ground.height))
    others = every & ~cells
    east, west = others & ~(column << width - 1), others & ~column
    beside = (others << width | others >> width | east << 1 | west >> 1) & cells
    return tuple(islice(fog.squares_of(ground, beside or cells), MOST_OFFERED))
