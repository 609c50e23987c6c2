"""Dice as they fall, and as a Smith or Heroine gains and loses them (D8)."""

from __future__ import annotations

from collections.abc import Sequence

from services.rules.engine.play import Roll
from services.rules.engine.steps import Step
from services.rules.systems.forgeborn.play.facts import DiceChanged, DiceFell, Foe, Reason
from services.rules.systems.forgeborn.play.rules.turns import GameTurn
from services.rules.systems.forgeborn.pools import DieSize, promoted


def throw(turn: GameTurn, rolls: Sequence[Roll], foe: Foe | None = None) -> Step[tuple[int, ...]]:
    """Lets dice fall together, and tells how.

    Args:
        turn: The turn.
        rolls: The dice.
        foe: What they are rolled against or for.

    Returns:
        The sum of each roll, in their order.
    """
    faces = yield from turn.roll(*rolls)
    for roll, fallen in zip(rolls, faces, strict=True):
        if fallen:
            turn.happen(DiceFell(by=roll.actor, foe=foe, sides=roll.sides, faces=fallen))
    return tuple(map(sum, faces))


def gain(turn: GameTurn, who: str, dice: Sequence[DieSize], why: Reason) -> None:
    """Lets a Smith or Heroine gain dice."""
    if dice:
        turn.happen(DiceChanged(who=who, gained=tuple(dice), lost=(), why=why))


def lose(turn: GameTurn, who: str, dice: Sequence[DieSize], why: Reason) -> None:
    """Lets a Smith or Heroine lose dice."""
    if dice:
        turn.happen(DiceChanged(who=who, gained=(), lost=tuple(dice), why=why))


def improve(turn: GameTurn, who: str, promote: DieSize | None, why: Reason) -> None:
    """Adds a d4, or promotes one die (D8)."""
    larger = None if promote is None else promoted(promote)
    if promote is None or larger is None:
        gain(turn, who, (DieSize.D4,), why)
    else:
        turn.happen(DiceChanged(who=who, gained=(larger,), lost=(promote,), why=why))
