"""Jobs that need more than one success (Making an Action Roll; Actions / Stunt, Magic)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.luck import can_pay


@dataclass(frozen=True, slots=True)
class Task:
    """A job and how far it has come.

    Attributes:
        action: What is rolled for it.
        needed: Successes it takes.
        total: Successes so far.
    """

    action: Action
    needed: int
    total: int = 0

    @property
    def done(self) -> bool:
        """Whether the job is finished."""
        return self.total >= self.needed

    def rolled(self, successes: int) -> Task:
        """The job after one more roll.

        Successes add up over the turns. A Stunt is done in one roll or not at all: nothing carries over.
        A finished job stays as it is.
        """
        if self.done:
            return self
        if self.action is Action.STUNT:
            return replace(self, total=successes if successes >= self.needed else 0)
        return replace(self, total=self.total + successes)


@dataclass(frozen=True, slots=True)
class WorkedUpSpell:
    """A spell worked up over several turns: successes add up, and its Luck is paid every turn.

    A turn without working on it loses the total (ruling P26).
    """

    cost: int
    luck: int
    total: int = 0

    def worked(self, successes: int) -> WorkedUpSpell | RuleProblem:
        """The spell after one more turn, or why the turn cannot be paid (ruling P2)."""
        if not can_pay(self.luck, self.cost):
            return RuleProblem(
                "not_enough_luck",
                f"Each turn costs {self.cost} Luck, and there are {self.luck}.",
                "Actions / Magic [P2]",
                ("luck",),
                self.luck,
                self.cost,
            )
        return replace(self, luck=self.luck - self.cost, total=self.total + successes)
