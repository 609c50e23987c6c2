"""What beings have, and things."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.grid import Square
from services.rules.engine.ground.kinds import DoorState
from services.rules.engine.plain import Fact
from services.rules.engine.steps import ActorId
from services.rules.systems.dungeonteller.play.state import Arm, Thing


@dataclass(frozen=True, slots=True, kw_only=True)
class Wielded(Fact):
    """A being took in hand what it fights with.

    Attributes:
        being: Id of the one who is armed anew.
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
    """A being has a weapon more.

    Attributes:
        being: Id of the one who has it.
        arm: The weapon.
    """

    being: ActorId
    arm: Arm


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmLost(Fact):
    """A being has a weapon less.

    Attributes:
        being: Id of the one who had it.
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
    """The armour that a being wore is destroyed.

    Attributes:
        being: Id of the one who wore it.
        armor: What is left: a held shield, or a hide.
    """

    being: ActorId
    armor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldGained(Fact):
    """A being has more gold.

    Attributes:
        being: Id of the one who has it.
        gold: How many coins more.
    """

    being: ActorId
    gold: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingAdded(Fact):
    """A thing is in the scene.

    Attributes:
        thing: What it is, and where.
    """

    thing: Thing


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingTaken(Fact):
    """A thing is in a being's hands.

    Attributes:
        thing: Id of the thing.
        by: Id of the one who has it now.
    """

    thing: ActorId
    by: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingLaidDown(Fact):
    """A thing lies on the grid.

    Attributes:
        thing: Id of the thing.
        at: The square where it lies.
    """

    thing: ActorId
    at: Square


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingFound(Fact):
    """A hidden thing was found.

    Attributes:
        thing: Id of the thing.
        by: Id of the finder.
    """

    thing: ActorId
    by: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingUsed(Fact):
    """A thing has been used so often in this scene.

    Attributes:
        thing: Id of the thing.
        used: How often by now.
    """

    thing: ActorId
    used: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingSpent(Fact):
    """One of the things of a kind is used up or destroyed.

    Attributes:
        thing: Id of the thing, of which there may be several.
        left: How many are left; with none it is gone.
        destroyed: Whether it has served nobody.
    """

    thing: ActorId
    left: int
    destroyed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingDamaged(Fact):
    """A thing has less Luck against being destroyed.

    Attributes:
        thing: Id of the thing.
        luck: Luck that it has left.
    """

    thing: ActorId
    luck: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingGone(Fact):
    """A thing is used up or destroyed, or is now gold in a purse or a weapon among weapons.

    Attributes:
        thing: Id of the thing.
    """

    thing: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorSet(Fact):
    """A door of the stored map stands otherwise, by the game master's word; a secret one is found.

    Attributes:
        door: Its id on the map.
        name: What it is called.
        state: How it stands.
    """

    door: str
    name: str
    state: DoorState


@dataclass(frozen=True, slots=True, kw_only=True)
class FogChanged(Fact):
    """Squares of the place are known to all players, or to none, by the game master's word.

    Attributes:
        squares: Those that change, row by row.
        known: Whether the players know them then.
    """

    squares: tuple[Square, ...]
    known: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorOpened(Fact):
    """A door, or one of its leaves, stands in nobody's way any more.

    Attributes:
        thing: Id of the door.
    """

    thing: ActorId
