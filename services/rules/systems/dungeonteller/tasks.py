"""Jobs that need more than one success (Making an Action Roll; Actions / Stunt, Magic)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from services.rules.systems.dungeonteller.actions import Action


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
