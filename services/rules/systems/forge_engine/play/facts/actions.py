"""Movement, minor actions, tests."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.ground.squares import Square
from services.rules.engine.plain import Fact
from services.rules.engine.steps import ActorId
from services.rules.systems.forge_engine.play.moves import MinorUse
from services.rules.systems.forge_engine.play.state import Gone


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(Fact):
    """A combatant moved; `feet` of its speed are used, `ran` feet added to it.

    Attributes:
        who: Id of the one whom it concerns.
        feet: How many feet.
        to: Where to.
        run: Whether it is a run.
        ran: Feet that running added.
    """

    who: ActorId
    feet: int
    to: Square | None = None
    run: bool = False
    ran: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Neared(Fact):
    """Two combatants are so many feet apart now, where distances are stated.

    Attributes:
        one: Id of the one.
        other: Id of the other.
        feet: How many feet.
    """

    one: ActorId
    other: ActorId
    feet: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Displaced(Fact):
    """A combatant was pushed, pulled, dragged or put somewhere.

    Attributes:
        who: Id of the one whom it concerns.
        to: Where to.
    """

    who: ActorId
    to: Square


@dataclass(frozen=True, slots=True, kw_only=True)
class Rose(Fact):
    """A flyer gained so many feet of altitude, or hovered.

    Attributes:
        who: Id of the one whom it concerns.
        feet: How many feet.
    """

    who: ActorId
    feet: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sank(Fact):
    """A flyer who kept itself up by nothing lost so many feet of altitude.

    Attributes:
        who: Id of the one whom it concerns.
        feet: How many feet.
    """

    who: ActorId
    feet: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stood(Fact):
    """A combatant got up.

    Attributes:
        who: Id of the one whom it concerns.
        effect: What lasts.
    """

    who: ActorId
    effect: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MinorDone(Fact):
    """A minor action; `item` is what it was done with, `name` what that is called.

    Attributes:
        who: Id of the one whom it concerns.
        use: Which use.
        item: What it is done with; empty for nothing.
        name: What it is called.
    """

    who: ActorId
    use: MinorUse
    item: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reloaded(Fact):
    """A weapon is ready again with so many shots.

    Attributes:
        who: Id of the one whom it concerns.
        weapon: Id of the weapon.
        name: What it is called.
        shots: Shots of the weapon that are used or left.
    """

    who: ActorId
    weapon: str
    name: str
    shots: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Armed(Fact):
    """An explosive is lit, or its pin is out.

    Attributes:
        who: Id of the one whom it concerns.
        weapon: Id of the weapon.
        name: What it is called.
    """

    who: ActorId
    weapon: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested(Fact):
    """An attribute test; `successes` as conditions leave them.

    Attributes:
        who: Id of the one whom it concerns.
        what: What for, in plain words.
        successes: How many successes.
        passed: Whether it was passed.
        critical: Whether it is a critical failure.
    """

    who: ActorId
    what: str
    successes: int
    passed: bool
    critical: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Contested(Fact):
    """An opposed test.

    Attributes:
        who: Id of the one whom it concerns.
        against: What it is rolled against.
        what: What for, in plain words.
        successes: How many successes.
    """

    who: ActorId
    against: ActorId
    what: str
    successes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Improvised(Fact):
    """An improvised action.

    Attributes:
        who: Id of the one whom it concerns.
        text: In plain words.
    """

    who: ActorId
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Left(Fact):
    """A combatant left the fight.

    Attributes:
        who: Id of the one whom it concerns.
        how: How, in plain words.
    """

    who: ActorId
    how: Gone
