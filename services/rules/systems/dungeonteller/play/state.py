"""Where a scene stands: who is in it, what lies on the grid, what lasts, whose turn it is.

Everything is frozen and has a JSON form. Ids are texts, unique in the scene: a hero's is its character id, a
creature's its name with a number, an effect's or area's a number behind what made it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.engine.grid import Square
from services.rules.engine.play import EVERYONE, GM, Audience
from services.rules.engine.steps import ActorId
from services.rules.engine.turns import Rounds
from services.rules.systems.dungeonteller.actions import Action, Ratings
from services.rules.systems.dungeonteller.bestiary import Size
from services.rules.systems.dungeonteller.bonuses import Bonus, Sight
from services.rules.systems.dungeonteller.catalog import Casting
from services.rules.systems.dungeonteller.companions import Companion
from services.rules.systems.dungeonteller.play.effects import (
    Area,
    AreaKind,
    Duration,
    Effect,
    EffectKind,
    Until,
)
from services.rules.systems.dungeonteller.play.field import Field

__all__ = [
    "Area",
    "AreaKind",
    "Arm",
    "Being",
    "Climb",
    "Creature",
    "Departure",
    "Duration",
    "Effect",
    "EffectKind",
    "Ending",
    "Field",
    "Job",
    "Load",
    "Reflex",
    "Scene",
    "Side",
    "Thing",
    "Turn",
    "Until",
]


class Side(Enum):
    """Who is on whose side. Bystanders are nobody's foes.

    Attributes:
        HEROES: The players' characters, and who stands by them.
        FOES: Who fights the heroes.
        BYSTANDERS: Nobody's foes.
    """

    HEROES = "heroes"
    FOES = "foes"
    BYSTANDERS = "bystanders"


class Reflex(Enum):
    """Whether a being dodges.

    Attributes:
        ASK: Their player is asked each time.
        BETTER: They dodge whenever their Stunt is more than their Armor and Luck is left after paying.
        NEVER: They stand their ground.
    """

    ASK = "ask"
    BETTER = "better"
    NEVER = "never"


class Creature(Enum):
    """What kind of a being it is, as far as play treats it differently.

    Attributes:
        PERSON: A hero or a creature of flesh, bone or stone: has turns of its own.
        PET: A tamed animal; has turns, led by its owner.
        MINION: Raised or summoned; has turns, led by its owner.
        FAMILIAR: Sits with its owner, has no turns, and shares its losses.
        WISP: A light made by magic, steered by its owner in the owner's turn.
        EYE: An eye made by magic, steered by its owner in the owner's turn.
        PHANTOM: A likeness made by magic, steered by its owner in the owner's turn.
    """

    PERSON = "person"
    PET = "pet"
    MINION = "minion"
    FAMILIAR = "familiar"
    WISP = "wisp"
    EYE = "eye"
    PHANTOM = "phantom"


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """Something to fight with.

    Attributes:
        id: Content id of a weapon, or a name of its own for claws and teeth.
        name: What it is called.
        dice: Bonus dice before Muscle or Notice caps them; a monster's own attacks are not capped.
        hands: How many hands it takes, 0 to 2.
        use: Battle, Shoot or both.
        natural: Whether it grows on its owner, or is a creature's own, and so takes no hand and no cap.
        held: Whether it is in hand; a creature's own weapon always is.
        magical: Whether magic is in it, so that Corrosion leaves it whole.
        counts_as: Plain weapons it also is, where bonus dice ask for one.
    """

    id: str
    name: str
    dice: int
    hands: int
    use: tuple[Action, ...]
    natural: bool = False
    held: bool = False
    magical: bool = False
    counts_as: tuple[str, ...] = ()

    @property
    def item(self) -> str:
        """Its content id: of several of a kind, the later ones have a number behind it."""
        return self.id.partition("#")[0]


@dataclass(frozen=True, slots=True)
class Load:
    """So many of one thing.

    Attributes:
        item: Content id of the thing.
        count: How many.
    """

    item: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Being:
    """A being in a scene.

    Attributes:
        id: Unique in the scene.
        name: What it is called at the table.
        side: Whose side it is on.
        ratings: Its dice for each action.
        at: Where it stands; `height` is how many paces above the ground it is.
        height: Paces above the ground.
        kind: Content id of a role or monster; empty for what a power made.
        creature: What kind of a being it is, as far as play treats it differently.
        leader: Id of the being whose player moves it; empty for itself.
        hero: Whether it is a player's character.
        luck: Current Luck; None for things without Luck, which any success fells.
        max_luck: What rest can bring Luck back to.
        cold: Luck lost to the cold, which rest does not bring back there (ruling P29).
        armor: Armour worn, with a held shield.
        size: How big it is.
        tags: "undead", "malicious", "animal", "living" and so on, as the powers ask.
        sight: How it sees without light.
        bonuses: Bonus dice that stay whatever it holds; what it holds and wears adds its own.
        steady: Actions that lose no dice in a double-move.
        powers: Content ids, the powers for everyone left out.
        casting: What it may do with its Magic dice.
        arms: Everything it can fight with.
        shield: Whether it holds one.
        move: Paces that it goes in a turn.
        fly: Slowest and fastest flight in paces a turn; None when it cannot fly.
        climb: Paces it climbs without rolling; None when it climbs like anybody.
        can_double_move: Whether it may go twice as far in place of its action.
        can_run: Whether it may run.
        reflex: Whether and when it dodges.
        out: Knocked out for the scene.
        hidden: Notice successes it takes to find it; None when it is in plain view.
        found_by: Ids of those of the other sides who know where it is.
        surprised: It has not seen its foes yet, so that they may ambush it.
        burden: Luck its leader's maximum is lowered by while it lasts.
        lends: Content ids of powers its leader has only through it.
        worn: Content id of the armour worn; empty for none, or for a hide of its own.
        gold: Gold it carries, and `gold_before` what it came with.
        gold_before: Gold it came with.
        brought: What a hero came with, by content id.
        came_with: The companions a hero came with.
    """

    id: ActorId
    name: str
    side: Side
    ratings: Ratings
    at: Square
    height: int = 0
    kind: str = ""
    creature: Creature = Creature.PERSON
    leader: str = ""
    hero: bool = False
    luck: int | None = None
    max_luck: int = 0
    cold: int = 0
    armor: int = 0
    size: Size = Size.HUMAN
    tags: tuple[str, ...] = ()
    sight: Sight
    bonuses: tuple[Bonus, ...] = ()
    steady: tuple[Action, ...] = ()
    powers: tuple[str, ...] = ()
    casting: Casting = Casting.NOTHING
    arms: tuple[Arm, ...] = ()
    shield: bool = False
    move: int = 5
    fly: tuple[int, int] | None = None
    climb: int | None = None
    can_double_move: bool = True
    can_run: bool = True
    reflex: Reflex = Reflex.ASK
    out: bool = False
    hidden: int | None = None
    found_by: tuple[str, ...] = ()
    surprised: bool = False
    burden: int = 0
    lends: tuple[str, ...] = ()
    worn: str = ""
    gold: int = 0
    gold_before: int = 0
    brought: tuple[Load, ...] = ()
    came_with: tuple[Companion, ...] = ()

    @property
    def player(self) -> str:
        """Whose player moves it: its leader's, its own, or the game master."""
        return self.leader or (self.id if self.hero else GM)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Something to be done that takes successes: a lock, a wall to break, a guard to talk round.

    Attributes:
        id: Unique in the scene.
        name: What is to be done, in plain words.
        action: What is rolled for it.
        needed: Successes it takes.
        total: Successes so far.
        shown: Whether players know how many it takes.
        situations: Content ids of what holds while working on it: `situation/lock`.
        at: Where it is; whoever works on it stands beside it. None when that does not matter.
        door: Id of the thing that is a shut door, and open once it is done.
        audience: Who may know of it at all.
    """

    id: ActorId
    name: str
    action: Action
    needed: int
    total: int = 0
    shown: bool = True
    situations: tuple[str, ...] = ()
    at: Square | None = None
    door: str = ""
    audience: Audience = EVERYONE


DOOR_TAG = "door"
"""Tag of a thing that is a door; behind a colon, it names the door whose leaves several things are."""

LOCKED = "locked"
"""Tag of a door that takes more than a touch to open; players find that out by trying."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """A thing: treasure, a door, something lying about.

    Attributes:
        id: Unique in the scene.
        name: What it is called.
        item: Content id of what it is on a hero card, if it is such a thing.
        count: How many of it.
        gold: Gold coins it is.
        value: What it is worth in gold, for Appraise.
        appraise: Notice successes that takes.
        luck: Luck it has against being destroyed; None for what cannot be.
        magical: Whether magic is in it.
        at: Where it lies; None while a being has it.
        holder: Who has it.
        solid: Whether it stands in the way and hides what is behind: a closed door.
        tags: "corpse", "bones", "stone", "door" and so on, as powers ask. "door:" with the id of a door
            of the ground stands for that door: it is open once the thing is forced or gone.
        used: How often it was used in this scene, for a wand.
        hidden: Notice successes it takes to find it; None when it is in plain view.
        found_by: Who has found it.
    """

    id: ActorId
    name: str
    item: str = ""
    count: int = 1
    gold: int = 0
    value: int | None = None
    appraise: int = 1
    luck: int | None = None
    magical: bool = False
    at: Square | None = None
    holder: ActorId = ""
    solid: bool = False
    tags: tuple[str, ...] = ()
    used: int = 0
    hidden: int | None = None
    found_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Climb:
    """A being on a wall: the steps, and how many are behind them.

    Attributes:
        being: Id of the climber.
        track: What is rolled for each step, from the foot up.
        at: Steps that are behind it, from 0.
    """

    being: ActorId
    track: tuple[Action, ...]
    at: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(Rounds):
    """Whose turn it is (the order is that of ruling P15), and what of it is used.

    Attributes:
        order: Ids of all who have turns, in their order.
        paces: Paces moved.
        acted: Whether the action is used.
        limit: Paces that may be moved in all, once an action has been done at a pace; None before.
        worked_up: Whether a spell was worked up this turn.
        suffered: Ids of areas that have done their harm this turn.
        place: Whose turn it is: a place in the order, from 0.
        round: Counted from 1.
    """

    order: tuple[ActorId, ...] = ()
    paces: int = 0
    acted: bool = False
    limit: int | None = None
    worked_up: bool = False
    suffered: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """A being that went home before the scene was over.

    Attributes:
        being: The being as it left.
        carried: What it took along, by content id.
    """

    being: Being
    carried: tuple[Load, ...] = ()


class Ending(Enum):
    """Why a scene is over.

    Attributes:
        HEROES_OUT: All heroes are out.
        NOBODY_LEFT: Nobody who has turns is left.
        FLOWN_AWAY: All heroes have flown away.
        GAME_MASTER: The game master said so.
    """

    HEROES_OUT = "heroes_out"
    NOBODY_LEFT = "nobody_left"
    FLOWN_AWAY = "flown_away"
    GAME_MASTER = "game_master"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Where a scene stands.

    Attributes:
        title: What the scene is called.
        field: The place it happens in.
        beings: Everybody in it.
        turn: Whose turn it is, and what of it is used.
        effects: What lasts on beings.
        areas: What lies on the grid and works on whoever is in it.
        jobs: What there is to do that takes successes.
        things: Treasure, doors, what lies about.
        climbs: Who is on a wall.
        counter: The last number given to something all may know of.
        secrets: The last number given to something hidden; a series of its own, so that no gap betrays
            it.
        ended: Why it is over; None while it goes on.
        ended_words: What the game master says of its end.
        winners: The side that is left, when it is over that way.
        departed: Heroes and companions that went home already.
        answer_seconds: How long questions wait; None for as long as it takes.
        answers_open_to_gm: Whether the game master reads who dodges before all who were asked have
            answered.
    """

    title: str
    field: Field
    beings: tuple[Being, ...]
    turn: Turn = Turn()
    effects: tuple[Effect, ...] = ()
    areas: tuple[Area, ...] = ()
    jobs: tuple[Job, ...] = ()
    things: tuple[Thing, ...] = ()
    climbs: tuple[Climb, ...] = ()
    counter: int = 0
    secrets: int = 0
    ended: Ending | None = None
    ended_words: str = ""
    winners: tuple[str, ...] = ()
    departed: tuple[Departure, ...] = ()
    answer_seconds: int | None = None
    answers_open_to_gm: bool = False

    def being(self, being_id: str) -> Being | None:
        """A being by id."""
        for being in self.beings:
            if being.id == being_id:
                return being
        return None

    def thing(self, thing_id: str) -> Thing | None:
        """A thing by id."""
        return next((thing for thing in self.things if thing.id == thing_id), None)

    def effects_on(self, being_id: str, *kinds: str) -> tuple[Effect, ...]:
        """What lasts on a being, of some kinds or of any."""
        if not self.effects:
            return ()
        found = [effect for effect in self.effects if effect.bearer == being_id]
        return tuple(effect for effect in found if effect.kind in kinds) if kinds else tuple(found)

    def has(self, being_id: str, *kinds: str) -> bool:
        """Whether something of these kinds lasts on a being."""
        if not self.effects:
            return False
        return any(effect.bearer == being_id and effect.kind in kinds for effect in self.effects)
