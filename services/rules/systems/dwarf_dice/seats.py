"""Seats: whose turn is next, who places Nulls, who may be challenged, and who has won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


def next_seat(seats: Sequence[str], after: str, out: Sequence[str] = ()) -> str:
    """The next living player clockwise, who is also the one on the left (Hoarding; P3).

    Args:
        seats: Everybody, clockwise.
        after: Whom they follow.
        out: Who has been defeated.
    """
    place = seats.index(after)
    around = (*seats[place + 1 :], *seats[: place + 1])
    return next(seat for seat in around if seat not in out)


def legal_targets(
    endurance: Mapping[str, int], attacker: str, *, attacker_counts: bool = True
) -> tuple[str, ...]:
    """The champions that another may challenge (Choosing Equipment).

    Barred is who alone has the lowest Endurance, but not the only other player.

    Args:
        endurance: Of every player; the defeated, at 0 or less, do not count.
        attacker: Who challenges.
        attacker_counts: Whether the lowest is sought among all living, the attacker too (P14).
    """
    living = {who: left for who, left in endurance.items() if left > 0 or who == attacker}
    others = tuple(who for who in living if who != attacker)
    if len(others) <= 1:
        return others
    counted = list(living.values()) if attacker_counts else [living[who] for who in others]
    lowest = min(counted)
    alone = counted.count(lowest) == 1
    return tuple(who for who in others if not (alone and living[who] == lowest))


@dataclass(frozen=True, slots=True)
class Reckoning:
    """Who is left after a combat.

    Attributes:
        out: Who has just been defeated, in seat order.
        over: Whether the game is over.
        winner: Who has won; None while the game goes on.
    """

    out: tuple[str, ...]
    over: bool
    winner: str | None


def reckon(endurance: Mapping[str, int], attacker: str) -> Reckoning:
    """Who is defeated and who has won (Damage and Defeat).

    Args:
        endurance: Of everybody who took part in the game until this combat.
        attacker: Who began the combat: the winner when the last two fall together.
    """
    out = tuple(who for who, left in endurance.items() if left <= 0)
    standing = [who for who in endurance if who not in out]
    if not standing:
        return Reckoning(out, True, attacker)
    return Reckoning(out, len(standing) == 1, standing[0] if len(standing) == 1 else None)
