"""The facts of an encounter. A field of type `ActorId` names a hero or a clock: only those who may know of it
are told.
"""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine import plain
from services.rules.engine.effects import Until
from services.rules.engine.steps import ActorId
from services.rules.systems.fortunate_blades.clocks import Clock
from services.rules.systems.fortunate_blades.play.causes import Cause, Why
from services.rules.systems.fortunate_blades.play.moves import Benefit, Gain, Luck
from services.rules.systems.fortunate_blades.play.state import Activity
from services.rules.systems.fortunate_blades.rolls import Result
from services.rules.systems.fortunate_blades.terms import (
    Attribute,
    Consequence,
    EffectLevel,
    Group,
    HarmLevel,
    TrainingTrack,
)

# Rolls


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


# Consequences


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsequenceCame(plain.Fact):
    """A consequence came, and whom it befalls; empty for all.

    Attributes:
        consequence: The consequence.
        hero: Id of the hero.
        words: In the words of whoever said it; empty for none.
    """

    consequence: Consequence
    hero: ActorId = ""
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsequenceDrawn(plain.Fact):
    """The kind of consequence was rolled, or picked.

    Attributes:
        consequence: The consequence.
        hero: Id of the hero.
    """

    consequence: Consequence
    hero: ActorId = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolLost(plain.Fact):
    """Gear is lost.

    Attributes:
        hero: Id of the hero.
        tool: Id of the gear; empty for none.
    """

    hero: ActorId
    tool: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockStarted(plain.Fact):
    """A clock is drawn, or shown that was secret.

    Attributes:
        clock: Id of the clock; empty for none.
    """

    clock: Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockUncovered(plain.Fact):
    """A secret clock is one no longer; it is shown under an id of the open series.

    Attributes:
        clock: Id of the clock; empty for none.
    """

    clock: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockMoved(plain.Fact):
    """Ticks of a clock were filled, or taken off.

    Attributes:
        clock: Id of the clock; empty for none.
        ticks: How many ticks.
    """

    clock: ActorId
    ticks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HarmThreatened(plain.Fact):
    """Harm befalls a hero, if no Save lessens it.

    Attributes:
        hero: Id of the hero.
        group: The type of Harm or of attributes.
        level: The level.
        words: In the words of whoever said it; empty for none.
    """

    hero: ActorId
    group: Group
    level: HarmLevel
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowersLost(plain.Fact):
    """The party's people are lost: in place of a hero's Harm, or by a Miss that they Aided.

    Attributes:
        hero: Id of the hero.
        advantage: Content id of the advantage.
    """

    hero: ActorId
    advantage: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved(plain.Fact):
    """How a Save went; levels of Harm that it takes off, None for all of them.

    Attributes:
        hero: Id of the hero.
        result: How it went.
        levels: How many levels.
    """

    hero: ActorId
    result: Result
    levels: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Harmed(plain.Fact):
    """A hero takes Harm, in the slot of this level; `levels` of Effect are what a minor one takes off.

    Attributes:
        hero: Id of the hero.
        group: The type of Harm or of attributes.
        level: The level.
        words: In the words of whoever said it; empty for none.
        levels: How many levels.
    """

    hero: ActorId
    group: Group
    level: HarmLevel
    words: str = ""
    levels: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Unharmed(plain.Fact):
    """Nothing is left of a Harm.

    Attributes:
        hero: Id of the hero.
    """

    hero: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class HarmHealed(plain.Fact):
    """A Harm becomes one level less, or is gone; the id of what lasts.

    Attributes:
        hero: Id of the hero.
        harm: Id of the Harm.
    """

    hero: ActorId
    harm: str


# Marks and defeat


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked(plain.Fact):
    """A hero takes a Mark, and is out: of the encounter where Fortune ran out, else of the Quest.

    Attributes:
        hero: Id of the hero.
        cause: What brought it about.
        words: In the words of whoever said it; empty for none.
    """

    hero: ActorId
    cause: Cause
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Defeated(plain.Fact):
    """A hero is Defeated: by the last Mark, or lethal Harm.

    Attributes:
        hero: Id of the hero.
    """

    hero: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Revived(plain.Fact):
    """A Defeated hero is out, and may return in a later Quest, changed.

    Attributes:
        hero: Id of the hero.
    """

    hero: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Retired(plain.Fact):
    """A Defeated hero finishes this encounter, or where that is done is gone from it.

    Attributes:
        hero: Id of the hero.
        at_once: Whether it happens at once.
    """

    hero: ActorId
    at_once: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WentOut(plain.Fact):
    """A Defeated hero performs a Final Act, and is dead; its content id.

    Attributes:
        hero: Id of the hero.
        act: Content id of the Final Act.
        words: In the words of whoever said it; empty for none.
    """

    hero: ActorId
    act: str
    words: str = ""


# The encounter


@dataclass(frozen=True, slots=True, kw_only=True)
class Engaged(plain.Fact):
    """The Engagement Roll is made.

    Attributes:
        hero: Id of the hero.
    """

    hero: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Positioned(plain.Fact):
    """A hero's rolls are harder or easier: in this round, at the next roll, or for the whole encounter.

    Attributes:
        hero: Id of the hero.
        steps: How many sets harder; easier where negative.
        lasts: How long it lasts.
        words: In the words of whoever said it; empty for none.
    """

    hero: ActorId
    steps: int
    lasts: Until
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnemiesActed(plain.Fact):
    """The enemies of a clock have had their turn.

    Attributes:
        clock: Id of the clock; empty for none.
    """

    clock: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnded(plain.Fact):
    """A round is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakWanted(plain.Fact):
    """A hero wants a Lucky Break.

    Attributes:
        hero: Id of the hero.
        gain: What is gained.
        words: In the words of whoever said it; empty for none.
    """

    hero: ActorId
    gain: Gain
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakAnswered(plain.Fact):
    """What becomes of a Lucky Break: its price, or 0 where it is refused or not paid.

    Attributes:
        hero: Id of the hero.
        gain: What is gained.
        cost: What it costs, in Fortune.
    """

    hero: ActorId
    gain: Gain
    cost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenged(plain.Fact):
    """A hero goes head to head with another.

    Attributes:
        attacker: Id of the hero who began it.
        defender: Id of the other hero.
        goal: The goal, in plain words.
    """

    attacker: ActorId
    defender: ActorId
    goal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalStated(plain.Fact):
    """What the defender of a conflict wants.

    Attributes:
        hero: Id of the hero.
        goal: The goal, in plain words.
    """

    hero: ActorId
    goal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomesStated(plain.Fact):
    """What becomes of a conflict if the one or the other succeeds.

    Attributes:
        attacker: Id of the hero who began it.
        defender: Id of the other hero.
    """

    attacker: str
    defender: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictDecided(plain.Fact):
    """The defender decides a conflict, because not both agree to its outcomes.

    Attributes:
        hero: Id of the hero.
        words: In the words of whoever said it; empty for none.
    """

    hero: ActorId
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictWon(plain.Fact):
    """A conflict was rolled: who succeeds, and the consequence for the other.

    Attributes:
        winner: Id of the hero who won.
        loser: Id of the hero who lost.
        consequence: The consequence.
    """

    winner: ActorId
    loser: ActorId
    consequence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryRolled(plain.Fact):
    """The game master rolled to see what happens.

    Attributes:
        words: In the words of whoever said it; empty for none.
        total: What it comes to in all.
        result: How it went.
        important: Whether it matters so much that the group decides.
    """

    words: str
    total: int
    result: Result
    important: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupCalled(plain.Fact):
    """The game master calls for a roll of everybody.

    Attributes:
        risk: The risk that is run, in plain words.
        shown: Whether players may see it.
    """

    risk: str
    shown: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupAgreed(plain.Fact):
    """Whether the players make a Group Action of it.

    Attributes:
        together: Whether it is a Group Action.
    """

    together: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EncounterEnded(plain.Fact):
    """The encounter is over.

    Attributes:
        won: Whether it was won.
        words: In the words of whoever said it; empty for none.
    """

    won: bool
    words: str


Fact = (
    Tried
    | RollCalled
    | NumbersSet
    | NoRollNeeded
    | HardBargainOffered
    | BargainAnswered
    | BackedOut
    | Aided
    | ActionGiven
    | TalentUsed
    | FortuneSpent
    | PreparedSpent
    | FortuneGained
    | Rolled
    | Resolved
    | EffectHad
    | Lifted
    | FactStated
    | LuckPassedOn
    | RollOver
    | Acted
    | ToolUsed
    | Rested
    | Trained
    | FortunePrepared
    | ConsequenceCame
    | ConsequenceDrawn
    | ToolLost
    | ClockStarted
    | ClockUncovered
    | ClockMoved
    | HarmThreatened
    | FollowersLost
    | Saved
    | Harmed
    | Unharmed
    | HarmHealed
    | Marked
    | Defeated
    | Revived
    | Retired
    | WentOut
    | Engaged
    | Positioned
    | EnemiesActed
    | RoundEnded
    | BreakWanted
    | BreakAnswered
    | Challenged
    | GoalStated
    | OutcomesStated
    | ConflictDecided
    | ConflictWon
    | StoryRolled
    | GroupCalled
    | GroupAgreed
    | EncounterEnded
)
