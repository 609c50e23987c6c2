"""What lasts in a scene: on a being (effects) and on the grid (areas), and when it ends.

What each kind of effect adds and forbids, and what ends it, stands in `content/effects.toml`. An effect is on
its bearer and from its source; its cause is a power, its strength the Magic of its caster (Undo Magic), its
amount an Armor, a store, dice lent or lost, turns to lose, or the successes that see through it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from services.rules.engine.content import load_shelf, slug_of
from services.rules.engine.effects import Duration, Effect, EffectRule, Until
from services.rules.engine.grid import Square
from services.rules.engine.play import EVERYONE, Audience
from services.rules.engine.steps import ActorId
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.catalog import SLUG
from services.rules.systems.dungeonteller.powers import Light

__all__ = [
    "Area",
    "AreaKind",
    "Duration",
    "Effect",
    "EffectKind",
    "Until",
    "ZoneRule",
    "effect_rules",
    "name_of",
    "zone_rules",
]


class EffectKind:
    """Content ids of what lasts on a being, where a rule asks for it by name (`content/effects.toml`)."""

    STATUE = "dungeonteller:effect/statue"
    PETRIFIED = "dungeonteller:effect/petrified"
    CLOAKED = "dungeonteller:effect/cloaked"
    INVISIBLE = "dungeonteller:effect/invisible"
    ASLEEP = "dungeonteller:effect/asleep"
    PINNED = "dungeonteller:effect/pinned"
    SHIELD = "dungeonteller:effect/shield"
    PARRY = "dungeonteller:effect/parry"
    FLOATING = "dungeonteller:effect/floating"
    MIST = "dungeonteller:effect/mist"
    DISGUISED = "dungeonteller:effect/disguised"
    VOICE = "dungeonteller:effect/voice"
    AFRAID = "dungeonteller:effect/afraid"
    DRIVEN_AWAY = "dungeonteller:effect/driven-away"
    COUNTERED = "dungeonteller:effect/countered"
    INSPIRED = "dungeonteller:effect/inspired"
    POISONED = "dungeonteller:effect/poisoned"
    TONGUES = "dungeonteller:effect/tongues"
    FIREPROOF = "dungeonteller:effect/fireproof"
    SPARKLING = "dungeonteller:effect/sparkling"
    RESTING = "dungeonteller:effect/resting"
    LOSES_TURNS = "dungeonteller:effect/loses-turns"
    WORKING_UP = "dungeonteller:effect/working-up"
    TRIED = "dungeonteller:effect/tried"
    CAUGHT = "dungeonteller:effect/caught"
    TRAPPED = "dungeonteller:effect/trapped"
    SUPPRESSED = "dungeonteller:effect/suppressed"
    DARKSIGHT = "dungeonteller:effect/darksight"
    NOTE = "dungeonteller:effect/note"


@cache
def effect_rules() -> Mapping[str, EffectRule]:
    """What each kind of effect does, by its content id."""
    folder = files("services.rules.systems.dungeonteller") / "content"
    shelf = load_shelf(folder, "effects.toml", system=SLUG, kind="effect", entry=EffectRule)
    return {rule.id: rule for rule in shelf}


FOR_THE_SCENE = Duration()


class AreaKind:
    """Kinds of what lies on the grid, where a rule asks for one by name (`content/zones.toml`)."""

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
class ZoneRule:
    """What lies on the grid does, where its power does not say otherwise.

    Attributes:
        id: Content id.
        name: What it is called: "the fire".
        rule: Where it stands in the book.
        saved_by: The action rolled against it; None where nothing is rolled.
        against: What holds for that roll; empty for nothing.
        luck: Luck it takes, less the successes.
        loses_turn: Whether it costs a turn.
        poisons: Whether it poisons.
        catches: Whether it holds in place.
        on_coming: Whether it strikes only whoever comes, or whom it is made under.
        airborne: Whether it reaches up into the air.
        spares_giants: Whether it touches only those smaller than a giant.
        swarm: Whether it can be fought: it has Luck, and one success takes one at most.
        drives_out: Kinds that it ends where it is laid.
    """

    id: str
    name: str
    rule: str
    saved_by: Action | None = None
    against: str = ""
    luck: int = 0
    loses_turn: bool = False
    poisons: bool = False
    catches: bool = False
    on_coming: bool = False
    airborne: bool = False
    spares_giants: bool = False
    swarm: bool = False
    drives_out: tuple[str, ...] = ()

    @property
    def harmful(self) -> bool:
        """Whether it does harm to whoever is in it."""
        return self.saved_by is not None or self.catches


@cache
def zone_rules() -> Mapping[str, ZoneRule]:
    """What each kind of area does, by the kind; those that only shine or serve have no entry."""
    folder = files("services.rules.systems.dungeonteller") / "content"
    shelf = load_shelf(folder, "zones.toml", system=SLUG, kind="zone", entry=ZoneRule)
    return {slug_of(rule.id).replace("-", "_"): rule for rule in shelf}


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """Something that lies on the grid and works on whoever is in it.

    Attributes:
        id: Unique in the scene.
        kind: What it is; `content/zones.toml` says what it does.
        squares: Where it lies; for a light or a rune, the square it shines or watches from.
        source: Id of the being that made it; empty for a hazard or the game master.
        cause: Content id of the power, if one made it.
        amount: What it counts: dice lost in fog, successes to escape a trap.
        luck: Luck it has left, for a swarm.
        light: How bright it shines, if it does, and `radius` how far in paces.
        radius: How far its light shines, in paces.
        bearer: Id of the being it goes along with: a glow, the light of a wisp.
        lasts: How long it lies there yet.
        strength: Magic rating of its caster, for Undo Magic.
        audience: Who may know of it: an unseen rune is its maker's alone.
    """

    id: ActorId
    kind: str
    squares: tuple[Square, ...]
    source: ActorId = ""
    cause: str = ""
    amount: int = 0
    luck: int | None = None
    light: Light | None = None
    radius: int = 0
    bearer: ActorId = ""
    lasts: Duration = FOR_THE_SCENE
    strength: int = 0
    audience: Audience = EVERYONE


def name_of(what: Effect | Area) -> str:
    """What something that lasts is called in a list."""
    return what.kind.replace("_", " ") if isinstance(what, Area) else slug_of(what.kind).replace("-", " ")
