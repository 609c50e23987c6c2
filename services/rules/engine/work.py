"""How much work a scene asks for, estimated from its stored form before any of it is done.

A host charges by it, and does what takes long where nobody waits. The figures are milliseconds of one core,
measured, good to a factor of three, and rather too high than too low for what is large.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

SAVED_PER_KILOBYTE = 0.35
"""A state is read once, and written and hashed twice, for each move."""

READ_PER_KILOBYTE = 0.3
"""A state is read, cut to what its viewer may know, and summed up."""

SENT_PER_KILOBYTE = 1.5
"""A state is told with all its parts, each by its own type."""

LISTENER_PER_ACTOR = 0.012
"""Who may know of a move is found out through the eyes of each player, before and after it."""

REPLAYED_MOVE = 0.2
"""A kept move is read, and its events are folded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What questions to a scene take, in milliseconds.

    Attributes:
        actors: how many there are.
        legal: the legal moves of whoever has the turn.
        bot: a move of a bot that is not among `bots`.
        bots: moves of others, by their ids.
        picture: a drawing.
    """

    actors: int = 8
    legal: float = 3.0
    bot: float = 2.0
    bots: Mapping[str, float] = field(default_factory=dict)
    picture: float = 5.0

    def of_bot(self, bot: str) -> float:
        """What a bot's move takes."""
        return self.bots.get(bot, self.bot)


ORDINARY = Work()
"""A scene of a game that tells nothing of its work."""


@runtime_checkable
class Weighed(Protocol):
    """Play that tells how much work its scenes ask for."""

    def work(self, state: Mapping[str, Any]) -> Work:
        """What a scene asks for.

        Args:
            state: The data of its stored form, without the envelope.
        """


def work_of(play: object, state: Mapping[str, Any]) -> Work:
    """What a scene of any game asks for."""
    return play.work(state) if isinstance(play, Weighed) else ORDINARY
