"""What the suite proves on a part and the gate ``proofs`` on the whole.

The part is the same in every run, and holds something of each kind. The whole is proven where
``HEARTHFORGE_AT_LENGTH`` is 1, as in ``infra/gate proofs``.
"""

from collections.abc import Sequence
from os import environ
from typing import TypeVar

T = TypeVar("T")
AT_LENGTH = environ.get("HEARTHFORGE_AT_LENGTH") == "1"


def part_or_whole(part: T, whole: T) -> T:
    """Return what the suite proves, or the gate.

    Args:
        part: of the suite.
        whole: of the gate.
    """
    return whole if AT_LENGTH else part


def in_turn(kinds: Sequence[T], place: int) -> Sequence[T]:
    """Return one of some kinds, the next one at the next place; all of them at length.

    Args:
        kinds: at least one, unless there is nothing to choose from.
        place: where it is wanted, counted from 0 over all places.
    """
    return kinds if AT_LENGTH or not kinds else [kinds[place % len(kinds)]]
