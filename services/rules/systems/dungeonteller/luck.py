"""Losing, paying and regaining Luck (Basics / Luck)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LuckLoss:
    """Luck after a loss, and whether it knocked its owner out for the scene."""

    luck: int
    knocked_out: bool


def lose_luck(luck: int, amount: int) -> LuckLoss:
    """Takes Luck away.

    Luck never goes below zero, and only a loss that begins at zero knocks out (ruling P1).
    """
    if amount <= 0:
        return LuckLoss(luck, knocked_out=False)
    if luck == 0:
        return LuckLoss(0, knocked_out=True)
    return LuckLoss(max(luck - amount, 0), knocked_out=False)


def can_pay(luck: int, cost: int) -> bool:
    """Whether a cost can be paid: paying down to zero is allowed, beyond is not (ruling P2)."""
    return cost <= luck


def rest_turn(luck: int, maximum: int, *, attacked: bool) -> int:
    """Luck after a turn of rest in a scene: one more, unless a Battle or Shoot roll was made against it."""
    return luck if attacked else max(luck, min(luck + 1, maximum))
