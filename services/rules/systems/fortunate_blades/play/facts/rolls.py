"""Rolls: the call, what is spent on them, how they go."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine import plain
from services.rules.engine.steps import ActorId
from services.rules.systems.fortunate_blades.play.causes import Why
from services.rules.systems.fortunate_blades.play.moves import Benefit, Luck
from services.rules.systems.fortunate_blades.play.state import Activity
from services.rules.systems.fortunate_blades.rolls import Result
from services.rules.systems.fortunate_blades.terms import (
    Attribute,
    EffectLevel,
    TrainingTrack,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried(plain.Fact):
    """A hero sets out to do something; `tool` is the gear's id, empty for none.

    Attributes:
        hero: Id of the hero.
        attribute: What it is rolled with.
        clock: Id of the clock; empty for none.
        tool: Id of the gear; empty for none.
        words: In the words of whoever said it; empty for none.
    """

    hero: ActorId
    attribute: Attribute
    clock: ActorId = ""
    tool: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RollCalled(plain.Fact):
    """The game master calls for a roll and names the risk; the bargain is what a Devil's one would add.

    Attributes:
        hero: Id of the hero.
        attribute: What it is rolled with.
        risk: The risk that is run, in plain words.
        shown: Whether players may see it.
        luck: Whether the roll is Lucky, Unlucky or neither.
        bargain: What a Devil's Bargain would add; empty for none.
    """

    hero: ActorId
    attribute: Attribute
    risk: str
    shown: bool
    luck: Luck = Luck.NORMAL
    bargain: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NumbersSet(plain.Fact):
    """Close and Clear of the roll that is called for; the game master's alone where they are hidden.

    Attributes:
        hero: Id of the hero.
        close: The least that is Close.
        clear: The least that is Clear.
    """

    hero: ActorId
    close: int
    clear: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NoRollNeeded(plain.Fact):
    """It just happens, or cannot be done at all.

    Attributes:
        hero: Id of the hero.
        possible: Whether it can be done at all.
    """

    hero: ActorId
    possible: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HardBargainOffered(plain.Fact):
    """It can be had without a roll, at a price.

    Attributes:
        hero: Id of the hero.
        price: The price, in plain words.
    """

    hero: ActorId
    price: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BargainAnswered(plain.Fact):
    """Whether a hero takes a bargain: a hard one, or the Devil's.

    Attributes:
        hero: Id of the hero.
        taken: Whether it is taken.
    """

    hero: ActorId
    taken: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BackedOut(plain.Fact):
    """A hero does something else after all; what lasts for one roll is not used up.

    Attributes:
        hero: Id of the hero.
    """

    hero: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Aided(plain.Fact):
    """A hero helps another with a roll.

    Attributes:
        helper: Id of the hero who helps.
        hero: Id of the hero.
        benefit: What the help brings.
        words: In the words of whoever said it; empty for none.
    """

    helper: ActorId
    hero: ActorId
    benefit: Benefit
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionGiven(plain.Fact):
    """A helper's action of this round is gone, or where it is used the next one's (`rounds` is 2).

    Attributes:
        helper: Id of the hero who helps.
        rounds: How many rounds.
    """

    helper: ActorId
    rounds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TalentUsed(plain.Fact):
    """A hero uses a talent; its content id.

    Attributes:
        hero: Id of the hero.
        talent: Content id of the talent.
    """

    hero: ActorId
    talent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FortuneSpent(plain.Fact):
    """Fortune is spent, on one's own behalf or another's.

    Attributes:
        hero: Id of the hero.
        points: How many points.
        why: What for.
        on: Id of the hero it is spent on; empty for oneself.
        words: In the words of whoever said it; empty for none.
    """

    hero: ActorId
    points: int
    why: Why
    on: ActorId = ""
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedSpent(plain.Fact):
    """Fortune that was laid by for an event is spent on it.

    Attributes:
        hero: Id of the hero.
        event: The event that it is about; empty for none.
        points: How many points.
    """

    hero: ActorId
    event: str
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FortuneGained(plain.Fact):
    """A hero gains Fortune.

    Attributes:
        hero: Id of the hero.
        points: How many points.
        why: What for.
    """

    hero: ActorId
    points: int
    why: Why


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled(plain.Fact):
    """A d20 was rolled, or two; `total` is the kept one and everything added so far.

    A Save is not an action.

    Attributes:
        hero: Id of the hero.
        natural: What the die shows.
        total: What it comes to in all.
        save: Whether it is a Save.
    """

    hero: ActorId
    natural: int
    total: int
    save: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved(plain.Fact):
    """How a roll went in the end; how far a Miss is below Close, None where the numbers are hidden.

    Attributes:
        hero: Id of the hero.
        result: How it went.
        missed_by: By how much Close was missed; none where it was not.
    """

    hero: ActorId
    result: Result
    missed_by: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectHad(plain.Fact):
    """The Effect that a successful roll has on a clock: its level, and the ticks that it is worth.

    Attributes:
        hero: Id of the hero.
        clock: Id of the clock; empty for none.
        level: The level.
        ticks: How many ticks.
    """

    hero: ActorId
    clock: ActorId
    level: EffectLevel
    ticks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifted(plain.Fact):
    """A hero lifts another's result of a Group Action.

    Attributes:
        helper: Id of the hero who helps.
        hero: Id of the hero.
        result: How it went.
        words: In the words of whoever said it; empty for none.
    """

    helper: ActorId
    hero: ActorId
    result: Result
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactStated(plain.Fact):
    """A hero's player states a Fact; its content id, and words.

    Attributes:
        hero: Id of the hero.
        fact: Content id of the fact.
        words: In the words of whoever said it; empty for none.
    """

    hero: ActorId
    fact: str
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckPassedOn(plain.Fact):
    """The next roll of one of the heroes is Lucky.

    Attributes:
        hero: Id of the hero.
    """

    hero: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class RollOver(plain.Fact):
    """The roll that was called for is over, and with it what lasted for one roll.

    Attributes:
        hero: Id of the hero.
    """

    hero: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted(plain.Fact):
    """A hero has had their turn in this round.

    Attributes:
        hero: Id of the hero.
    """

    hero: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUsed(plain.Fact):
    """Gear with limited uses was used once.

    Attributes:
        hero: Id of the hero.
        tool: Id of the gear; empty for none.
    """

    hero: ActorId
    tool: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rested(plain.Fact):
    """A hero has taken an action of a rest.

    Attributes:
        hero: Id of the hero.
        activity: What the hero does at rest.
        words: In the words of whoever said it; empty for none.
    """

    hero: ActorId
    activity: Activity
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained(plain.Fact):
    """A hero fills a box of an advancement track.

    Attributes:
        hero: Id of the hero.
        track: The track.
    """

    hero: ActorId
    track: TrainingTrack


@dataclass(frozen=True, slots=True, kw_only=True)
class FortunePrepared(plain.Fact):
    """A hero lays Fortune by for an event.

    Attributes:
        hero: Id of the hero.
        event: The event that it is about; empty for none.
        points: How many points.
    """

    hero: ActorId
    event: str
    points: int
