"""What lasts in a scene: on somebody (effects) and on the grid (areas), and when it ends."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.engine.grid import Square
from services.rules.engine.play import EVERYONE, Audience
from services.rules.systems.dungeonteller.powers import Light


class Ending(Enum):
    """When something that lasts ends.

    Attributes:
        SCENE: With the scene.
        TURNS: At the end of somebody's n-th own turn after the one in which it began (ruling P30).
        NEXT_TURN: When somebody's next turn begins.
        USED: When it is used up.
        DISMISSED: When its maker ends it; at the latest with the scene.
    """

    SCENE = "scene"
    TURNS = "turns"
    NEXT_TURN = "next_turn"
    USED = "used"
    DISMISSED = "dismissed"


@dataclass(frozen=True, slots=True)
class Lasting:
    """How long something lasts.

    Attributes:
        of: Whose turns count, where turns do.
        turns: Turns left.
        fresh: It began in the turn that is going on, which does not count.
    """

    ending: Ending = Ending.SCENE
    of: str = ""
    turns: int = 0
    fresh: bool = False


class EffectKind(Enum):
    """What lasts on somebody. The rules of each stand with the power that makes it."""

    STATUE = "statue"
    PETRIFIED = "petrified"
    CLOAKED = "cloaked"
    INVISIBLE = "invisible"
    ASLEEP = "asleep"
    PINNED = "pinned"
    SHIELD = "shield"
    PARRY = "parry"
    FLOATING = "floating"
    MIST = "mist"
    DISGUISED = "disguised"
    VOICE = "voice"
    AFRAID = "afraid"
    DRIVEN_AWAY = "driven_away"
    COUNTERED = "countered"
    INSPIRED = "inspired"
    POISONED = "poisoned"
    TONGUES = "tongues"
    FIREPROOF = "fireproof"
    SPARKLING = "sparkling"
    RESTING = "resting"
    LOSES_TURNS = "loses_turns"
    WORKING_UP = "working_up"
    TRIED = "tried"
    CAUGHT = "caught"
    TRAPPED = "trapped"
    GLOWING = "glowing"
    SUPPRESSED = "suppressed"
    DARKSIGHT = "darksight"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """Something that lasts on somebody.

    Attributes:
        on: Id of the being it is on.
        by: Id of the being that made it; empty for a hazard or the game master.
        power: Content id of the power, if one made it.
        amount: What it counts: Armor, a store of successes, dice lent or lost, turns to lose, successes
            needed to see through it.
        other: Id of something else it concerns: an area, a target, a thing.
        magic: Magic rating of its caster, for Undo Magic; 0 for what is no spell.
        words: What it says or stands for, in plain words.
        audience: Who may know of it.
    """

    id: str
    kind: EffectKind
    on: str
    by: str = ""
    power: str = ""
    amount: int = 0
    other: str = ""
    lasts: Lasting = Lasting()
    magic: int = 0
    words: str = ""
    audience: Audience = EVERYONE


class AreaKind(Enum):
    """What lies on the grid. The rules of each stand with the power that makes it."""

    FIRE = "fire"
    ICE = "ice"
    BRIAR = "briar"
    CHILL = "chill"
    POISON = "poison"
    FOG = "fog"
    GUARD_CIRCLE = "guard_circle"
    HEALING_CIRCLE = "healing_circle"
    HEARTH_RUNE = "hearth_rune"
    SENTINEL_RUNE = "sentinel_rune"
    TRAP_RUNE = "trap_rune"
    LOCUSTS = "locusts"
    SCARABS = "scarabs"
    SCORPIONS = "scorpions"
    LIGHT = "light"
    DARKNESS = "darkness"


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """Something that lies on the grid and works on whoever is in it.

    Attributes:
        squares: Where it lies; for a light or a rune, the square it shines or watches from.
        amount: What it counts: dice lost in fog, successes to escape a trap.
        luck: Luck it has left, for a swarm.
        light: How bright it shines, if it does, and `radius` how far in paces.
        bearer: Id of the being it goes along with: a glow, the light of a wisp.
        magic: Magic rating of its caster, for Undo Magic.
        audience: Who may know of it: an unseen rune is its maker's alone.
    """

    id: str
    kind: AreaKind
    squares: tuple[Square, ...]
    by: str = ""
    power: str = ""
    amount: int = 0
    luck: int | None = None
    light: Light | None = None
    radius: int = 0
    bearer: str = ""
    lasts: Lasting = Lasting()
    magic: int = 0
    audience: Audience = EVERYONE
