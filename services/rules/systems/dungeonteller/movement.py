"""How far and how fast (Moving). Distances in paces of five feet, one grid square each."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.explain import Explained
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.checks import Actor, Moment, Pace, count_dice
from services.rules.systems.dungeonteller.powers import Attack

MOVE = 5
"""Paces every role walks in a turn (Moving / Move)."""

DOUBLE_MOVE = 10
"""Paces of a double-move, and the paces a run begins with (Moving / Double-move, Run)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mover:
    """How a creature moves on foot.

    Attributes:
        move: Paces of a plain move; a double-move is twice that.
        can_double_move: False for creatures too slow or stiff, such as zombies.
        can_run: The same for running.
    """

    move: int = MOVE
    can_double_move: bool = True
    can_run: bool = True


HERO = Mover()


def pace_for(paces: int, mover: Mover = HERO) -> Pace | RuleProblem:
    """How a being has to move to go this far, or why they cannot."""
    if paces <= 0:
        return Pace.STILL
    if paces <= mover.move:
        return Pace.MOVE
    if paces <= 2 * mover.move:
        if mover.can_double_move:
            return Pace.DOUBLE_MOVE
        return _too_far("cannot_double_move", paces, mover.move)
    if mover.can_run:
        return Pace.RUN
    return _too_far("cannot_run", paces, 2 * mover.move if mover.can_double_move else mover.move)


def _too_far(code: str, paces: int, allowed: int) -> RuleProblem:
    return RuleProblem(code, f"It moves at most {allowed} paces.", "Moving", ("paces",), paces, allowed)


def run_pool(actor: Actor) -> Explained:
    """Dice of a turn of running: Muscle and Stunt, cut to Luck."""
    return count_dice(actor, Attack(action=Action.MUSCLE, adds=(Action.STUNT,)), Moment())


@dataclass(frozen=True, slots=True)
class Flight:
    """A flying speed, "6 to 18": slower than the first falls, faster than the second is impossible."""

    slowest: int
    fastest: int

    def falls(self, paces: int) -> bool:
        """Whether flying only this far lets the creature fall."""
        return paces < self.slowest
