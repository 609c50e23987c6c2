"""A scene of Duel: its opening, its state, the moves, and what they bring about."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.effects import Effect, parts
from services.rules.engine.explain import Explained
from services.rules.engine.play import EVERYONE, GM_ONLY, Audience
from services.rules.engine.steps import ActorId

from .duellists import EFFECTS, DuelStyle, guard_dice

HEROES, RIVALS = "heroes", "rivals"


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelSetup:
    """What the game master decides: who stands against the cast, and whether one more lies in wait.

    Attributes:
        patience: Seconds that a struck one has to flinch; None for as long as it takes.
    """

    title: str
    rivals: tuple[str, ...]
    hidden_rival: bool = False
    patience: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Duellist:
    """Somebody in a duel."""

    id: str
    name: str
    side: str
    style: DuelStyle
    nerve: int
    most: int
    flinched: bool = False
    hidden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelState:
    """Where a duel stands; `heard`, who noticed the one that hides, is the game master's alone."""

    title: str
    duellists: tuple[Duellist, ...]
    turn: str
    round: int = 1
    effects: tuple[Effect, ...] = ()
    heard: tuple[str, ...] = ()
    stopped: bool = False
    patience: int | None = None

    def on(self, side: str) -> tuple[Duellist, ...]:
        """Those of a side that can be seen and have Nerve left."""
        return tuple(one for one in self.duellists if one.side == side and one.nerve and not one.hidden)

    def find(self, who: str) -> Duellist:
        """The duellist of this id; those who make or suffer a lawful move are always found."""
        return next(one for one in self.duellists if one.id == who)

    def hidden(self) -> Duellist | None:
        """Who lies in wait, if anybody."""
        return next((one for one in self.duellists if one.hidden), None)

    def guard(self, who: str) -> Explained:
        """The dice of somebody who stands against a strike."""
        return guard_dice(self.find(who).style, *parts(self.effects, EFFECTS, who, "guard"))

    def over(self) -> bool:
        """Whether one side has nobody left to be seen, or the game master stopped it."""
        return self.stopped or not (self.on(HEROES) and self.on(RIVALS))

    def targets(self, actor: str) -> tuple[str, ...]:
        """Whom somebody may strike."""
        other = RIVALS if self.find(actor).side == HEROES else HEROES
        return tuple(one.id for one in self.on(other))


@dataclass(frozen=True, slots=True, kw_only=True)
class Strike:
    """Strike at somebody of the other side."""

    actor: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Brace:
    """Wait, with one more die against strikes until one's next turn."""

    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Stand against a strike, or flinch: the answer to a lunge."""

    actor: str
    flinch: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Listen:
    """The game master rolls in secret whether a hero hears who hides."""

    actor: str
    who: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal:
    """Who hides steps out."""

    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """The game master ends the duel."""

    actor: str


DuelMove = Strike | Brace | Answer | Listen | Reveal | Stop


@dataclass(frozen=True, slots=True, kw_only=True)
class Lunged:
    """A strike is coming, and the struck one may still flinch."""

    striker: ActorId
    target: ActorId
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Struck:
    """A strike was rolled."""

    striker: ActorId
    target: ActorId
    ahead: int
    hit: bool
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Flinched:
    """The struck one ducked."""

    target: ActorId
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Braced:
    """A duellist waits for the next strike."""

    actor: ActorId
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Listened:
    """Whether a hero heard who hides; they themselves are not told that it was rolled."""

    who: ActorId
    heard: bool
    audience: Audience = GM_ONLY


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealed:
    """A rival stepped out."""

    rival: ActorId
    name: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnded:
    """The next duellist is up."""

    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped:
    """The game master ended the duel."""

    audience: Audience = EVERYONE


DuelEvent = Lunged | Struck | Flinched | Braced | Listened | Revealed | TurnEnded | Stopped
