"""Everything that can be done in a scene, by players and by the game master.

Each move says who makes it (`actor`). Those of the game master have the actor `gm`.
"""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.grid import Square
from services.rules.engine.ground.kinds import DoorState
from services.rules.engine.steps import ActorId, ItemId
from services.rules.systems.dungeonteller.actions import Action


@dataclass(frozen=True, slots=True, kw_only=True)
class Go:
    """Move on the grid: walk, run, fly, swim or climb where you can.

    Attributes:
        to: Where to.
        way: The squares on the way, without the first; empty for a shortest way.
        run: Run: no action this turn; Muscle and Stunt are rolled for paces beyond ten.
        fly: Fly, if you can; `height` is how many paces up the flight ends.
        feat: Luck to spend on a Feat of Strength in a run: a Muscle die more for each.
    """

    actor: str
    to: Square
    way: tuple[Square, ...] = ()
    run: bool = False
    fly: bool = False
    height: int = 1
    feat: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """Battle or Shoot at a foe, or at a thing or swarm that has Luck.

    Attributes:
        action: Battle or Shoot.
        target: Id of a being, a thing or a swarm.
        arm: Id of what to fight with; empty for bare fists.
        inspired: Lent dice to use.
    """

    actor: str
    action: Action
    target: ActorId
    arm: ItemId = ""
    inspired: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class UsePower:
    """Use a power. Which of the further parts count is the power's business; the others stay empty.

    Attributes:
        power: Content id.
        targets: Ids of beings, things or effects it is aimed at.
        squares: Squares it is laid on, most wanted first, or the square it leads to.
        split: Dice for each of two groups (Sweep, Rapid Fire).
        luck: Luck to spend where the power lets you choose (Feat of Strength), or to give (Hand of Healing).
        arm: Id of what to fight with.
        sort: Which of several sorts: "locusts", "owl", "bright", "never_seen".
        words: What is said, asked or shown.
        job: Id of a job the roll is for.
        inspired: Lent dice to use.
        work_up: Keep the successes and cast later (Magic; ruling P26).
        scroll: Id of the scroll or wand it is cast from.
        feat: Luck to spend on a Feat of Strength with a power that rolls Muscle: a die more for each.
    """

    actor: str
    power: str
    targets: tuple[ActorId, ...] = ()
    squares: tuple[Square, ...] = ()
    split: tuple[int, ...] = ()
    luck: int = 0
    arm: ItemId = ""
    sort: str = ""
    words: str = ""
    job: str = ""
    inspired: int = 0
    work_up: bool = False
    scroll: ItemId = ""
    feat: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Try:
    """Try anything with one of the ten actions; the game master says what it takes.

    Attributes:
        action: What is rolled.
        job: Id of the job it is for; empty for anything else.
        targets: Who rolls against it: those lied to roll Resist, those sneaked past roll Notice.
        gear: Content ids of gear that is used; each has to serve this roll.
        lie: Whether what is said is untrue, so that listeners may Resist.
        far: Throw it a long way: Muscle is rolled too, for the distance (Actions / Shoot).
        words: What is tried.
        inspired: Lent dice to use.
        feat: Luck to spend on a Feat of Strength: a Muscle die more for each.
    """

    actor: str
    action: Action
    job: str = ""
    targets: tuple[ActorId, ...] = ()
    gear: tuple[ItemId, ...] = ()
    lie: bool = False
    far: bool = False
    words: str = ""
    inspired: int = 0
    feat: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """Rest a whole turn: 1 Luck when your next turn begins, unless a being attacked you meanwhile."""

    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EndTurn:
    """The turn is over; the next one in the order moves."""

    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Answer a question that a move asks on its way.

    Attributes:
        yes: Dodge, strike, or go on.
        arm: Id of what to strike with.
    """

    actor: str
    yes: bool = True
    arm: ItemId = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Struggle:
    """Get out of what holds you: a pin (Muscle and Stunt), thorns.

    Attributes:
        tear: Tear yourself out of thorns at once for 2 Luck; otherwise it takes the turn.
        feat: Luck to spend on a Feat of Strength against a pin: a Muscle die more for each.
    """

    actor: str
    tear: bool = False
    feat: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Squeeze:
    """Squeeze the foe you hold: Muscle against Muscle.

    Attributes:
        feat: Luck to spend on a Feat of Strength: a Muscle die more for each.
    """

    actor: str
    feat: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Dismiss:
    """End something of your own: a rune, a light, a circle, a hold, a pet or familiar, a cloak.

    Attributes:
        what: Id of the effect, area or being.
    """

    actor: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Steer:
    """Move a wisp, an eye or a phantom of yours; it takes no action.

    Attributes:
        what: Its id.
        to: Where to.
    """

    actor: str
    what: ActorId
    to: Square


@dataclass(frozen=True, slots=True, kw_only=True)
class Wield:
    """Take weapons in hand and put others away; it takes no action.

    Attributes:
        arms: Ids of everything to hold; a shield too.
    """

    actor: str
    arms: tuple[ItemId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Take:
    """Take a thing that lies within reach; it takes no action."""

    actor: str
    thing: ItemId


@dataclass(frozen=True, slots=True, kw_only=True)
class Give:
    """Give a thing to a being within reach, or lay it down; it takes no action.

    Attributes:
        to: Id of a being; empty to lay it down.
    """

    actor: str
    thing: ItemId
    to: ActorId = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drink:
    """Drink something you have; it takes the action."""

    actor: str
    thing: ItemId


@dataclass(frozen=True, slots=True, kw_only=True)
class Wedge:
    """Wedge a door, open or shut, with an iron spike, which is used up; it takes the action.

    Attributes:
        door: Id of a Muscle job about a door, or of a shut door.
    """

    actor: str
    door: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stance:
    """Say whether you dodge by yourself: "ask", "better" or "never"."""

    actor: str
    reflex: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AddJob:
    """Game master: set a job.

    Attributes:
        id: Its name for moves; a new one.
        needed: Successes it takes.
        shown: Whether players know how many.
        secret: Whether players know of it at all.
    """

    actor: str
    id: str
    name: str
    action: Action
    needed: int
    shown: bool = True
    secret: bool = False
    situations: tuple[str, ...] = ()
    at: Square | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AddCreature:
    """Game master: bring a creature into the scene.

    Attributes:
        monster: Content id.
        at: Where; None for a free square on the far side.
        name: Its name; empty for the creature's own with a number.
        hidden: Notice successes it takes to find it; None for plain view.
        surprised: It has not seen the heroes yet.
        side: "foes", "heroes" or "bystanders".
    """

    actor: str
    monster: str
    at: Square | None = None
    name: str = ""
    hidden: int | None = None
    surprised: bool = False
    side: str = "foes"


@dataclass(frozen=True, slots=True, kw_only=True)
class AddThing:
    """Game master: put a thing into the scene.

    Attributes:
        item: Content id of what it is, if it is on a list.
        gold: Coins it is.
        holder: Who has it; empty when it lies at `at`.
    """

    actor: str
    name: str
    item: str = ""
    count: int = 1
    gold: int = 0
    value: int | None = None
    appraise: int = 1
    luck: int | None = None
    magical: bool = False
    at: Square | None = None
    holder: str = ""
    solid: bool = False
    tags: tuple[str, ...] = ()
    hidden: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Remove:
    """Game master: take a being, thing, job, area or effect out of the scene."""

    actor: str
    what: str
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrule:
    """Game master: set something about a being by hand, for all to see.

    Attributes:
        being: Whom it concerns.
        why: The reason, in plain words.
        luck: New Luck.
        max_luck: New maximum.
        at: New place.
        out: Knocked out, or up again.
        armor: New Armor.
        side: New side.
        shown: True shows a hidden being to all.
    """

    actor: str
    being: str
    why: str = ""
    luck: int | None = None
    max_luck: int | None = None
    at: Square | None = None
    out: bool | None = None
    armor: int | None = None
    side: str | None = None
    shown: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LookOut:
    """Game master: roll a being's Notice in secret.

    Attributes:
        being: Who looks or listens.
        what: Id of a hidden being or thing; empty for nothing in particular.
        situations: Content ids of what holds: `situation/hidden-door`.
    """

    actor: str
    being: str
    what: str = ""
    situations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Danger:
    """Game master: a danger of the place strikes a being.

    Attributes:
        being: Whom.
        danger: "fall" (by feet), "fire", "luck" (by amount), "poison" (Muscle needs `amount` successes).
        feet: How deep a fall is.
        amount: Luck it takes, or successes needed.
        why: What it is, in plain words.
    """

    actor: str
    being: str
    danger: str
    feet: int = 0
    amount: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetWall:
    """Game master: put a being in front of a wall to climb.

    Attributes:
        track: Muscle or Stunt for each step, from the bottom up.
    """

    actor: str
    being: str
    track: tuple[Action, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetDoor:
    """Game master: open, shut or lock a door of the stored map; a secret one is found by it.

    Attributes:
        door: Its id on the map.
        state: How it stands then.
    """

    actor: str
    door: str
    state: DoorState


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeFog:
    """Game master: uncover squares of the place under fog, or cover them again.

    Attributes:
        squares: Which.
        known: Whether the players know them then; what their heroes see stays known.
    """

    actor: str
    squares: tuple[Square, ...]
    known: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Tell:
    """Game master: say something.

    Attributes:
        text: What.
        to: Ids of those who hear it; empty for everybody.
        secret: A note to oneself.
    """

    actor: str
    text: str
    to: tuple[str, ...] = ()
    secret: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EndScene:
    """Game master: the scene is over."""

    actor: str
    why: str = ""


Move = (
    Go
    | Attack
    | UsePower
    | Try
    | Rest
    | EndTurn
    | Answer
    | Struggle
    | Squeeze
    | Dismiss
    | Steer
    | Wield
    | Take
    | Give
    | Drink
    | Wedge
    | Stance
    | AddJob
    | AddCreature
    | AddThing
    | Remove
    | Overrule
    | LookOut
    | Danger
    | SetWall
    | SetDoor
    | ChangeFog
    | Tell
    | EndScene
)
