"""Turns, and the end of the game."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.play import EVERYONE, Audience
from services.rules.engine.steps import ActorId
from services.rules.systems.forgeborn.links import LinkKind
from services.rules.systems.forgeborn.play.state import Ending, Rank


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan:
    """A Smith's turn begins.

    Attributes:
        smith: Id of the one whose turn it is now.
        number: Of the turn.
        round: Of the game.
    """

    smith: ActorId
    number: int
    round: int
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted:
    """A Smith or Heroine is the one who acts in this turn.

    Attributes:
        who: Id of the one who acts.
    """

    who: ActorId
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Journeyed:
    """A Smith or Heroine went to the next place.

    Attributes:
        who: Id of the one who went.
        to: Id of the place.
        by: The kind of way.
    """

    who: ActorId
    to: str
    by: LinkKind
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """The rest of a turn was let go.

    Attributes:
        who: Id of the one whose turn it was.
    """

    who: ActorId
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class DragonFell:
    """The Dragon is dead, and every other player has one last turn.

    Attributes:
        who: Who slew it.
        smith: Whose player that is.
        order: Who has a last turn, in this order.
    """

    who: ActorId
    smith: ActorId
    order: tuple[ActorId, ...]
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOver:
    """The game is over.

    Attributes:
        ending: Why.
        ranking: The final order.
        reason: Why it was called off, in the game master's words.
    """

    ending: Ending
    ranking: tuple[Rank, ...]
    reason: str = ""
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """The game master described a place, or the scene.

    Attributes:
        place: Id of the place; empty for the scene.
        text: The words.
    """

    place: str
    text: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitSet:
    """The others have another time to answer in.

    Attributes:
        seconds: How long.
    """

    seconds: int
    audience: Audience = EVERYONE
