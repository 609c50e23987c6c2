"""How far and how fast (Moving). Distances in paces of five feet, one grid square each."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.explain import Explained
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.checks import Actor, Moment, Pace, count_dice
from services.rules.systems.dungeonteller.luck import LuckLoss, lose_luck
from services.rules.systems.dungeonteller.powers import Attack

MOVE = 5
"""Paces every role walks in a turn (Moving / Move)."""

DOUBLE_MOVE = 10
"""Paces of a double-move, and the paces a run begins with (Moving / Double-move, Run)."""


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """A turn of running: how far, and what it cost."""

    paces: int
    luck: LuckLoss


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
    """How somebody has to move to go this far, or why they cannot."""
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


def run(successes: int, luck: int) -> RunOutcome:
    """A turn of running: ten paces and one for each success; without a success, one Luck is lost."""
    return RunOutcome(DOUBLE_MOVE + successes, lose_luck(luck, 0 if successes else 1))


@dataclass(frozen=True, slots=True)
class Flight:
    """A flying speed, "6 to 18": slower than the first falls, faster than the second is impossible."""

    slowest: int
    fastest: int

    def falls(self, paces: int) -> bool:
        """Whether flying only this far lets the creature fall."""
        return paces < self.slowest

    def possible(self, paces: int) -> bool:
        """Whether the creature can fly this far in a turn."""
        return paces <= self.fastest


def climbing_needs_roll(climb_speed: int | None) -> bool:
    """Whether a wall takes a Climb roll: creatures with a climb speed walk up it (Moving / Climb)."""
    return climb_speed is None
