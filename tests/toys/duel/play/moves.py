"""The moves of a duel; `Answer` answers a question."""

from dataclasses import dataclass

from services.rules.engine.plain import Move


@dataclass(frozen=True, slots=True, kw_only=True)
class Strike(Move):
    """Strike at a duellist of the other side."""

    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Brace(Move):
    """Wait, with one more die against strikes until one's next turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Move):
    """Stand against a strike, or flinch: the answer to a lunge."""

    flinch: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Listen(Move):
    """The game master rolls in secret whether a hero hears the hidden rival."""

    who: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal(Move):
    """The hidden rival steps out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop(Move):
    """The game master ends the duel."""


DuelMove = Strike | Brace | Answer | Listen | Reveal | Stop
