"""What lies on the Forge: the squares of Nulls and of items."""

from __future__ import annotations

from services.rules.systems.dwarf_dice.crafting import place_of
from services.rules.systems.dwarf_dice.forge import Placement, placement, squares
from services.rules.systems.dwarf_dice.play.state import Crafting, Work


def null_squares(crafting: Crafting) -> int:
    """The squares with a Null, as a set of squares."""
    places = (place_of(square) for square in crafting.nulls)
    return squares(place for place in places if place is not None)


def work_squares(crafting: Crafting) -> int:
    """The squares that are part of an item, as a set of squares."""
    found = 0
    for work in crafting.works:
        found |= laid_at(work).squares
    return found


def laid_at(work: Work) -> Placement:
    """Where an item lies."""
    return placement(work.at) or Placement(0, 0)
