"""Jobs and climbs."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.plain import Fact
from services.rules.engine.steps import ActorId
from services.rules.systems.dungeonteller.play.state import Climb, Job


@dataclass(frozen=True, slots=True, kw_only=True)
class JobAdded(Fact):
    """There is something to do.

    Attributes:
        job: What it is, and what it takes.
    """

    job: Job


@dataclass(frozen=True, slots=True, kw_only=True)
class JobAdvanced(Fact):
    """A job has so many successes now.

    Attributes:
        job: Id of the job.
        total: Successes by now.
    """

    job: ActorId
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JobHardened(Fact):
    """A job takes so many successes now.

    Attributes:
        job: Id of the job.
        needed: Successes that it takes now.
    """

    job: ActorId
    needed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRemoved(Fact):
    """There is nothing more to do about something.

    Attributes:
        job: Id of the job.
    """

    job: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class ClimbBegan(Fact):
    """A being stands before a wall, or at its foot again.

    Attributes:
        climb: Who climbs, and what each step takes.
    """

    climb: Climb


@dataclass(frozen=True, slots=True, kw_only=True)
class Climbed(Fact):
    """A being is higher on its wall.

    Attributes:
        being: Id of the climber.
        at: Steps that are behind it.
    """

    being: ActorId
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClimbEnded(Fact):
    """A being is on its wall no longer.

    Attributes:
        being: Id of the climber.
    """

    being: ActorId
