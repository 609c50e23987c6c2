"""Where a duel stands."""

from dataclasses import dataclass

from services.rules.engine.effects import Effect, parts
from services.rules.engine.explain import Explained

from ..catalog import EFFECTS
from ..choices import DuelStyle
from ..mechanics import guard_dice

HEROES, RIVALS = "heroes", "rivals"


@dataclass(frozen=True, slots=True, kw_only=True)
class Duellist:
    """A hero or a rival in a duel."""

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
    """Where a duel stands; whether the heroes `heard` the hidden rival is the game master's alone."""

    title: str
    duellists: tuple[Duellist, ...]
    turn: str
    round: int = 1
    effects: tuple[Effect, ...] = ()
    heard: bool = False
    stopped: bool = False
    patience: int | None = None

    def find(self, who: str) -> Duellist:
        """The duellist of an id; those of a lawful move are always found."""
        return next(one for one in self.duellists if one.id == who)

    def on(self, *sides: str) -> tuple[Duellist, ...]:
        """The duellists of these sides that can be seen and have Nerve left."""
        return tuple(one for one in self.duellists if one.side in sides and one.nerve and not one.hidden)

    def targets(self, actor: str) -> tuple[str, ...]:
        """The ids that a duellist may strike at."""
        return tuple(one.id for one in self.on(HEROES, RIVALS) if one.side != self.find(actor).side)

    def hidden(self) -> Duellist | None:
        """The rival that hides, if any."""
        return next((one for one in self.duellists if one.hidden), None)

    def guard(self, who: str) -> Explained:
        """The dice of a duellist who stands against a strike."""
        return guard_dice(self.find(who).style, *parts(self.effects, EFFECTS, who, "guard"))

    def over(self) -> bool:
        """Whether a side has no duellist left to be seen, or the game master stopped the duel."""
        return self.stopped or not (self.on(HEROES) and self.on(RIVALS))
