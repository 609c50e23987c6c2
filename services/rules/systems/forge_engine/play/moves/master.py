"""What the game master does (Game Mastering)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.engine.ground.kinds import DoorState
from services.rules.engine.ground.squares import Square
from services.rules.engine.plain import Move
from services.rules.systems.forge_engine.attributes import Attribute


class RestKind(Enum):
    """How long a rest is (Resting).

    Attributes:
        SHORT: 30 minutes.
        LONG: 8 hours.
    """

    SHORT = "short"
    LONG = "long"


class Awareness(Enum):
    """How surprise is determined (Combat Initiation / Surprise).

    Attributes:
        HIDDEN: Perception against the Stealth of the other side.
        MEETING: Perception against the Perception of the other side.
        CERTAIN: They are surprised.
    """

    HIDDEN = "hidden"
    MEETING = "meeting"
    CERTAIN = "certain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Who may be surprised, and how that is determined.

    Attributes:
        who: The combatant.
        by: How.
        dice: Dice that circumstances add, below 0 where they take them.
        difficulty: What Perception must reach in place of the other side's dice; None for those.
    """

    who: str
    by: Awareness = Awareness.HIDDEN
    dice: int = 0
    difficulty: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginFight(Move):
    """Determine surprise, roll for initiative, and let the first turn begin.

    Attributes:
        watches: Who may be surprised.
    """

    watches: tuple[Watch, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EndScene(Move):
    """End the scene.

    Attributes:
        text: Why.
    """

    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal(Move):
    """Let a hidden combatant step out.

    Attributes:
        who: Its id.
    """

    who: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Impose(Move):
    """Put a condition, or a circumstance such as cover or high ground, on a combatant.

    Attributes:
        who: Whom.
        what: Content id of a condition or an effect.
        shaken_off: Whether Shake It Off ends it.
    """

    who: str
    what: str
    shaken_off: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Lift(Move):
    """End what lasts on a combatant.

    Attributes:
        effect: Id of the effect.
    """

    effect: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StateDistance(Move):
    """Say how far two combatants are apart, where there is no grid.

    Attributes:
        one: A combatant.
        other: Another.
        feet: Feet between them.
    """

    one: str
    other: str
    feet: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Displace(Move):
    """Push, pull or put a combatant somewhere.

    Attributes:
        who: Whom.
        to: Where its top left square is then.
    """

    who: str
    to: Square


@dataclass(frozen=True, slots=True, kw_only=True)
class SetDoor(Move):
    """Open, shut or lock a door of the grid; a secret one is found by it, however it is set.

    Attributes:
        door: Its id on the map.
        state: How it stands then.
    """

    door: str
    state: DoorState


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeFog(Move):
    """Uncover squares of the grid under fog, or cover them again.

    Attributes:
        squares: Which.
        known: Whether the players know them then; what their characters see stays known.
    """

    squares: tuple[Square, ...]
    known: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Improvise(Move):
    """Charge a combatant energy for an improvised action (F12).

    Attributes:
        who: Who acts.
        text: What it does.
        energy: Energy to spend.
        expend: Energy to expend.
    """

    who: str
    text: str
    energy: int = 0
    expend: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Endanger(Move):
    """Expose a combatant to a hazard (Environmental Hazards).

    Attributes:
        who: Whom.
        hazard: Content id.
        level: Name of its strength; empty where it has none.
        feet: How deep a fall is, how wide a gap.
        days: Days without water or food.
        water: Whether it is water that lacks.
        fringe: Whether an explosion touches it only at its fringe.
        skill: Content id of the skill to test; empty for the one with the most dice.
        harder: What circumstances add to the difficulty, below 0 where they make it easier.
    """

    who: str
    hazard: str
    level: str = ""
    feet: int = 0
    days: int = 0
    water: bool = False
    fringe: bool = False
    skill: str = ""
    harder: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Harm(Move):
    """Deal damage that no attack deals.

    Attributes:
        who: To whom.
        damage: How much.
        type: Content id of the damage type.
    """

    who: str
    damage: int
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest(Move):
    """Let two combatants test for what both want, without energy: a race, a pursuit, a struggle of words.

    Attributes:
        one: Who began it.
        other: The rival.
        attribute: What both test.
        skill: Content id of the skill that helps both; empty for none.
    """

    one: str
    other: str
    attribute: Attribute = Attribute.STAMINA
    skill: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Morale(Move):
    """Test the morale of a combatant, as when its leader dies or flees.

    Attributes:
        who: Its id.
        difficulty: What a die must reach.
    """

    who: str
    difficulty: int = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest(Move):
    """Let combatants rest, out of a fight.

    Attributes:
        who: Ids of those who rest.
        length: How long.
        minutes: Minutes after which the rest is interrupted; None where it is not.
    """

    who: tuple[str, ...]
    length: RestKind
    minutes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait(Move):
    """Let time pass, out of a fight.

    Attributes:
        minutes: How much.
    """

    minutes: int = 1
