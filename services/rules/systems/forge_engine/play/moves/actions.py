"""What combatants do: attacks, general actions, movement, skills and spells (Combat Actions)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.engine.ground.squares import Square
from services.rules.engine.plain import Move
from services.rules.engine.steps import ActorId, ItemId
from services.rules.systems.forge_engine.attributes import Attribute


class MinorUse(Enum):
    """What a minor action is good for (General Actions / Minor Action; R-11).

    Attributes:
        DROP: Drop a weapon or shield.
        ITEM: Use an item that is held, or drink a potion.
        SLING: Sling what is held.
        PRONE: Drop Prone.
        DRAW: Draw a weapon or shield.
        SHEATHE: Sheathe a weapon.
        PICK_UP: Retrieve or pick up an item.
        DOOR: Open or close a normal door.
        RELEASE: Let go of who is held.
        STANCE: Begin or end a stance.
    """

    DROP = "drop"
    ITEM = "item"
    SLING = "sling"
    PRONE = "prone"
    DRAW = "draw"
    SHEATHE = "sheathe"
    PICK_UP = "pick-up"
    DOOR = "door"
    RELEASE = "release"
    STANCE = "stance"


class Care(Enum):
    """What treating a patient is to achieve (Death and Dying; Healing).

    Attributes:
        HEAL: Restore health.
        STABILIZE: Keep the dying from dying.
        REVIVE: Bring back the dead.
    """

    HEAL = "heal"
    STABILIZE = "stabilize"
    REVIVE = "revive"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass(Move):
    """Pass priority: until others have acted, or for the rest of the turn.

    Attributes:
        rest: Whether priority is passed until the next own turn; one may act again earlier all the same.
    """

    rest: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack(Move):
    """Attack with a weapon: one target, or everybody where it bursts or in the arc of its fire.

    Attributes:
        weapon: Its id in the profile.
        target: Whom; of an arc the one in its middle, of a burst the one it is thrown at.
        at: The square that an explosive is thrown at, in place of a target.
        added: Energy added.
        fire: Name of the fire option; empty for a plain shot.
        supports: Names of what steadies or sights the weapon.
        manner: Content id of the martial skill that says what it does in place of harm; empty for harm.
        others: Further targets, among whom a skill splits the pool.
    """

    weapon: ItemId
    target: ActorId = ""
    at: Square | None = None
    added: int = 0
    fire: str = ""
    supports: tuple[str, ...] = ()
    manner: str = ""
    others: tuple[ActorId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk(Move):
    """Move or run to a square, by the cheapest way.

    Attributes:
        to: Where the top left square of the space is then.
        run: Whether it is a run.
        by: Content id of the trait that carries there in one leap: Jumper, Phaser; empty on foot.
    """

    to: Square
    run: bool = False
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approach(Move):
    """Move or run nearer to another combatant, or away from it, where distances are stated.

    Attributes:
        target: The other.
        feet: How far.
        away: Whether it leads away.
        run: Whether it is a run.
        rough: Whether the ground is rough, as the game master says.
    """

    target: ActorId
    feet: int
    away: bool = False
    run: bool = False
    rough: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fly(Move):
    """Rise, or hover for a turn.

    Attributes:
        feet: How far up; 0 to hover.
    """

    feet: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount(Move):
    """Get on a mount or into a vehicle, or take the wheel of the one that one is aboard of.

    Attributes:
        target: Its id.
    """

    target: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Dismount(Move):
    """Get off a mount or out of a vehicle.

    Attributes:
        to: The square beside it; None where there is no grid.
    """

    to: Square | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand(Move):
    """Get up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Minor(Move):
    """A minor action.

    Attributes:
        use: What it is good for.
        item: What it is done with: id of a weapon or door, content id of a shield or stance, or
            a word.
    """

    use: MinorUse
    item: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reload(Move):
    """Make a weapon ready again.

    Attributes:
        weapon: Its id in the profile.
        way: Name of the way of reloading.
    """

    weapon: ItemId
    way: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm(Move):
    """Light the fuze of an explosive, or pull its pin.

    Attributes:
        weapon: Its id in the profile.
    """

    weapon: ItemId


@dataclass(frozen=True, slots=True, kw_only=True)
class Grapple(Move):
    """Take hold of a combatant within reach.

    Attributes:
        target: Whom.
        added: Energy added.
    """

    target: ActorId
    added: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Escape(Move):
    """Try to break free of who holds one.

    Attributes:
        attribute: Strength or Agility.
        added: Energy added.
    """

    attribute: Attribute = Attribute.STRENGTH
    added: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ShakeOff(Move):
    """Shake It Off: end an ongoing condition.

    Attributes:
        effect: Id of the effect.
        energy: Energy added, as many dice.
    """

    effect: str
    energy: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Test(Move):
    """An attribute test.

    Attributes:
        attribute: What is tested.
        skill: Content id of a general skill; empty for none.
        added: Energy added in a fight; out of one the whole attribute counts.
        difficulty: What a die must reach.
        required: How many must.
        traits: Content ids of own traits that help here, such as fine ears where there is something to hear.
        helpers: Ids of allies who assist, each with its rating in the skill.
    """

    attribute: Attribute
    skill: str = ""
    added: int = 0
    difficulty: int = 8
    required: int = 1
    traits: tuple[str, ...] = ()
    helpers: tuple[ActorId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Treat(Move):
    """Treat a patient by First Aid or Medicine; in a fight only to stabilize.

    Attributes:
        patient: Whom.
        goal: What for.
        skill: Content id: First Aid or Medicine.
        added: Energy added in a fight.
    """

    patient: ActorId
    goal: Care
    skill: str
    added: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class UseSkill(Move):
    """Use a specialized martial skill that is an action of its own.

    Attributes:
        skill: Content id.
        target: Whom it is used on; empty for oneself.
        added: Energy that is spent or added at will.
    """

    skill: str
    target: ActorId = ""
    added: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast(Move):
    """Cast a spell.

    Attributes:
        spell: Content id.
        target: Whom; of an arc the one in its middle; empty for an area around the caster, and for things.
        added: Energy added.
        at: The square in the middle of an area that lies away from the caster, in place of a target.
        others: Further targets, among whom the dice are divided.
        shares: Dice of each target in turn; empty to divide them evenly, the first having what is left over.
        words: A command, written down.
        grams: How heavy the thing is that a spell moves, where it is a thing.
        pull: Whether what is moved comes nearer.
        creature: Content id of the adversary that is summoned.
    """

    spell: str
    target: ActorId = ""
    added: int = 0
    at: Square | None = None
    others: tuple[ActorId, ...] = ()
    shares: tuple[int, ...] = ()
    words: str = ""
    grams: int = 0
    pull: bool = False
    creature: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flee(Move):
    """Leave the fight, with no foe in reach."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Yield(Move):
    """Surrender."""
