"""What happens in a scene, as facts in the game's own words; each is folded in by `evolve`.

A field typed `ActorId` names a being, or a thing, job, area or effect, which may be hidden just as well: a
fact is told to those who may know of all that it names. `tell` makes the sentences, with the words of
`content/sentences.toml`.
"""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.explain import Explained
from services.rules.engine.grid import Square
from services.rules.engine.plain import Fact
from services.rules.engine.play import EVERYONE, Audience
from services.rules.engine.steps import ActorId
from services.rules.systems.dungeonteller.bonuses import Bonus
from services.rules.systems.dungeonteller.play.state import (
    Area,
    Arm,
    Being,
    Climb,
    Duration,
    Effect,
    Ending,
    Job,
    Reflex,
    Side,
    Thing,
)

# Dice, words and Luck


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled(Fact):
    """Dice fell.

    Attributes:
        roll: The roll's name in its check.
        being: Who rolled.
        label: What for.
        dice: How many, and why.
        faces: How they fell.
        successes: How many of them succeed.
    """

    roll: str
    being: ActorId
    label: str
    dice: Explained
    faces: tuple[int, ...]
    successes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened(Fact):
    """Something for people to read and for clients to show; it changes nothing by itself.

    Attributes:
        code: What happened, for programs, and which sentence tells it: "attack.hit", "power.zap".
        by: Who did it.
        targets: Whom it concerns.
        power: Content id of the power, if it was one.
        successes: Successes that count in the end.
        number: What else is counted: paces, turns, dice.
        words: Words of players, or the name of what has no id: a weapon, a place.
        rule: Where the rule stands.
    """

    code: str
    by: ActorId = ""
    targets: tuple[ActorId, ...] = ()
    power: str = ""
    successes: int = 0
    number: int = 0
    words: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckChanged(Fact):
    """A being's Luck changed.

    Attributes:
        luck: What it is now.
        change: By how much.
        cause: Content id of what did it, or a name of `content/sentences.toml`: "fire", "rest".
        words: What the game master calls the cause, where it has no name.
        by: Whose doing it is; empty for a hazard, and for what a being does to itself.
        cause_for: Who may know by whom and why: the others learn of the loss, and of nothing behind it.
    """

    being: ActorId
    luck: int
    change: int
    cause: str
    words: str = ""
    by: str = ""
    cause_for: Audience = EVERYONE


# Beings


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived(Fact):
    """A being came into the scene."""

    being: Being


@dataclass(frozen=True, slots=True, kw_only=True)
class Left(Fact):
    """A being is gone from the scene, and what lasted on it."""

    being: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(Fact):
    """A being stands elsewhere, or higher or lower."""

    being: ActorId
    at: Square
    height: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Hid(Fact):
    """A being hides.

    Attributes:
        needed: Notice successes it takes to find it.
        found_by: Who of the other sides knows where it is all the same.
    """

    being: ActorId
    needed: int
    found_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CameIntoView(Fact):
    """A being is hidden no longer."""

    being: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed(Fact):
    """A hidden being was found.

    Attributes:
        by: Who found it.
    """

    being: ActorId
    by: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Alerted(Fact):
    """A being is surprised no longer."""

    being: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockedOut(Fact):
    """A being is out for the scene, in plain view and on the ground."""

    being: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Warmed(Fact):
    """The cold has left a being."""

    being: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored(Fact):
    """A statue that was alive before the scene began is alive again.

    Attributes:
        tag: The tag that it loses.
    """

    being: ActorId
    tag: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MaximumLowered(Fact):
    """A companion lowers its owner's maximum of Luck.

    Attributes:
        by: By how much.
    """

    being: ActorId
    by: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Helped(Fact):
    """A familiar lends its owner dice and a spell.

    Attributes:
        familiar: The familiar.
        bonuses: The dice; their rule is the familiar's id.
        powers: Content ids of the spells.
    """

    being: ActorId
    familiar: ActorId
    bonuses: tuple[Bonus, ...] = ()
    powers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BurdenLifted(Fact):
    """A companion serves no longer: its owner has back the maximum of Luck, and not what it lent.

    Attributes:
        companion: Who serves no longer.
    """

    being: ActorId
    companion: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Tamed(Fact):
    """An animal is a pet from now on, on its owner's side."""

    being: ActorId
    owner: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class StanceTaken(Fact):
    """A being dodges otherwise from now on."""

    being: ActorId
    reflex: Reflex


@dataclass(frozen=True, slots=True, kw_only=True)
class Overruled(Fact):
    """The game master set something by hand; None leaves it as it is.

    Attributes:
        shown: Whether it is hidden no longer.
        words: Why.
    """

    being: ActorId
    max_luck: int | None = None
    armor: int | None = None
    at: Square | None = None
    out: bool | None = None
    side: Side | None = None
    shown: bool = False
    words: str = ""


# What beings have


@dataclass(frozen=True, slots=True, kw_only=True)
class Wielded(Fact):
    """A being took in hand what it fights with.

    Attributes:
        held: Ids of the weapons in hand.
        shield: Whether a shield is among them.
        armor: Armour worn, with a held shield.
    """

    being: ActorId
    held: tuple[str, ...]
    shield: bool
    armor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmGained(Fact):
    """A being has a weapon more."""

    being: ActorId
    arm: Arm


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmLost(Fact):
    """A being has a weapon less.

    Attributes:
        arm: Id of the weapon.
        shield: Whether a shield is still held.
        armor: Armour worn, with a held shield.
    """

    being: ActorId
    arm: str
    shield: bool
    armor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmorLost(Fact):
    """The armour that a being wore is no more.

    Attributes:
        armor: What is left: a held shield, or a hide.
    """

    being: ActorId
    armor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldGained(Fact):
    """A being has more gold."""

    being: ActorId
    gold: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingAdded(Fact):
    """A thing is in the scene."""

    thing: Thing


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingTaken(Fact):
    """A thing is in a being's hands."""

    thing: ActorId
    by: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingLaidDown(Fact):
    """A thing lies on the grid."""

    thing: ActorId
    at: Square


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingFound(Fact):
    """A hidden thing was found."""

    thing: ActorId
    by: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingUsed(Fact):
    """A thing has been used so often in this scene."""

    thing: ActorId
    used: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingSpent(Fact):
    """One of several things of a kind is used up.

    Attributes:
        left: How many are left.
    """

    thing: ActorId
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingDamaged(Fact):
    """A thing has less Luck against being destroyed."""

    thing: ActorId
    luck: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingGone(Fact):
    """A thing is no more, or is now gold in a purse or a weapon among weapons."""

    thing: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorOpened(Fact):
    """A door, or one of its leaves, stands in nobody's way any more."""

    thing: ActorId


# Jobs and climbs


@dataclass(frozen=True, slots=True, kw_only=True)
class JobAdded(Fact):
    """There is something to do."""

    job: Job


@dataclass(frozen=True, slots=True, kw_only=True)
class JobAdvanced(Fact):
    """A job has so many successes now."""

    job: ActorId
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JobHardened(Fact):
    """A job takes so many successes now."""

    job: ActorId
    needed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRemoved(Fact):
    """There is nothing more to do about something."""

    job: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class ClimbBegan(Fact):
    """A being stands before a wall, or at its foot again."""

    climb: Climb


@dataclass(frozen=True, slots=True, kw_only=True)
class Climbed(Fact):
    """A being is higher on its wall.

    Attributes:
        at: Steps that are behind it.
    """

    being: ActorId
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClimbEnded(Fact):
    """A being is on its wall no longer."""

    being: ActorId


# What lasts


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectBegan(Fact):
    """An effect lasts on a being from now on."""

    effect: Effect


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectCounted(Fact):
    """An effect counts otherwise."""

    effect: ActorId
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectShortened(Fact):
    """An effect lasts a turn less."""

    effect: ActorId
    lasts: Duration


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectEnded(Fact):
    """An effect is over."""

    effect: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaLaid(Fact):
    """Something lies on the grid from now on."""

    area: Area


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaShrunk(Fact):
    """Something lies on fewer squares."""

    area: ActorId
    squares: tuple[Square, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaHurt(Fact):
    """A swarm has less Luck."""

    area: ActorId
    luck: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaShortened(Fact):
    """Something lies on the grid for a turn less."""

    area: ActorId
    lasts: Duration


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaEnded(Fact):
    """Something lies on the grid no longer."""

    area: ActorId


# Turns


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan(Fact):
    """A being's turn begins.

    Attributes:
        round: The round, counted from 1.
    """

    being: ActorId
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked(Fact):
    """A being went some paces of its turn."""

    being: ActorId
    paces: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PaceLimited(Fact):
    """A being goes no further than so many paces in this turn."""

    being: ActorId
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionUsed(Fact):
    """A being's action is used.

    Attributes:
        limit: Paces that it may go in all in this turn.
    """

    being: ActorId
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SpellWorkedUp(Fact):
    """A being has worked on a spell in this turn."""

    being: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Suffered(Fact):
    """An area has done its harm to a being in its turn, and does none again."""

    being: ActorId
    area: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderJoined(Fact):
    """A being has turns from now on.

    Attributes:
        place: Its place in the order.
    """

    being: ActorId
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderMoved(Fact):
    """A being has its turns at another place."""

    being: ActorId
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderLeft(Fact):
    """A being has no turns any more."""

    being: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended(Fact):
    """The scene is over.

    Attributes:
        why: What ended it.
        words: What the game master says of it.
        winners: The side that is left, if that ended it.
    """

    why: Ending
    words: str = ""
    winners: tuple[str, ...] = ()


Event = (
    Rolled
    | Happened
    | LuckChanged
    | Arrived
    | Left
    | Moved
    | Hid
    | CameIntoView
    | Noticed
    | Alerted
    | KnockedOut
    | Warmed
    | Restored
    | MaximumLowered
    | Helped
    | BurdenLifted
    | Tamed
    | StanceTaken
    | Overruled
    | Wielded
    | ArmGained
    | ArmLost
    | ArmorLost
    | GoldGained
    | ThingAdded
    | ThingTaken
    | ThingLaidDown
    | ThingFound
    | ThingUsed
    | ThingSpent
    | ThingDamaged
    | ThingGone
    | DoorOpened
    | JobAdded
    | JobAdvanced
    | JobHardened
    | JobRemoved
    | ClimbBegan
    | Climbed
    | ClimbEnded
    | EffectBegan
    | EffectCounted
    | EffectShortened
    | EffectEnded
    | AreaLaid
    | AreaShrunk
    | AreaHurt
    | AreaShortened
    | AreaEnded
    | TurnBegan
    | Walked
    | PaceLimited
    | ActionUsed
    | SpellWorkedUp
    | Suffered
    | OrderJoined
    | OrderMoved
    | OrderLeft
    | Ended
)
