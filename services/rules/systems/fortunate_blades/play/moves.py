"""The moves of an encounter: those of heroes and of the game master, and the answers to questions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.engine import plain
from services.rules.systems.fortunate_blades.clocks import ClockKind
from services.rules.systems.fortunate_blades.rolls import Difficulty
from services.rules.systems.fortunate_blades.terms import (
    Attribute,
    Consequence,
    EffectLevel,
    Group,
    HarmLevel,
    Range,
    Topic,
    TrainingTrack,
)


class Benefit(Enum):
    """What Aid brings the one who is helped (Aid; A13).

    Attributes:
        LUCKY: The roll is Lucky.
        EFFECT: The Effect is one level higher on a Close or a Clear.
        PROTECT: On a Miss, Harm is one level less, and a clock moves a tick less.
    """

    LUCKY = "lucky"
    EFFECT = "effect"
    PROTECT = "protect"


class Luck(Enum):
    """What the game master deems a roll to be, by what happens in the story."""

    NORMAL = "normal"
    LUCKY = "lucky"
    UNLUCKY = "unlucky"


class Gain(Enum):
    """What a Lucky Break is to bring (Lucky Break; E10).

    Attributes:
        POSITIONING: The hero's next roll is one set easier.
        ITEM: A needed item.
        INFORMATION: Needed information.
    """

    POSITIONING = "positioning"
    ITEM = "item"
    INFORMATION = "information"


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbered(plain.Move):
    """A move that sets the numbers of a roll.

    Attributes:
        difficulty: A set; None for numbers of one's own.
        close: The least total that is Close, without a set.
        spread: How far Clear lies above it.
    """

    difficulty: Difficulty | None = None
    close: int = 0
    spread: int = 0

    @property
    def numbers(self) -> tuple[int, int]:
        """Close and Clear."""
        own = (self.close, self.close + self.spread)
        return own if self.difficulty is None else self.difficulty.numbers


# Heroes' moves


@dataclass(frozen=True, slots=True, kw_only=True)
class Engage(plain.Move):
    """Make the Engagement Roll for the party, which opens every encounter (P10).

    Attributes:
        attribute: What the hero meets the danger with.
        words: What they do.
    """

    attribute: Attribute
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act(plain.Move):
    """Do something; where it is risky, the game master calls for a roll.

    Attributes:
        attribute: What the hero deals with the risk by; the player's choice.
        clock: Id of the clock that it is aimed at; empty for none.
        tool: Id of the gear that is used; None for none.
        words: What they do.
    """

    attribute: Attribute
    clock: str = ""
    tool: str | None = None
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait(plain.Move):
    """Let one's turn in this round go by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckyBreak(plain.Move):
    """Ask for a Lucky Break, which the game master prices or refuses.

    Attributes:
        gain: What it is to bring.
        words: The lucky event.
    """

    gain: Gain
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge(plain.Move):
    """Go head to head with another hero, who defends.

    Attributes:
        target: Id of the other hero.
        goal: The one thing that is wanted, and how far the hero will go for it.
    """

    target: str
    goal: str = ""


# Heroes' moves at rest


@dataclass(frozen=True, slots=True, kw_only=True)
class Loot(plain.Move):
    """Search the place, or value and identify what was found.

    Attributes:
        words: What is searched for, or looked at.
    """

    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TellStory(plain.Move):
    """Tell a story of one's past or people, true or not, for Fortune.

    Attributes:
        words: The story; what the game master takes from it is true from then on.
    """

    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recover(plain.Move):
    """Take a level off a Harm, one's own or another's.

    Attributes:
        target: Id of the hero.
        harm: Id of the Harm.
    """

    target: str
    harm: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Train(plain.Move):
    """Fill a box of an advancement track.

    Attributes:
        track: Which one.
    """

    track: TrainingTrack


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepare(plain.Move):
    """Lay Fortune by for something that may happen.

    Attributes:
        event: What it is laid by for.
        words: What is done.
    """

    event: str
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkOn(plain.Move):
    """Work on a long-term project.

    Attributes:
        clock: Id of its clock.
    """

    clock: str


# The game master's moves


@dataclass(frozen=True, slots=True, kw_only=True)
class EnemyTurn(plain.Move):
    """Let the enemies of a clock take their turn: a consequence for the heroes.

    Attributes:
        clock: Id of the clock.
    """

    clock: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallGroup(Numbered):
    """Call for a roll of everybody, which the players may make a Group Action.

    Attributes:
        risk: What may happen to them.
        clock: Id of the clock that successes fill; None for none.
        shown: Whether players may see the numbers.
    """

    risk: str = ""
    clock: str | None = None
    shown: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class RollForStory(Numbered):
    """The game master rolls to see what happens (DM Rolls).

    Attributes:
        words: What for.
        bonus: What is added.
        important: Whether players pick a consequence if it misses.
    """

    words: str = ""
    bonus: int = 0
    important: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StartClock(plain.Move):
    """Draw a clock.

    Attributes:
        name: What it stands for.
        size: How many ticks it has.
        type: Its kind.
        hidden: Whether it is kept secret.
        only: What alone has an Effect on it: groups of attributes, or sources such as `magic`.
        resistant: Groups whose Effect is lower on it.
        immune: Groups without Effect on it.
        away: How far off it is.
    """

    name: str
    size: int
    type: ClockKind = ClockKind.CHALLENGE
    hidden: bool = False
    only: tuple[str, ...] = ()
    resistant: tuple[Group, ...] = ()
    immune: tuple[Group, ...] = ()
    away: Range | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveClock(plain.Move):
    """Fill ticks of a clock, or take some off; also the consequence of this kind.

    Attributes:
        clock: Id of the clock.
        ticks: How many; negative to take off.
    """

    clock: str
    ticks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowClock(plain.Move):
    """Show a clock that was secret.

    Attributes:
        clock: Id of the clock.
    """

    clock: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reposition(plain.Move):
    """Make the rolls of heroes harder or easier, by what they have done so far (Positioning).

    Attributes:
        steps: Sets harder, or easier where it is negative.
        target: Id of the hero; None for all.
        words: Why.
    """

    steps: int
    target: str | None = None
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stir(plain.Move):
    """Let a consequence come out of the story, because nothing happens (Consequences)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndEncounter(plain.Move):
    """End the encounter.

    Attributes:
        won: Whether the heroes have overcome it.
        words: How it ends.
    """

    won: bool = False
    words: str = ""


# Answers: the game master's call


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Numbered):
    """Call for a roll.

    Attributes:
        risk: The risk that is run.
        shown: Whether players may see the numbers.
        luck: What the roll is deemed to be.
        level: The Effect that it has if it succeeds; None for that of what is used.
        bargain: A Devil's Bargain: what more happens on a Close or a Miss, for a roll one set easier; empty
            for none.
        event: The event that the roll is about, where Fortune was prepared for it.
        topic: What it is about, where the renown of the party counts.
    """

    risk: str = ""
    shown: bool = True
    luck: Luck = Luck.NORMAL
    level: EffectLevel | None = None
    bargain: str = ""
    event: str | None = None
    topic: Topic | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NoRisk(plain.Move):
    """Call for no roll: it just happens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Impossible(plain.Move):
    """Call for no roll: it cannot be done, and the action is not lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HardBargain(plain.Move):
    """Offer it without a roll, for something painful.

    Attributes:
        price: What it takes.
    """

    price: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agree(plain.Move):
    """Whether one agrees: to a Hard Bargain, to the outcomes of a conflict, to the price of a Lucky Break.

    Attributes:
        yes: Whether one does.
    """

    yes: bool


# Answers: before the roll, and after it


@dataclass(frozen=True, slots=True, kw_only=True)
class Aid(plain.Move):
    """Help with a roll before it is made.

    Attributes:
        benefit: What the helper gives.
        pay: Whether Fortune is spent in place of the helper's next action, and of any risk.
        attribute: What the helper helps with, should that be risky.
        words: How they help.
    """

    benefit: Benefit
    pay: bool = False
    attribute: Attribute = Attribute.FIGHT
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Boost(plain.Move):
    """Spend Fortune to add to a roll, one's own or another's, before or after it.

    Attributes:
        points: How much.
        words: What happens in the story.
    """

    points: int
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enable(plain.Move):
    """Spend Fortune so that a hero under heroic Harm can roll at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline(plain.Move):
    """Spend nothing, help with nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit(plain.Move):
    """Go through with a roll.

    Attributes:
        fortune: Fortune that is added, one for one.
        prepared: Fortune laid by for this event that is added as well.
        lucky: Whether Fortune is spent to make it Lucky.
        bargain: Whether the Devil's Bargain is taken.
        talents: Content ids of the talents that are used.
        at_home: Whether one level more of Effect is taken, at home, in place of being Lucky.
        followers: Whether the party's people Aid it, at their own risk.
        together: In a roll of everybody: whether it is to be a Group Action.
        attribute: In a roll of everybody, or a conflict: what the hero rolls with.
    """

    fortune: int = 0
    prepared: int = 0
    lucky: bool = False
    bargain: bool = False
    talents: tuple[str, ...] = ()
    at_home: bool = False
    followers: bool = False
    together: bool = True
    attribute: Attribute | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeMark(plain.Move):
    """Take a Mark: to clear a roll without a die, or because Fortune has run out.

    Attributes:
        words: The Mark.
    """

    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackOut(plain.Move):
    """Do something else after all, before the dice fall; the action is not lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reroll(plain.Move):
    """Roll a second time by a talent, and keep the better.

    Attributes:
        talent: Content id of the talent.
    """

    talent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RaiseEffect(plain.Move):
    """Spend Fortune to raise the Effect of a roll that succeeded.

    Attributes:
        levels: By how many levels.
    """

    levels: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StateFact(plain.Move):
    """State a Fact, for a natural 20.

    Attributes:
        fact: Content id.
        target: Id of the hero whose next roll is Lucky, where the Fact brings that; None for oneself.
        words: What is true.
    """

    fact: str
    target: str | None = None
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeFortune(plain.Move):
    """Take Fortune, for a natural 20."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lift(plain.Move):
    """Lift another's result of a Group Action by one step.

    Attributes:
        target: Id of the other hero.
        words: How they help.
    """

    target: str
    words: str = ""


# Answers: consequences


@dataclass(frozen=True, slots=True, kw_only=True)
class ReduceEffect(plain.Move):
    """Let what just happened do less.

    Attributes:
        levels: By how many levels of Effect.
    """

    levels: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Twist(plain.Move):
    """A consequence that is told, and counts nothing.

    Attributes:
        consequence: Which of the list it is.
        target: Id of the hero whom it befalls; None for all.
        words: What happens.
    """

    consequence: Consequence
    target: str | None = None
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeAway(plain.Move):
    """Take something important away.

    Attributes:
        target: Id of the hero who loses it.
        tool: Id of the gear that is lost; None for something else.
        words: What is lost, and how.
    """

    target: str
    tool: str | None = None
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CauseHarm(Numbered):
    """Cause Harm, against which a Save may be made.

    Attributes:
        target: Id of the hero.
        group: Its type.
        level: How grave it is.
        words: What it is.
        called: Whether the game master calls for the Save, which then is free.
    """

    target: str
    group: Group
    level: HarmLevel
    words: str = ""
    called: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RollConsequence(plain.Move):
    """Roll a d8 for the kind of consequence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOver(plain.Move):
    """Let a player pick the kind of consequence.

    Attributes:
        target: Id of their hero.
    """

    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PickConsequence(plain.Move):
    """Pick a kind of consequence from the list.

    Attributes:
        consequence: Which one.
    """

    consequence: Consequence


@dataclass(frozen=True, slots=True, kw_only=True)
class Enough(plain.Move):
    """Let no further consequence come."""


# Answers: Harm, Marks, defeat


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeSave(plain.Move):
    """Make a Save against Harm, at the moment it befalls.

    Attributes:
        fortune: Fortune that is added, one for one.
    """

    fortune: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SendFollowers(plain.Move):
    """Let the party's people be lost in place of a Harm (A Following; L9)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeHarm(plain.Move):
    """Take Harm as it comes; or, where Fortune has run out, take it for Fortune.

    Attributes:
        level: How grave it is, where it is taken for Fortune.
        group: Its type, where it is taken for Fortune.
        words: What it is.
    """

    level: HarmLevel | None = None
    group: Group | None = None
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revive(plain.Move):
    """Be out for the rest of the Quest, and come back changed in a later one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retire(plain.Move):
    """Finish this encounter, and be a background figure from then on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlazeOfGlory(plain.Move):
    """Perform a Final Act, and die.

    Attributes:
        act: Content id of the Final Act.
        clock: Id of the clock that it fills, where it does; None otherwise.
        words: How it is done.
    """

    act: str
    clock: str | None = None
    words: str = ""


# Answers: Lucky Breaks, stories and conflicts


@dataclass(frozen=True, slots=True, kw_only=True)
class Reward(plain.Move):
    """Add Fortune to a story that all agree was awesome.

    Attributes:
        points: How much; 0 for none.
    """

    points: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Price(plain.Move):
    """Name the Fortune that a Lucky Break costs.

    Attributes:
        cost: How much.
    """

    cost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuse(plain.Move):
    """Refuse a Lucky Break, which then costs nothing, not even the action."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateGoal(plain.Move):
    """Say what one wants in a conflict, and how far one will go.

    Attributes:
        goal: Both, in words.
    """

    goal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateOutcomes(plain.Move):
    """Say what becomes of a conflict if the one or the other succeeds.

    Attributes:
        attacker: The consequence for the defender if the attacker succeeds.
        defender: The consequence for the attacker if the defender succeeds.
    """

    attacker: str = ""
    defender: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decide(plain.Move):
    """Decide a conflict as its defender, without a roll.

    Attributes:
        words: What happens.
    """

    words: str = ""


Consequences = ReduceEffect | Twist | TakeAway | MoveClock | CauseHarm
"""What a consequence is made of."""

Answer = (
    Call
    | NoRisk
    | Impossible
    | HardBargain
    | Agree
    | Aid
    | Boost
    | Enable
    | Decline
    | Commit
    | TakeMark
    | BackOut
    | Reroll
    | RaiseEffect
    | StateFact
    | TakeFortune
    | Lift
    | ReduceEffect
    | Twist
    | TakeAway
    | CauseHarm
    | RollConsequence
    | HandOver
    | PickConsequence
    | Enough
    | MakeSave
    | SendFollowers
    | TakeHarm
    | Revive
    | Retire
    | BlazeOfGlory
    | Price
    | Refuse
    | Reward
    | StateGoal
    | StateOutcomes
    | Decide
)
RestMove = Loot | TellStory | Recover | Train | Prepare | WorkOn | Wait
"""What heroes do at rest."""
HeroMove = Engage | Act | LuckyBreak | Challenge | RestMove
MasterMove = (
    EnemyTurn
    | CallGroup
    | RollForStory
    | StartClock
    | MoveClock
    | ShowClock
    | Reposition
    | Stir
    | EndEncounter
)
Move = HeroMove | MasterMove | Answer
