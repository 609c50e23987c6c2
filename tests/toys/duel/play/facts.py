"""The facts of a duel. A field of type `ActorId` names an actor: only those who may know of it are told."""

from dataclasses import dataclass

from services.rules.engine.plain import Fact
from services.rules.engine.steps import ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Lunged(Fact):
    """A strike is coming, and the struck one may still flinch."""

    striker: ActorId
    target: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Struck(Fact):
    """A strike was rolled."""

    striker: ActorId
    target: ActorId
    ahead: int
    hit: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Flinched(Fact):
    """The struck one ducked, once in a duel."""

    target: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Braced(Fact):
    """A duellist waits for the next strike."""

    actor: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Listened(Fact):
    """Whether a hero heard the hidden rival; their player is not told that it was rolled."""

    who: ActorId
    heard: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealed(Fact):
    """A rival stepped out."""

    rival: ActorId
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnded(Fact):
    """The next duellist is up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped(Fact):
    """The game master ended the duel."""


DuelEvent = Lunged | Struck | Flinched | Braced | Listened | Revealed | TurnEnded | Stopped
