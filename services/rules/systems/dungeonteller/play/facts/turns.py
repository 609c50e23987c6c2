"""Turns, their order, and the end of a scene."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.plain import Fact
from services.rules.engine.steps import ActorId
from services.rules.systems.dungeonteller.play.state import Ending


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan(Fact):
    """A being's turn begins.

    Attributes:
        being: Id of the one whose turn it is now.
        round: The round, counted from 1.
    """

    being: ActorId
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked(Fact):
    """A being went some paces of its turn.

    Attributes:
        being: Id of the one who went.
        paces: How many.
    """

    being: ActorId
    paces: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PaceLimited(Fact):
    """A being goes no further than so many paces in this turn.

    Attributes:
        being: Id of the one who is held back.
        limit: Paces that it may go in all in this turn.
    """

    being: ActorId
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionUsed(Fact):
    """A being's action is used.

    Attributes:
        being: Id of the one who acted.
        limit: Paces that it may go in all in this turn.
    """

    being: ActorId
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SpellWorkedUp(Fact):
    """A being has worked on a spell in this turn.

    Attributes:
        being: Id of the caster.
    """

    being: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Suffered(Fact):
    """An area has done its harm to a being in its turn, and does none again.

    Attributes:
        being: Id of the one who was harmed.
        area: Id of what did it.
    """

    being: ActorId
    area: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderJoined(Fact):
    """A being has turns from now on.

    Attributes:
        being: Id of the one who has turns now.
        place: Its place in the order.
    """

    being: ActorId
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderMoved(Fact):
    """A being has its turns at another place.

    Attributes:
        being: Id of the one whose turns moved.
        place: Its place in the order, from 0.
    """

    being: ActorId
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderLeft(Fact):
    """A being has no turns any more.

    Attributes:
        being: Id of the one who has no turns now.
    """

    being: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended(Fact):
    """The scene is over.

    Attributes:
        why: What ended it.
        words: What the game master says of it.
        winners: The side that is left, if that ended it.
    """

    why: Ending
    words: str = ""
    winners: tuple[str, ...] = ()
