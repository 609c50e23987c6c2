"""How Forge Engine reads its dice (Fundamentals / Dice Pools; GM chapter / Dice Pool Probabilities)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

SIDES = 10


class Difficulty(Enum):
    """The named difficulties: the target, and how many successes are needed (ruling R-10)."""

    EASY = (7, 1)
    NORMAL = (8, 1)
    HARD = (9, 1)
    FORMIDABLE = (10, 1)
    SEVERE = (9, 2)
    EXTREME = (10, 2)

    @property
    def target(self) -> int:
        """What a die must reach."""
        return self.value[0]

    @property
    def required(self) -> int:
        """How many dice must reach it."""
        return self.value[1]


@dataclass(frozen=True, slots=True)
class PoolReading:
    """What a pool came to.

    Attributes:
        successes: Dice that reach what they must.
        critical_failure: Whether none does and at least half of them, rounded up, show 1.
    """

    successes: int
    critical_failure: bool


def against_target(faces: Sequence[int], target: int) -> PoolReading:
    """Reads a pool against a fixed difficulty."""
    hits = sum(face >= target for face in faces)
    ones = sum(face == 1 for face in faces)
    # A pool without dice is no roll, and so no critical failure (ruling R-52).
    return PoolReading(hits, bool(faces) and hits == 0 and 2 * ones >= len(faces))


def against_pool(action: Sequence[int], defence: Sequence[int]) -> PoolReading:
    """Reads a pool against another: every die succeeds that equals or beats the other side's highest."""
    return against_target(action, max(defence, default=1))


class Winner(Enum):
    """Whose outcome a contest brings about."""

    INSTIGATOR = "instigator"
    RIVAL = "rival"
    NOBODY = "tie"


@dataclass(frozen=True, slots=True)
class ContestReading:
    """What a contest came to.

    Attributes:
        winner: Who won.
        instigator: Successes of who began it.
        rival: Successes of the other side; one of the two has none.
    """

    winner: Winner
    instigator: int
    rival: int


def contest(
    instigator: Sequence[int], rival: Sequence[int], *, ties_to_instigator: bool = False
) -> ContestReading:
    """Reads a test in which both sides can get what they want (Running Attribute Tests / Opposed).

    The side with the highest die wins, with as many successes as dice are above the other's highest. Equal
    highest dice are a tie; or, where the game master says so, go to the instigator, who then has as many
    successes as dice reach the rival's highest (ruling R-48). A side without dice has no success.
    """
    mine, theirs = max(instigator, default=0), max(rival, default=0)
    behind = sum(face > mine for face in rival)
    ahead = sum(face > theirs or (ties_to_instigator and face == theirs) for face in instigator)
    winner = Winner.INSTIGATOR if ahead else Winner.RIVAL if behind else Winner.NOBODY
    return ContestReading(winner, ahead, behind)


def fixed_roll(dice: int) -> str:
    """A test against difficulty 8 by its name in dice notation."""
    return f"forge_engine:fixed({dice})"
