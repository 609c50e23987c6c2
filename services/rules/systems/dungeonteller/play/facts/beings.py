"""Beings: who comes and goes, where they stand, how they are."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.grid import Square
from services.rules.engine.plain import Fact
from services.rules.engine.steps import ActorId
from services.rules.systems.dungeonteller.bonuses import Bonus
from services.rules.systems.dungeonteller.play.state import Being, Reflex, Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived(Fact):
    """A being came into the scene.

    Attributes:
        being: The newcomer, with all that is known of it.
    """

    being: Being


@dataclass(frozen=True, slots=True, kw_only=True)
class Left(Fact):
    """A being is gone from the scene, and what lasted on it.

    Attributes:
        being: Id of the one who is gone.
        home: Whether it goes home, with what it carries, before the scene is over.
    """

    being: ActorId
    home: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(Fact):
    """A being stands elsewhere, or higher or lower.

    Attributes:
        being: Id of the one who moved.
        at: The square where it stands now.
        height: Paces above the ground.
    """

    being: ActorId
    at: Square
    height: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Hid(Fact):
    """A being hides.

    Attributes:
        being: Id of the one who hides.
        needed: Notice successes it takes to find it.
        found_by: Who of the other sides knows where it is all the same.
    """

    being: ActorId
    needed: int
    found_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CameIntoView(Fact):
    """A being is hidden no longer.

    Attributes:
        being: Id of the one who can be seen now.
    """

    being: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed(Fact):
    """A hidden being was found.

    Attributes:
        being: Id of the one who was hidden.
        by: Who found it.
    """

    being: ActorId
    by: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Alerted(Fact):
    """A being is surprised no longer.

    Attributes:
        being: Id of the one who sees its foes now.
    """

    being: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockedOut(Fact):
    """A being is out for the scene, in plain view and on the ground.

    Attributes:
        being: Id of the one who is out.
    """

    being: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Warmed(Fact):
    """The cold has left a being.

    Attributes:
        being: Id of the one who is warm again.
    """

    being: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored(Fact):
    """A statue that was alive before the scene began is alive again.

    Attributes:
        being: Id of what was a statue.
        tag: The tag that it loses.
    """

    being: ActorId
    tag: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MaximumLowered(Fact):
    """A companion lowers its owner's maximum of Luck.

    Attributes:
        being: Id of the owner.
        by: By how much.
    """

    being: ActorId
    by: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Helped(Fact):
    """A familiar lends its owner dice and a spell.

    Attributes:
        being: Id of the owner.
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
        being: Id of the companion.
        companion: Who serves no longer.
    """

    being: ActorId
    companion: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Tamed(Fact):
    """An animal is a pet from now on, on its owner's side.

    Attributes:
        being: Id of the animal.
        owner: Id of the one whose pet it is.
    """

    being: ActorId
    owner: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class StanceTaken(Fact):
    """A being dodges otherwise from now on.

    Attributes:
        being: Id of the one who changes its mind.
        reflex: How it dodges from now on.
    """

    being: ActorId
    reflex: Reflex


@dataclass(frozen=True, slots=True, kw_only=True)
class Overruled(Fact):
    """The game master set something by hand; None leaves it as it is.

    Attributes:
        being: Id of the one it is set for.
        max_luck: What rest can bring its Luck back to.
        armor: Its armour.
        at: The square where it stands.
        out: Whether it is knocked out for the scene.
        side: Whose side it is on.
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
