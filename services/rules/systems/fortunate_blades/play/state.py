"""Where an encounter stands: heroes, clocks, the round, the roll that is called for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from services.rules.engine.effects import Effect, forbidden
from services.rules.engine.explain import Explained
from services.rules.systems.fortunate_blades.clocks import Clock, ClockKind
from services.rules.systems.fortunate_blades.harm import Slots
from services.rules.systems.fortunate_blades.play.effects import EFFECTS, filled_slots
from services.rules.systems.fortunate_blades.rolls import Result
from services.rules.systems.fortunate_blades.sheet import TalentLine
from services.rules.systems.fortunate_blades.terms import (
    Attribute,
    Group,
    HarmLevel,
    Quality,
    Range,
    TrainingTrack,
)


class Standing(Enum):
    """Whether a hero takes part, and if not, for how long.

    Attributes:
        IN: Takes part.
        RETIRING: Defeated, finishes this encounter, and is a background figure then.
        OUT_OF_ENCOUNTER: Ran out of Fortune; back after the encounter with all of it.
        OUT_OF_QUEST: Took a Mark; back when the Quest is over.
        REVIVED: Defeated; may return in a later Quest, changed.
        RETIRED: Defeated and gone for good, but as a background figure.
        DEAD: Went out in a Blaze of Glory.
    """

    IN = "in"
    RETIRING = "retiring"
    OUT_OF_ENCOUNTER = "out_of_encounter"
    OUT_OF_QUEST = "out_of_quest"
    REVIVED = "revived"
    RETIRED = "retired"
    DEAD = "dead"


PRESENT = (Standing.IN, Standing.RETIRING)
"""Those who take part."""


class Safety(Enum):
    """How safe it is to rest, by the game master's word (O1).

    Attributes:
        SAFE: Nothing disturbs it.
        RISKY: Something may disturb it.
        UNSAFE: No rest is possible.
    """

    SAFE = "safe"
    RISKY = "risky"
    UNSAFE = "unsafe"


class Activity(Enum):
    """What can be done at rest.

    Attributes:
        LOOT: Look for something of use.
        STORY: Tell a story.
        RECOVER: Heal a Harm.
        TRAIN: Fill a box of a track.
        PREPARE: Lay Fortune by for an event.
        PROJECT: Work on a clock.
        NOTHING: Nothing.
    """

    LOOT = "loot"
    STORY = "story"
    RECOVER = "recover"
    TRAIN = "train"
    PREPARE = "prepare"
    PROJECT = "project"
    NOTHING = "nothing"


REST_ACTIONS = 2
"""Actions that a rest has for each hero; the same may be taken twice (P31)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """Gear that a hero acts with.

    Attributes:
        id: Unique among the hero's own.
        name: What it is called.
        quality: How good it is, which sets its Effect.
        reach: The range it is made for; None where distance is of no account.
        sources: What it counts as where a clock takes only some things: `magic`.
        uses: How often it can be used still; None where it does not wear out.
        gear: Content id of the gear; empty for the Fortunate Blade.
    """

    id: str
    name: str
    quality: Quality = Quality.SIMPLE
    reach: Range | None = None
    sources: tuple[str, ...] = ()
    uses: int | None = None
    gear: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """Fortune laid by for an event, and for that alone (Preparation).

    Attributes:
        event: What it is laid by for.
        points: Fortune that is laid by.
    """

    event: str
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Hero:
    """A hero in an encounter.

    Attributes:
        id: Of the cast member.
        name: Of the hero.
        attributes: All twelve.
        saves: What is added to a Save against each type of Harm, and why.
        armor: What armour adds to those, by itself.
        slots: Slots for Harm of each level.
        full_fortune: Fortune at the start of a Quest.
        fortune: Fortune left.
        prepared: Fortune laid by.
        tools: Gear at hand.
        talents: What the hero can do that few can.
        used: Content ids of the talents that are used up, for the encounter or the Quest.
        marks: Marks, in words.
        standing: Whether they take part.
        acted: Whether they have acted in this round.
        result: How their last roll went.
        lifted: Whom they have lifted in the last Group Action.
        rests: How many actions of a rest they have taken.
        trained: The boxes of advancement tracks that they have filled at rest.
    """

    id: str
    name: str
    attributes: Mapping[Attribute, int]
    saves: Mapping[Group, Explained]
    armor: Mapping[Group, int]
    slots: Mapping[HarmLevel, int]
    full_fortune: int
    fortune: int
    prepared: tuple[Prepared, ...] = ()
    tools: tuple[Tool, ...] = ()
    talents: tuple[TalentLine, ...] = ()
    used: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    standing: Standing = Standing.IN
    acted: bool = False
    result: Result | None = None
    lifted: tuple[str, ...] = ()
    rests: int = 0
    trained: tuple[TrainingTrack, ...] = ()

    @property
    def present(self) -> bool:
        """Whether they take part."""
        return self.standing in PRESENT

    def tool(self, name: str) -> Tool | None:
        """A tool at hand, by its id, that is not used up."""
        return next((each for each in self.tools if each.id == name and each.uses != 0), None)

    def laid_by(self, event: str) -> int:
        """Fortune that is laid by for an event."""
        return sum(each.points for each in self.prepared if event and each.event == event)


@dataclass(frozen=True, slots=True, kw_only=True)
class CalledRoll:
    """A roll that the game master has called for.

    Attributes:
        hero: Who rolls; empty where everybody does.
        attribute: What with; None where each rolls with their own.
        risk: The risk that is run, in the game master's words.
        shown: Whether Close and Clear are shown to players.
        close: The least total that is Close; None in views that do not show it.
        clear: The least total that is Clear.
    """

    hero: str
    attribute: Attribute | None
    risk: str
    shown: bool
    close: int | None = None
    clear: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Encounter:
    """Where an encounter stands.

    Attributes:
        title: What it is called.
        place: Where it happens, a place of the story map or any words; empty where that is open.
        answer_seconds: How long questions to players wait; None for as long as it takes.
        resistant_levels: Levels of Effect that a resistant clock takes off (P1).
        advantages: Content ids of the party's advantages.
        here: Content ids of those of them that are at this place: a home, a vehicle, a monument.
        heroes: In the order of the cast.
        clocks: In the order in which they began; hidden ones are the game master's alone.
        effects: What lasts on heroes, Harm included.
        rest: How safe it is, where this is a rest between encounters; None for an encounter.
        engaged: Whether the Engagement Roll has been made.
        round: Counted from 1.
        rolls: The rolls that are called for, while they are: one, and those of its helpers.
        begun: How many lasting things have begun, which numbers them.
        last: The last consequence there was, by the word of its kind.
        ended: How it ended; empty while it goes on.
        won: Whether the heroes overcame it.
    """

    title: str
    place: str
    heroes: tuple[Hero, ...]
    clocks: tuple[Clock, ...]
    answer_seconds: int | None = None
    resistant_levels: int = 1
    advantages: tuple[str, ...] = ()
    here: tuple[str, ...] = ()
    effects: tuple[Effect, ...] = ()
    rest: Safety | None = None
    engaged: bool = False
    round: int = 1
    rolls: tuple[CalledRoll, ...] = ()
    begun: int = 0
    last: str = ""
    ended: str = ""
    won: bool = False

    def hero(self, who: str) -> Hero:
        """The hero of an id; those of a lawful move are always found."""
        return next(one for one in self.heroes if one.id == who)

    def find(self, who: str) -> Hero | None:
        """The hero of an id who takes part; None where there is none."""
        return next((one for one in self.heroes if one.id == who and one.present), None)

    def clock(self, name: str) -> Clock | None:
        """The clock of an id; None where there is none."""
        return next((one for one in self.clocks if one.id == name), None)

    def present(self) -> tuple[Hero, ...]:
        """The heroes who take part."""
        return tuple(one for one in self.heroes if one.present)

    def others(self, who: str) -> tuple[Hero, ...]:
        """The heroes who take part beside one."""
        return tuple(one for one in self.present() if one.id != who)

    def targets(self) -> tuple[Clock, ...]:
        """The clocks that heroes may act on: those that are open, and not overcome."""
        return tuple(one for one in self.clocks if not one.hidden and not one.full)

    def projects(self) -> tuple[Clock, ...]:
        """The projects that heroes may work on."""
        return tuple(each for each in self.targets() if each.kind is ClockKind.PROJECT)

    def may_rest(self, who: str) -> bool:
        """Whether a hero has an action of a rest left."""
        hero = self.find(who)
        able = self.rest is not None and self.rest is not Safety.UNSAFE
        return able and hero is not None and hero.rests < REST_ACTIONS

    def may_act(self, who: str) -> bool:
        """Whether a hero has an action left in this round."""
        hero = self.find(who) if self.rest is None else None
        return hero is not None and not hero.acted and not self.kept_from(hero, "act")

    def kept_from(self, hero: Hero, verb: str) -> bool:
        """Whether something that lasts keeps a hero from acting, or from helping."""
        return forbidden(self.effects, EFFECTS, hero.id, verb, hero.name) is not None

    def heroes_done(self) -> bool:
        """Whether all heroes have had their turn in this round."""
        return self.engaged and not any(self.may_act(one.id) for one in self.present())

    def enemies(self) -> tuple[Clock, ...]:
        """The clocks whose enemies have a turn in this round still."""
        return tuple(
            one for one in self.clocks if one.kind is ClockKind.ENEMY and not one.full and not one.acted
        )

    def has(self, advantage: str) -> bool:
        """Whether the party has an advantage, by the last part of its content id."""
        return any(each.rpartition("/")[2] == advantage for each in self.advantages)

    def slots(self, who: str) -> Slots:
        """The Harm slots of a hero that are filled."""
        return filled_slots(self.effects, who)
