"""The moves of a duel; `Answer` answers a question."""

from dataclasses import dataclass

from services.rules.engine.plain import Move
from services.rules.engine.play import MoveGroup
from services.rules.engine.steps import ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Strike(Move):
    """Strike at a duellist of the other side."""

    target: ActorId


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

    who: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal(Move):
    """The hidden rival steps out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop(Move):
    """The game master ends the duel."""


DuelMove = Strike | Brace | Answer | Listen | Reveal | Stop
move_groups = (
    MoveGroup("answer", "Answers", {Answer: 90}),
    MoveGroup("attack", "Attacks", {Strike: 80}),
    MoveGroup("turn", "Your turn", {Brace: 50}),
    MoveGroup("game_master", "Game master", {Reveal: 70, Listen: 60, Stop: 5}),
)
