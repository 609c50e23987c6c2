"""What happens in a scene, as facts. Each is folded in by `evolve` without looking at any rule."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.explain import Explained
from services.rules.engine.play import EVERYONE, Audience
from services.rules.systems.dungeonteller.play.state import (
    Area,
    Being,
    Climb,
    Effect,
    Field,
    Job,
    Thing,
    Turn,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled:
    """Dice fell.

    Attributes:
        roll: The roll's name in its check.
        being: Who rolled.
        label: What for.
        dice: How many, and why.
        faces: How they fell.
        successes: How many of them succeed.
    """

    roll: str
    being: str
    label: str
    dice: Explained
    faces: tuple[int, ...]
    successes: int
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """Something for people to read and for clients to show; it changes nothing by itself.

    Attributes:
        code: For programs: "attack.hit", "power.zap".
        text: One plain sentence.
        by: Who did it.
        targets: Whom it concerns.
        power: Content id of the power, if it was one.
        successes: Successes that count in the end.
        rule: Where the rule stands.
    """

    code: str
    text: str
    by: str = ""
    targets: tuple[str, ...] = ()
    power: str = ""
    successes: int = 0
    rule: str = ""
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckChanged:
    """Somebody's Luck changed.

    Attributes:
        luck: What it is now.
        change: By how much.
        why: In plain words.
        by: Id of whose doing it is; empty for a hazard, and for what one does to oneself.
        why_for: Who may know why; all, as a player sees it.
    """

    being: str
    luck: int
    change: int
    why: str
    by: str = ""
    why_for: Audience = EVERYONE
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class BeingSet:
    """Somebody is new, or changed in more than Luck: where they stand, what they hold, if they are out."""

    being: Being
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectSet:
    """Something lasts on somebody, or lasts otherwise than before."""

    effect: Effect
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaSet:
    """Something lies on the grid, or lies otherwise than before."""

    area: Area
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class JobSet:
    """A job is new, or got on."""

    job: Job
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingSet:
    """A thing is new, or changed hands."""

    thing: Thing
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class ClimbSet:
    """Somebody is on a wall, higher or lower than before."""

    climb: Climb
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """Something is gone: a being, effect, area, job or thing, or `climb:` and the id of who was climbing."""

    id: str
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSet:
    """A turn began, or some of it is used."""

    turn: Turn
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSet:
    """The place changed."""

    field: Field
    audience: Audience = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """The scene is over.

    Attributes:
        why: In plain words.
        winners: The side that is left, if that ended it.
    """

    why: str
    winners: tuple[str, ...] = ()
    audience: Audience = EVERYONE


Event = (
    Rolled
    | Happened
    | LuckChanged
    | BeingSet
    | EffectSet
    | AreaSet
    | JobSet
    | ThingSet
    | ClimbSet
    | Gone
    | TurnSet
    | FieldSet
    | Ended
)
