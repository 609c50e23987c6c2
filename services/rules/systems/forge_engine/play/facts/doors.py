"""Doors of the grid, and the fog on it."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.ground.kinds import DoorState
from services.rules.engine.ground.squares import Square
from services.rules.engine.plain import Fact
from services.rules.engine.steps import ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorFound(Fact):
    """A secret door is secret no more.

    Attributes:
        door: Its id on the map.
    """

    door: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorSet(Fact):
    """A door stands otherwise than before.

    Attributes:
        door: Its id on the map.
        name: What it is called.
        state: How it stands.
    """

    door: str
    name: str
    state: DoorState


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorStuck(Fact):
    """A door did not move: it is locked, or its way is blocked.

    Attributes:
        who: Id of the combatant who tried it.
        door: Its id on the map.
        name: What it is called.
    """

    who: ActorId
    door: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FogChanged(Fact):
    """Squares of the grid are known to all players, or to none, by the game master's word.

    Attributes:
        squares: Those that change, row by row.
        known: Whether the players know them then.
    """

    squares: tuple[Square, ...]
    known: bool
