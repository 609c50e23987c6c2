"""Ids and names that are near to one that is not there, for problems that say what was meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from services.rules.engine.content import Shelf

FEW = 12
"""So many are named all, however far off."""

LONGEST = 120
"""Longer texts are near to nothing."""


def near(found: str, there: Iterable[str]) -> tuple[str, ...]:
    """What of the things that are there is likely meant: all of a few, else the three nearest."""
    known = tuple(there)
    if len(known) <= FEW:
        return known
    return tuple(get_close_matches(found, known, 3)) if len(found) <= LONGEST else ()


def near_ids(found: str, *shelves: Shelf[object]) -> tuple[str, ...]:
    """The same for content ids of some shelves."""
    return near(found, (entry_id for shelf in shelves for entry_id in shelf.entries))
