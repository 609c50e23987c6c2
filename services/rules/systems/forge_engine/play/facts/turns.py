"""Rounds, initiative and turns."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.plain import Fact
from services.rules.engine.steps import ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class FightBegan(Fact):
    """A fight breaks out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed(Fact):
    """A combatant noticed the other side in time, or was surprised.

    Attributes:
        who: Id of the one whom it concerns.
        surprised: Whether it was surprised.
    """

    who: ActorId
    surprised: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativeRolled(Fact):
    """A combatant rolled for initiative; `energy` and `bonus` are what it starts with.

    Attributes:
        who: Id of the one whom it concerns.
        faces: The faces, as they fell.
        energy: Energy in the pool.
        bonus: Bonus energy.
    """

    who: ActorId
    faces: tuple[int, ...]
    energy: int
    bonus: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderSet(Fact):
    """The order of initiative; the game master's, since it names all.

    Attributes:
        order: Ids of all, in their order.
    """

    order: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reordered(Fact):
    """A combatant rolled anew for initiative, and takes a better place in the order.

    Attributes:
        who: Id of the one whom it concerns.
        faces: The faces, as they fell.
        order: Ids of all, in their order.
    """

    who: ActorId
    faces: tuple[int, ...]
    order: tuple[ActorId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan(Fact):
    """A combatant's turn begins, and its last one ends; `round` is the one it belongs to.

    Attributes:
        who: Id of the one whom it concerns.
        round: The round, counted from 1.
    """

    who: ActorId
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EnergyRegained(Fact):
    """Energy came back at the start of a turn; `pool` is what is in the pool then, `lost` did not fit.

    Attributes:
        who: Id of the one whom it concerns.
        pool: What is in the pool then.
        gained: How much was gained.
        bonus: Bonus energy.
        lost: How much did not fit and is lost.
    """

    who: ActorId
    pool: int
    gained: int
    bonus: int = 0
    lost: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed(Fact):
    """A combatant passed priority; `rest` for the rest of its turn.

    Attributes:
        who: Id of the one whom it concerns.
        rest: Whether it is for the rest of the turn.
    """

    who: ActorId
    rest: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted(Fact):
    """A combatant's action is resolved: who stands higher in the order may act first again.

    Attributes:
        who: Id of the one whom it concerns.
    """

    who: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneEnded(Fact):
    """The game master ended the scene.

    Attributes:
        text: In plain words.
    """

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealed(Fact):
    """A hidden combatant stepped out.

    Attributes:
        who: Id of the one whom it concerns.
        name: What it is called.
    """

    who: ActorId
    name: str
