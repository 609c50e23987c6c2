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
        hero: Id of the hero who acts.
        attribute: What the hero deals with the risk by.
        clock: Id of the clock that it is aimed at; empty for none.
        tool: Id of the gear among the hero's own; empty for none.
        words: What the hero does; empty where nothing is said.
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
        hero: Id of the hero who rolls.
        attribute: The attribute whose rank is added.
        risk: The risk that is run, in words.
        shown: Whether players may see Close and Clear.
        luck: What the game master deems the roll to be.
        bargain: What more happens on a Close or a Miss if a Devil's Bargain is taken; empty for no bargain.
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
        hero: Id of the hero who rolls; empty where everybody does.
        close: The least total that is Close.
        clear: The least total that is Clear.
    """

    hero: ActorId
    close: int
    clear: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NoRollNeeded(plain.Fact):
    """It just happens, or cannot be done at all.

    Attributes:
        hero: Id of the hero who acts.
        possible: Whether it happens; false where it cannot be done.
    """

    hero: ActorId
    possible: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HardBargainOffered(plain.Fact):
    """It can be had without a roll, at a price.

    Attributes:
        hero: Id of the hero to whom it is offered.
        price: What it takes, in words.
    """

    hero: ActorId
    price: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BargainAnswered(plain.Fact):
    """Whether a hero takes a bargain: a hard one, or the Devil's.

    Attributes:
        hero: Id of the hero to whom it was offered.
        taken: Whether it is taken.
    """

    hero: ActorId
    taken: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BackedOut(plain.Fact):
    """A hero does something else after all; what lasts for one roll is not used up.

    Attributes:
        hero: Id of the hero who had set out to do it.
    """

    hero: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Aided(plain.Fact):
    """A hero helps another with a roll.

    Attributes:
        helper: Id of the hero who helps.
        hero: Id of the hero who is helped.
        benefit: What the help adds to the roll.
        words: How they help; empty where nothing is said.
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
        rounds: 1 where the action of this round is gone, 2 where it is that of the next.
    """

    helper: ActorId
    rounds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TalentUsed(plain.Fact):
    """A hero uses a talent; its content id.

    Attributes:
        hero: Id of the hero who has it.
        talent: Content id of the talent.
    """

    hero: ActorId
    talent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FortuneSpent(plain.Fact):
    """Fortune is spent, on one's own behalf or another's.

    Attributes:
        hero: Id of the hero who spends it.
        points: Fortune that is spent.
        why: What it is spent on.
        on: Id of the hero whose roll it serves; empty for the spender's own.
        words: What happens in the story; empty where nothing is said.
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
        hero: Id of the hero who had laid it by.
        event: What it was laid by for.
        points: Fortune that is spent.
    """

    hero: ActorId
    event: str
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FortuneGained(plain.Fact):
    """A hero gains Fortune.

    Attributes:
        hero: Id of the hero who gains it.
        points: Fortune that is gained.
        why: What brings it.
    """

    hero: ActorId
    points: int
    why: Why


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled(plain.Fact):
    """A d20 was rolled, or two; `total` is the kept one and everything added so far.

    A Save is not an action.

    Attributes:
        hero: Id of the hero who rolled.
        natural: Face of the die that is kept, from 1 to 20.
        total: That face with everything added before and at the roll.
        save: Whether it is a Save against Harm, and no action.
    """

    hero: ActorId
    natural: int
    total: int
    save: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved(plain.Fact):
    """How a roll went in the end; how far a Miss is below Close, None where the numbers are hidden.

    Attributes:
        hero: Id of the hero who rolled.
        result: Whether it is clear, close or a miss.
        missed_by: How far a Miss is below Close; None for other results, and where the numbers are hidden.
    """

    hero: ActorId
    result: Result
    missed_by: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectHad(plain.Fact):
    """The Effect that a successful roll has on a clock: its level, and the ticks that it is worth.

    Attributes:
        hero: Id of the hero who rolled.
        clock: Id of the clock that it has an Effect on.
        level: Level of the Effect, before ticks are doubled or tripled.
        ticks: Ticks that it is worth.
    """

    hero: ActorId
    clock: ActorId
    level: EffectLevel
    ticks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifted(plain.Fact):
    """A hero lifts another's result of a Group Action.

    Attributes:
        helper: Id of the hero who pays for it.
        hero: Id of the hero whose result is lifted.
        result: What the result is from now on.
        words: How they help; empty where nothing is said.
    """

    helper: ActorId
    hero: ActorId
    result: Result
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactStated(plain.Fact):
    """A hero's player states a Fact; its content id, and words.

    Attributes:
        hero: Id of the hero who rolled the natural 20.
        fact: Content id of the Fact.
        words: What is true from now on; empty where nothing is said.
    """

    hero: ActorId
    fact: str
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckPassedOn(plain.Fact):
    """The next roll of one of the heroes is Lucky.

    Attributes:
        hero: Id of the hero whose next roll is Lucky.
    """

    hero: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class RollOver(plain.Fact):
    """The roll that was called for is over, and with it what lasted for one roll.

    Attributes:
        hero: Id of the hero who rolled.
    """

    hero: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted(plain.Fact):
    """A hero has had their turn in this round.

    Attributes:
        hero: Id of the hero whose turn is over.
    """

    hero: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUsed(plain.Fact):
    """Gear with limited uses was used once.

    Attributes:
        hero: Id of the hero who used it.
        tool: Id of the gear among the hero's own.
    """

    hero: ActorId
    tool: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rested(plain.Fact):
    """A hero has taken an action of a rest.

    Attributes:
        hero: Id of the hero who rests.
        activity: What the hero does at rest.
        words: What is told, searched for or done; empty where nothing is said.
    """

    hero: ActorId
    activity: Activity
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained(plain.Fact):
    """A hero fills a box of an advancement track.

    Attributes:
        hero: Id of the hero who trains.
        track: The track whose box is filled.
    """

    hero: ActorId
    track: TrainingTrack


@dataclass(frozen=True, slots=True, kw_only=True)
class FortunePrepared(plain.Fact):
    """A hero lays Fortune by for an event.

    Attributes:
        hero: Id of the hero who prepares.
        event: What it is laid by for.
        points: Fortune that is laid by.
    """

    hero: ActorId
    event: str
    points: int
