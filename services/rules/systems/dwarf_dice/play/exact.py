"""What can be answered exactly: a few moves of a game, a Hoarding or a combat of chosen cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from services.rules.engine.play import Roll
from services.rules.systems.dwarf_dice.play.state import Table
from services.rules.systems.dwarf_dice.resources import Resource

MOST_MOVES = 2
"""Moves within which few enough dice fall: a combat, or a Hoarding and its Forging."""


IDLE = {"attack": (Resource.NULL, Resource.WOOD), "defence": (Resource.NULL, Resource.METAL)}
"""What does nothing on dice of a combat, by the name of their roll (ATTACK!)."""


def is_enumerable(state: Table, moves: int) -> bool:
    """Whether few enough dice fall from a position on, within so many moves."""
    return moves <= MOST_MOVES and bool(state.dealt)


def kinds_of(state: Table, roll: Roll) -> Sequence[tuple[int, int]]:
    """Return a face of each Resource, with how many faces show it; of other dice, each face.

    Of the dice of a combat only Metal and Alchemy hit, only Wood and Alchemy block: the rest means the same
    (ATTACK!). The die of a Fiery Rebuke is none of them.
    """
    order = state.rules.faces.order()
    if roll.sides != len(order):
        return tuple((face, 1) for face in range(1, roll.sides + 1))
    idle = IDLE.get(roll.id, ())
    alike = Counter(Resource.NULL if shown in idle else shown for shown in order)
    faces = {Resource.NULL if shown in idle else shown: face for face, shown in enumerate(order, 1)}
    return tuple((faces[shown], count) for shown, count in alike.items())
