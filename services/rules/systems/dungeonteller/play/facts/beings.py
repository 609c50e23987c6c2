"""What becomes of beings: their Luck, where they stand, who knows of them."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.grid import Square
from services.rules.engine.plain import Fact
from services.rules.engine.play import EVERYONE, Audience
from services.rules.engine.steps import ActorId
from services.rules.systems.dungeonteller.bonuses import Bonus
from services.rules.systems.dungeonteller.play.state import Being, Reflex, Side


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
