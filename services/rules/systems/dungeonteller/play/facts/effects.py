"""What lasts, on beings and on the grid."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.grid import Square
from services.rules.engine.plain import Fact
from services.rules.engine.steps import ActorId
from services.rules.systems.dungeonteller.play.state import Area, Duration, Effect


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectBegan(Fact):
    """An effect lasts on a being from now on.

    Attributes:
        effect: What lasts, on whom, and how long.
    """

    effect: Effect


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectCounted(Fact):
    """An effect counts otherwise.

    Attributes:
        effect: Id of the effect.
        amount: What it counts now.
    """

    effect: ActorId
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectShortened(Fact):
    """An effect lasts a turn less.

    Attributes:
        effect: Id of the effect.
        lasts: How long it lasts yet.
    """

    effect: ActorId
    lasts: Duration


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectEnded(Fact):
    """An effect is over.

    Attributes:
        effect: Id of the effect.
    """

    effect: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaLaid(Fact):
    """Something lies on the grid from now on.

    Attributes:
        area: What lies there, and where.
    """

    area: Area


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaShrunk(Fact):
    """Something lies on fewer squares.

    Attributes:
        area: Id of what lies there.
        squares: Where it lies now.
    """

    area: ActorId
    squares: tuple[Square, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaHurt(Fact):
    """A swarm has less Luck.

    Attributes:
        area: Id of the swarm.
        luck: Luck that it has left.
    """

    area: ActorId
    luck: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaShortened(Fact):
    """Something lies on the grid for a turn less.

    Attributes:
        area: Id of what lies there.
        lasts: How long it lies there yet.
    """

    area: ActorId
    lasts: Duration


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaEnded(Fact):
    """Something lies on the grid no longer.

    Attributes:
        area: Id of what lay there.
    """

    area: ActorId
