"""The facts of a feud."""

from dataclasses import dataclass

from services.rules.engine.plain import Fact
from services.rules.engine.steps import ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Provoked(Fact):
    """A rival was provoked."""

    foe: ActorId
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Met(Fact):
    """A duel with a rival begins."""

    foe: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit(Fact):
    """A rival was hit in a duel."""

    foe: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Parted(Fact):
    """A duel with a rival is over."""

    foe: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled(Fact):
    """The feud is over, or a hero would not have it."""

    agreed: bool


FeudEvent = Provoked | Met | Hit | Parted | Settled
