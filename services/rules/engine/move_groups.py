"""Under which heading an offer is shown, and which of its group first: its game says it by kind of move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from services.rules.engine.frozen import replace
from services.rules.engine.identity import remembered
from services.rules.engine.offers import kind_of_move
from services.rules.engine.play import AnyPlay, LegalMove, MoveGroup

LEAST_WEIGHT, MOST_WEIGHT = 0, 100
"""The bounds of `LegalMove.weight`."""

EVEN_WEIGHT = 50
"""The weight of every move of a game that prefers none."""


def in_groups(play: AnyPlay, offers: Sequence[LegalMove]) -> tuple[LegalMove, ...]:
    """Offers with their group and weight, in the order that they have.

    Args:
        play: The game.
        offers: What is offered.

    Raises:
        LookupError: The game names no group for a kind of move.
    """
    places = _places(play.move_groups)
    found = ((offer, places[kind_of_move(play, offer)]) for offer in offers)
    return tuple([replace(offer, group=key, weight=weight) for offer, (key, weight) in found])


@remembered(16)
def _places(groups: tuple[MoveGroup, ...]) -> Mapping[type[Any], tuple[str, int]]:
    """The key of the group and the weight of each kind of move."""
    return {kind: (group.key, weight) for group in groups for kind, weight in group.weights.items()}
