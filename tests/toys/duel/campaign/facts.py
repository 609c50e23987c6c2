"""The facts of a feud."""

from dataclasses import dataclass

from services.rules.engine.plain import Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Met(Fact):
    """A duel with the rival begins, or is over."""

    met: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit(Fact):
    """The rival was hit in a duel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled(Fact):
    """The feud is over, or a hero would not have it."""

    agreed: bool


FeudEvent = Met | Hit | Settled
