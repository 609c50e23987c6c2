"""What lasts on beings and on the grid."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.grid import Square
from services.rules.engine.plain import Fact
from services.rules.engine.steps import ActorId
from services.rules.systems.dungeonteller.play.state import Area, Duration, Effect


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectBegan(Fact):
    """An effect lasts on a being from now on."""

    effect: Effect


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectCounted(Fact):
    """An effect counts otherwise."""

    effect: ActorId
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectShortened(Fact):
    """An effect lasts a turn less."""

    effect: ActorId
    lasts: Duration


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectEnded(Fact):
    """An effect is over."""

    effect: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaLaid(Fact):
    """Something lies on the grid from now on."""

    area: Area


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaShrunk(Fact):
    """Something lies on fewer squares."""

    area: ActorId
    squares: tuple[Square, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaHurt(Fact):
    """A swarm has less Luck."""

    area: ActorId
    luck: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaShortened(Fact):
    """Something lies on the grid for a turn less."""

    area: ActorId
    lasts: Duration


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaEnded(Fact):
    """Something lies on the grid no longer."""

    area: ActorId
